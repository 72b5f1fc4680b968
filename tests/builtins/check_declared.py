"""Checks that every OpenCL C function that Clang declares has a definition in the built-in library.

A source that calls each function of Clang's header is compiled twice, once with the header and once with Clang's built-in table, and
the symbols that the calls need are looked up in the library.
"""

import argparse
import re
import sys

from opencl_prototypes import front_end, names_in_file, prototypes, run

CALL = re.compile(r"\bcall [^@]*@([\w.]+)\(")
FEWEST_FUNCTIONS = 9000
FEWEST_IMAGE_FUNCTIONS = 60


def calls(functions):
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable"]
    for number, (result, name, types) in enumerate(functions):
        parameters = ", ".join(f"{type_} a{index}" for index, type_ in enumerate(types))
        arguments = ", ".join(f"a{index}" for index in range(len(types)))
        lines.append(f"{result} call_{number}({parameters or 'void'}) {{ return {name}({arguments}); }}")
    return "\n".join(lines)


def needed_symbols(command, functions):
    """The symbol that the call of each function needs, in the order of the functions; None for what Clang expands itself."""
    module = run([*command, "-emit-llvm", "-O1", "-disable-llvm-passes", "-w", "-o", "-", "-"], input=calls(functions))
    symbols = {}
    number = None
    for line in module.splitlines():
        if line.startswith("define "):
            number = int(re.search(r"@call_(\d+)\(", line).group(1))
        else:
            match = CALL.search(line)
            if match and not match.group(1).startswith("llvm."):
                symbols[number] = match.group(1)
    return [symbols.get(number) for number in range(len(functions))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--llvm-nm", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--lowered", required=True, help="file with the names of functions that the compiler itself provides")
    parser.add_argument("--standard", required=True, help="CL1.2, CL2.0 or CL3.0")
    parser.add_argument("--without", action="append", default=[], help="extension or feature to switch off")
    parser.add_argument("--images", action="store_true", help="check the functions on images instead of all others")
    options = parser.parse_args()

    command = front_end(options.clang, options.standard, options.without)
    functions = prototypes(command, options.images)
    fewest = FEWEST_IMAGE_FUNCTIONS if options.images else FEWEST_FUNCTIONS
    defined = {line.split()[-1] for line in run([options.llvm_nm, "--defined-only", "--extern-only", options.library]).splitlines()}
    lowered = names_in_file(options.lowered)

    errors = set()
    for declared_by in ([], ["-fdeclare-opencl-builtins"]):
        for (result, name, types), symbol in zip(functions, needed_symbols([*command, *declared_by], functions)):
            prototype = f"{result} {name}({', '.join(types)})"
            if name in lowered and symbol in defined:
                errors.add(f"defined in the library but listed as provided by the compiler: {prototype}")
            elif name not in lowered and symbol is not None and symbol not in defined:
                errors.add(f"not defined in the library: {prototype} [{symbol}]")
    if len(functions) < fewest:
        errors.add(f"only {len(functions)} declarations were read from the header, expected at least {fewest}")
    for error in sorted(errors):
        print(error)
    print(f"{options.standard}: {len(functions)} functions declared, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
