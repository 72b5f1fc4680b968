#!/usr/bin/env python3
"""Builds or tests, and shows how far that is and how long it may still take instead of each step.

Usage: progress.py build FOLDER TARGET...     builds targets of a configured build folder with ninja
       progress.py test FOLDER OPTION...      runs ctest with these options in a built folder

On a terminal one line is kept up to date; elsewhere a line is printed every half a minute. What the steps of a build print
and the output of tests that fail are printed in full. Ends with the exit status of ninja or ctest.
"""
import json
import os
import re
import subprocess
import sys
import time

SECONDS_BETWEEN_LINES = 30
SECONDS_BEFORE_ESTIMATE = 5
# Before this share of the work is done, one long test that has just begun or ended decides the estimate.
SHARE_BEFORE_ESTIMATE = 0.03

# What a step of the build costs beside the others, by what its command contains; the first that fits counts.
STEP_COSTS = (
    ("/quern_compiler.dir/", 2.0),
    ("clang++", 1.0),
    ("--target=spir64", 0.15),
    ("", 0.3),
)
STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")

TEST_STARTS = re.compile(r" +Start +\d+: |Test project ")
TEST_ENDS = re.compile(r" *(\d+)/(\d+) Test +#\d+: (\S+) .*?(Passed|\*\*\*\S+) ")
# Of a test without the property COST, beside those that have it; in seconds, about.
USUAL_TEST_COST = 0.2


def in_words(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"


class Progress:
    """The line that says how far something is."""

    def __init__(self, verb, noun):
        self.verb, self.noun = verb, noun
        self.begin = self.shown = time.monotonic()
        self.is_terminal = sys.stdout.isatty()

    def elapsed(self):
        return time.monotonic() - self.begin

    def show(self, done, total, share):
        """Says that `done` of `total` steps, which are `share` of the work, have been done."""
        if not self.is_terminal and time.monotonic() - self.shown < SECONDS_BETWEEN_LINES:
            return
        self.shown = time.monotonic()
        text = f"    {self.verb}: {done} of {total} {self.noun} in {in_words(self.elapsed())}"
        if self.elapsed() > SECONDS_BEFORE_ESTIMATE and share > SHARE_BEFORE_ESTIMATE:
            text += f", about {in_words(self.elapsed() * (1 / share - 1))} left"
        if self.is_terminal:
            print(f"\r{text}\033[K", end="", flush=True)
        else:
            print(text, flush=True)

    def say(self, text):
        """Prints a line that stays."""
        print(f"\r{text}\033[K" if self.is_terminal else text, flush=True)


class Command:
    """A command whose output is read line by line; then it has an exit status."""

    def __init__(self, arguments, **options):
        self.arguments, self.options, self.status = arguments, options, None

    def __iter__(self):
        with subprocess.Popen(self.arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", **self.options) as process:
            for line in process.stdout:
                yield line.rstrip("\n")
        self.status = process.returncode


def step_cost(command):
    return next(cost for part, cost in STEP_COSTS if part in command)


def build(folder, targets):
    ninja = ["ninja", "-C", folder]
    steps_of_all = list(Command([*ninja, "-t", "commands", *targets]))
    cost_left = sum(map(step_cost, steps_of_all))
    progress = Progress("building", "steps")
    command, cost, done = Command([*ninja, "-v", *targets], env={**os.environ, "NINJA_STATUS": "[%f/%t] "}), 0, 0
    for line in command:
        step = STEP.match(line)
        if step:
            done, total = int(step.group(1)), int(step.group(2))
            cost += step_cost(step.group(3))
            cost_left -= step_cost(step.group(3))
            # Steps that are up to date are taken to be like those that are not.
            cost_ahead = cost_left * (total - done) / max(1, len(steps_of_all) - done)
            progress.show(done, total, cost / (cost + max(0, cost_ahead)))
        elif not line.startswith(("ninja: Entering directory", "ninja: no work to do", "-- ")):
            progress.say(line)
    if done and command.status == 0:
        progress.say(f"    built {done} steps in {in_words(progress.elapsed())}")
    return command.status


def test_costs(folder, options):
    """The cost of each test that is about to run, by its name."""
    plan = subprocess.run(["ctest", "--show-only=json-v1", *options], cwd=folder, capture_output=True, text=True, check=False)
    tests = json.loads(plan.stdout)["tests"] if plan.returncode == 0 else []
    properties = {test["name"]: {each["name"]: each["value"] for each in test.get("properties", [])} for test in tests}
    return {name: float(values.get("COST", USUAL_TEST_COST)) for name, values in properties.items()}


def test(folder, options):
    costs = test_costs(folder, options)
    cost, whole_cost = 0, sum(costs.values())
    progress = Progress("testing", "tests")
    command = Command(["ctest", "--output-on-failure", *options], cwd=folder)
    for line in command:
        end = TEST_ENDS.match(line)
        if end:
            cost += costs.get(end.group(3), USUAL_TEST_COST)
            progress.show(end.group(1), end.group(2), cost / max(cost, whole_cost))
        is_quiet = end and (end.group(4) in ("Passed", "***Skipped") or "Not Run (Disabled)" in line)
        if not TEST_STARTS.match(line) and not is_quiet:
            progress.say(line)
    return command.status


def main(arguments):
    actions = {"build": build, "test": test}
    if len(arguments) < 2 or arguments[0] not in actions:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        return actions[arguments[0]](arguments[1], arguments[2:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
