"""Checks which symbols the compiled built-in library leaves to others: nothing but what the compiler and the loader provide.

An intrinsic such as llvm.sin would become a call of the C library's function without anybody noticing.
"""

import argparse
import re
import sys

from opencl_prototypes import names_in_file, run

# Copies, what some processors have no instruction for, and the compiler's own primitive.
ALLOWED = {"memcpy", "memmove", "memset", "fma", "fmaf", "__extendhfsf2", "__truncsfhf2", "__quern_address_space_of"}
# Functions that stand for instructions of NVIDIA's GPUs.
INSTRUCTION_PREFIX = "__quern_nvptx_"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-nm", required=True)
    parser.add_argument("--lowered", required=True, help="file with the names of functions that the compiler provides")
    parser.add_argument("object")
    options = parser.parse_args()

    lowered = names_in_file(options.lowered)
    symbols = {line.split()[-1] for line in run([options.llvm_nm, "--undefined-only", options.object]).splitlines()}
    foreign = []
    for symbol in sorted(symbols - ALLOWED):
        if symbol.startswith(INSTRUCTION_PREFIX):
            continue
        match = re.match(r"_Z(\d+)(\w+)$", symbol)
        if not match or match.group(2)[: int(match.group(1))] not in lowered:
            foreign.append(symbol)
    for symbol in foreign:
        print(f"{options.object} needs {symbol}, which nobody provides")
    return 1 if foreign else 0


if __name__ == "__main__":
    sys.exit(main())
