"""The charts, drawn as SVG by hand in the manner of the fidelity bench: bars that lie, and lines over time. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bench.fidelity.chart import STYLE, ceiling

# In pixels.
WIDTH, LEFT, RIGHT = 920, 262, 90
TITLE, PANEL_TITLE, BAR, GAP, BETWEEN, FOOT = 56, 30, 20, 6, 26, 30
LINE_LEFT, LINE_HEIGHT, LINE_BOTTOM, LEGEND = 64, 220, 48, 30

MORE_STYLE = """<style>
  .l0 { stroke: #0a69c7 } .l1 { stroke: #d4860b } .l2 { stroke: #8c6bb1 } .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  @media (prefers-color-scheme: dark) { .l0 { stroke: #4c9ff0 } .l1 { stroke: #e3a008 } .l2 { stroke: #a78bca } }
</style>"""

OURS, PEER, ELSEWHERE = 0, 2, 5
"""Colours of the bars."""

# A bar that is nearly nothing is still seen.
LEAST_BAR = 2


@dataclass(frozen=True, slots=True)
class DrawnBar:
    """One bar: its name, its value, its colour, and what stands behind it."""

    name: str
    value: float
    colour: int = PEER
    label: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars that are compared with each other."""

    title: str
    bars: Sequence[DrawnBar]


@dataclass(frozen=True, slots=True)
class Line:
    """A series over time: seconds and values. `steps`: a value stays until the next."""

    name: str
    points: Sequence[tuple[float, float]]
    steps: bool = False


def bar_chart(title: str, panels: Sequence[Panel], foot: str) -> str:
    """Draw panels of bars, one below the other."""
    heights = [PANEL_TITLE + len(panel.bars) * (BAR + GAP) + BETWEEN for panel in panels]
    shapes: list[str] = []
    at = TITLE
    for panel, height in zip(panels, heights, strict=True):
        shapes += _panel(panel, at)
        at += height
    return _page(title, at + FOOT, shapes, foot)


def _panel(panel: Panel, top: int) -> Iterable[str]:
    yield f'<text class="panel" x="24" y="{top + 14}">{escape(panel.title)}</text>'
    most = max((bar.value for bar in panel.bars), default=0.0) or 1.0
    for number, bar in enumerate(panel.bars):
        y = top + PANEL_TITLE + number * (BAR + GAP)
        width = max(LEAST_BAR, (WIDTH - LEFT - RIGHT) * bar.value / most)
        yield f'<text class="end" x="{LEFT - 8}" y="{y + 15}">{escape(bar.name)}</text>'
        yield f'<rect class="c{bar.colour}" x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR}"/>'
        label = escape(bar.label or number_label(bar.value))
        yield f'<text x="{LEFT + width + 6:.1f}" y="{y + 15}">{label}</text>'


def line_chart(title: str, lines: Sequence[Line], foot: str, *, unit: str) -> str:
    """Draw lines over one time axis, from zero up; `unit` says of what."""
    last = max((when for line in lines for when, _ in line.points), default=1.0)
    most = ceiling(max((value for line in lines for _, value in line.points), default=1.0))
    top, right = TITLE + LEGEND, WIDTH - 24
    bottom = top + LINE_HEIGHT
    shapes: list[str] = []
    for fifth in range(6):
        y = bottom - LINE_HEIGHT * fifth / 5
        shapes.append(f'<line class="grid" x1="{LINE_LEFT}" x2="{right}" y1="{y:g}" y2="{y:g}"/>')
        shapes.append(
            f'<text class="small end" x="{LINE_LEFT - 8}" y="{y + 4:g}">{number_label(most * fifth / 5)}</text>'
        )
    for tick in ticks(last):
        x = LINE_LEFT + (right - LINE_LEFT) * tick / last
        shapes.append(f'<text class="small mid" x="{x:.1f}" y="{bottom + 18}">{number_label(tick)} s</text>')
    at = LINE_LEFT
    for number, line in enumerate(lines):
        shapes.append(f'<rect class="c{(0, 2, 3)[number]}" x="{at}" y="{top - 26}" width="10" height="10"/>')
        shapes.append(f'<text class="small" x="{at + 14}" y="{top - 17}">{escape(line.name)}</text>')
        at += 40 + 7 * len(line.name)
        path = _path(line, last, most, bottom, right)
        shapes.append(f'<path class="line l{number}" d="{path}"/>')
    middle = (top + bottom) / 2
    shapes.append(
        f'<text class="small mid" transform="translate(18 {middle:g}) rotate(-90)">{escape(unit)}</text>'
    )
    shapes.append(f'<line class="axis" x1="{LINE_LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}"/>')
    return _page(title, bottom + LINE_BOTTOM + FOOT, shapes, foot)


def _path(line: Line, last: float, most: float, bottom: int, right: int) -> str:
    drawn: list[str] = []
    for when, value in line.points:
        x = LINE_LEFT + (right - LINE_LEFT) * when / last
        y = bottom - LINE_HEIGHT * value / most
        drawn.append(
            f"H{x:.1f}V{y:.1f}" if line.steps and drawn else f"{'L' if drawn else 'M'}{x:.1f} {y:.1f}"
        )
    return "".join(drawn)


def ticks(last: float) -> list[float]:
    """Return the places of round numbers on an axis that ends anywhere: at most seven."""
    step = ceiling(last) / 5
    return [step * number for number in range(int(last / step) + 1)]


def number_label(value: float) -> str:
    """Write a number as short as it tells something."""
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}"


def _page(title: str, height: int, shapes: Iterable[str], foot: str) -> str:
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        STYLE,
        MORE_STYLE,
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="24" y="34">{escape(title)}</text>',
        *shapes,
        f'<text class="small" x="24" y="{height - 12}">{escape(foot)}</text>',
    ]
    return "\n".join([*body, "</svg>"]) + "\n"
