"""Multiplies two vectors, and asks the commands' events how long each of them took."""

import numpy as np
import pyopencl as cl

import gallery


def milliseconds(event):
    return (event.profile.end - event.profile.start) * 1e-6


def main():
    line = gallery.parser(__doc__)
    line.add_argument("--size", type=int, default=1 << 22, help="elements")
    options = line.parse_args()

    context = cl.Context([gallery.choose_device(options)])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    multiply = gallery.build(context, "vector_add/vector_add.cl").multiply_float

    random = np.random.default_rng(1)
    a, b = random.uniform(-100, 100, (2, options.size)).astype(np.float32)
    product = np.empty_like(a)
    a_buffer, b_buffer = (cl.Buffer(context, cl.mem_flags.READ_ONLY, a.nbytes) for _ in range(2))
    product_buffer = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, product.nbytes)

    # None of these waits; the device does them in this order.
    events = {
        "write a": cl.enqueue_copy(queue, a_buffer, a, is_blocking=False),
        "write b": cl.enqueue_copy(queue, b_buffer, b, is_blocking=False),
        "multiply": multiply(queue, a.shape, None, a_buffer, b_buffer, product_buffer, np.uint32(a.size)),
        "read the product": cl.enqueue_copy(queue, product, product_buffer, is_blocking=False),
    }
    queue.finish()

    # Both sides round a single multiplication alike.
    np.testing.assert_array_equal(product, a * b)
    for command, event in events.items():
        moved = (3 if command == "multiply" else 1) * a.nbytes
        gallery.result(command, milliseconds(event) * 1e-3, f"{moved / milliseconds(event) * 1e-6:.2f} GB/s")


if __name__ == "__main__":
    main()
