"""Quern, an OpenCL 3.1 driver for x86-64 processors and NVIDIA GPUs.

pyopencl finds the driver in its own environment; nothing needs to be imported. `quern.main` is the command-line tool.
"""
import os
import sys
from pathlib import Path


def main():
    """Becomes the tool `quern` of this package, with the program's arguments."""
    tool = Path(__file__).parent / "bin/quern"
    os.execv(tool, [str(tool), *sys.argv[1:]])
