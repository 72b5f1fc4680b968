"""Makes docs/extensions.md of the extensions that the sources name and of what each kind of device must claim.

  extensions_page.py ROOT           fails, and says so, where the page is not what the sources say
  extensions_page.py ROOT --write   writes the page
"""
import argparse
import pathlib
import re
import sys

ROW = re.compile(r'^QUERN_EXTENSION\((\w+), (\d+), (\d+), (\d+), "([\d.]+)", (\w+)\)$', re.MULTILINE)
CLAIM = re.compile(r"^(may )?(cl_\w+) = ([\d.]+)$", re.MULTILINE)
LISTS = {"CPU": "cpu.txt", "NVIDIA GPU": "nvidia.txt"}
PLATFORM = "Loader"

HEAD = """# Extensions

What each kind of device claims beside OpenCL 3.1. Versions below 1.0 are experimental, as Khronos says: they may change. `quern info` prints the
extensions of the devices of one machine.

| | |
|---|---|
| yes | every device of this kind has it |
| some | the machine decides: `cl_khr_kernel_clock` asks for a CPU with a steady time-stamp counter, and the extensions of dma-bufs for a machine that gives them out (`/dev/udmabuf`, `/dev/dma_heap` or `/dev/dri`) |
| no | this kind of device has it not |
| platform | belongs to the platform, not to devices |

| extension | version | CPU | NVIDIA GPU | since Quern |
|---|---|---|---|---|
"""


def claims_of(text):
    """For each extension of a list its version and whether devices may lack it."""
    return {name: (version, bool(may)) for may, name, version in CLAIM.findall(text)}


def page_of(table, lists):
    """The page. Raises ValueError where table and lists contradict each other."""
    claims = [claims_of(text) for text in lists]
    rows = []
    known = set()
    for name, major, minor, patch, since, provider in ROW.findall(table):
        version = f"{major}.{minor}.{patch}"
        known.add(name)
        cells = []
        for of_device in claims:
            claimed, may = of_device.get(name, (version, False))
            if claimed != version:
                raise ValueError(f"{name} has version {version}, and {claimed} in a list of claims")
            cells.append("no" if name not in of_device else "some" if may else "yes")
        if provider == PLATFORM:
            cells = ["platform"] * len(claims)
        elif cells == ["no"] * len(claims):
            raise ValueError(f"{name} is claimed by no device")
        rows.append((name, version, *cells, since))
    for name in sorted(set().union(*claims) - known):
        raise ValueError(f"{name} is claimed by a device, but not named in the table")
    if rows != sorted(rows):
        raise ValueError("the table is not in the order of names")
    return HEAD + "".join(f"| `{row[0]}` | {' | '.join(row[1:])} |\n" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    root = arguments.root
    path = root / "docs/extensions.md"
    try:
        page = page_of(
            (root / "src/runtime/extensions.def").read_text(),
            [(root / "tests/claims" / name).read_text() for name in LISTS.values()],
        )
    except ValueError as error:
        sys.exit(f"src/runtime/extensions.def: {error}")
    if arguments.write:
        path.write_text(page)
    elif not path.exists() or path.read_text() != page:
        sys.exit(f"{path} is stale: tests/claims/extensions_page.py {root} --write renews it")


if __name__ == "__main__":
    main()
