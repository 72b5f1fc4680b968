"""The prototypes of OpenCL C's built-in functions, read from Clang's own header, the driver's and that of the functions that both lack."""

import pathlib
import re
import subprocess
import sys

ATTRIBUTE = re.compile(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)")
PROTOTYPE = re.compile(r"^([\w\s*]+?)\b(\w+)\s*\((.*)\)$", re.DOTALL)
WORD = re.compile(r"\w+")

# Whole parts of the language that the library does not serve: by the function's name, or by a type of the prototype.
OTHER_NAMES = re.compile(
    r"(amd_|arm_|intel_|enqueue_|clock_read|ndrange_|get_default_queue|retain_event|release_event|create_user_event"
    r"|set_user_event|is_valid_|capture_event|get_kernel|(reserve|commit|read|write|(work|sub)_group_.*)_?pipe)"
)
OTHER_TYPES = re.compile(r"\b(queue_t|ndrange_t|clk_event_t|reserve_id_t|pipe)\b")
IMAGE_TYPES = re.compile(r"\bimage\w+_t\b")
HALF_ATOMIC = re.compile(r"\batomic_half\b")
TYPE_WORDS = re.compile(
    r"^((u?(char|short|int|long)|float|double|half)\d*|bool|void|size_t|u?intptr_t|ptrdiff_t|event_t|cl_mem_fence_flags|memory_order"
    r"|memory_scope|atomic_\w+|const|volatile|restrict|unsigned|signed|__?(global|local|constant|private|generic)|global|local|constant"
    r"|private|generic|_?Atomic|image\w+_t|sampler_t|(__)?(read|write)_only|(__)?read_write)$"
)


FOLDER = pathlib.Path(__file__).resolve().parent
OWN_HEADER = FOLDER.parents[1] / "src/compiler/frontend/opencl_extra.h"
UNTABLED_FUNCTIONS = FOLDER / "untabled_functions.h"


def run(command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def front_end(clang, standard, without=()):
    """The command that compiles OpenCL C of one version for the library's target, some extensions or features switched off."""
    extensions = "-cl-ext=+all" + "".join(",-" + name for name in without)
    headers = ["-finclude-default-header", "-include", OWN_HEADER, "-include", UNTABLED_FUNCTIONS]
    return [clang, "-cc1", "-triple", "spir64", "-x", "cl", f"-cl-std={standard}", extensions, *headers]


def without_name(parameter):
    """The parameter's type: the parameter without the name that may follow it."""
    parameter = parameter.strip()
    words = WORD.findall(parameter)
    if len(words) > 1 and parameter.endswith(words[-1]) and not TYPE_WORDS.match(words[-1]):
        parameter = parameter[: -len(words[-1])].strip()
    return parameter


def prototypes(command, images=False):
    """(result type, name, parameter types) of every function that the header declares and the library must serve: of those on images or
    of all others."""
    header = re.sub(r"^#.*$", "", run([*command, "-E", "-P", "/dev/null"]), flags=re.MULTILINE)
    found = set()
    for declaration in header.split(";"):
        if "overloadable" not in declaration:
            continue
        match = PROTOTYPE.match(ATTRIBUTE.sub("", declaration).strip())
        if not match:
            sys.exit(f"cannot read this declaration: {declaration.strip()}")
        result, name, parameters = (part.strip() for part in match.groups())
        if bool(IMAGE_TYPES.search(declaration)) != images:
            continue
        if OTHER_NAMES.match(name) or OTHER_TYPES.search(declaration) or "..." in parameters:
            continue
        if HALF_ATOMIC.search(declaration):
            continue
        types = tuple(without_name(parameter) for parameter in parameters.split(",") if parameter.strip() not in ("", "void"))
        found.add((result, name, types))
    return sorted(found)


def names_in_file(path):
    with open(path, encoding="ascii") as file:
        return {line.strip() for line in file if line.strip() and not line.startswith("#")}
