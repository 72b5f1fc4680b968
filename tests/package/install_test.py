#!/usr/bin/env python3
"""Installs by `cmake --install` to a prefix of the user's, and as a package builder does."""
import os
from pathlib import Path

from support import PROGRAM, PROGRAM_ARGUMENTS, check, check_contains, clean_environment, folder, run

BUILD = os.environ["QUERN_TEST_BUILD"]


def check_own_prefix(place):
    prefix = Path(place) / "prefix"
    output = run("cmake", "--install", BUILD, "--prefix", prefix)
    library = prefix / "lib/quern/libquern.so"
    check((prefix / "lib/quern/quern.icd").read_text() == f"{library}\n", "the ICD file does not name the driver")
    check_contains(output, f"ln -s {prefix}/lib/quern/quern.icd /etc/OpenCL/vendors/")
    # As the message says.
    check_contains(output, f"export OCL_ICD_VENDORS={prefix}/lib/quern")
    run(PROGRAM, *PROGRAM_ARGUMENTS,
        env=clean_environment(OCL_ICD_VENDORS=str(prefix / "lib/quern"), QUERN_CACHE_DIR=f"{place}/cache"))
    check_contains(output, f"{prefix}/bin/quern run PROGRAM")
    check_contains(run(prefix / "bin/quern", "run", "clinfo", "-l"), "Quern")


def check_staged_system(place):
    root = Path(place) / "root"
    output = run("cmake", "--install", BUILD, "--prefix", "/usr", env=clean_environment(DESTDIR=str(root)))
    check("ln -s" not in output, f"advice that is not needed:\n{output}")
    link = root / "etc/OpenCL/vendors/quern.icd"
    check(os.readlink(link) == "/usr/lib/quern/quern.icd", f"{link} leads to {os.readlink(link)}")
    check((root / "usr/lib/quern/quern.icd").read_text() == "/usr/lib/quern/libquern.so\n", "the ICD file is wrong")
    check(sorted(os.listdir(root)) == ["etc", "usr"], f"files are in {os.listdir(root)}")


def main():
    with folder() as place:
        check_own_prefix(place)
        check_staged_system(place)
    print("cmake --install follows its prefix")


if __name__ == "__main__":
    main()
