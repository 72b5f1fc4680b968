#!/usr/bin/env python3
"""Runs a program with QUERN_TRACE and checks that viewers can show the file: the format, rows, arrows, and what is expected."""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# The file has whole nanoseconds, as thousandths of a microsecond.
ROUNDING = 0.0015


def check_event(event):
    phase = event.get("ph")
    if phase not in "XMsfbe":
        return "has no known phase"
    if not all(isinstance(event.get(key), int) for key in ("pid", "tid")):
        return "has no row"
    if not isinstance(event.get("ts"), (int, float)) or not isinstance(event.get("name"), str):
        return "has no time or no name"
    if phase == "X" and not event.get("dur", -1) >= 0:
        return "has no length"
    return None


def check_rows(slices):
    """Slices of a row lie within each other or apart."""
    rows = collections.defaultdict(list)
    for event in slices:
        rows[event["pid"], event["tid"]].append((event["ts"], -event["dur"]))
    for row, spans in rows.items():
        open_ends = []
        for start, length in sorted(spans):
            end = start - length
            while open_ends and open_ends[-1] <= start + ROUNDING:
                open_ends.pop()
            if open_ends and end > open_ends[-1] + ROUNDING:
                yield f"slices of the row {row} overlap at {start}"
            open_ends.append(end)


def check_arrows(events):
    ends = collections.defaultdict(list)
    for event in events:
        if event["ph"] in "sf":
            ends[event["id"]].append(event["ph"])
    for number, phases in ends.items():
        if sorted(phases) != ["f", "s"]:
            yield f"the arrow {number} has the ends {phases}"


def check_names(events, slices):
    named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    groups = {e["pid"] for e in events if e["ph"] == "M" and e["name"] == "process_name"}
    for row in sorted({(e["pid"], e["tid"]) for e in slices}):
        if row not in named or row[0] not in groups:
            yield f"the row {row} has no name"


def check_expected(events, slices, expected):
    have = {(e["cat"], e["name"]) for e in slices}
    have |= {(e["name"], e["args"]["name"]) for e in events if e["ph"] == "M"}
    for text in expected:
        category, name = text.split(":", 1)
        if not any(category == c and name in n for c, n in have):
            yield f"nothing of the category '{category}' has '{name}' in its name: {sorted(have)}"


def find_faults(text, expected):
    events = json.loads(text)
    faults = [f"{event} {fault}" for event in events if (fault := check_event(event))]
    if faults:
        return faults
    slices = [event for event in events if event["ph"] == "X"]
    return [*check_rows(slices), *check_arrows(events), *check_names(events, slices),
            *check_expected(events, slices, expected)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expect", action="append", default=[], metavar="CATEGORY:PART_OF_NAME")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    program = arguments.program[1:] if arguments.program[0] == "--" else arguments.program
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "timeline.json"
        status = subprocess.run(program, env={**os.environ, "QUERN_TRACE": str(path)}).returncode
        if status != 0:
            sys.exit(f"the program ended with {status}")
        faults = find_faults(path.read_text(), arguments.expect)
    if faults:
        sys.exit("\n".join(faults[:20]))


if __name__ == "__main__":
    main()
