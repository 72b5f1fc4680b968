#!/usr/bin/env python3
"""Checks the tree against the rules of ARCHITECTURE.md and CONTRIBUTING.md: who may include whom, file sizes, what must not be left in,
which tests there must be.

Usage: check_layout.py PROJECT_ROOT
Prints one line for each violation, then "N files checked, M violations"; exits 1 when there are any.
"""
import re
import statistics
import sys
from pathlib import Path

SOURCE_SUFFIXES = {".cpp", ".h", ".def", ".cl", ".c", ".py", ".cmake"}
SOURCE_FOLDERS = ["src", "tools", "examples", "bench", "tests", "cmake"]
MAX_LINES = 1000
MAX_MEDIAN_LINES = 200

# Folder -> prefixes of project headers that it may include. The longest matching folder decides.
MAY_INCLUDE = {
    "src/base": ["base/"],
    "src/trace": ["trace/", "base/"],
    "src/abi": ["abi/", "base/"],
    "src/spirv": ["spirv/", "base/"],
    "src/compiler/interface": ["compiler/interface/", "abi/", "base/"],
    "src/compiler/process": ["compiler/process/", "compiler/interface/", "abi/", "base/"],
    "src/device": ["device/", "compiler/interface/target.h", "trace/", "abi/", "base/"],
    "src/devices/cpu": ["devices/cpu/", "device/", "compiler/interface/target.h", "trace/", "abi/", "base/"],
    "src/devices/cuda": ["devices/cuda/", "device/", "compiler/interface/target.h", "trace/", "abi/", "base/"],
    "src/devices/null": ["devices/null/", "device/", "compiler/interface/target.h", "trace/", "abi/", "base/"],
    "src/cluster": ["cluster/", "device/", "compiler/interface/target.h", "abi/", "base/"],
    "src/devices/remote": ["devices/remote/", "cluster/", "device/", "compiler/interface/target.h", "abi/", "base/"],
    "src/node": ["node/", "cluster/", "device/", "compiler/interface/target.h", "abi/", "base/"],
    "src/builtin_kernels": ["builtin_kernels/", "device/", "compiler/interface/", "base/"],
    "src/opengl": ["opengl/", "base/"],
    "src/runtime": ["runtime/", "builtin_kernels/builtin_kernels.h", "device/", "compiler/interface/", "opengl/", "spirv/", "trace/", "abi/", "base/"],
    "src/api": ["api/", "runtime/", "builtin_kernels/builtin_kernels.h", "device/", "compiler/interface/", "opengl/", "spirv/", "trace/", "abi/", "base/"],
    "src/icd": ["icd/", "api/", "runtime/object.h", "base/"],
    "src/compiler": ["compiler/", "spirv/", "abi/", "base/"],
    "src/compiler/il": ["compiler/il/", "abi/", "base/"],
    "src/compiler/spirv": ["compiler/spirv/", "compiler/frontend/frontend.h", "compiler/il/", "compiler/interface/", "spirv/", "abi/", "base/"],
}
LLVM_FOLDERS = ("src/compiler", "tests/compiler", "tests/passes", "tests/fuzz/spirv_module_fuzz.cpp", "tools/quern-opt")
# The driver links these.
LLVM_FREE_FOLDERS = ("src/compiler/interface", "src/compiler/process")
PROJECT_PREFIX = re.compile(r"^(base|trace|abi|cluster|node|spirv|builtin_kernels|compiler|device|devices|opengl|runtime|api|icd)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
HANDLE = re.compile(
    r"\bcl_(platform_id|device_id|context|command_queue|mem|program|kernel|event|sampler)\b(?!\s*_)"
)
HANDLE_FOLDERS_FORBIDDEN = ("src/base", "src/trace", "src/abi", "src/device", "src/devices", "src/opengl", "src/compiler")
LEFTOVER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r")\b")
PASS = re.compile(r"class (\w+)\s*: public llvm::PassInfoMixin<")
COMMENTED_PASS = re.compile(r"((?:^///.*\n)+)class (\w+)\s*: public llvm::PassInfoMixin<", re.MULTILINE)
# An order of passes is a contract (src/compiler/passes/contract.h), which the verifier knows, and no sentence, which it does not.
ORDER = re.compile(
    r"\b(?:runs?|running) (?:only |right )?(?:before|after|last|first|once)\b|\bto be run on\b"
    r"|\b(?:before|after) (?:all |the |other |all other )*(?:\w+Pass|passes|optimi[sz]ations?|InstCombine|SROA|steps?)\b"
    r"|\bexpects\b|\bonly once\b",
    re.IGNORECASE,
)
# Instructions of one processor have a room of their own.
X86_INTRINSIC = re.compile(r"\bx86_(?:sse|avx|fma|bmi|xop)|IntrinsicsX86\.h")
X86_FOLDER = "src/compiler/target/x86/"
SKIP = "GTEST_" + "SKIP"


