"""The Debian package."""
import gzip
import hashlib
import subprocess
import tempfile
from email.utils import formatdate
from pathlib import Path

MAINTAINER = "The Quern project <maintainers@quern.example>"

CONTROL = """\
Package: quern
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: ocl-icd-libopencl1 | libopencl1
Suggests: clinfo
Provides: opencl-icd
Section: libs
Priority: optional
Description: OpenCL 3.1 driver for x86-64 processors and NVIDIA GPUs
 Quern lets programs that use OpenCL run on this machine: on the cores of its
 processor, with the vector instructions that it has (SSE4.2, AVX2, AVX-512),
 and on NVIDIA GPUs, for which it needs NVIDIA's driver and nothing of CUDA.
 .
 OpenCL loaders find it after the installation. The command quern shows its
 devices, compiles kernels without running them and runs programs with Quern
 as their only platform.
"""

CHANGELOG = """\
quern ({version}) unstable; urgency=medium

  * Version {version}.

 -- {maintainer}  {date}
"""


# For Debian's lintian.
OVERRIDES = """\
# Runs on Debian and Ubuntu of several years, and in processes with libraries of their own.
quern: embedded-library zlib *
"""


def compress(path, time):
    """Replaces a file by its compressed form, as Debian wants manual pages and changelogs."""
    Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=time))
    path.unlink()


def add_documents(tree, version, time):
    changelog = tree / "usr/share/doc/quern/changelog"
    changelog.parent.mkdir(parents=True, exist_ok=True)
    changelog.write_text(CHANGELOG.format(version=version, maintainer=MAINTAINER,
                                          date=formatdate(time)))
    compress(changelog, time)
    overrides = tree / "usr/share/lintian/overrides/quern"
    overrides.parent.mkdir(parents=True)
    overrides.write_text(OVERRIDES)
    for page in (tree / "usr/share/man").rglob("*.1"):
        compress(page, time)


def is_program(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def files_of(tree):
    return sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())


def dependencies(tree):
    """The packages of the shared libraries that the programs of the tree need."""
    programs = [path for path in files_of(tree) if is_program(path)]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian/control").write_text("Source: quern\n\nPackage: quern\nArchitecture: any\n")
        output = subprocess.run(["dpkg-shlibdeps", "-O", *(f"-e{path}" for path in programs)], check=True, cwd=folder,
                                stdout=subprocess.PIPE, text=True).stdout
    return output.strip().removeprefix("shlibs:Depends=")


def make_package(tree, version, time, effort, output):
    """Makes a package of `tree`, which holds the files of a system."""
    add_documents(tree, version, time)
    files = files_of(tree)
    (tree / "DEBIAN").mkdir()  # by which dpkg-shlibdeps knows a package's folder
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n" for path in files)
    control = CONTROL.format(version=version, maintainer=MAINTAINER, depends=dependencies(tree),
                             size=sum(path.stat().st_size for path in files) // 1024 + 1)
    (tree / "DEBIAN/control").write_text(control)
    (tree / "DEBIAN/md5sums").write_text(sums)
    path = output / f"quern_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{effort}", "--build", tree, path], check=True,
                   stdout=subprocess.DEVNULL, env={"SOURCE_DATE_EPOCH": str(time), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    return path
