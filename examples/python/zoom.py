"""A mesh that grows by a hundredth with each frame, all frames computed in place on the device."""

import numpy as np
import pyopencl as cl

import gallery


def main():
    line = gallery.parser(__doc__)
    line.add_argument("--size", type=int, default=64, help="vertices along each side of the mesh")
    line.add_argument("--frames", type=int, default=100)
    options = line.parse_args()

    context = cl.Context([gallery.choose_device(options)])
    queue = cl.CommandQueue(context)
    zoom = gallery.build(context, "zoom/zoom.cl").zoom

    sides = np.arange(options.size, dtype=np.float32) / options.size
    x, y = np.meshgrid(sides, sides)
    mesh = np.stack([x, y, np.ones_like(x)], axis=-1)
    frame = np.empty_like(mesh)
    vertices = cl.Buffer(context, cl.mem_flags.READ_WRITE, mesh.nbytes)
    zoom.set_args(vertices)

    def animate():
        cl.enqueue_copy(queue, vertices, mesh)
        for _ in range(options.frames):
            cl.enqueue_nd_range_kernel(queue, zoom, (mesh.size,), None)
        queue.finish()

    seconds = gallery.median_seconds(animate)
    cl.enqueue_copy(queue, frame, vertices)

    # The factor is the float next to 1.01, and each frame rounds once.
    factor = np.float64(np.float32(1.01)) ** options.frames
    np.testing.assert_allclose(frame, mesh * factor, rtol=6e-8 * options.frames)
    gallery.result(f"{options.size} x {options.size}", seconds, f"{options.frames / seconds:.0f} frame/s")


if __name__ == "__main__":
    main()
