"""Runs the benchmark, once for each device, and says on standard error how far it is."""
import json
import re
import subprocess
import sys
import time

import frames

# The kernels that have a place in the report, by parts of their names.
KERNELS = ["vector", "matmul", "group_size", "iir", "mdh", "transpose", "nearest_centroids", "find_minimum", "histogram", "zoom",
           "ripple", "nbody", "mandelbrot", "black_scholes", "stencil", "sparse", "image_filter", "built_in"]
# Of the quick report: one kind of number is enough for vectors.
QUICK_KERNELS = ["vector add_float", "vector multiply_float", *KERNELS[1:]]
# Those that the texts compare with serial code.
BESIDE_ONE_THREAD = ["vector", "matmul", "mdh"]
PROGRESS = re.compile(r"progress: (\d+) of (\d+): (.*)")
FEW_STEPS = 5
# Where there is no terminal, a line for each of so many steps.
STEPS_PER_LINE = 20


class Failure(Exception):
    """Ends the command with a sentence on standard error and an exit status."""

    def __init__(self, sentence, exit_status=1):
        super().__init__(sentence)
        self.exit_status = exit_status


class Progress:
    """A line that is overwritten, with an estimate of the time left for all devices."""

    def __init__(self, devices):
        self.devices = devices
        self.device = 0
        self.ended = 0
        self.start = time.monotonic()
        self.is_terminal = sys.stderr.isatty()

    def begin(self, step, steps, what):
        """Step `step` of the current device's `steps` begins."""
        left = steps - step + 1 + (len(self.devices) - self.device - 1) * steps
        estimate = ""
        if self.ended >= FEW_STEPS:
            seconds = (time.monotonic() - self.start) / self.ended * left
            estimate = f", about {seconds:.0f} s left" if seconds < 90 else f", about {seconds / 60:.0f} min left"
        line = f"device {self.device + 1} of {len(self.devices)}, {self.devices[self.device]}: {step} of {steps}{estimate}: {what}"
        self.ended += 1
        if self.is_terminal:
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
        elif step % STEPS_PER_LINE == 1:
            print(line, file=sys.stderr, flush=True)

    def clear(self):
        if self.is_terminal:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def devices_of(bench):
    """What --device of the benchmark takes for each of Quern's devices: the kind, or the name where there are more of that kind."""
    listed = subprocess.run([bench, "--list-devices"], capture_output=True, text=True, check=False)
    if listed.returncode:
        raise Failure(listed.stderr.strip() or "the benchmark does not run", 2)
    pairs = list(dict.fromkeys(tuple(line.split("\t", 1)) for line in listed.stdout.splitlines()))
    if not pairs:
        raise Failure("there is no device to measure; QUERN_DEVICES names the backends that provide them", 2)
    kinds = [kind for kind, _ in pairs]
    return [kind.lower() if kinds.count(kind) == 1 else name for kind, name in pairs]


def command(options, device, json_file):
    kernels = options.kernel or (QUICK_KERNELS if options.quick else KERNELS)
    words = [options.bench, "--device", device, "--runs-only", "--progress-lines", "--repeat", options.repeat,
             "--json", json_file, "--pictures", json_file.parent]
    for name, values in (("--platform", options.platform), ("--kernel", kernels), ("--one-thread", BESIDE_ONE_THREAD)):
        for value in values:
            words += [name, value]
    return [str(word) for word in words + ["--quick"] * options.quick]


def measure(options, device, folder, progress):
    """The benchmark's JSON of one device. Its tables and pictures stay in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    json_file = folder / "bench.json"
    messages = []
    with open(folder / "tables.txt", "w") as tables, subprocess.Popen(
            command(options, device, json_file), stdout=tables, stderr=subprocess.PIPE, text=True, errors="replace") as bench:
        for line in bench.stderr:
            match = PROGRESS.match(line)
            if match:
                progress.begin(int(match[1]), int(match[2]), match[3])
            else:
                messages.append(line)
    progress.clear()
    # 1 is a wrong result, which the report shows.
    if bench.returncode not in (0, 1) or not json_file.exists():
        raise Failure(f"measuring '{device}' failed: {''.join(messages).strip() or f'exit status {bench.returncode}'}", 2)
    result = json.loads(json_file.read_text())
    json_file.unlink()
    result["folder"] = folder.name
    result["frames"] = frames.draw(options, result["device"]["name"], folder)
    return result


def measure_all(options):
    if not options.bench:
        raise Failure("the benchmark is not installed: it is compiled for the machine that it runs on, by ./run --report in Quern's sources", 2)
    devices = options.device or devices_of(options.bench)
    progress = Progress(devices)
    runs = []
    for number, device in enumerate(devices):
        progress.device = number
        runs.append(measure(options, device, options.output / f"device{number}", progress))
    return runs
