"""Prometheus metrics: counters, gauges and histograms, and their text exposition format.

Follows the text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/) and nothing beyond it: no
timestamps, no exemplars, no quantiles computed here. Knows nothing of what is measured, nor of HTTP. For one thread.
"""

import math
import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Labels = tuple[str, ...]
"""The values of a family's labels, in the order of their names."""

# https://prometheus.io/docs/concepts/data_model/: colons are reserved for recording rules.
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")


class Family(ABC):
    """A metric family: its name, its help text and the names of its labels."""

    kind = "untyped"

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        """Raises ValueError for a name that Prometheus does not accept."""
        for each in (name, *labels):
            if not _NAME.fullmatch(each) or each == "le":
                raise ValueError(
                    f"{name}: expected letters, digits and _ in the name and in labels, got {each!r}"
                )
        self.name = name
        self.meaning = meaning
        self.labels = tuple(labels)

    @abstractmethod
    def samples(self) -> Iterator[str]:
        """Yield one line per sample."""

    def _check(self, values: Labels) -> None:
        if len(values) != len(self.labels):
            raise ValueError(f"{self.name}: expected a value for each of {self.labels}, got {values!r}")

    def _line(self, values: Labels, number: float, suffix: str = "", bound: float | None = None) -> str:
        pairs = [f'{name}="{_escaped(value)}"' for name, value in zip(self.labels, values, strict=True)]
        if bound is not None:
            pairs.append(f'le="{_number(bound)}"')
        labels = "{" + ",".join(pairs) + "}" if pairs else ""
        return f"{self.name}{suffix}{labels} {_number(number)}"


class Counter(Family):
    """A counter that is increased as events happen."""

    kind = "counter"

    def __init__(
        self, name: str, meaning: str, labels: Sequence[str] = (), known: Iterable[Labels] = ()
    ) -> None:
        """`known` label values start at 0: otherwise the first event of a series would not show as an increase."""
        super().__init__(name, meaning, labels)
        self._numbers: dict[Labels, float] = {}
        for values in known if labels else [()]:
            self.add(0, *values)

    def add(self, amount: float, *values: str) -> None:
        """Add an amount, with a value for each label. Raises ValueError for an amount below 0."""
        if not amount >= 0:
            raise ValueError(f"{self.name}: expected at least 0, got {amount!r}")
        try:
            self._numbers[values] += amount
        except KeyError:
            self._check(values)
            self._numbers[values] = amount

    def samples(self) -> Iterator[str]:
        """Yield one line per set of label values."""
        return (self._line(values, number) for values, number in self._numbers.items())


class Histogram(Family):
    """A histogram; `bounds` are the inclusive upper bounds of its buckets."""

    kind = "histogram"

    def __init__(self, name: str, meaning: str, bounds: Sequence[float], labels: Sequence[str] = ()) -> None:
        """Raises ValueError if the bounds do not rise or the last is infinite: the +Inf bucket is always there."""
        super().__init__(name, meaning, labels)
        if not bounds or not all(low < high for low, high in pairwise([*bounds, math.inf])):
            raise ValueError(f"{name}: expected bounds that rise and are finite, got {bounds!r}")
        self._bounds = tuple(bounds)
        self._buckets: dict[Labels, list[int]] = {}
        self._sums: dict[Labels, float] = {}
        if not labels:
            self._begin(())

    def _begin(self, values: Labels) -> list[int]:
        self._check(values)
        self._sums[values] = 0.0
        return self._buckets.setdefault(values, [0] * (len(self._bounds) + 1))

    def observe(self, number: float, *values: str) -> None:
        """Add an observation, with a value for each label."""
        buckets = self._buckets.get(values) or self._begin(values)
        buckets[bisect_left(self._bounds, number)] += 1
        self._sums[values] += number

    def samples(self) -> Iterator[str]:
        """Yield, per set of label values, its cumulative buckets, its sum and its count."""
        for values, buckets in self._buckets.items():
            total = 0
            for bound, count in zip((*self._bounds, math.inf), buckets, strict=True):
                total += count
                yield self._line(values, total, "_bucket", bound)
            yield self._line(values, self._sums[values], "_sum")
            yield self._line(values, total, "_count")


class CallbackFamily(Family):
    """A metric that is kept elsewhere: a callback reads it at each scrape."""

    def __init__(
        self, name: str, meaning: str, labels: Sequence[str], read: Callable[[], Mapping[Labels, float]]
    ) -> None:
        """`read` returns the present samples by their label values."""
        super().__init__(name, meaning, labels)
        self._read = read

    def samples(self) -> Iterator[str]:
        """Yield one line per present sample."""
        for values, number in self._read().items():
            self._check(values)
            yield self._line(values, number)


class CallbackCounter(CallbackFamily):
    """A counter that is kept elsewhere."""

    kind = "counter"


class Gauge(CallbackFamily):
    """A value that rises and falls, kept elsewhere."""

    kind = "gauge"


def counter_of(name: str, meaning: str, read: Callable[[], float]) -> Family:
    """Return a counter without labels that a callback reads."""
    return CallbackCounter(name, meaning, (), lambda: {(): read()})


def gauge_of(name: str, meaning: str, read: Callable[[], float]) -> Family:
    """Return a gauge without labels that a callback reads."""
    return Gauge(name, meaning, (), lambda: {(): read()})


def exposition(families: Iterable[Family]) -> str:
    """Return all metrics in the text format."""
    lines: list[str] = []
    for family in families:
        lines.append(f"# HELP {family.name} {_escaped_help(family.meaning)}")
        lines.append(f"# TYPE {family.name} {family.kind}")
        lines.extend(family.samples())
    return "\n".join([*lines, ""])


def _number(number: float) -> str:
    if math.isfinite(number):
        return repr(+number)  # the plus turns True into 1
    return "NaN" if math.isnan(number) else "+Inf" if number > 0 else "-Inf"


def _escaped_help(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _escaped(value: str) -> str:
    # Text format: backslash, double quote and line feed in a label value "have to be escaped". Lone surrogates have no UTF-8.
    text = value.encode("utf-8", "replace").decode()
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
