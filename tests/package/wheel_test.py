#!/usr/bin/env python3
"""Installs the wheel into a new virtual environment beside pyopencl, runs a kernel there and removes it again."""
import sys
from pathlib import Path

from support import C_LIBRARY, check, check_contains, check_needs_no_more_than, clean_environment, folder, run, the_package

KERNEL = r"""
import numpy
import pyopencl as cl

(platform,) = [each for each in cl.get_platforms() if each.name == "Quern"]
device = platform.get_devices(cl.device_type.CPU)[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
source = numpy.arange(100000, dtype=numpy.float32)
result = numpy.full_like(source, -1)
inputs = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=source)
outputs = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, result.nbytes)
program = cl.Program(context, '''
kernel void twice_and_one(global const float* in, global float* out) {
  size_t i = get_global_id(0);
  out[i] = 2 * in[i] + 1;
}''').build()
program.twice_and_one(queue, source.shape, None, inputs, outputs)
cl.enqueue_copy(queue, result, outputs)
assert numpy.array_equal(result, 2 * source + 1)
print("pyopencl", cl.VERSION_TEXT, "runs", platform.version, "on", device.name)
"""


def main():
    wheel = the_package("quern-*.whl")
    with folder() as place:
        environment = Path(place) / "environment"
        run(sys.executable, "-m", "venv", environment)
        programs = environment / "bin"
        run(programs / "pip", "install", "--quiet", "--disable-pip-version-check", "pyopencl", "auditwheel", wheel)
        variables = clean_environment(QUERN_CACHE_DIR=f"{place}/cache", HOME=place)
        print(run(programs / "python", "-c", KERNEL, env=variables).strip().splitlines()[-1])
        check_contains(run(programs / "quern", "info", env=variables), "Device 0:")
        check_contains(run(programs / "quern", "run", "clinfo", "-l", env=variables), "Quern")
        # The tag promises which systems the wheel runs on.
        tag = wheel.stem.split("-")[-1]
        check_contains(" ".join(run(programs / "auditwheel", "show", wheel).split()), f'platform tag: "{tag}"')
        (packages,) = environment.glob("lib/python*/site-packages")
        check_needs_no_more_than(packages / "quern", C_LIBRARY)
        run(programs / "pip", "uninstall", "--quiet", "--yes", "quern")
        left = [str(path) for path in environment.rglob("*quern*")]
        check(not left, f"uninstalling leaves {left}")
    print("the wheel works, and is gone when it is uninstalled")


if __name__ == "__main__":
    main()
