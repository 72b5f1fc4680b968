#!/usr/bin/env python3
"""Tests the page of `quern report` on results that were recorded: its numbers are those of the CSV, in its tables and in its plots.

Usage: report_test.py TOOL MODULES RECORDED
"""
import argparse
import csv
import html.parser
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL, MODULES, RECORDED = (Path(argument).resolve() for argument in sys.argv[1:4])
sys.path.insert(0, str(MODULES))

import figures  # noqa: E402
import frames  # noqa: E402
import model  # noqa: E402
import plots  # noqa: E402
import results  # noqa: E402
import texts  # noqa: E402

SOURCE = re.compile(r"(\d+)\.(\w+)(?:\*([\d.e+-]+)|/(\d+)\.(\w+))?$")


class Numbers(html.parser.HTMLParser):
    """The text of each element that says where in the CSV it comes from, and all addresses that the page refers to."""

    def __init__(self, text):
        super().__init__()
        self.numbers, self.means, self.addresses, self.text = [], [], [], ""
        self._source = self._mean = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self._source, self._mean = attributes.get("data-csv"), attributes.get("data-mean")
        self.addresses += [attributes[name] for name in ("src", "href") if name in attributes]

    def handle_data(self, data):
        self.text += data
        if self._source:
            self.numbers.append((self._source, data))
            self._source = None
        if self._mean:
            self.means.append((self._mean, data))
            self._mean = None


def written_value(text):
    return float(text.replace(",", ""))


