"""What the programs share, so that each can be about OpenCL: a command line, a device, and the gallery's kernels."""

import argparse
import os
import statistics
import time
from pathlib import Path

import pyopencl as cl

KERNELS = Path(__file__).resolve().parent.parent  # each in the folder of the C++ program that it comes from


def parser(purpose):
    """A command line with the choice of a device, to which a program adds its own options."""
    line = argparse.ArgumentParser(description=purpose, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    line.add_argument("--platform", default=os.environ.get("GALLERY_PLATFORM", ""), help="a part of the platform's name")
    line.add_argument("--device", default=os.environ.get("GALLERY_DEVICE", ""), help="a part of the device's name")
    return line


def choose_device(options):
    """The first device whose name, and whose platform's, contain what the options say."""
    for platform in cl.get_platforms():
        for device in platform.get_devices():
            if options.platform.lower() in platform.name.lower() and options.device.lower() in device.name.lower():
                return device
    raise SystemExit(f"no device '{options.device}' on a platform '{options.platform}'")


def build(context, file, options=()):
    """The program of a kernel file of the gallery."""
    return cl.Program(context, (KERNELS / file).read_text()).build(list(options))


def median_seconds(work, runs=5):
    """The median wall time of `work`, after a run that is not counted."""
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def result(what, seconds, rate):
    """Prints a result, which has been checked."""
    print(f"{what:32} {seconds * 1e3:10.3f} ms {rate:>16}  ok", flush=True)
