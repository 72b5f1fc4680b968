#!/usr/bin/env python3
"""Makes an archive that runs Quern's gallery, tests and benchmark on a machine that has no more than a C library.

Usage: make_bundle.py --build FOLDER --output FOLDER
It is the archive for users (archive.py) with the components that users do not install, and with the tests.
"""
import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

import archive
from make_packages import cached, install

SOURCES = Path(__file__).parent.parent
TESTS = ["backend/backend_tests", "kernels/kernels_test", "kernels/random_kernels_test"]
# Of the C library, which every machine brings itself.
SYSTEM = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libmvec.so", "libdl.so", "libpthread.so", "librt.so")


def shared_libraries(program):
    """The shared libraries that `program` is linked with."""
    output = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        name, arrow, rest = line.strip().partition(" => ")
        if arrow and not name.startswith(SYSTEM):
            yield Path(rest.split(" (")[0])


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def add_tests(build, strip, target):
    (target / "tests").mkdir()
    for test in TESTS:
        subprocess.run([strip, "-o", target / "tests" / Path(test).name, build / "tests" / test], check=True)
    shutil.copytree(SOURCES / "tests/kernels", target / "kernels", ignore=lambda folder, names: [
        name for name in names if not name.endswith(".cl")])
    shutil.copy2(SOURCES / "bundle/run", target)


def add_cuda_platform(build, target):
    shutil.copy2(build / "lib/libquern-bench-cuda.so", target / "lib")
    shutil.copytree(SOURCES / "tests/claims", target / "claims", ignore=shutil.ignore_patterns("*.cpp", "*.h", "CMakeLists.txt"))
    shutil.copytree(SOURCES / "bench/cuda/kernels", target / "cuda")


def add_libraries(target):
    programs = [path for path in target.rglob("*") if path.is_file() and is_program(path)]
    for library in sorted({library for program in programs for library in shared_libraries(program)}):
        if not library.name.startswith("libquern"):
            shutil.copy2(library.resolve(), target / "lib" / library.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "quern-bundle"
        for component in (None, "examples", "benchmark"):
            install(build, target, component=component)
        add_tests(build, cached(build, "CMAKE_STRIP"), target)
        add_cuda_platform(build, target)
        add_libraries(target)
        path = archive.pack(target, int((build / "lib/libquern.so").stat().st_mtime), 3, arguments.output)
    print(f"{path}: {path.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
