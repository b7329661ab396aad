"""The tables and the plot of `make bench`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from .peer_figures import Measure

OURS_COLOUR, OTHER_COLOUR = "#0b6e4f", "#9aa5b1"
NONE = "-"


def ratio_table(measures: Sequence[Measure], reference: str, systems: Sequence[str]) -> str:
    """How many times as much as the reference each system takes."""
    others = [system for system in systems if system != reference]
    rows = [
        [measure.name, *(_ratio_cell(measure, system, reference) for system in others)]
        for measure in measures
        if reference in measure.values
    ]
    return markdown_table([f"times {reference}'s figure", *others], rows)


def median_table(measures: Sequence[Measure], systems: Sequence[str]) -> str:
    """The median of each system."""
    rows = [[f"{one.name} ({one.unit})", *(_median_cell(one, system) for system in systems)] for one in measures]
    return markdown_table(["median (95 % interval)", *systems], rows)


def failures(measures: Sequence[Measure]) -> list[str]:
    """One line for each figure that is missing or incomplete."""
    return [f"- {one.name}, {system}: {why}" for one in measures for system, why in one.failed.items()]


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def replace_section(path: Path, name: str, text: str) -> None:
    """Replace what is between `<!-- name:begin -->` and `<!-- name:end -->` in a file.

    Raises:
        ValueError: the file has no such markers.
    """
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    before, found, rest = path.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{path} has no section {name}")
    path.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")


def setting_text(setting: Mapping[str, object]) -> str:
    """One line about when and where the figures were measured."""
    return "; ".join(f"{name} {value}" for name, value in setting.items())


def plot(measures: Sequence[Measure], reference: str, path: Path) -> None:
    """Plot the ratios to the reference with their intervals, on a logarithmic axis."""
    shown = [one for one in measures if reference in one.values and len(one.values) > 1]
    canvas = Figure(figsize=(8, 1 + 0.34 * sum(len(one.values) for one in shown)), layout="constrained")
    panels = canvas.subplots(len(shown), sharex=True, squeeze=False, height_ratios=[len(one.values) for one in shown])
    for axes, measure in zip(panels[:, 0], shown, strict=True):
        ratios = {system: measure.ratio(system, reference) for system in measure.values}
        values = [one.value for one in ratios.values()]
        errors = [
            [max(0, one.value - one.low) for one in ratios.values()],
            [one.high - one.value for one in ratios.values()],
        ]
        colours = [OURS_COLOUR if system == reference else OTHER_COLOUR for system in ratios]
        axes.barh(list(ratios), values, color=colours, height=0.7, xerr=errors, ecolor="#333333", capsize=3)
        axes.axvline(1, color="#333333", linewidth=0.8)
        axes.set_title(
            f"{measure.name} ({reference}: {measure.median(reference).text()} {measure.unit})", loc="left", fontsize=10
        )
        axes.set_xscale("log")
        axes.invert_yaxis()
        axes.spines[["top", "right"]].set_visible(False)
    panels[-1, 0].set_xlabel(f"times {reference}'s median, 95 % interval")
    canvas.savefig(path, dpi=130)


def _ratio_cell(measure: Measure, system: str, reference: str) -> str:
    return f"{measure.ratio(system, reference).text(1)}" if system in measure.values else NONE


def _median_cell(measure: Measure, system: str) -> str:
    if system not in measure.values:
        return NONE
    return measure.median(system).text(0 if measure.unit == "ms" else 3)
