"""What the texts report, measured on the machines of their time, beside what was measured here. Theirs are facts to set beside ours, not
targets: sizes, processors and compilers differ.
"""
from figures import EXCHANGES, LAYOUTS
from model import HOST, ONE_THREAD, Table, gflops, milliseconds, times_as_fast

YAMAGIWA = "Yamagiwa 2012"
DTU = "Nielsen, Engsig-Karup, Dammann 2012"
STONE = "Stone, Gohara, Shi 2010"
NYU = "Zahran, lecture at NYU"
BUTCHER = "Butcher, Seven Concurrency Models, ch. 7"


def largest_square(results, device):
    sizes = [size for size in results.sizes(device, "matmul") if "x" not in size]
    return sizes[-1] if sizes else None


def product(results, device, variant, size):
    return results.get(device, f"matmul {variant}", size, results.ours(device)) if size else None


def local_over_naive(results, device):
    size = largest_square(results, device)
    naive, local = product(results, device, "NAIVE", size), product(results, device, "LOCAL", size)
    return [times_as_fast(local, naive), f" times NAIVE's speed at n = {size}"] if naive and local else []


def three_exchanges(results, device):
    sizes = results.sizes(device, "iir")
    rows = [results.get(device, f"iir {name}", sizes[-1], results.ours(device)) for name in EXCHANGES] if sizes else [None]
    if not all(rows):
        return []
    return [milliseconds(rows[2]), ", ", milliseconds(rows[1]), ", ", milliseconds(rows[0]), f" ms at {int(sizes[-1]):,} samples"]


def best_product(results, device):
    size = largest_square(results, device)
    best = results.best(device, "matmul", size, results.ours(device)) if size else None
    return [gflops(best), f" GFLOP/s ({best.variant}) at n = {size}"] if best else []


def fast1(results, device):
    size = largest_square(results, device)
    first, third = product(results, device, "FAST1", size), product(results, device, "FAST3", size)
    return [times_as_fast(first, third), f" times FAST3's speed at n = {size}"] if first and third else []


def best_groups(results, device):
    parts = []
    rows = [row for row in results.find(device, "group_size", results.ours(device)) if row.ok]
    for n in sorted({row.dimensions[0] for row in rows}):
        best = max((row for row in rows if row.dimensions[0] == n), key=lambda row: row.gflops)
        parts += ["; " if parts else "", f"{best.dimensions[1]} x {best.dimensions[1]} ({best.variant}, n = {n}) with ", gflops(best), " GFLOP/s"]
    return parts


def beside_cuda(results, device):
    peer = next((side for side in results.platforms(device) if side.startswith("CUDA C++, same")), None)
    size = largest_square(results, device)
    ours, theirs = product(results, device, "NAIVE", size), results.get(device, "matmul NAIVE", size, peer)
    return [times_as_fast(ours, theirs), f" times the speed of CUDA C++ (NAIVE, n = {size})"] if ours and theirs else []


def electrostatics(results, device, variant, other):
    sizes = results.sizes(device, "mdh")
    if not sizes:
        return []
    ours = (results.get(device, f"mdh {variant}", sizes[-1], results.ours(device)) if variant else
            results.best(device, "mdh", sizes[-1], results.ours(device)))
    alone = results.best(device, "mdh", sizes[-1], other)
    name = {ONE_THREAD: "one thread", HOST: "all threads"}[other]
    return [times_as_fast(ours, alone), f" times vectorised C++ on {name}"] if ours and alone else []


def five_layouts(results, device):
    sizes = results.sizes(device, "nearest_centroids")
    if not sizes:
        return []
    rows = [results.get(device, f"nearest_centroids {name}", sizes[-1], results.ours(device)) for name in LAYOUTS]
    descriptors, k = sizes[-1].split("x")
    parts = [part for row in rows if row for part in (milliseconds(row), ", ")]
    return [*parts[:-1], f" ms ({k} centroids, {int(descriptors):,} descriptors)"] if parts else []


def multiplications(results, device):
    row = results.get(device, "vector multiply_float scalar", "100000", results.ours(device))
    alone = results.get(device, "vector multiply_float scalar", "100000", ONE_THREAD)
    if not row or not alone:
        return []
    return [milliseconds(row), " ms against ", milliseconds(alone), " ms of vectorised C++ on one thread"]


def small_product(results, device):
    best = results.best(device, "matmul", "200x400x300", results.ours(device))
    alone = results.best(device, "matmul", "200x400x300", ONE_THREAD)
    return [milliseconds(best), " ms against ", milliseconds(alone), " ms of tuned C++ on one thread"] if best and alone else []


CLAIMS = [
    (YAMAGIWA, "LOCAL beside NAIVE", "local memory speeds up a GPU and not a CPU", local_over_naive),
    (YAMAGIWA, "recursive filter: Swap, Copy Device, Copy Host",
     "on a GPU Swap is the fastest, or as fast as Copy Device, and Copy Host the slowest; little difference on a CPU", three_exchanges),
    (DTU, "matrix product, fastest", "450 GFLOP/s at n = 3200 on a Radeon HD 6990", best_product),
    (DTU, "FAST1 beside FAST3", "FAST1 loses everywhere, most on the widest wavefront", fast1),
    (DTU, "size of work-groups", "peaks at 8 x 8 and 16 x 16", best_groups),
    (DTU, "OpenCL beside CUDA", "within noise of each other for simple kernels", beside_cuda),
    (STONE, "electrostatics, simple kernel", "20 times serial code on a GTX 285, 13 times on 16 CPU cores",
     lambda results, device: electrostatics(results, device, "simple", ONE_THREAD)),
    (STONE, "electrostatics, optimised", "17 times serial code on a Cell, 134 on a Radeon HD 5870, 141 on a GTX 285",
     lambda results, device: electrostatics(results, device, None, ONE_THREAD)),
    (NYU, "histogram of nearest centroids, five layouts", "488.54, 23.28, 18.71, 34.73, 13.97 ms on a Radeon HD 7970 (256 centroids, 65,536 descriptors)",
     five_layouts),
    (BUTCHER, "100,000 multiplications", "0.043 ms on a GT 650M against 0.4 ms on one core", multiplications),
    (BUTCHER, "200x400 by 300x200", "3 ms against 66 ms on one core", small_product),
]


def table(results):
    rows = [[text, what, theirs, *(ours(results, device) for device in results.devices)] for text, what, theirs, ours in CLAIMS]
    return Table(["text", "what", "the text's own figure, on its machine", *(f"here, {results.label(device)}" for device in results.devices)],
                 rows, "The texts' figures and ours", is_open=True)
