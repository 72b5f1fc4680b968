#!/usr/bin/env python3
"""Checks that the CUDA C++ platforms of the benchmark have each OpenCL function that the benchmark calls. The loader calls a null pointer for
one that is missing, and only a machine with a GPU would show it.

Usage: check_cuda_peer.py --nm NM BENCHMARK PLATFORM_SOURCE
Prints a line for each function that is missing and exits 1 when there are any.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

# What the loader does itself.
OF_THE_LOADER = {"clGetPlatformIDs"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", required=True)
    parser.add_argument("benchmark")
    parser.add_argument("source", type=Path)
    arguments = parser.parse_args()
    symbols = subprocess.run([arguments.nm, "-D", "--undefined-only", arguments.benchmark], check=True, capture_output=True, text=True)
    called = set(re.findall(r"\bU (cl[A-Z]\w*)", symbols.stdout))
    offered = set(re.findall(r"\btable\.(cl\w+) =", arguments.source.read_text()))
    if len(called) < 20:
        sys.exit(f"only {len(called)} OpenCL functions were found in {arguments.benchmark}: is it the benchmark?")
    missing = called - offered - OF_THE_LOADER
    for name in sorted(missing):
        print(f"{arguments.source} lacks {name}, which the benchmark calls")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
