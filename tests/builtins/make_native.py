"""Compiles the built-in library and the wrappers of its functions to an object file for the machine that the tests run on.

What the compiler does to a program's module is done here to the text: the module gets the native target, OpenCL's calling convention
becomes C's and an event a pointer. Everything is optimized together, as it is in a program.
"""

import argparse
import re
import subprocess


def to_native(text):
    text = re.sub(r"^target datalayout = .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^target triple = .*", 'target triple = "x86_64-unknown-linux-gnu"', text, flags=re.MULTILINE)
    return text.replace(" spir_func ", " ").replace('target("spirv.Event")', "ptr")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-link", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--llc", required=True)
    parser.add_argument("--cpu", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()

    def run(command, text=None):
        return subprocess.run(command, check=True, input=text, stdout=subprocess.PIPE).stdout

    linked = run([options.llvm_link, "-S", "-o", "-", *options.modules]).decode()
    passes = ["-passes=internalize,default<O1>", "-internalize-public-api-list=quern_wrapper_*,__to_*"]
    optimized = run([options.opt, f"-mcpu={options.cpu}", *passes, "-o", "-"], to_native(linked).encode())
    run([options.llc, f"-mcpu={options.cpu}", "-O1", "-relocation-model=pic", "-filetype=obj", "-o", options.output], optimized)


if __name__ == "__main__":
    main()
