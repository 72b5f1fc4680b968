#!/usr/bin/env python3
"""Shows that ledger.py records what a suite says and finds what became worse, with programs made for it."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LEDGER = Path(__file__).with_name("ledger.py")


def make_program(folder, name, results):
    text = ", ".join(f'"{test}": "{result}"' for test, result in results.items())
    program = folder / "some" / "place" / f"test_{name}"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\n[ \"$CL_DEVICE_TYPE\" = CL_DEVICE_TYPE_CPU ] || exit 9\n"
                       f"[ -x ./test_{name} ] || exit 8\n"
                       f"echo '{{\"results\": {{{text}}}}}' > \"$CL_CONFORMANCE_RESULTS_FILENAME\"\n")
    program.chmod(0o755)


def main():
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root)
        tool = folder / "ledger.py"
        shutil.copy(LEDGER, tool)

        def run(*arguments):
            return subprocess.run([sys.executable, "-B", tool, *arguments], capture_output=True, text=True)

        def run_suite(*arguments):
            return run("run", "--suite", root, *arguments)

        make_program(folder, "alpha", {"one": "pass", "two": "skip"})
        first = run_suite("--record", "alpha")
        assert first.returncode == 0 and "alpha: one: pass, not run before" in first.stdout, first
        assert "alpha,one,pass,," in (folder / "ledger.csv").read_text()
        same = run_suite("alpha")
        assert same.returncode == 0 and "before" not in same.stdout, same
        make_program(folder, "alpha", {"one": "fail", "two": "skip"})
        worse = run_suite("alpha")
        assert worse.returncode == 1 and "alpha: one: fail, pass before" in worse.stdout, worse
        assert "cpu 1 pass, 1 skip; gpu not run" in run("show").stdout
        silent = folder / "test_silent"
        silent.write_text("#!/bin/sh\nexit 3\n")
        silent.chmod(0o755)
        ended = run_suite("silent:one")
        assert "ended with 3" in ended.stdout and "silent: one: fail" in ended.stdout, ended
        missing = run_suite("beta")
        assert missing.returncode == 1 and "no program test_beta" in missing.stderr, missing
    print("the ledger tells what became worse")
    return 0


if __name__ == "__main__":
    sys.exit(main())
