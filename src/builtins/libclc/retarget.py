"""Makes a spir64 module of the functions that Quern takes from libclc.

libclc's generic functions are installed for nvptx64 only. That module uses no NVIDIA intrinsic, so everything that ties it to its
target is text: the data layout and triple, the calling convention, the string attributes and the number of the constant address
space. The script reads the disassembly, keeps the functions named in a list and what they use, and rewrites just those things.
No function that takes a pointer is in the list, since the other address spaces are numbered differently too.

Two more things change. NVIDIA's conversions of numbers that an integer cannot hold saturate, and libclc's code relies on it, so
conversions become saturating ones. And a function that Quern corrects, marked in the list, is renamed with the prefix libclc_, under which
the correction calls it.
"""

import argparse
import re
import subprocess
import sys

SPIR64_DATA_LAYOUT = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
INTERNAL_PREFIX = "__quern_libclc_"
CORRECTED_PREFIX = "libclc_"
SYMBOL = re.compile(r"@([\w.$]+)")
MANGLED = re.compile(r"_Z(\d+)(\w+)$")
TO_INTEGER = re.compile(r"= fpto([su])i ((?:<\d+ x )?)(float|double)(>?) (%[\w.]+) to (?:<\d+ x )?(i\d+)>?")


def split_mangled(name):
    """The function's name and its encoded parameters, or None for a symbol that is not an OpenCL function."""
    match = MANGLED.match(name)
    if not match:
        return None
    length = int(match.group(1))
    return match.group(2)[:length], match.group(2)[length:]


def parse(text):
    """Splits a disassembled module into global variables, function bodies, declarations and the rest that they refer to."""
    variables, functions, declarations, rest = {}, {}, {}, []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("define "):
            body = [line]
            for line in lines:
                body.append(line)
                if line == "}":
                    break
            functions[SYMBOL.search(body[0]).group(1)] = body
        elif line.startswith("declare "):
            declarations[SYMBOL.search(line).group(1)] = line
        elif line.startswith("@"):
            variables[SYMBOL.match(line).group(1)] = line
        elif re.match(r"attributes |!\d+ =|%[\w.]+ = type", line):
            rest.append(line)
    return variables, functions, declarations, rest


def is_root(name, wanted):
    parts = split_mangled(name)
    if parts is None or parts[0] not in wanted:
        return False
    return "double" not in wanted[parts[0]] or re.match(r"(Dv\d+_)?d", parts[1])


def reachable(roots, variables, functions):
    """Every function and variable that the roots use, the roots included."""
    seen, todo = set(), list(roots)
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        lines = functions.get(name) or [variables.get(name, "").partition("=")[2]]
        for line in lines:
            todo.extend(symbol for symbol in SYMBOL.findall(line) if symbol not in seen)
    return seen


def corrected_name(name):
    function, parameters = split_mangled(name)
    function = CORRECTED_PREFIX + function
    return f"_Z{len(function)}{function}{parameters}"


class Rewriter:
    """Rewrites lines of the module; remembers which intrinsics the rewritten lines need."""

    def __init__(self, new_names):
        self.new_names = new_names
        self.declarations = set()

    def saturating(self, match):
        sign, count, element, close, value, integer = match.groups()
        width = f"v{count[1:].split()[0]}" if count else ""
        source, result = f"{count}{element}{close}", f"{count}{integer}{close}"
        float_name = {"float": "f32", "double": "f64"}[element]
        intrinsic = f"@llvm.fpto{sign}i.sat.{width}{integer}.{width}{float_name}"
        self.declarations.add(f"declare {result} {intrinsic}({source})")
        return f"= call {result} {intrinsic}({source} {value})"

    def line(self, line):
        line = line.replace("addrspace(4)", "addrspace(2)")
        line = TO_INTEGER.sub(self.saturating, line)
        line = SYMBOL.sub(lambda match: "@" + self.new_names.get(match.group(1), match.group(1)), line)
        if "@llvm." not in line and " fastcc " not in line:
            line = re.sub(r"^(\s*(?:%[\w.]+ = )?(?:tail |musttail |notail )?call )", r"\1spir_func ", line)
        return line

    def definition(self, line, linkage):
        line = re.sub(r"^define (?:dso_local )?(?:internal )?(?:dso_local )?", "", line)
        convention = "" if line.startswith("fastcc ") else "spir_func "
        return self.line("define " + linkage + convention + line).replace(" local_unnamed_addr", "")

    def variable(self, line):
        return self.line(re.sub(r"= (?:internal )?(?:local_)?(?:unnamed_addr )?", "= internal unnamed_addr ", line, count=1))


def retarget(text, wanted):
    variables, functions, declarations, rest = parse(text)
    roots = [name for name in functions if is_root(name, wanted)]
    missing = wanted.keys() - {split_mangled(name)[0] for name in roots}
    if missing:
        sys.exit(f"libclc does not define {', '.join(sorted(missing))}")
    used = reachable(roots, variables, functions)
    foreign = [name for name in used if name in declarations and not name.startswith("llvm.")]
    if foreign:
        sys.exit(f"libclc's functions need {', '.join(sorted(foreign))}, which Quern does not provide")
    internal = {name for name in used if name in variables or name in functions} - set(roots)
    new_names = {name: INTERNAL_PREFIX + name for name in internal}
    new_names.update({name: corrected_name(name) for name in roots if "corrected" in wanted[split_mangled(name)[0]]})

    rewriter = Rewriter(new_names)
    out = [f'target datalayout = "{SPIR64_DATA_LAYOUT}"', 'target triple = "spir64"']
    out.extend(rewriter.variable(line) for name, line in variables.items() if name in used)
    for name, body in functions.items():
        if name in used:
            out.append(rewriter.definition(body[0], "internal " if name in internal else ""))
            out.extend(rewriter.line(line) for line in body[1:])
    out.extend(line for name, line in declarations.items() if name in used)
    out.extend(sorted(rewriter.declarations))
    out.extend(re.sub(r' "[^"]*"="[^"]*"', "", line) for line in rest)
    return "\n".join(out) + "\n"


def read_list(path):
    """The functions to keep, each with its marks."""
    wanted = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.partition("#")[0].split()
            if not set(words[1:]) <= {"double", "corrected"}:
                sys.exit(f"{path}: '{line.strip()}' is not a function and its marks")
            if words:
                wanted[words[0]] = set(words[1:])
    return wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-dis", required=True)
    parser.add_argument("--llvm-as", required=True)
    parser.add_argument("--functions", required=True, help="file with the names of the functions to keep")
    parser.add_argument("--output", required=True)
    parser.add_argument("bitcode")
    options = parser.parse_args()
    text = subprocess.run(
        [options.llvm_dis, "-o", "-", options.bitcode], check=True, capture_output=True, text=True
    ).stdout
    subprocess.run(
        [options.llvm_as, "-o", options.output], input=retarget(text, read_list(options.functions)), check=True, text=True
    )


if __name__ == "__main__":
    main()
