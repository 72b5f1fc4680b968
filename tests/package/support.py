"""What the tests of packages share. Each test takes its facts from the environment that CMakeLists.txt gives it."""
import os
import subprocess
import tempfile
from pathlib import Path

PACKAGES = Path(os.environ["QUERN_TEST_PACKAGES"])
PROGRAM = os.environ["QUERN_TEST_PROGRAM"]  # a program of the gallery, which checks its own result
PROGRAM_ARGUMENTS = ["--platform", "Quern"]


def the_package(pattern):
    """The one package whose name matches."""
    (path,) = PACKAGES.glob(pattern)
    return path


def clean_environment(**variables):
    """The environment of somebody who has set nothing: no variable that steers a loader, Quern or Python."""
    steering = ("OCL_", "OPENCL_", "QUERN_", "LD_", "PYTHON", "PYOPENCL", "PIP_", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    kept.update(variables)
    return kept


def run(*command, **options):
    """Runs a command and returns what it printed, errors included; it must succeed."""
    options.setdefault("env", clean_environment())
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            **options)
    assert result.returncode == 0, f"{command} ended with {result.returncode}:\n{result.stdout}"
    return result.stdout


def check(condition, text):
    assert condition, text


def check_contains(text, expected):
    assert expected in text, f"'{expected}' is missing in:\n{text}"


def folder(prefix="quern test "):
    """A folder for the time of the test."""
    return tempfile.TemporaryDirectory(prefix=prefix)


def check_needs_no_more_than(tree, allowed):
    """Every program and library of the tree needs only these shared libraries."""
    programs = 0
    for path in Path(tree).rglob("*"):
        if not path.is_file() or path.is_symlink() or path.read_bytes()[:4] != b"\x7fELF":
            continue
        programs += 1
        dynamic = run("readelf", "-d", path)
        needed = {line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line}
        assert needed <= set(allowed), f"{path} needs {needed - set(allowed)}"
        assert "PATH)" not in dynamic, f"{path} has a path of the build machine:\n{dynamic}"
    assert programs >= 3, f"{tree} holds {programs} programs"


C_LIBRARY = ["libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libgcc_s.so.1"]
