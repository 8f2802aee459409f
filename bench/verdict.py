"""One figure beside its limit. Measures nothing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """One bar as a part judges it itself: what it is of, the limit, what was measured."""

    what: str
    wanted: float
    got: float
    at_least: bool = False
    unit: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the limit is kept."""
        return self.got >= self.wanted if self.at_least else self.got <= self.wanted
