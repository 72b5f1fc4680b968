"""Multiplies matrices by a kernel that keeps tiles of them in local memory."""

import numpy as np
import pyopencl as cl

import gallery

TILE = 16  # rows and columns of the result that a work-group computes


def round_up(value, step):
    return (value + step - 1) // step * step


def main():
    line = gallery.parser(__doc__)
    line.add_argument("--shape", type=int, nargs=3, default=(512, 384, 640), metavar=("M", "N", "K"),
                      help="an M x K matrix by a K x N matrix")
    options = line.parse_args()
    m, n, k = options.shape

    context = cl.Context([gallery.choose_device(options)])
    queue = cl.CommandQueue(context)
    multiply = gallery.build(context, "matmul/matmul.cl", [f"-DTILE={TILE}"]).local_tiles

    random = np.random.default_rng(1)
    a = random.uniform(-1, 1, (m, k)).astype(np.float32)
    b = random.uniform(-1, 1, (k, n)).astype(np.float32)
    product = np.empty((m, n), np.float32)
    copied = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    a_buffer, b_buffer = (cl.Buffer(context, copied, hostbuf=matrix) for matrix in (a, b))
    product_buffer = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, product.nbytes)

    # Columns are dimension 0. The kernel leaves out what lies beyond the matrix.
    items = (round_up(n, TILE), round_up(m, TILE))
    sizes = np.uint32([m, n, k])
    seconds = gallery.median_seconds(
        lambda: multiply(queue, items, (TILE, TILE), a_buffer, b_buffer, product_buffer, *sizes).wait())
    cl.enqueue_copy(queue, product, product_buffer)

    # Each of the k additions of an element rounds once.
    np.testing.assert_allclose(product, a.astype(np.float64) @ b, rtol=0, atol=2e-7 * k)
    gallery.result(f"{m} x {k} by {k} x {n}", seconds, f"{2e-9 * m * n * k / seconds:.2f} GFLOP/s")


if __name__ == "__main__":
    main()
