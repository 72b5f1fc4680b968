"""Rings of waves that spread from 16 drops on a water surface, and a picture of them."""

import numpy as np
import pyopencl as cl

import gallery

DROPS = 16
AMPLITUDE = 0.1
DECAY = 0.8  # per second
SPEED = 0.5  # sides of the mesh per second
WIDTH = 0.08  # of the wave packet, in sides of the mesh
WAVE = 100.0  # radians per side of the mesh
FRAMES_PER_SECOND = 20


def heights_at(time, mesh, centres, starts):
    """What the kernel computes, in double precision."""
    heights = np.zeros(mesh.shape[:-1])
    for centre, start in zip(centres.astype(np.float64), starts.astype(np.float64)):
        age = time - start
        if age > 0:
            lag = np.linalg.norm(mesh[..., :2] - centre, axis=-1) - SPEED * age
            heights += AMPLITUDE * np.exp(-DECAY * age - (lag / WIDTH) ** 2) * np.cos(WAVE * lag)
    return heights


def write_picture(file, heights):
    """Grey, as PGM: bright is high."""
    grey = np.clip(128 + 127 * heights / AMPLITUDE, 0, 255).astype(np.uint8)
    with open(file, "wb") as picture:
        picture.write(b"P5\n%d %d\n255\n" % grey.shape[::-1] + grey.tobytes())


def main():
    line = gallery.parser(__doc__)
    line.add_argument("--size", type=int, default=256, help="vertices along each side of the mesh")
    line.add_argument("--frames", type=int, default=60)
    line.add_argument("--picture", metavar="FILE.pgm", help="where to write the last frame")
    options = line.parse_args()

    context = cl.Context([gallery.choose_device(options)])
    queue = cl.CommandQueue(context)
    ripple = gallery.build(context, "ripple/ripple.cl").ripple

    random = np.random.default_rng(1)
    centres = random.uniform(0, 1, (DROPS, 2)).astype(np.float32)
    starts = random.uniform(0, 2, DROPS).astype(np.float32)
    sides = np.arange(options.size, dtype=np.float32) / options.size
    x, y = np.meshgrid(sides, sides)
    mesh = np.stack([x, y, np.zeros_like(x)], axis=-1)

    copied = cl.mem_flags.COPY_HOST_PTR
    vertices = cl.Buffer(context, cl.mem_flags.READ_WRITE | copied, hostbuf=mesh)
    drops = [cl.Buffer(context, cl.mem_flags.READ_ONLY | copied, hostbuf=each) for each in (centres, starts)]
    times = np.arange(1, options.frames + 1, dtype=np.float32) / FRAMES_PER_SECOND
    constants = np.float32([AMPLITUDE, DECAY, SPEED, WIDTH, WAVE])

    def animate():
        for time in times:
            ripple(queue, (options.size**2,), None, vertices, *drops, np.uint32(DROPS), time, *constants)
        queue.finish()

    seconds = gallery.median_seconds(animate, runs=1)
    frame = np.empty_like(mesh)
    cl.enqueue_copy(queue, frame, vertices)

    # The angle reaches 200 radians, of which float keeps five digits after the point.
    expected = heights_at(np.float64(times[-1]), mesh, centres, starts)
    np.testing.assert_allclose(frame[..., 2], expected, rtol=0, atol=1e-4 * AMPLITUDE * DROPS)
    if options.picture:
        write_picture(options.picture, frame[..., 2])
    gallery.result(f"{options.size} x {options.size}", seconds, f"{options.frames / seconds:.0f} frame/s")


if __name__ == "__main__":
    main()
