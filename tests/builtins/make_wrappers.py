"""Makes the built-in library callable from C++: one wrapper in OpenCL C for each declared function, and a table of them.

A vector is passed differently in C++ and in the library's own calling convention, so a wrapper takes the addresses of its arguments and
of its result: void wrapper(void *result, void *const *arguments). The functions' pointer parameters are passed as they are.
"""

import argparse
import re

from opencl_prototypes import front_end, names_in_file, prototypes

# Functions in which work-items meet: nothing that C++ could call. tests/kernels tests them.
COLLECTIVE = re.compile(r"(sub_group_|get_sub_group_|work_group_)")

# Functions that have another form for some machines, by its prefix and the type of their results.
FORMS = {
    "__avx512_": {"double": ("erf", "erfc", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "pown", "powr", "rootn", "rsqrt")},
    "__fma_": {
        "float": ("cbrt", "cos", "fmod", "log", "log10", "log2", "pow", "pown", "powr", "remainder", "rootn", "sin", "tan"),
        "double": ("cbrt", "fmod", "remainder"),
    },
    "__nvptx_": {
        "float": ("cos", "exp", "exp10", "exp2", "pow", "pown", "powr", "rootn", "sin", "tan", "tanh"),
        "double": ("cos", "exp", "log", "log10", "log2", "sin", "tan"),
    },
}

SPACES = {"__private": "Private", "__global": "Global", "__constant": "Constant", "__local": "Local", "__generic": "Generic"}
PLAIN = {"size_t": "ulong", "uintptr_t": "ulong", "intptr_t": "long", "ptrdiff_t": "long", "cl_mem_fence_flags": "uint"}
ENUMERATIONS = ("memory_order", "memory_scope")
BASES = {
    name: name[0].upper() + name[1:]
    for name in ("void", "bool", "char", "short", "int", "long", "half", "float", "double")
} | {"uchar": "UChar", "ushort": "UShort", "uint": "UInt", "ulong": "ULong"}


class Type:
    """A type as the wrapper passes it, with its address space where it is a pointer; pointers without one get the default."""

    def __init__(self, text, default_space):
        self.is_const = bool(re.search(r"\bconst\b", text))
        self.is_volatile = bool(re.search(r"\bvolatile\b", text))
        words = [word for word in re.findall(r"\w+", text) if word not in ("const", "volatile", "restrict")]
        self.space = None
        if text.endswith("*"):
            self.space = next((word for word in words if word in SPACES), default_space)
        self.name = next(word for word in words if word not in SPACES)
        self.name = PLAIN.get(self.name, self.name)

    def spelled(self):
        if not self.space:
            return self.name
        qualifiers = ("const " if self.is_const else "") + ("volatile " if self.is_volatile else "")
        return f"{qualifiers}{self.space} {self.name} *"

    def described(self):
        name = PLAIN.get(self.name.removeprefix("atomic_"), self.name.removeprefix("atomic_"))
        if name in ENUMERATIONS or name == "flag":
            name = "int"
        if name == "event_t":
            name = "ulong"
        base, width = re.match(r"([a-z]+)(\d*)$", name).groups()
        space = SPACES[self.space] if self.space else "None"
        return f"{{Base::{BASES[base]}, {width or 1}, Space::{space}}}"


def argument(type_, index):
    if type_.space:
        return f"({type_.spelled()})(size_t)a[{index}]"
    if type_.name == "event_t":
        return "(event_t)0"
    if type_.name in ENUMERATIONS:
        return f"({type_.name})*(const generic int *)a[{index}]"
    return f"*(const generic {type_.name} *)a[{index}]"


def wrapper(number, result, name, parameters):
    declaration = f"{result.spelled()} __attribute__((overloadable)) {name}({', '.join(p.spelled() for p in parameters) or 'void'});"
    call = f"{name}({', '.join(argument(p, i) for i, p in enumerate(parameters))})"
    if result.name not in ("void", "event_t"):
        stored = "int" if result.name == "bool" else result.name
        call = f"*(generic {stored} *)r = {call}"
    return f"{declaration}\nvoid quern_wrapper_{number}(generic void *r, generic void *const generic *a) {{ {call}; }}"


def collect(clang, excluded):
    functions = {}
    for standard, default_space in (("CL1.2", "__private"), ("CL3.0", "__generic")):
        for result, name, parameters in prototypes(front_end(clang, standard)):
            if name in excluded or COLLECTIVE.match(name):
                continue
            types = [Type(parameter, default_space) for parameter in parameters]
            functions[name, ", ".join(type_.spelled() for type_ in types)] = (Type(result, default_space), name, types)
    forms = [
        (result, prefix + name, types)
        for prefix, names in FORMS.items()
        for result, name, types in functions.values()
        if name in names.get(result.name.rstrip("0123456789"), ())
    ]
    return list(functions.values()) + forms


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--exclude", required=True, help="file with the names of functions that the library does not define")
    parser.add_argument("--wrappers", required=True, help="OpenCL C file to write")
    parser.add_argument("--table", required=True, help="C++ file to write")
    options = parser.parse_args()

    functions = collect(options.clang, names_in_file(options.exclude))
    with open(options.wrappers, "w", encoding="ascii") as file:
        print("#pragma OPENCL EXTENSION cl_khr_fp16 : enable", file=file)
        for number, (result, name, types) in enumerate(functions):
            print(wrapper(number, result, name, types), file=file)
    with open(options.table, "w", encoding="ascii") as file:
        print('#include "builtin.h"\n\nusing namespace quern::builtins;\n\nextern "C" {', file=file)
        for number in range(len(functions)):
            print(f"void quern_wrapper_{number}(void *, void *const *);", file=file)
        print("}\n\nconst Builtin quern::builtins::table[] = {", file=file)
        for number, (result, name, types) in enumerate(functions):
            parameters = ", ".join(type_.described() for type_ in types)
            print(f'    {{"{name}", {result.described()}, {len(types)}, {{{parameters}}}, quern_wrapper_{number}}},', file=file)
        print(f"}};\nconst std::size_t quern::builtins::tableSize = {len(functions)};", file=file)


if __name__ == "__main__":
    main()
