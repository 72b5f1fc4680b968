#!/usr/bin/env python3
"""Checks that C++ sources have the layout of .clang-format.

Usage: check_format.py CLANG_FORMAT PROJECT_ROOT
Prints the files that differ and the command that mends them; exits 1 when there are any.
"""
import subprocess
import sys
from pathlib import Path

FOLDERS = ["src", "tools", "examples", "bench", "tests", "package"]
SUFFIXES = {".cpp", ".h"}


def main(clang_format, root):
    files = sorted(file for folder in FOLDERS for file in (root / folder).rglob("*") if file.suffix in SUFFIXES)
    if not files:
        sys.exit(f"no sources were found in {root}")
    check = subprocess.run([clang_format, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    differing = sorted({line.split(":")[0] for line in check.stderr.splitlines() if "clang-format-violations" in line})
    for file in differing:
        print(f"{Path(file).relative_to(root)} is laid out in another way than .clang-format says")
    if differing:
        print(f"{clang_format} -i FILE... mends that")
    elif check.returncode != 0:
        print(check.stderr)
    print(f"{len(files)} files checked")
    return check.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).resolve()))
