#!/usr/bin/env python3
"""Installs the Debian package with dpkg, runs programs with no variable set, and removes it again.

That happens on this system's own files, but in a mount namespace of the test, where what is written to /usr, /etc and /var goes to
a folder of the test's: other programs see nothing of it. dpkg needs root; for other users the package is unpacked over the system
instead.
"""
import os
import subprocess
import sys
from pathlib import Path

from support import PROGRAM, PROGRAM_ARGUMENTS, check, check_contains, clean_environment, folder, run, the_package

SYSTEM = ["usr", "etc", "var"]


def overlay(place, name, lower, writable):
    options = f"lowerdir={lower}"
    if writable:
        for part in ("upper", "scratch"):
            (place / part / name).mkdir(parents=True)
        options += f",upperdir={place}/upper/{name},workdir={place}/scratch/{name}"
    run("mount", "-t", "overlay", "overlay", "-o", options, f"/{name}")


def check_programs(place):
    variables = clean_environment(QUERN_CACHE_DIR=f"{place}/cache")
    check_contains(run("clinfo", "-l"), "Quern")
    check_contains(run("quern", "info", env=variables), "/usr/lib/quern/libquern.so")
    run(PROGRAM, *PROGRAM_ARGUMENTS, env=variables)
    check(Path("/usr/share/man/man1/quern.1.gz").is_file(), "the manual page of quern is missing")


def left_in(upper):
    """What a removal left: files that were not there before, or are no longer. An overlay marks the latter by devices."""
    return [str(path) for name in ("usr", "etc") for path in (upper / name).rglob("*") if not path.is_dir()]


def check_life(place, package):
    """From the installation to the removal."""
    for name in SYSTEM:
        overlay(place, name, f"/{name}", writable=True)
    run("dpkg", "--install", package)
    check_programs(place)
    check(run("dpkg", "--verify", "quern") == "", "dpkg finds other files than the package has")
    run("dpkg", "--remove", "quern")
    status = subprocess.run(["dpkg-query", "-W", "quern"], capture_output=True, text=True)
    check(status.returncode != 0, f"dpkg still knows the package: {status.stdout}")
    left = left_in(place / "upper")
    check(not left, f"removing the package leaves {left}")


def check_unpacked(place, package):
    run("dpkg-deb", "--extract", package, place / "files")
    for name in ("usr", "etc"):
        overlay(place, name, f"{place}/files/{name}:/{name}", writable=False)
    check_programs(place)


def main():
    if "--inside" not in sys.argv:
        # Overlays take no folder whose name has a space or a comma.
        with folder("quern-test-") as place:
            namespace = ["--mount"] if os.geteuid() == 0 else ["--mount", "--user", "--map-root-user"]
            os.environ["QUERN_TEST_MODE"] = "life" if os.geteuid() == 0 else "unpacked"
            print(run("unshare", *namespace, sys.executable, __file__, "--inside", place, env=os.environ), end="")
        return
    place, package = Path(sys.argv[-1]), the_package("quern_*.deb")
    if os.environ["QUERN_TEST_MODE"] == "life":
        check_life(place, package)
        print("the package works, and leaves nothing when it is removed")
    else:
        check_unpacked(place, package)
        print("the files of the package work; only root can install and remove it")


if __name__ == "__main__":
    main()
