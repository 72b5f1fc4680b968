"""Finds the least of many numbers: every work-group finds that of its share, and one more that of theirs."""

import numpy as np
import pyopencl as cl

import gallery

GROUP = 128  # work-items


def main():
    line = gallery.parser(__doc__)
    line.add_argument("--size", type=int, default=5_000_003, help="numbers")
    options = line.parse_args()

    device = gallery.choose_device(options)
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    minimum = gallery.build(context, "find_minimum/find_minimum.cl").minimum

    values = np.random.default_rng(1).uniform(0, 1000, options.size).astype(np.float32)
    values[-1] = -1  # the place that is lost first when a length is handled wrongly
    groups = 8 * device.max_compute_units
    numbers = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    of_groups = cl.Buffer(context, cl.mem_flags.READ_WRITE, groups * values.itemsize)
    of_all = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, values.itemsize)
    scratch = cl.LocalMemory(GROUP * values.itemsize)
    least = np.empty(1, np.float32)

    def find():
        minimum(queue, (groups * GROUP,), (GROUP,), numbers, np.uint32(values.size), of_groups, scratch)
        minimum(queue, (GROUP,), (GROUP,), of_groups, np.uint32(groups), of_all, scratch)
        cl.enqueue_copy(queue, least, of_all)

    seconds = gallery.median_seconds(find)
    assert least[0] == values.min()
    gallery.result(f"least of {values.size}", seconds, f"{values.nbytes / seconds * 1e-9:.2f} GB/s")


if __name__ == "__main__":
    main()
