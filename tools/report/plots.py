"""Figures as SVG, by matplotlib. Colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart."""
import io
import math
import textwrap

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402, pylint: disable=wrong-import-position

WIDTH = 12.5  # inches of 96 pixels: the width of the page
HEIGHT = 3.9
LEGEND_WIDTH = 2.2
LABEL_WIDTH = 12  # letters of a line below bars
MOST_TICKS = 9  # of an x axis; of more values only the powers of two have one
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 9.5, "axes.titlesize": 10.5, "axes.titleweight": "bold", "axes.spines.top": False,
    "axes.spines.right": False, "axes.edgecolor": "#555555", "axes.grid": True, "grid.color": "#e4e4e4", "axes.axisbelow": True,
    "lines.linewidth": 1.8, "lines.markersize": 5, "legend.frameon": False, "legend.fontsize": 9, "legend.handlelength": 2.8, "svg.fonttype": "path",
}


def plain(value, _position=None):
    """A tick's label without powers: 0.1, 20, 3,200, 64Ki."""
    if value >= 8192 and value % 1024 == 0:
        return f"{value / 2**20:.0f}Mi" if value % 2**20 == 0 else f"{value / 1024:.0f}Ki"
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def draw_lines(axes, panel):
    xs = sorted({x for series in panel.series for x, _ in series.points})
    for series in panel.series:
        points = [(x, number.value) for x, number in series.points if number.is_right]
        axes.plot([x for x, _ in points], [y for _, y in points], label=series.label, color=series.color, marker=series.marker,
                  linestyle="--" if series.dashed else "-")
    if panel.x_log:
        axes.set_xscale("log", base=2)
    ticks = xs if len(xs) <= MOST_TICKS else [x for x in xs if x & (x - 1) == 0]
    axes.xaxis.set_major_locator(ticker.FixedLocator(ticks))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(plain))
    if len(ticks) > 6:
        axes.tick_params(axis="x", labelrotation=60, labelsize=8)


def draw_bars(axes, panel):
    width = 0.8 / max(1, len(panel.series))
    for place, series in enumerate(panel.series):
        offset = (place - (len(panel.series) - 1) / 2) * width
        points = [(panel.categories.index(x) + offset, number.value) for x, number in series.points if number.is_right]
        axes.bar([x for x, _ in points], [y for _, y in points], width=width * 0.92, color=series.color, label=series.label)
    labels = [name if "\n" in name else textwrap.fill(name, LABEL_WIDTH) for name in panel.categories]
    axes.set_xticks(range(len(labels)), labels, fontsize=7.5 if len(labels) > 4 else None)
    axes.grid(False, axis="x")


def draw_roofs(axes, panel):
    """Each roof is a slope of bandwidth up to the peak of arithmetic."""
    intensities = [x for series in panel.series for x, _ in series.points]
    left = min(intensities) / 2
    right = max([*intensities, *(peak / bandwidth for _, peak, bandwidth in panel.roofs)]) * 2
    for (label, peak, bandwidth), style in zip(panel.roofs, ("-", ":")):
        ridge = peak / bandwidth
        axes.plot([left, ridge, right], [left * bandwidth, peak, peak], color="#444444", linestyle=style, label=label, linewidth=1.3)
    for series in panel.series:
        points = [(x, number.value) for x, number in series.points if number.is_right]
        axes.plot([x for x, _ in points], [y for _, y in points], label=series.label, color=series.color, marker=series.marker,
                  linestyle="none", markersize=6.5, markeredgecolor="white", markeredgewidth=0.5)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(plain))


def finish_axes(axes, panel, is_first):
    for label, number in panel.references:
        if number.is_right:
            axes.axhline(number.value, color="#444444", linestyle=":" if "one" in label else "--", linewidth=1.3, label=label)
    axes.set_title(panel.title, loc="left")
    axes.set_xlabel(panel.x_label)
    if is_first:
        axes.set_ylabel(panel.y_label)
    has_numbers = any(number.is_right for series in panel.series for _, number in series.points)
    if panel.y_log and has_numbers:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        few_decades = math.log10(high / low) < 2.5
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if few_decades else (1,), numticks=20))
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(plain))
        axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    else:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(plain))


def draw(figure):
    """A matplotlib figure with a panel for each of the figure's, and one legend for all at the right."""
    with pyplot.rc_context({**STYLE, "svg.hashsalt": figure.key}):
        canvas = pyplot.figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        panels_width = (WIDTH - LEGEND_WIDTH) / len(figure.panels)
        grid = canvas.add_gridspec(1, len(figure.panels) + 1, width_ratios=[panels_width] * len(figure.panels) + [LEGEND_WIDTH])
        entries, first = {}, None
        for place, panel in enumerate(figure.panels):
            axes = canvas.add_subplot(grid[place], sharey=first if figure.share_y else None)
            (draw_roofs if panel.roofs else draw_bars if panel.categories else draw_lines)(axes, panel)
            finish_axes(axes, panel, first is None or not figure.share_y)
            entries.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels()) if label not in entries})
            if first and figure.share_y:
                axes.tick_params(labelleft=False)
            first = first or axes
        beside = canvas.add_subplot(grid[-1])
        beside.axis("off")
        beside.legend(entries.values(), entries.keys(), loc="upper left", borderaxespad=0)
        return canvas


def svg_of(figure):
    canvas = draw(figure)
    text = io.StringIO()
    with pyplot.rc_context({**STYLE, "svg.hashsalt": figure.key}):
        canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(canvas)
    return text.getvalue()
