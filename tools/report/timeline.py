#!/usr/bin/env python3
"""Draws a timeline that QUERN_TRACE has written, or a part of it.

Usage: timeline.py TIMELINE.json PICTURE.svg [BEGIN END]
BEGIN and END are microseconds of the timeline; without them all commands are drawn.
"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

COLORS = {"kernel": "#3572b0", "transfer": "#d98c2b", "work": "#7fb0dd", "compile": "#8e6bb3", "cache": "#b9a6d3", "variant": "#b05a7a"}
ARROW = "#888888"
SMALLEST_LABEL = 0.035  # of the picture's width


def rows_of(events):
    """Rows with slices, in the order of the file's processes: (process, thread) -> its name."""
    names = {}
    for event in events:
        if event["ph"] == "M":
            names[event["name"], event["pid"], event["tid"] if event["name"] == "thread_name" else None] = event["args"]["name"]
    keys = sorted({(e["pid"], e["tid"]) for e in events if e["ph"] == "X" and e["cat"] in COLORS}, reverse=True)
    return {key: names.get(("thread_name", *key), str(key[1])) for key in keys}


def commands_span(events):
    commands = [e for e in events if e["ph"] == "X" and e["cat"] in ("kernel", "transfer")]
    if not commands:
        sys.exit("the timeline has no commands")
    begin, end = min(e["ts"] for e in commands), max(e["ts"] + e["dur"] for e in commands)
    margin = (end - begin) * 0.02 + 1
    return begin - margin, end + margin


def within(events, begin, end):
    """What of the events lies between the two times, and what names rows."""
    return [e for e in events if e["ph"] == "M" or (e["ts"] <= end and e["ts"] + e.get("dur", 0) >= begin)]


def draw(events, axes, begin, end):
    rows = rows_of(events)
    at = {key: i for i, key in enumerate(rows)}
    for event in events:
        if event["ph"] != "X" or event["cat"] not in COLORS:
            continue
        start, stop = max(event["ts"], begin), min(event["ts"] + event["dur"], end)
        y = at[event["pid"], event["tid"]]
        axes.barh(y, stop - start, left=start - begin, height=0.7, color=COLORS[event["cat"]], edgecolor="white", linewidth=0.4)
        if stop - start > (end - begin) * SMALLEST_LABEL:
            axes.text(start - begin + (stop - start) / 2, y, event["name"], ha="center", va="center", fontsize=7, color="white", clip_on=True)
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    for event in events:
        ends = (event["pid"], event["tid"])
        if event["ph"] == "f" and event["id"] in starts and ends in at:
            source = starts[event["id"]]
            axes.annotate("", xy=(event["ts"] - begin, at[ends]),
                          xytext=(source["ts"] - begin, at[source["pid"], source["tid"]]),
                          arrowprops={"arrowstyle": "->", "color": ARROW, "linewidth": 0.6})
    axes.set_yticks(list(at.values()), [rows[key] for key in at], fontsize=8)
    axes.set_xlim(0, end - begin)
    axes.set_xlabel("microseconds")


def main(source, picture, *span):
    with open(source) as file:
        events = json.load(file)
    begin, end = map(float, span) if span else commands_span(events)
    events = within(events, begin, end)
    figure, axes = pyplot.subplots(figsize=(11, 0.42 * len(rows_of(events)) + 1.2))
    draw(events, axes, begin, end)
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=color) for color in COLORS.values()]
    axes.legend(handles, COLORS, ncols=len(COLORS), fontsize=7, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
