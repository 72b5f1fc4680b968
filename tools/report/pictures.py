"""The pictures that kernels have computed, as PNG."""
import io

import matplotlib
import numpy
from matplotlib import colors, image

from frames import MESHES

NAMES = {"ripple 16 drops": "Ripple: rings of waves from 16 drops", "mandelbrot plain": "Mandelbrot set"}
LARGEST = 640  # pixels of the longer side, so that the page stays small; of the image filter's many pictures less
LARGEST_OF_MANY = 320
WATER = colors.LinearSegmentedColormap.from_list("water", ["#06283d", "#256d85", "#8fd3e8", "#ffffff"])


def read(folder, picture):
    values = numpy.fromfile(folder / picture["file"], picture["type"])
    return values.reshape(picture["rows"], picture["columns"], picture["channels"]).squeeze()


def relief(heights):
    """Heights as water that is lit from the left."""
    scale = numpy.abs(heights).max() or 1
    return colors.LightSource(azdeg=315, altdeg=50).shade(heights / scale, WATER, blend_mode="soft", vert_exag=len(heights) / 12, vmin=-1, vmax=1)


def escape_times(iterations):
    """Points that never leave are black."""
    limit = iterations.max()
    shaded = matplotlib.colormaps["magma"](numpy.log1p(iterations) / numpy.log1p(limit))
    shaded[iterations == limit] = (0, 0, 0, 1)
    return shaded


def png(values, largest):
    step = -(-max(values.shape[:2]) // largest)
    values = values[::step, ::step]
    if values.ndim == 2:
        values = relief(values) if values.dtype.kind == "f" else escape_times(values)
    else:
        values = values[..., :3]
    content = io.BytesIO()
    image.imsave(content, numpy.ascontiguousarray(values), format="png")
    return content.getvalue()


def all_pictures(run, folder):
    """Two lists of (title, size, PNG): of the kernels that make one picture, and of the image filter. The files are in the run's folder."""
    single, filtered = [], []
    for name, file in run.get("frames", {}).items():
        frame = (255 * image.imread(folder / run["folder"] / file)).astype(numpy.uint8)
        single.append((f"{name.capitalize()}, drawn by OpenGL from the buffer that the kernel changes", str(MESHES[name]), png(frame, LARGEST)))
    for kernel, picture in run.get("pictures", {}).items():
        values = read(folder / run["folder"], picture)
        if kernel in NAMES:
            single.append((NAMES[kernel], picture["size"], png(values, LARGEST)))
        else:
            filtered.append((kernel.replace("_", " "), picture["size"], png(values, LARGEST_OF_MANY)))
    return single, filtered
