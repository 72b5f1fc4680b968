#!/usr/bin/env python3
"""Makes an archive that runs Quern's gallery, tests and benchmark on a machine that has no more than a C library.

Usage: make_bundle.py --build FOLDER --source FOLDER --strip PROGRAM --output ARCHIVE.tar.xz
"""
import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = {
    "bin": ["bin/quern", "bin/quern-tour"],
    "lib": ["lib/libquern.so", "lib/libquern-compiler.so", "lib/quern-compiler-process", "lib/libquern-bench-cuda.so", "lib/quern-bench"],
    "tests": ["tests/backend/backend_tests", "tests/kernels/kernels_test", "tests/kernels/random_kernels_test"],
}
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


def collect(build, source, target):
    for folder, files in PROGRAMS.items():
        (target / folder).mkdir()
        for file in files:
            shutil.copy2(build / file, target / folder)
    for folder in sorted((build / "examples").iterdir()):
        if folder.is_dir() and (folder / folder.name).is_file():
            shutil.copytree(folder, target / "examples" / folder.name)
    shutil.copytree(source / "tests/kernels", target / "kernels", ignore=lambda folder, names: [
        name for name in names if not name.endswith(".cl")])
    shutil.copytree(source / "bench/cuda/kernels", target / "cuda")
    shutil.copy2(source / "bundle/run", target)


def add_libraries(target):
    programs = [path for path in target.rglob("*") if path.is_file() and is_program(path)]
    for library in sorted({library for program in programs for library in shared_libraries(program)}):
        if library.name.startswith("libquern"):
            continue
        shutil.copy2(library.resolve(), target / "lib" / library.name)


def strip(program, target):
    for path in target.rglob("*"):
        if path.is_file() and is_program(path):
            subprocess.run([program, "--strip-unneeded", path], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--strip", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "quern-bundle"
        target.mkdir()
        collect(arguments.build, arguments.source, target)
        add_libraries(target)
        strip(arguments.strip, target)
        subprocess.run(["tar", "-C", folder, "-I", "xz -T0 -3", "-cf", arguments.output, target.name], check=True)
    size = arguments.output.stat().st_size
    print(f"{arguments.output}: {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
