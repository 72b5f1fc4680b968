"""The archive that runs where it is unpacked."""
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent


def add_loader(tree, loader):
    """Lays an OpenCL loader beside the driver, for programs on machines that have none; `quern run` offers it."""
    shutil.copy2(loader.resolve(), next(tree.rglob("libquern.so")).parent / "libOpenCL.so.1")
    notice = Path("/usr/share/doc/ocl-icd-libopencl1/copyright")
    if notice.exists():
        shutil.copy2(notice, tree / "share/doc/quern/copyright.libOpenCL")


def pack(tree, time, effort, output):
    """Packs `tree`, whose name is that of the archive's one folder."""
    path = output / f"{tree.name}.tar.xz"
    subprocess.run(["tar", "-C", tree.parent, "--sort=name", f"--mtime=@{time}", "--owner=root:0", "--group=root:0",
                    "-I", f"xz -T0 -{effort}", "-cf", path, tree.name], check=True)
    return path


def make_archive(tree, loader, time, effort, output):
    """The archive of the installed `tree`."""
    add_loader(tree, loader)
    shutil.copy2(SOURCES.parent / "LICENSE", tree)
    return pack(tree, time, effort, output)
