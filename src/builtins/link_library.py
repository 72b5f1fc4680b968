"""Links the modules of the built-in library into one bitcode file that a compiler links into a program's module at once.

What the front end records about each source and each function of the library would end up in every program, so named metadata, source
names and target-specific attributes are removed; what remains is the functions alone.
"""

import argparse
import re
import subprocess

DROPPED_LINE = re.compile(r"![a-zA-Z_][\w.]* = |source_filename = ")


def strip(text):
    lines = (line for line in text.splitlines() if not DROPPED_LINE.match(line))
    stripped = []
    for line in lines:
        if line.startswith("attributes "):
            line = re.sub(r' "[^"]*"="[^"]*"', "", line)
        elif line.startswith(("define ", "declare ", "@")):
            line = line.replace(" dso_local", "").replace(" local_unnamed_addr", "")
        stripped.append(line)
    return "\n".join(stripped) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-link", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--llvm-as", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()
    linked = subprocess.run(
        [options.llvm_link, "-S", "-o", "-", *options.modules], check=True, capture_output=True, text=True
    ).stdout
    # Clang takes every function that it does not see for one that work-items must run together. With all of them in sight,
    # only those that are keep the mark.
    inferred = subprocess.run(
        [options.opt, "-S", "-passes=cgscc(function(instcombine),function-attrs)", "-o", "-"],
        input=linked,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    subprocess.run([options.llvm_as, "-o", options.output], input=strip(inferred), check=True, text=True)


if __name__ == "__main__":
    main()
