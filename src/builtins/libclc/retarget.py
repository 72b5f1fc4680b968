"""Makes a spir64 module of the functions that Quern takes from libclc.

libclc's generic functions are installed for nvptx64 only. That module uses no NVIDIA intrinsic, so everything that ties it to its
target is text: the data layout and triple, the calling convention, the string attributes and the number of the constant address
space. The script reads the disassembly, keeps the functions named in a list and what they use, and rewrites just those things.
Functions that take pointers are kept in their private form only: address space 0 is private in both numberings.
"""

import argparse
import re
import subprocess
import sys

SPIR64_DATA_LAYOUT = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
PREFIX = "__quern_libclc_"
SYMBOL = re.compile(r"@([\w.$]+)")
MANGLED = re.compile(r"_Z(\d+)(\w+)$")


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
    return parts is not None and parts[0] in wanted and "PU3AS" not in parts[1]


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


def rewrite(line, internal):
    line = line.replace("addrspace(4)", "addrspace(2)")
    line = SYMBOL.sub(lambda match: "@" + PREFIX + match.group(1) if match.group(1) in internal else match.group(0), line)
    if "@llvm." not in line and " fastcc " not in line:
        line = re.sub(r"^(\s*(?:%[\w.]+ = )?(?:tail |musttail |notail )?call )", r"\1spir_func ", line)
    return line


def rewrite_definition(line, name, internal):
    line = re.sub(r"^define (?:dso_local )?(?:internal )?(?:dso_local )?", "", line)
    linkage = "internal " if name in internal else ""
    convention = "" if line.startswith("fastcc ") else "spir_func "
    return rewrite("define " + linkage + convention + line, internal).replace(" local_unnamed_addr", "")


def retarget(text, wanted):
    variables, functions, declarations, rest = parse(text)
    roots = [name for name in functions if is_root(name, wanted)]
    missing = wanted - {split_mangled(name)[0] for name in roots}
    if missing:
        sys.exit(f"libclc does not define {', '.join(sorted(missing))}")
    used = reachable(roots, variables, functions)
    foreign = [name for name in used if name in declarations and not name.startswith("llvm.")]
    if foreign:
        sys.exit(f"libclc's functions need {', '.join(sorted(foreign))}, which Quern does not provide")
    internal = {name for name in used if name in variables or name in functions} - set(roots)

    out = [f'target datalayout = "{SPIR64_DATA_LAYOUT}"', 'target triple = "spir64"']
    for name, line in variables.items():
        if name in used:
            line = re.sub(r"= (?:internal )?(?:local_)?(?:unnamed_addr )?", "= internal unnamed_addr ", line, count=1)
            out.append(rewrite(line, internal))
    for name, body in functions.items():
        if name in used:
            out.append(rewrite_definition(body[0], name, internal))
            out.extend(rewrite(line, internal) for line in body[1:])
    out.extend(line for name, line in declarations.items() if name in used)
    out.extend(re.sub(r' "[^"]*"="[^"]*"', "", line) for line in rest)
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-dis", required=True)
    parser.add_argument("--llvm-as", required=True)
    parser.add_argument("--functions", required=True, help="file with the names of the functions to keep, one a line")
    parser.add_argument("--output", required=True)
    parser.add_argument("bitcode")
    options = parser.parse_args()
    with open(options.functions, encoding="ascii") as file:
        wanted = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    text = subprocess.run(
        [options.llvm_dis, "-o", "-", options.bitcode], check=True, capture_output=True, text=True
    ).stdout
    subprocess.run(
        [options.llvm_as, "-o", options.output], input=retarget(text, wanted), check=True, text=True
    )


if __name__ == "__main__":
    main()
