"""Checks that the tests name every function of OpenCL C that cannot be called from C++: those in which work-items meet, those on images
and those that the compiler itself provides. The test program of this folder knows whether it calls the others.
"""

import argparse
import re
import sys
from pathlib import Path

from make_wrappers import COLLECTIVE
from opencl_prototypes import front_end, names_in_file, prototypes

SOURCES = {".cpp", ".h", ".cl"}
FEWEST_FUNCTIONS = 120


def functions(clang, lowered, without):
    names = set(lowered)
    for standard in ("CL1.2", "CL3.0"):
        command = front_end(clang, standard, without)
        names |= {name for _, name, _ in prototypes(command, images=True)}
        names |= {name for _, name, _ in prototypes(command) if COLLECTIVE.match(name)}
    return names


def words(folders):
    return {
        word
        for folder in folders
        for file in Path(folder).rglob("*")
        if file.suffix in SOURCES
        for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--lowered", required=True, help="file with the names of functions that the compiler itself provides")
    parser.add_argument("--without", action="append", default=[], help="extension or feature to switch off")
    parser.add_argument("folders", nargs="+", help="folders of tests")
    options = parser.parse_args()

    names = functions(options.clang, names_in_file(options.lowered), options.without)
    missing = sorted(names - words(options.folders))
    for name in missing:
        print(f"no test names {name}")
    if len(names) < FEWEST_FUNCTIONS:
        missing.append(f"only {len(names)} functions were found, expected at least {FEWEST_FUNCTIONS}")
        print(missing[-1])
    print(f"{len(names)} functions, {len(missing)} errors")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
