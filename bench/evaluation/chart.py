"""The chart: recall as bars, drawn as SVG by hand. Pure; readable on light and dark pages, since it brings both colourings."""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bench.evaluation.bars import FIRST, Results
from bench.evaluation.measures import EXTRACTIVE, RATIOS, REAL, STAND_IN, Run, of, sums
from bench.evaluation.results import Circumstances

# In pixels.
WIDTH, PANEL_HEIGHT, TOP, LEFT, RIGHT, BETWEEN, BOTTOM = 920, 200, 112, 56, 20, 112, 44
GROUP_GAP, BAR_GAP = 26, 2

# So near under its ceiling a bar's figure would be struck through.
STRIKE_PX = 16

STYLE = """<style>
  text { font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #24292f }
  .title { font-size: 18px; font-weight: 600 } .panel { font-size: 14px; font-weight: 600 }
  .small { font-size: 11px } .mid { text-anchor: middle } .end { text-anchor: end } .in { fill: #ffffff }
  .grid { stroke: #d0d7de } .axis { stroke: #57606a } .ceiling { stroke: #cf222e; stroke-width: 2 }
  .c0 { fill: #0a69c7 } .c1 { fill: #86b9ea } .c2 { fill: #d4860b } .c3 { fill: #8c6bb1 } .c4 { fill: #4d9e7c } .c5 { fill: #9a9fa5 }
  .page { fill: #ffffff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #8b949e } .ceiling { stroke: #ff7b72 }
    .c0 { fill: #4c9ff0 } .c1 { fill: #2f5f91 } .c2 { fill: #e3a008 } .c3 { fill: #a78bca } .c4 { fill: #5fb893 } .c5 { fill: #7d848c }
  }
</style>"""


