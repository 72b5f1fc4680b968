#!/usr/bin/env python3
"""Shows that check_layout.py finds each kind of violation, on a small tree made for it."""
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKER = Path(__file__).with_name("check_layout.py")
CASES = {
    "src/base/a.cpp": ('#include "runtime/object.h"\n', "src/base may not include runtime/object.h"),
    "src/devices/cpu/a.cpp": ('#include "devices/null/b.h"\n', "may not include devices/null/b.h"),
    "src/runtime/a.cpp": ("#include <llvm/IR/Module.h>\n", "only src/compiler may include LLVM"),
    "src/device/a.h": ("void f(cl_mem buffer);\n", "a handle type below the runtime"),
    "src/api/long.cpp": ("\n" * 1001, "1001 lines; the limit is 1000"),
    "src/api/left.cpp": ("// TO" + "DO later\n", "unfinished work left in the tree"),
    "src/api/string_util.cpp": ("\n", "name the file after its one job"),
    "src/compiler/passes/a.h": ("class APass : public llvm::PassInfoMixin<APass> {\n", "APass has no test"),
    "src/compiler/loops/b.h": ("class B : public llvm::PassInfoMixin<B> {\n", "B is not in src/compiler/passes/passes.def"),
    "src/compiler/loops/c.h": (
        "/// Shortens loops. Runs\n/// after all other passes.\nclass C : public llvm::PassInfoMixin<C> {\n",
        '"Runs after" is an order in prose',
    ),
    "src/compiler/packets/a.cpp": (
        "return llvm::Intrinsic::x86_avx2_permd;\n",
        "an intrinsic of x86 outside src/compiler/target/x86",
    ),
    "tests/kernels/a_test.cpp": ("  GTEST_" + "SKIP();\n", "say what the test needs by QUERN_NEEDS"),
}


def run(root):
    result = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return result.returncode, result.stdout


def main():
    for path, (text, expected) in CASES.items():
        with tempfile.TemporaryDirectory() as root:
            file = Path(root) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            status, output = run(root)
            assert status == 1 and expected in output, f"{path}: expected '{expected}', got:\n{output}"
    with tempfile.TemporaryDirectory() as root:
        (Path(root) / "src/base").mkdir(parents=True)
        (Path(root) / "src/base/a.cpp").write_text('#include "base/log.h"\n')
        for path, text in {
            "src/compiler/passes/a.h": "class APass : public llvm::PassInfoMixin<APass> {\n",
            "src/compiler/passes/b.h": "class BPass : public llvm::PassInfoMixin<BPass> {\n",
            "src/compiler/passes/passes.def": 'QUERN_MODULE_PASS("a", APass, "")\nQUERN_MODULE_PASS("b", BPass, "")\n',
            "tests/passes/step/a.ll": "",
            "tests/passes/b/first.ll": "",
        }.items():
            (Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(root) / path).write_text(text)
        status, output = run(root)
        assert status == 0, output
    print(f"{len(CASES) + 1} cases passed")


if __name__ == "__main__":
    main()
