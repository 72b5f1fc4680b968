"""`quern report`: measures the gallery's kernels on each device and writes a page with the figures of the texts that OpenCL is
learned from, beside the raw numbers.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

import measuring
import results

HELP = "install it with 'apt install python3-matplotlib' or 'pip install matplotlib', or measure now with --no-page and draw later with --from"


class Formatter(argparse.HelpFormatter):
    """Writes help as the tool's other commands do."""

    def add_usage(self, usage, actions, groups, prefix=None):
        super().add_usage(usage, actions, groups, "Usage: ")


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="quern report", formatter_class=Formatter,
        description="Measure the gallery's kernels on each device and write a page with figures, CSV and JSON.")
    parser.add_argument("--bench", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--tool", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, default=Path("quern-report"), metavar="FOLDER",
                        help="folder for the page and the numbers (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="small sizes only: some minutes for each device")
    parser.add_argument("--device", action="append", default=[], metavar="DEVICE",
                        help="cpu, gpu, or a part of a device's name; may be repeated (default: all of Quern's devices)")
    parser.add_argument("--platform", action="append", default=[], metavar="PLATFORM",
                        help="platform to compare with; may be repeated (default: all that are installed)")
    parser.add_argument("--kernel", action="append", default=[], metavar="KERNEL",
                        help="measure only kernels whose name contains this; may be repeated")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="rounds to take the median of (default: %(default)s)")
    parser.add_argument("--no-page", dest="page", action="store_false", help="write the numbers only, which needs no matplotlib")
    parser.add_argument("--from", dest="earlier", type=Path, action="append", default=[], metavar="FOLDER",
                        help="measure nothing: draw the page of the numbers in this folder, an earlier --output; may be repeated for "
                             "devices that were measured one by one")
    return parser.parse_args(arguments)


def measure(options):
    """The results of all devices, as they are written to results.json."""
    runs = measuring.measure_all(options)
    return {"made": datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z"), "quick": options.quick, "runs": runs}


def use_python_with_matplotlib():
    """Debian's package is for the system's Python, which need not be the first on the path."""
    system = "/usr/bin/python3"
    if os.path.realpath(sys.executable) != os.path.realpath(system) and subprocess.run(
            [system, "-c", "import matplotlib"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.execv(system, [system, "-B", *sys.argv])
    raise measuring.Failure(f"the figures need matplotlib, which this Python lacks: {HELP}", 2)


def import_page():
    try:
        import matplotlib  # noqa: F401, pylint: disable=unused-import,import-outside-toplevel
    except ImportError:
        use_python_with_matplotlib()
    import page  # pylint: disable=import-outside-toplevel
    return page


def run(options):
    page = import_page() if options.page else None
    output = options.output
    data = results.gather(options.earlier, output) if options.earlier else measure(options)
    output.mkdir(parents=True, exist_ok=True)
    (output / "results.json").write_text(json.dumps(data, indent=1) + "\n")
    results.write_csv(data, output / "results.csv")
    rows = results.read_csv(output / "results.csv")
    written = page.write(data, rows, output) if page else output
    wrong = [row for row in rows if not row.ok]
    print(f"{written}: {len(rows)} results, {len(wrong)} wrong or failed")
    return 1 if wrong else 0


def main():
    try:
        return run(parse(sys.argv[1:]))
    except measuring.Failure as failure:
        print(f"quern report: {failure}", file=sys.stderr)
        return failure.exit_status
    except OSError as error:
        print(f"quern report: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