def rule_for(path):
    best = None
    for folder in MAY_INCLUDE:
        if path.startswith(folder + "/") and (best is None or len(folder) > len(best)):
            best = folder
    return best


def check_includes(path, lines):
    folder = rule_for(path)
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        of_llvm = path.startswith(LLVM_FOLDERS) and not path.startswith(LLVM_FREE_FOLDERS)
        if header.startswith(("llvm/", "clang/", "llvm-c/", "lld/")) and not of_llvm:
            yield f"{path}:{number}: only src/compiler may include LLVM ({header})"
        if folder and PROJECT_PREFIX.match(header) and not header.startswith(tuple(MAY_INCLUDE[folder])):
            yield f"{path}:{number}: {folder} may not include {header}"


def check_text(path, lines):
    if len(lines) > MAX_LINES:
        yield f"{path}: {len(lines)} lines; the limit is {MAX_LINES}"
    if Path(path).stem == "util" or Path(path).stem.endswith("_util"):
        yield f"{path}: name the file after its one job"
    for number, line in enumerate(lines, 1):
        if LEFTOVER.search(line):
            yield f"{path}:{number}: unfinished work left in the tree"
        code = line.split("//")[0]
        if path.startswith(HANDLE_FOLDERS_FORBIDDEN) and HANDLE.search(code):
            yield f"{path}:{number}: a handle type below the runtime"
        if path.startswith("src/compiler/") and not path.startswith(X86_FOLDER) and X86_INTRINSIC.search(code):
            yield f"{path}:{number}: an intrinsic of x86 outside {X86_FOLDER}"


def check_pass_tests(root):
    """A pass in src/compiler/.../name.h has tests/passes/.../name.ll, or a folder of that name."""
    tests = root / "tests/passes"
    tested = {file.stem for file in tests.rglob("*.ll")} | {file.parent.name for file in tests.rglob("*.ll")}
    for header in sorted((root / "src/compiler").rglob("*.h")):
        match = PASS.search(header.read_text(errors="replace"))
        if match and header.stem not in tested:
            path = header.relative_to(root).as_posix()
            yield f"{path}: {match.group(1)} has no test; expected tests/passes/.../{header.stem}.ll or a folder of that name"


def check_pass_registration(root):
    """Each pass is a row of passes.def, and what it says of its order is its contract."""
    table = root / "src/compiler/passes/passes.def"
    rows = table.read_text() if table.is_file() else ""
    for header in sorted((root / "src/compiler").rglob("*.h")):
        path = header.relative_to(root).as_posix()
        text = header.read_text(errors="replace")
        for name in PASS.findall(text):
            if not re.search(rf"\b{name}\b", rows):
                yield f"{path}: {name} is not in src/compiler/passes/passes.def"
        for comment, name in COMMENTED_PASS.findall(text):
            order = ORDER.search(" ".join(line[3:].strip() for line in comment.splitlines()))
            if order:
                yield f'{path}: "{order.group(0)}" is an order in prose: say in the contract of {name} what it requires'


def check_skips(root):
    """What a device lacks is no reason to skip a kernel test: tests/claims says what it must have."""
    for file in sorted((root / "tests/kernels").rglob("*_test.cpp")):
        if SKIP in file.read_text(errors="replace"):
            yield f"{file.relative_to(root).as_posix()}: say what the test needs by QUERN_NEEDS instead of {SKIP}"


def main(root):
    sizes = []
    violations = [*check_pass_tests(root), *check_pass_registration(root), *check_skips(root)]
    for folder in SOURCE_FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in SOURCE_SUFFIXES or not file.is_file():
                continue
            path = file.relative_to(root).as_posix()
            lines = file.read_text(errors="replace").splitlines()
            sizes.append(len(lines))
            violations += check_includes(path, lines)
            violations += check_text(path, lines)
    if sizes and statistics.median(sizes) > MAX_MEDIAN_LINES:
        violations.append(f"the median file has {statistics.median(sizes)} lines; the limit is {MAX_MEDIAN_LINES}")
    for violation in violations:
        print(violation)
    print(f"{len(sizes)} files checked, {len(violations)} violations")
    return 1 if violations or not sizes else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
