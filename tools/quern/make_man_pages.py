#!/usr/bin/env python3
"""Writes the manual pages of `quern` and of each of its installed commands, from what the tool itself says with --help.

Usage: make_man_pages.py --tool PROGRAM --version VERSION --output FOLDER
"""
import argparse
import re
import subprocess
from pathlib import Path

ITEM = re.compile(r"^  (?P<name>\S.*?)(?:\s{2,}(?P<text>\S.*))?$")

# Installed with the tool are all commands but these, which are programs of their own.
NOT_INSTALLED = ("bench", "report")

# Sections that --help does not have: page -> title -> paragraphs. A line that begins with "$ " is a command.
FURTHER = {
    "quern": {
        "ENVIRONMENT": ["Variables that begin with QUERN_ steer the driver. See quern-options(1)."],
        "EXIT STATUS": ["0 on success, 1 on failure, 2 for wrong arguments. quern run ends with the status of its program."],
        "FILES": [
            "/etc/OpenCL/vendors/quern.icd: names the driver to OpenCL loaders.",
            "$XDG_CACHE_HOME/quern or ~/.cache/quern: compiled programs.",
        ],
    },
    "quern-run": {
        "DESCRIPTION": [
            "The program and its arguments follow. It sees the platform of the Quern that the tool belongs to and no other, "
            "wherever that Quern is installed or unpacked: OCL_ICD_VENDORS and LD_LIBRARY_PATH are set for it.",
        ],
        "EXIT STATUS": ["That of the program; 127 where it is not found, 126 where it cannot be run."],
        "EXAMPLES": ["$ quern run clinfo -l"],
    },
    "quern-icd": {
        "DESCRIPTION": ["Written to a file whose name ends with .icd, the line makes the driver known to the loader that reads its folder."],
        "EXAMPLES": [
            "For one user, of a Quern that was unpacked somewhere:",
            "$ mkdir -p ~/.opencl && quern icd >~/.opencl/quern.icd\n$ export OCL_ICD_VENDORS=$HOME/.opencl",
        ],
    },
    "quern-compile": {
        "EXIT STATUS": ["0 where the source compiles, 1 where it does not, 2 for wrong arguments."],
        "EXAMPLES": [
            "Diagnostics only:", "$ quern compile kernel.cl --options \"-cl-std=CL3.0 -DN=4\"",
            "How each kernel's work-items run together:", "$ quern compile kernel.cl --report",
            "Assembly for another processor:", "$ quern compile kernel.cl --emit asm --isa avx2",
        ],
    },
    "quern-cache": {"ENVIRONMENT": ["QUERN_CACHE, QUERN_CACHE_DIR and QUERN_CACHE_SIZE; see quern-options(1)."]},
}


def escape(text):
    """Plain text as troff takes it: no line is a request, and every hyphen is the character of options."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.splitlines())


def ask(tool, *arguments):
    return subprocess.run([tool, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def parse_help(text):
    """The parts of a help text: what the command does, its usage, and title -> (name, text) of each list."""
    summary, usage, lists, items = [], "", {}, None
    for line in text.splitlines():
        heading = re.match(r"^(\w+):$", line)
        item = ITEM.match(line)
        if line.startswith("Usage: "):
            usage = line.removeprefix("Usage: ")
        elif heading:
            items = lists.setdefault(heading[1], [])
        elif items and line.startswith(" " * 8):
            items[-1] = (items[-1][0], f"{items[-1][1]} {line.strip()}".strip())
        elif items is not None and item:
            items.append((item["name"], item["text"] or ""))
        elif line and not usage:
            summary.append(line)
    return " ".join(summary), usage, lists


def write_list(title, items):
    yield f".SH {title.upper()}"
    for name, text in items:
        yield ".TP"
        yield f".B {escape(name)}"
        yield escape(text)


def write_section(title, paragraphs):
    yield f".SH {title}"
    for paragraph in paragraphs:
        if paragraph.startswith("$ "):
            yield from (".PP", ".RS 4", ".EX", escape(paragraph), ".EE", ".RE")
        else:
            yield from (".PP", escape(paragraph))


def write_page(name, version, help_text, related):
    summary, usage, lists = parse_help(help_text)
    further = dict(FURTHER.get(name, {}))
    yield f'.TH {name.upper()} 1 "" "Quern {version}" "Quern"'
    yield from (".SH NAME", f"{escape(name)} \\- {escape(summary[0].lower() + summary[1:].rstrip('.'))}")
    yield from (".SH SYNOPSIS", f".B {escape(usage)}")
    if "DESCRIPTION" in further:
        yield from write_section("DESCRIPTION", further.pop("DESCRIPTION"))
    for title, items in lists.items():
        yield from write_list("Commands" if title == "Subcommands" else title, items)
    for title, paragraphs in further.items():
        yield from write_section(title, paragraphs)
    yield from (".SH SEE ALSO", escape(", ".join(f"{page}(1)" for page in related)))


def options_page_text(tool):
    """The help of `quern options` and, as a list, the table that it prints."""
    rows = []
    for line in ask(tool, "options").splitlines()[1:]:
        if line.startswith("QUERN_"):
            rows.append(f"  {line}")
        elif line:
            rows.append(f"{' ' * 8}{line.strip().split('; now: ')[0].rstrip('.')}.")
    return ask(tool, "options", "--help") + "\nEnvironment:\n" + "\n".join(rows) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    overview = ask(arguments.tool, "--help")
    commands = [name for name, _ in parse_help(overview)[2]["Subcommands"] if name not in NOT_INSTALLED]
    pages = {"quern": overview}
    for command in commands:
        pages[f"quern-{command}"] = (options_page_text(arguments.tool) if command == "options"
                                     else ask(arguments.tool, command, "--help"))
    arguments.output.mkdir(parents=True, exist_ok=True)
    for earlier in arguments.output.glob("*.1"):
        earlier.unlink()
    for name, text in pages.items():
        related = [page for page in pages if page != name] if name == "quern" else ["quern"]
        lines = write_page(name, arguments.version, text, related)
        (arguments.output / f"{name}.1").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