@dataclass(frozen=True, slots=True)
class Group:
    """Bars side by side over one label: each a colour's place and a value; `ceiling` a line over them, `note` a second label."""

    label: str
    bars: Sequence[tuple[int, float]]
    ceiling: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One diagram: its title, the names of its colours, its groups."""

    title: str
    names: Sequence[tuple[int, str]]
    groups: Sequence[Group]


def draw(results: Results, said: dict[str, Circumstances]) -> str:
    """Return the chart of all that was measured."""
    panels = [panel for panel in (_extractive(results), _stand_ins(results), _real(results)) if panel]
    height = TOP + len(panels) * (PANEL_HEIGHT + BETWEEN) - BETWEEN + BOTTOM + 30
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        "<title>Recall of gold facts by method and compression</title>",
        STYLE,
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="{LEFT}" y="32">How much of what was asked for is in the summary</text>',
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
    known = [f"{name} {versions[name]}" for name in ("sumy", "langchain-classic") if name in versions]
    return f"Mean over documents, first set; {' and '.join(dates)}; {', '.join(known)}; more in fidelity.md"


# --- Panels ----------------------------------------------------------------------------------------------------


def _extractive(results: Results) -> Panel | None:
    runs = of(results.runs, part=EXTRACTIVE, series=FIRST)
    if not runs:
        return None
    methods = list(dict.fromkeys(run.method for run in runs))
    colours = dict(zip(methods, (0, 5, 2, 3, 4, 1), strict=False))
    groups = []
    for ratio in RATIOS:
        same = of(runs, ratio=ratio)
        bars = [(colour, sums(of(same, method=method)).recall) for method, colour in colours.items()]
        groups.append(Group(f"{ratio}:1", bars, sums(of(same, method="ours")).ceiling))
    names = [(colour, method) for method, colour in colours.items()]
    return Panel("Without a model, by compression (red: what fits the target)", names, groups)


def _stand_ins(results: Results) -> Panel | None:
    runs = of(results.runs, part=STAND_IN, series=FIRST, ratio=5)
    if not runs:
        return None
    # The pipelines of others are run on fewer documents: ours is drawn on the same ones.
    others = {run.document for run in runs if not run.method.startswith("ours")}
    same = [run for run in runs if not others or run.document in others]
    by_model = {model: of(same, model=model) for model in dict.fromkeys(run.model for run in same)}
    return _by_method("On stand-in models at 5:1, the documents that every pipeline had", same, by_model)


def _real(results: Results) -> Panel | None:
    runs = of(results.runs, part=REAL)
    if not runs:
        return None
    documents = list(dict.fromkeys(run.document for run in runs))
    by_document = {document: of(runs, document=document) for document in documents}
    return _by_method(
        f"On a real model at {runs[0].ratio}:1: {next((run.model for run in runs if run.model), '')}",
        runs,
        {**by_document, "all": runs},
    )


COLOURS = {"ours": 0, "ours, guard off": 1, "LangChain map-reduce": 2, "first design": 3}


def _by_method(title: str, runs: Sequence[Run], groups: dict[str, list[Run]]) -> Panel:
    methods = [method for method in COLOURS if of(runs, method=method)]
    drawn = [
        Group(
            label,
            [(COLOURS[method], sums(of(same, method=method)).recall) for method in methods],
            note=_inventions([sums(of(same, method=method)).unsupported for method in methods]),
        )
        for label, same in groups.items()
    ]
    return Panel(title, [(COLOURS[method], method) for method in methods], drawn)


def _inventions(counts: Sequence[int]) -> str:
    return f"unsupported: {', '.join(map(str, counts))}" if any(counts) else ""


# --- Shapes ----------------------------------------------------------------------------------------------------


def _panel(panel: Panel, top: int) -> list[str]:
    bottom = top + PANEL_HEIGHT
    shapes = [f'<text class="panel" x="{LEFT}" y="{top - 46}">{escape(panel.title)}</text>']
    at = LEFT
    for colour, name in panel.names:
        shapes.append(f'<rect class="c{colour}" x="{at}" y="{top - 35}" width="10" height="10"/>')
        shapes.append(f'<text class="small" x="{at + 14}" y="{top - 26}">{escape(name)}</text>')
        at += 34 + 7 * len(name)
    for tenth in range(0, 11, 2):
        y = bottom - PANEL_HEIGHT * tenth / 10
        shapes.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:g}" y2="{y:g}"/>')
        shapes.append(f'<text class="small end" x="{LEFT - 8}" y="{y + 4:g}">{tenth / 10:.1f}</text>')
    middle = (top + bottom) / 2
    shapes.append(
        f'<text class="small mid" transform="translate(16 {middle:g}) rotate(-90)">recall of gold facts</text>'
    )
    step = (WIDTH - LEFT - RIGHT) / len(panel.groups)
    for number, group in enumerate(panel.groups):
        shapes += _group(group, LEFT + number * step, step, bottom)
    return [*shapes, f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{bottom}" y2="{bottom}"/>']


def _group(group: Group, left: float, step: float, bottom: int) -> list[str]:
    inner = step - GROUP_GAP
    width = inner / len(group.bars) - BAR_GAP
    shapes = []
    for number, (colour, value) in enumerate(group.bars):
        x = left + GROUP_GAP / 2 + number * (width + BAR_GAP)
        height = PANEL_HEIGHT * value
        shapes.append(
            f'<rect class="c{colour}" x="{x:.1f}" y="{bottom - height:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
        )
        # Over the bar or, where the ceiling's line would strike it through, inside.
        struck = group.ceiling is not None and 0 <= PANEL_HEIGHT * (group.ceiling - value) < STRIKE_PX
        place = f'x="{x + width / 2:.1f}" y="{bottom - height + (14 if struck else -4):.1f}"'
        shapes.append(f'<text class="small mid{" in" if struck else ""}" {place}>{value:.2f}</text>')
    if group.ceiling is not None:
        y = bottom - PANEL_HEIGHT * group.ceiling
        ends = f'x1="{left + GROUP_GAP / 2:.1f}" x2="{left + step - GROUP_GAP / 2:.1f}"'
        shapes.append(f'<line class="ceiling" {ends} y1="{y:.1f}" y2="{y:.1f}"/>')
    middle = f'x="{left + step / 2:.1f}"'
    shapes.append(f'<text class="mid" {middle} y="{bottom + 20}">{escape(group.label)}</text>')
    shapes.append(f'<text class="small mid" {middle} y="{bottom + 36}">{escape(group.note)}</text>')
    return shapes
