"""Checks that every OpenCL C function that Clang declares has a definition in the built-in library.

The prototypes are read from Clang's own header, preprocessed for one language version; a kernel that calls each of them is compiled
twice, once with the header and once with Clang's built-in table, and the symbols that the calls need are looked up in the library.
"""

import argparse
import re
import subprocess
import sys

ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)")
PROTOTYPE = re.compile(r"^([\w\s*]+?)\b(\w+)\s*\((.*)\)$", re.DOTALL)
WORD = re.compile(r"\w+")

# Whole parts of the language that the library does not serve: by the function's name, or by a type of the prototype.
OTHER_NAMES = re.compile(
    r"(amd_|arm_|intel_|sub_group_|get_(max_)?(num_|enqueued_num_)?sub_group|work_group_(all|any|broadcast|reduce|scan)|read_image|write_image"
    r"|get_image|enqueue_|clock_read|ndrange_|get_default_queue|retain_event|release_event|create_user_event|set_user_event|is_valid_"
    r"|capture_event|get_kernel|(reserve|commit|read|write|work_group_.*)_?pipe)"
)
HALF = re.compile(r"\b(atomic_)?half\d*\b")
HALF_STORAGE = re.compile(r"v(load|store)a?_half")
OTHER_TYPES = re.compile(r"\b(image\w*|sampler_t|queue_t|ndrange_t|clk_event_t|reserve_id_t|pipe)\b")
TYPE_WORDS = re.compile(
    r"^((u?(char|short|int|long)|float|double|half)\d*|bool|void|size_t|u?intptr_t|ptrdiff_t|event_t|cl_mem_fence_flags|memory_order"
    r"|memory_scope|atomic_\w+|const|volatile|restrict|unsigned|signed|__?(global|local|constant|private|generic)|global|local|constant"
    r"|private|generic|_?Atomic)$"
)


def run(command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def without_name(parameter):
    """The parameter's type: the parameter without the name that may follow it."""
    parameter = parameter.strip()
    words = WORD.findall(parameter)
    if len(words) > 1 and parameter.endswith(words[-1]) and not TYPE_WORDS.match(words[-1]):
        parameter = parameter[: -len(words[-1])].strip()
    return parameter


def prototypes(header):
    """(result type, name, parameter types) of every function that the preprocessed header declares and the library must serve."""
    found = set()
    header = re.sub(r"^#.*$", "", header, flags=re.MULTILINE)
    for declaration in header.split(";"):
        if "overloadable" not in declaration:
            continue
        match = PROTOTYPE.match(ATTRIBUTE.sub("", declaration).strip())
        if not match:
            sys.exit(f"cannot read this declaration: {declaration.strip()}")
        result, name, parameters = (part.strip() for part in match.groups())
        if OTHER_NAMES.match(name) or OTHER_TYPES.search(declaration) or "..." in parameters:
            continue
        if HALF.search(declaration.replace(name, "")) and not HALF_STORAGE.match(name):
            continue
        types = tuple(without_name(parameter) for parameter in parameters.split(",") if parameter.strip() not in ("", "void"))
        found.add((result, name, types))
    return sorted(found)


def calls(functions):
    lines = []
    for number, (result, name, types) in enumerate(functions):
        parameters = ", ".join(f"{type_} a{index}" for index, type_ in enumerate(types))
        arguments = ", ".join(f"a{index}" for index in range(len(types)))
        lines.append(f"{result} call_{number}({parameters or 'void'}) {{ return {name}({arguments}); }}")
    return "\n".join(lines)


def needed_symbols(compile_command, functions):
    """The symbol that the call of each function needs, in the order of the functions."""
    module = run([*compile_command, "-emit-llvm", "-O1", "-disable-llvm-passes", "-w", "-o", "-", "-"], input=calls(functions))
    symbols = {}
    number = None
    for line in module.splitlines():
        if line.startswith("define "):
            number = int(re.search(r"@call_(\d+)\(", line).group(1))
        else:
            match = re.search(r"\bcall [^@]*@([\w.]+)\(", line)
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
    options = parser.parse_args()

    extensions = "-cl-ext=+all" + "".join(",-" + name for name in options.without)
    base = [options.clang, "-cc1", "-triple", "spir64", "-x", "cl", f"-cl-std={options.standard}", extensions, "-finclude-default-header"]
    functions = prototypes(run([*base, "-E", "-P", "/dev/null"]))
    defined = {line.split()[-1] for line in run([options.llvm_nm, "--defined-only", "--extern-only", options.library]).splitlines()}
    with open(options.lowered, encoding="ascii") as file:
        lowered = {line.strip() for line in file if line.strip() and not line.startswith("#")}

    errors = set()
    for declared_by in ([], ["-fdeclare-opencl-builtins"]):
        for (result, name, types), symbol in zip(functions, needed_symbols([*base, *declared_by], functions)):
            prototype = f"{result} {name}({', '.join(types)})"
            if name in lowered and symbol in defined:
                errors.add(f"defined in the library but listed as provided by the compiler: {prototype}")
            elif name not in lowered and symbol is not None and symbol not in defined:
                errors.add(f"not defined in the library: {prototype} [{symbol}]")
    print("\n".join(sorted(errors)))
    print(f"{options.standard}: {len(functions)} functions declared, {len(errors)} errors")
    return 1 if errors or len(functions) < 5000 else 0


if __name__ == "__main__":
    sys.exit(main())
