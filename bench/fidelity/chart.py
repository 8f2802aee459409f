"""The chart: what is kept and what is made up, as bars in an SVG drawn by hand. Pure; has colours for light and dark pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bench.fidelity.bars import FIRST, Results
from bench.fidelity.measures import (
    FIRST_DESIGN,
    GUARD_OFF,
    LANGCHAIN,
    NO_MODEL,
    OURS,
    REAL,
    STAND_IN,
    Run,
    Sums,
    of,
    sums,
)
from bench.fidelity.results import Circumstances

# In pixels.
WIDTH, PANEL_HEIGHT, TOP, LEFT, RIGHT, BETWEEN, BOTTOM = 920, 200, 112, 56, 20, 112, 44
GROUP_GAP, BAR_GAP = 26, 2

STYLE = """<style>
  text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #24292f }
  .title { font-size: 18px; font-weight: 600 } .panel { font-size: 14px; font-weight: 600 }
  .small { font-size: 11px } .mid { text-anchor: middle } .end { text-anchor: end }
  .grid { stroke: #d0d7de } .axis { stroke: #57606a }
  .c0 { fill: #0a69c7 } .c1 { fill: #86b9ea } .c2 { fill: #d4860b } .c3 { fill: #8c6bb1 } .c4 { fill: #4d9e7c } .c5 { fill: #9a9fa5 }
  .page { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #8b949e }
    .c0 { fill: #4c9ff0 } .c1 { fill: #2f5f91 } .c2 { fill: #e3a008 } .c3 { fill: #a78bca } .c4 { fill: #5fb893 } .c5 { fill: #7d848c }
  }
</style>"""


@dataclass(frozen=True, slots=True)
class Group:
    """Bars side by side over one label: each a colour's place and a value."""

    label: str
    bars: Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram: its title, the names of its colours, its groups, the format of its figures, the end of its axis."""

    title: str
    names: Sequence[tuple[int, str]]
    groups: Sequence[Group]
    figures: str
    most: float


def draw(results: Results, said: dict[str, Circumstances]) -> str:
    """Return the chart of all that was measured."""
    panels = [*_stand_ins(results), *_real(results)]
    height = TOP + len(panels) * (PANEL_HEIGHT + BETWEEN) - BETWEEN + BOTTOM + 14
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        "<title>Facts kept and facts made up, by model and pipeline</title>",
        STYLE,
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="{LEFT}" y="32">What is kept and what is made up</text>',
    ]
    for number, panel in enumerate(panels):
        body += _panel(panel, TOP + number * (PANEL_HEIGHT + BETWEEN))
    body.append(f'<text class="small" x="{LEFT}" y="{height - 12}">{escape(_foot(said))}</text>')
    return "\n".join([*body, "</svg>"]) + "\n"


def _foot(said: dict[str, Circumstances]) -> str:
    if not said:
        return ""
    dates = sorted({one.date for one in said.values()})
    versions = next(iter(said.values())).versions
    return f"First set; {' and '.join(dates)}; langchain-classic {versions.get('langchain-classic', '')}; more in fidelity.md"


# --- Panels ----------------------------------------------------------------------------------------------------


COLOURS = {OURS: 0, GUARD_OFF: 1, LANGCHAIN: 2, FIRST_DESIGN: 3, NO_MODEL: 4}


def _stand_ins(results: Results) -> list[Panel]:
    runs = of(results.runs, part=STAND_IN, series=FIRST)
    if not runs:
        return []
    by_model = {model: of(runs, model=model) for model in dict.fromkeys(run.model for run in runs)}
    kept = {model: of(same, ratio=5) for model, same in by_model.items()}
    return [
        _shares("Facts kept at 5:1, by stand-in model", kept),
        _counts("Unsupported facts, all summaries together", by_model),
    ]


def _real(results: Results) -> list[Panel]:
    runs = of(results.runs, part=REAL)
    if not runs:
        return []
    documents = list(dict.fromkeys(run.document for run in runs))
    groups = {document: of(runs, document=document) for document in documents} | {"all": runs}
    model = next((run.model for run in runs if run.model), "")
    what = f"on a real model at {runs[0].ratio}:1, {model}"
    return [_shares(f"Facts kept {what}", groups), _counts(f"Unsupported facts {what}", groups)]


def _shares(title: str, groups: Mapping[str, Sequence[Run]]) -> Panel:
    return _panel_of(title, groups, lambda total: total.recall, ".2f", 1.0)


def _counts(title: str, groups: Mapping[str, Sequence[Run]]) -> Panel:
    most = max(sums(of(same, method=run.method)).unsupported for same in groups.values() for run in same)
    return _panel_of(title, groups, lambda total: total.unsupported, ".0f", ceiling(most))


def _panel_of(
    title: str,
    groups: Mapping[str, Sequence[Run]],
    figure: Callable[[Sums], float],
    figures: str,
    most: float,
) -> Panel:
    methods = [method for method in COLOURS if any(of(same, method=method) for same in groups.values())]
    drawn = [
        Group(
            label,
            [(COLOURS[one], figure(sums(mine))) for one in methods if (mine := of(same, method=one))],
        )
        for label, same in groups.items()
    ]
    return Panel(title, [(COLOURS[method], method) for method in methods], drawn, figures, most)


def ceiling(value: float) -> float:
    """Return the next round number that fifths of are round too."""
    size = 1.0
    while 25 * size < value:
        size *= 10
    return next(size * step for step in (5, 10, 20, 25) if size * step >= value)


# --- Shapes ----------------------------------------------------------------------------------------------------


def _panel(panel: Panel, top: int) -> list[str]:
    bottom = top + PANEL_HEIGHT
    shapes = [f'<text class="panel" x="{LEFT}" y="{top - 46}">{escape(panel.title)}</text>']
    at = LEFT
    for colour, name in panel.names:
        shapes.append(f'<rect class="c{colour}" x="{at}" y="{top - 35}" width="10" height="10"/>')
        shapes.append(f'<text class="small" x="{at + 14}" y="{top - 26}">{escape(name)}</text>')
        at += 34 + 7 * len(name)
    for fifth in range(6):
        y = bottom - PANEL_HEIGHT * fifth / 5
        value = format(panel.most * fifth / 5, panel.figures.replace("2", "1"))
        shapes.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:g}" y2="{y:g}"/>')
        shapes.append(f'<text class="small end" x="{LEFT - 8}" y="{y + 4:g}">{value}</text>')
    step = (WIDTH - LEFT - RIGHT) / len(panel.groups)
    for number, group in enumerate(panel.groups):
        shapes += _group(panel, group, LEFT + number * step, step, bottom)
    return [*shapes, f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{bottom}" y2="{bottom}"/>']


def _group(panel: Panel, group: Group, left: float, step: float, bottom: int) -> list[str]:
    width = (step - GROUP_GAP) / len(group.bars) - BAR_GAP
    shapes = []
    for number, (colour, value) in enumerate(group.bars):
        x = left + GROUP_GAP / 2 + number * (width + BAR_GAP)
        height = PANEL_HEIGHT * value / panel.most
        shapes.append(
            f'<rect class="c{colour}" x="{x:.1f}" y="{bottom - height:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
        )
        place = f'x="{x + width / 2:.1f}" y="{bottom - height - 4:.1f}"'
        shapes.append(f'<text class="small mid" {place}>{value:{panel.figures}}</text>')
    label = f'x="{left + step / 2:.1f}" y="{bottom + 20}"'
    return [*shapes, f'<text class="mid" {label}>{escape(group.label)}</text>']
