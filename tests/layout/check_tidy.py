#!/usr/bin/env python3
"""Runs clang-tidy, as .clang-tidy says, on the sources of a folder that the build compiles.

Usage: check_tidy.py CLANG_TIDY BUILD_FOLDER SOURCE_FOLDER
Prints what clang-tidy found; exits 1 when there is anything.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def commands_of_sources(build):
    """The build's commands, those for several sources as one taken apart into one for each source."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = Path(entry["file"])
        if file.parent.name != "Unity":
            yield entry
            continue
        for source in re.findall(r'^#include "(.+)"$', file.read_text(), re.MULTILINE):
            yield {**entry, "file": source, "command": entry["command"].replace(str(file), source)}


def main(clang_tidy, build, folder):
    commands = [entry for entry in commands_of_sources(build) if Path(entry["file"]).is_relative_to(folder)]
    sources = sorted({entry["file"] for entry in commands})
    if not sources:
        sys.exit(f"the build {build} compiles nothing in {folder}")
    with tempfile.TemporaryDirectory() as database:
        (Path(database) / "compile_commands.json").write_text(json.dumps(commands))
        found = subprocess.run([clang_tidy, "-p", database, "--quiet", *sources], capture_output=True, text=True)
    print(found.stdout)
    if found.returncode != 0 and not found.stdout.strip():
        print(found.stderr)
    print(f"{len(sources)} sources checked")
    return found.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
