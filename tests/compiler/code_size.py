#!/usr/bin/env python3
"""Compares how much code random kernels become with packets and without. Packets that are hardly better than one work-item after the
other must not multiply it, for it takes its time to compile: code_size.py QUERN RANDOM_KERNELS SEED..."""

import os
import subprocess
import sys

# Regions of several hundred instructions, most of them behind conditions of their own, at which work-items of sub-groups meet.
OPTIONS = "-cl-std=CL3.0 -cl-uniform-work-group-size"
LIMIT = 3.0


def instructions(quern, source, packets):
    """Lines of the optimized IR that are no labels, declarations or metadata. An access that the processor has no instruction for is
    one of them in either form, whatever it becomes afterwards."""
    command = [quern, "compile", "-", "--isa", "avx512", "--emit", "llvm", "--step", "optimize", "--options", OPTIONS]
    environment = {**os.environ, "QUERN_CPU_PACKETS": packets}
    output = subprocess.run(command, check=True, input=source, env=environment, capture_output=True, text=True).stdout
    return sum(line.startswith("  ") for line in output.splitlines())


def main():
    quern, random_kernels, *seeds = sys.argv[1:]
    failures = 0
    for seed in seeds:
        source = subprocess.run([random_kernels, "--print", seed], check=True, capture_output=True, text=True).stdout
        chosen, scalar = (instructions(quern, source, packets) for packets in ("auto", "off"))
        print(f"seed {seed}: {chosen} instructions, {scalar} one work-item after the other")
        failures += scalar == 0 or chosen > LIMIT * scalar
    print(f"{failures} of {len(seeds)} kernels have more than {LIMIT} times the code")
    sys.exit(1 if failures or not seeds else 0)


if __name__ == "__main__":
    main()
