"""Makes a program that calls each function that has a form for some machines, given by its prefix: which they are the library itself says.

A kernel has the name of its function and the types of its parameters. It calls the function twice with all but the last of its numbers
the same: plainly, where a condition holds, and in a loop, neither alike for all work-items. FORM_SLOTS results of a work-item lie one
global size from each other; number k is of the work-item's own numbers but for the last one, which is that of the work-item k further.
"""

import argparse
import re

from opencl_prototypes import front_end, prototypes, run

SYMBOL = re.compile(r"_Z(\d+)(\w+)")
NUMBER = re.compile(r"(u?(?:char|short|int|long)|half|float|double)(\d*)$")
CODES = {"char": "c", "uchar": "h", "short": "s", "ushort": "t", "int": "i", "uint": "j", "long": "l", "ulong": "m"}
CODES |= {"half": "Dh", "float": "f", "double": "d"}
CONSTANTS = {"memory_order": "memory_order_relaxed", "memory_scope": "memory_scope_device", "cl_mem_fence_flags": "CLK_GLOBAL_MEM_FENCE"}
# The generic address space stands for all, and long for the types that are as large as an address.
OTHER_SPELLING = re.compile(r"__(global|local|private|constant)|ptr_t|ptrdiff_t")
IMAGE = re.compile(r"(read_only|write_only|read_write) (image\w+)_t$")


def symbols_with_forms(nm, library, prefix):
    """The symbols, and the names, of the functions that have a form."""
    defined = {words[-1] for line in run([nm, "--defined-only", library]).splitlines() if (words := line.split())}
    symbols, names = set(), set()
    for symbol in defined:
        if not (match := SYMBOL.match(symbol)):
            continue
        length = int(match[1])
        name, types = match[2][:length], match[2][length:]
        if name.startswith(prefix):
            name = name.removeprefix(prefix)
            symbols.add(f"_Z{len(name)}{name}{types}")
            names.add(name)
    return symbols, names


def code(type_):
    if match := NUMBER.match(type_):
        return f"Dv{match[2]}_{CODES[match[1]]}" if match[2] else CODES[match[1]]
    if match := IMAGE.match(type_):
        name = f"ocl_{match[2]}_" + "".join(word[0] for word in match[1].split("_"))
    else:
        name = "ocl_sampler"
    return f"{len(name)}{name}"


def mangled(name, types):
    """The symbol of a function of numbers, images and samplers, by the rules of the Itanium ABI."""
    text, seen = f"_Z{len(name)}{name}", []
    for own in map(code, types):
        if own in CODES.values():
            text += own
        elif own in seen:
            number = seen.index(own)
            text += f"S{number - 1 if number else ''}_"
        else:
            seen.append(own)
            text += own
    return text


def is_simple(type_):
    return type_ == "sampler_t" or NUMBER.match(type_) or IMAGE.match(type_)


def functions(options):
    symbols, names = symbols_with_forms(options.llvm_nm, options.library, options.prefix)
    command = front_end(options.clang, "CL3.0", options.without)
    found = {}
    for result, name, types in prototypes(command) + prototypes(command, images=True):
        types = tuple(type_.replace("__read_", "read_") for type_ in types)
        if name not in names or any(OTHER_SPELLING.search(type_) for type_ in types):
            continue
        if types and all(map(is_simple, types)) and mangled(name, types) not in symbols:
            continue
        found[name, types] = result
    return found


def spaces_of(types):
    """The address spaces of pointers, each in a kernel of its own."""
    return ("global", "local") if any(type_.endswith("*") for type_ in types) else ("",)


class Call:
    """A function with what its kernel has as parameters and what it passes on."""

    def __init__(self, result, name, types, space):
        self.result, self.name = result, name
        self.parameters, self.arguments, self.declarations = [], [], []
        numbers = [index for index, type_ in enumerate(types) if NUMBER.match(type_)]
        for index, type_ in enumerate(types):
            self.add(index, type_, space, [index] == numbers[-1:])
        words = [name, *types, *([space] if space else [])]
        self.kernel = re.sub(r"\W+", "_", "_".join(words).replace("*", "pointer"))

    def add(self, index, type_, space, is_last):
        if NUMBER.match(type_):
            self.parameters.append(f"global const {type_} *p{index}")
            self.arguments.append(f"p{index}[(i + NUMBER) % size]" if is_last else f"x{index}")
            if not is_last:
                self.declarations.append(f"  {type_} x{index} = p{index}[i];")
        elif type_.endswith("*"):
            plain = re.sub(r"\b(volatile|const|restrict)\b|\*", "", type_).strip()
            self.parameters.append(f"{space} {plain} *p{index}")
            self.arguments.append(f"p{index} + i")
        elif type_ in CONSTANTS:
            self.arguments.append(CONSTANTS[type_])
        else:
            self.parameters.append(f"{type_} p{index}")
            self.arguments.append(f"p{index}")

    def statement(self, number):
        call = f"{self.name}({', '.join(self.arguments).replace('NUMBER', str(number))})"
        return f"{call};" if self.result == "void" else f"out[({number}) * size + i] = {call};"

    def text(self):
        stored = [] if self.result == "void" else [f"global {'int' if self.result == 'bool' else self.result} *out"]
        lines = [
            f"kernel void {self.kernel}({', '.join(self.parameters + stored)}) {{",
            "  size_t i = get_global_id(0), size = get_global_size(0);",
            *self.declarations,
            f"  {self.statement(0)}",
            f"  {self.statement(1)}",
            "  if (i % 3 == 1) {",
            f"    {self.statement(2)}",
            f"    {self.statement(3)}",
            "  }",
            "  for (size_t round = 0; round < i % 5; ++round) {",
            f"    {self.statement('4 + 2 * round')}",
            f"    {self.statement('5 + 2 * round')}",
            "  }",
            "}",
        ]
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--llvm-nm", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--without", action="append", default=[], help="extension that the target lacks")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    with open(options.output, "w", encoding="ascii") as file:
        print("#pragma OPENCL EXTENSION cl_khr_fp16 : enable", file=file)
        for (name, types), result in sorted(functions(options).items()):
            for space in spaces_of(types):
                print(Call(result, name, types, space).text(), file=file)


if __name__ == "__main__":
    main()
