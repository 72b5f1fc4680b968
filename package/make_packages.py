#!/usr/bin/env python3
"""Makes the packages of a build: a Debian package, an archive that runs where it is unpacked, and a Python wheel.

Usage: make_packages.py --build FOLDER --output FOLDER [--effort 1...9]
What they hold is what `cmake --install` installs, so a file that gets an install rule is in all of them. They replace those of
other versions in the output folder.
"""
import argparse
import os
import re
import subprocess
import tempfile
from pathlib import Path

import archive
import debian
import wheel


def cached(build, name):
    """A value of the build's CMake cache."""
    return re.search(rf"^{name}:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


def install(build, prefix, root=None, component=None):
    """Installs the build, or a component that users do not install, as if `root` were the file system's root, without symbols
    that only a debugger reads."""
    environment = dict(os.environ, DESTDIR=str(root)) if root else None
    selection = ["--component", component] if component else []
    subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--strip", *selection], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)


def make_packages(build, output, effort):
    """Makes all packages and returns their paths."""
    version = cached(build, "CMAKE_PROJECT_VERSION")
    # What is made of one build is the same each time.
    time = int(os.environ.get("SOURCE_DATE_EPOCH", (build / "lib/libquern.so").stat().st_mtime))
    output.mkdir(parents=True, exist_ok=True)
    for pattern in ("quern_*.deb", "quern-*.tar.xz", "quern-*.whl"):
        for earlier in output.glob(pattern):
            earlier.unlink()
    with tempfile.TemporaryDirectory() as folder:
        system = Path(folder) / "system"
        install(build, "/usr", system)
        yield debian.make_package(system, version, time, effort, output)
        movable = Path(folder) / f"quern-{version}-linux-x86_64"
        install(build, movable)
        # Found beside the driver by `quern run`, wherever that is.
        next(movable.rglob("quern.icd")).write_text("libquern.so\n")
        yield wheel.make_wheel(movable, version, time, effort, output)
        yield archive.make_archive(movable, Path(cached(build, "OPENCL_LIBRARY")), time, effort, output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--effort", type=int, choices=range(1, 10), default=6, help="how hard to compress")
    arguments = parser.parse_args()
    for package in make_packages(arguments.build.resolve(), arguments.output.resolve(), arguments.effort):
        print(f"{package}: {package.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