def report(*arguments, **environment):
    return subprocess.run([TOOL, "report", *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False)


def lines_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class RecordedPageTest(unittest.TestCase):
    """The page of the recorded results as they are."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        done = report("--from", RECORDED, "--output", folder.name)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.data = json.loads((RECORDED / "results.json").read_text())
        cls.page = Numbers((Path(folder.name) / "report.html").read_text())
        cls.lines = lines_of(Path(folder.name) / "results.csv")

    def test_numbers_are_those_of_the_csv(self):
        lines = self.lines
        self.assertGreater(len(self.page.numbers), 500)
        for source, text in self.page.numbers:
            first, column, scale, second, over = SOURCE.match(source).groups()
            value = float(lines[int(first) - 1][column]) * float(scale or 1)
            if second:
                value /= float(lines[int(second) - 1][over])
            self.assertAlmostEqual(1, written_value(text) / value, delta=0.006, msg=f"{text} of {source}")

    def test_means_are_those_of_the_csv(self):
        lines = {(line["device"], line["kernel"], line["size"], line["side"]): float(line["seconds"]) for line in self.lines}
        self.assertGreater(len(self.page.means), 2)
        for source, text in self.page.means:
            device, ours, peer = source.split("|")
            ratios = [lines[device, kernel, size, peer] / seconds for (where, kernel, size, side), seconds in lines.items()
                      if (where, side) == (device, ours) and (device, kernel, size, peer) in lines]
            self.assertAlmostEqual(1, written_value(text) / statistics.geometric_mean(ratios), delta=0.006, msg=source)

    def test_numbers_of_the_csv_are_those_measured(self):
        lines = iter(self.lines)
        for run in self.data["runs"]:
            for result in run["results"]:
                for side in result["results"]:
                    line = next(lines)
                    self.assertEqual((result["kernel"], result["size"], side["name"]), (line["kernel"], line["size"], line["side"]))
                    self.assertEqual(side["seconds"], float(line["seconds"]))
                    self.assertAlmostEqual(result["flops"] / side["seconds"] / 1e9, float(line["gflops"]))

    def test_page_needs_no_other_file(self):
        for address in self.page.addresses:
            self.assertTrue(address.startswith(("data:", "#")), address[:80])


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "report"
        shutil.copytree(RECORDED, self.folder)
        self.data = json.loads((self.folder / "results.json").read_text())

    def results(self):
        results.write_csv(self.data, self.folder / "results.csv")
        return model.Results(self.data, results.read_csv(self.folder / "results.csv"))

    def figures(self):
        return list(figures.all_figures(self.results()))

    def test_plots_show_these_numbers(self):
        for figure in self.figures():
            if not figure.panels:
                continue
            canvas = plots.draw(figure)
            for axes, panel in zip(canvas.axes, figure.panels):
                drawn = [round(y, 9) for line in axes.get_lines() for y in line.get_ydata()]
                drawn += [round(bar.get_height(), 9) for bars in axes.containers for bar in bars]
                for series in panel.series:
                    for _, number in series.points:
                        self.assertIn(round(number.value, 9), drawn, figure.key)
                self.assertTrue(axes.get_xlabel() and (axes.get_ylabel() or axes is not canvas.axes[0]), figure.key)
            plots.pyplot.close(canvas)

    def test_any_kernel_alone_makes_a_page(self):
        runs = self.data["runs"]
        for kernel in sorted({result["kernel"] for run in runs for result in run["results"]}):
            with self.subTest(kernel):
                self.data["runs"] = [{**run, "results": [result for result in run["results"] if result["kernel"] == kernel]} for run in runs]
                texts.table(self.results())
                self.figures()

    def test_results_that_are_all_wrong_make_a_page(self):
        for run in self.data["runs"]:
            for result in run["results"]:
                result["results"] = [{"name": side["name"], "ok": False, "error": "wrong"} for side in result["results"]]
        self.assertIsNone(self.results().mean(self.results().devices[0], model.HOST))
        texts.table(self.results())
        for figure in self.figures():
            plots.pyplot.close(plots.draw(figure))

    def test_wrong_results_are_shown_as_wrong(self):
        side = self.data["runs"][0]["results"][0]["results"][0]
        result = self.data["runs"][0]["results"][0]
        result["results"][0] = {"name": side["name"], "ok": False, "error": "element 3 is 4, expected 5"}
        (self.folder / "results.json").write_text(json.dumps(self.data))
        self.assertEqual(1, report("--from", self.folder, "--output", self.folder).returncode)
        page = Numbers((self.folder / "report.html").read_text())
        self.assertIn("1 were wrong or failed", page.text)
        self.assertIn(f"{result['kernel']} {result['size']} on {side['name']}: element 3 is 4, expected 5", page.text)
        self.assertIn(("1.gbytes_per_second", "wrong"), page.numbers)

    def test_draws_one_page_of_several_folders(self):
        folders = []
        for run in self.data["runs"]:
            folder = self.folder / run["device"]["kind"]
            (folder / run["folder"]).mkdir(parents=True)
            (folder / run["folder"] / "tables.txt").write_text(run["device"]["name"])
            (folder / "results.json").write_text(json.dumps({**self.data, "runs": [run]}))
            folders += ["--from", folder]
        done = report(*folders, "--output", self.folder)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual({results.device_name(run) for run in self.data["runs"]},
                         {line["device"] for line in lines_of(self.folder / "results.csv")})
        into_one = report(*folders, "--output", folders[-1])
        self.assertEqual(2, into_one.returncode)
        self.assertIn("is one of the folders to draw", into_one.stderr)
        for number, run in enumerate(self.data["runs"]):
            self.assertEqual(run["device"]["name"], (self.folder / f"device{number}/tables.txt").read_text())

    def test_says_that_matplotlib_is_missing(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError('none here')\n")
        done = report("--from", self.folder, PYTHONPATH=str(self.folder))
        self.assertEqual(2, done.returncode)
        self.assertIn("apt install python3-matplotlib", done.stderr)

    def test_says_that_there_are_no_results(self):
        done = report("--from", self.folder / "nothing")
        self.assertEqual(1, done.returncode)
        self.assertIn("nothing/results.json: No such file", done.stderr)

    def test_says_that_there_is_no_device(self):
        done = report("--output", self.folder / "new", QUERN_DEVICES="nothing")
        self.assertEqual(2, done.returncode)
        self.assertIn("there is no device to measure", done.stderr)

    def test_measures_nothing_of_no_kernel(self):
        output = self.folder / "new"
        done = report("--quick", "--repeat", "1", "--kernel", "none is called so", "--output", output)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("0 results were checked", (output / "report.html").read_text())

    def test_frames_are_those_of_programs_that_end_well(self):
        """The tool and the gallery are scripts here: zoom draws ten frames, ripple finds a wrong result."""
        tool = self.folder / "tool"
        tool.write_text("#!/bin/sh\nwhile [ \"$1\" != --pictures ]; do shift; done\nname=$(basename \"$2\"); mkdir -p \"$2\"\n"
                        "for i in 1 9 10; do echo $i >\"$2/$name-$i.png\"; done\n[ $name = zoom ]\n")
        tool.chmod(0o755)
        for name in ("zoom", "ripple"):
            (self.folder / "examples" / name).mkdir(parents=True)
            (self.folder / "examples" / name / name).touch()
        options = argparse.Namespace(tool=tool, bench=self.folder / "quern-bench", kernel=[])
        self.assertEqual({"zoom": "zoom.png"}, frames.draw(options, "a device", self.folder))
        self.assertEqual("10\n", (self.folder / "zoom.png").read_text())
        self.assertFalse((self.folder / "zoom").exists() or (self.folder / "ripple").exists())
        options.kernel = ["matmul"]
        self.assertEqual({}, frames.draw(options, "a device", self.folder))

    def test_measures_and_writes_all(self):
        output = self.folder / "new"
        done = report("--quick", "--repeat", "1", "--device", "cpu", "--platform", "quern", "--kernel", "mandelbrot", "--output", output,
                           OCL_ICD_VENDORS=str(self.folder))
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("device 1 of 1, cpu: 1 of 1", done.stderr)
        for name in ("results.csv", "results.json", "figures/roofline-cpu.svg"):
            self.assertTrue((output / name).exists(), name)
        pictures = [address for address in Numbers((output / "report.html").read_text()).addresses if address.startswith("data:image/png")]
        self.assertEqual(1, len(pictures))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
