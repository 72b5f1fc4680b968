#!/usr/bin/env python3
"""Unpacks the archive, runs programs with it, moves it and runs them again."""
from pathlib import Path

from support import (C_LIBRARY, PROGRAM, PROGRAM_ARGUMENTS, check, check_contains, check_needs_no_more_than,
                     clean_environment, folder, run, the_package)


def check_tree(tree, place):
    tool = tree / "bin/quern"
    cache = str(place / "cache")
    check_contains(run(tool, "info", env=clean_environment(QUERN_CACHE_DIR=cache)), "Device 0:")
    listed = run(tool, "run", "clinfo", "-l")
    check_contains(listed, "Quern")
    check(listed.count("Platform #") == 1, f"other platforms than Quern are there:\n{listed}")
    run(tool, "run", PROGRAM, *PROGRAM_ARGUMENTS, env=clean_environment(QUERN_CACHE_DIR=cache))
    # What the manual says about using it without the tool.
    vendors = place / "vendors"
    vendors.mkdir(exist_ok=True)
    (vendors / "quern.icd").write_text(run(tool, "icd"))
    check_contains(run("clinfo", "-l", env=clean_environment(OCL_ICD_VENDORS=str(vendors))), "Quern")
    run(PROGRAM, *PROGRAM_ARGUMENTS, env=clean_environment(OCL_ICD_VENDORS=str(vendors), QUERN_CACHE_DIR=cache))


def main():
    with folder() as place:
        place = Path(place)
        run("tar", "-C", place, "-xf", the_package("quern-*.tar.xz"))
        (tree,) = place.iterdir()
        check((tree / "LICENSE").is_file() and (tree / "share/man/man1/quern.1").is_file(), "a document is missing")
        check_needs_no_more_than(tree, C_LIBRARY)
        check_tree(tree, place)
        check_tree(tree.rename(place / "moved"), place)
    print("the archive works, and works where it is moved to")


if __name__ == "__main__":
    main()
