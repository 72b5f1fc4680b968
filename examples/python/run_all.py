#!/usr/bin/env python3
"""Makes a virtual environment with what the programs need, in the folder that is given, and runs all of them there."""

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ["find_devices", "multiply", "matmul", "find_minimum", "zoom", "ripple"]


def main():
    environment = Path(sys.argv[1])
    python = environment / "bin" / "python"
    if not (environment / "complete").exists():
        venv.create(environment, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement",
                        HERE / "requirements.txt"], check=True)
        (environment / "complete").touch()
    failed = []
    for program in PROGRAMS:
        print(f"==> {program}", flush=True)
        if subprocess.run([python, HERE / f"{program}.py"]).returncode != 0:
            failed.append(program)
    if failed:
        sys.exit(f"FAILED: {', '.join(failed)}")
    print(f"all {len(PROGRAMS)} programs held")


if __name__ == "__main__":
    main()
