#!/usr/bin/env python3
"""Runs clang-tidy, as .clang-tidy says, on the sources of a folder that the build compiles.

Usage: check_tidy.py CLANG_TIDY BUILD_FOLDER SOURCE_FOLDER
Prints what clang-tidy found; exits 1 when there is anything.
"""
import json
import subprocess
import sys
from pathlib import Path


def main(clang_tidy, build, folder):
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = sorted({entry["file"] for entry in commands if Path(entry["file"]).is_relative_to(folder)})
    if not sources:
        sys.exit(f"the build {build} compiles nothing in {folder}")
    found = subprocess.run([clang_tidy, "-p", build, "--quiet", *sources], capture_output=True, text=True)
    print(found.stdout)
    if found.returncode != 0 and not found.stdout.strip():
        print(found.stderr)
    print(f"{len(sources)} sources checked")
    return found.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
