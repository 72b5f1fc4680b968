#!/usr/bin/env python3
"""Runs programs of the OpenCL conformance suite and compares with what they gave before (ledger.csv).

Usage: ledger.py run --suite BUILD [--source CLONE] [--icd FOLDER] [--device cpu|gpu] [--seconds N] [--record] PROGRAM...
       ledger.py show

The suite is Khronos's, https://github.com/KhronosGroup/OpenCL-CTS, built by you: BUILD is its build folder, CLONE its sources, whose commit
the ledger names. A PROGRAM is a name such as api, or "api:kernel_info" for one of its sub-tests. `run` prints each sub-test whose
result is not that of the ledger, and exits 1 where one passed before and does not now. `--record` writes the results into the ledger.
"""
import argparse
import csv
import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LEDGER = Path(__file__).with_name("ledger.csv")
FIELDS = ["program", "sub-test", "cpu", "gpu", "date", "suite"]
DEVICES = {"cpu": ("cpu", "CL_DEVICE_TYPE_CPU"), "gpu": ("cuda", "CL_DEVICE_TYPE_GPU")}
NOT_RUN = ""


def read_ledger(path=LEDGER):
    """(program, sub-test) -> row."""
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {(row["program"], row["sub-test"]): row for row in csv.DictReader(file)}


def write_ledger(rows, path=LEDGER):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[key] for key in sorted(rows))


def find_program(suite, name):
    for file in sorted(Path(suite).rglob(f"test_{name}")):
        if file.is_file() and os.access(file, os.X_OK):
            return file
    sys.exit(f"{suite} has no program test_{name}: build it first")


def version_of(source):
    """The suite's commit, or nothing where its sources are not there."""
    if not source:
        return ""
    return subprocess.run(["git", "-C", source, "log", "-1", "--format=%h"], capture_output=True, text=True, check=True).stdout.strip()


def run_program(program, sub_tests, environment, seconds):
    """Sub-test -> "pass", "fail" or "skip", as the suite itself writes it; none of a program that ended before it did. Some programs read
    files that they expect beside themselves in the working directory."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        environment = {**environment, "CL_CONFORMANCE_RESULTS_FILENAME": str(results)}
        try:
            done = subprocess.run([program, *sub_tests], env=environment, cwd=program.parent, timeout=seconds, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            how = f"ended with {done.returncode}"
        except subprocess.TimeoutExpired:
            how = f"did not end within {seconds} seconds"
        if not results.is_file():
            return {name: "fail" for name in sub_tests}, how
        return json.loads(results.read_text())["results"], how


def compare(before, program, results, device):
    """Prints what differs; the number of sub-tests that passed and do not now."""
    worse = 0
    for name, result in sorted(results.items()):
        known = before.get((program, name), {}).get(device, NOT_RUN)
        if result != known:
            print(f"{program}: {name}: {result}, {'not run' if known == NOT_RUN else known} before")
        worse += known == "pass" and result != "pass"
    return worse


def record(rows, program, results, device, suite):
    for name, result in results.items():
        row = rows.setdefault((program, name), dict.fromkeys(FIELDS, NOT_RUN))
        row.update({"program": program, "sub-test": name, device: result, "date": datetime.date.today().isoformat(), "suite": suite})


def run(arguments):
    backend, device_type = DEVICES[arguments.device]
    environment = {**os.environ, "QUERN_DEVICES": backend, "CL_DEVICE_TYPE": device_type}
    if arguments.icd:
        environment["OCL_ICD_VENDORS"] = arguments.icd
    rows, worse = read_ledger(), 0
    for name in arguments.programs:
        name, _, sub_test = name.partition(":")
        sub_tests = [sub_test] if sub_test else []
        results, how = run_program(find_program(arguments.suite, name), sub_tests, environment, arguments.seconds)
        counts = {kind: list(results.values()).count(kind) for kind in ("pass", "fail", "skip")}
        print(f"{name}: {counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped; it {how}", flush=True)
        worse += compare(rows, name, results, arguments.device)
        if arguments.record:
            record(rows, name, results, arguments.device, version_of(arguments.source))
            write_ledger(rows)
    return 1 if worse else 0


def show():
    rows = read_ledger()
    for program in sorted({key[0] for key in rows}):
        own = [row for key, row in rows.items() if key[0] == program]
        parts = []
        for device in DEVICES:
            counts = [f"{sum(row[device] == kind for row in own)} {kind}" for kind in ("pass", "fail", "skip") if any(row[device] == kind for row in own)]
            parts.append(f"{device} {', '.join(counts) if counts else 'not run'}")
        print(f"{program:<32} {'; '.join(parts)}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("show")
    runner = commands.add_parser("run")
    runner.add_argument("--suite", required=True)
    runner.add_argument("--source")
    runner.add_argument("--icd")
    runner.add_argument("--device", choices=DEVICES, default="cpu")
    runner.add_argument("--seconds", type=int, default=36000)
    runner.add_argument("--record", action="store_true")
    runner.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    return show() if arguments.command == "show" else run(arguments)


if __name__ == "__main__":
    sys.exit(main())
