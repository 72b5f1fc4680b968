"""The Python wheel: the driver, its compiler and the tool, found by pyopencl in the same environment."""
import base64
import hashlib
import re
import subprocess
import time as clock
import zipfile
from pathlib import Path

SOURCES = Path(__file__).parent

METADATA = """\
Metadata-Version: 2.4
Name: quern
Version: {version}
Summary: OpenCL 3.1 driver for x86-64 processors and NVIDIA GPUs
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Scientific/Engineering
Requires-Python: >=3.8
Description-Content-Type: text/plain

After `pip install quern pyopencl`, pyopencl lists Quern among its platforms. The command `quern` shows its devices,
and runs other programs with it: `quern run PROGRAM`.
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: quern
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """\
[console_scripts]
quern = quern:main
"""


def needed_glibc(programs):
    """The oldest version 2.N of the C library that has every symbol that the programs need."""
    symbols = subprocess.run(["objdump", "-T", *programs], check=True, stdout=subprocess.PIPE, text=True).stdout
    return max(int(number) for number in re.findall(r"GLIBC_2\.(\d+)", symbols))


def contents(tree):
    """What the wheel holds of the installed `tree`: path in the wheel -> file."""
    libraries = next(tree.rglob("libquern.so")).parent
    files = [tree / "bin/quern", *libraries.iterdir()]
    return {f"quern/{file.relative_to(tree)}": file for file in files}


def make_wheel(tree, version, time, effort, output):
    files = contents(tree)
    programs = [path for path in files.values() if path.read_bytes()[:4] == b"\x7fELF"]
    tag = f"py3-none-manylinux_2_{needed_glibc(programs)}_x86_64"
    information = f"quern-{version}.dist-info"
    driver = next(name for name in files if name.endswith("/libquern.so"))
    texts = {
        "quern/__init__.py": (SOURCES / "quern_module.py").read_text(),
        # pyopencl's own loader reads the ICD files of this folder. $ORIGIN is the loader's folder, which is the same.
        "pyopencl/.libs/quern.icd": f"$ORIGIN/../../{driver}\n",
        f"{information}/METADATA": METADATA.format(version=version),
        f"{information}/WHEEL": WHEEL.format(tag=tag),
        f"{information}/entry_points.txt": ENTRY_POINTS,
        f"{information}/licenses/LICENSE": (SOURCES.parent / "LICENSE").read_text(),
    }
    path = output / f"quern-{version}-{tag}.whl"
    write_zip(path, files, texts, f"{information}/RECORD", time, effort)
    return path


def write_zip(path, files, texts, record, time, effort):
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=effort) as archive:

        def add(name, content, mode):
            entry = zipfile.ZipInfo(name, clock.gmtime(time)[:6])
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={digest},{len(content)}\n")

        for name, file in sorted(files.items()):
            add(name, file.read_bytes(), 0o755 if file.stat().st_mode & 0o100 else 0o644)
        for name, text in texts.items():
            add(name, text.encode(), 0o644)
        rows.append(f"{record},,\n")
        archive.writestr(zipfile.ZipInfo(record, clock.gmtime(time)[:6]), "".join(rows))
