"""The figures of the texts, each a function of the results: which numbers it shows, and what one sees in it."""
from model import HOST, ONE_THREAD, Figure, Number, Panel, Series, Table, gflops, milliseconds, short, times_as_fast

BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, BLACK, GREY = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00",
                                                            "#000000", "#777777")
COLORS = [BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE]
MARKERS = ["o", "s", "^", "D", "v", "P"]
PRODUCTS = ["NAIVE", "LOCAL", "FAST1", "FAST2", "FAST3"]
LAYOUTS = ["structures", "transposed", "vector types", "local memory", "constant memory"]
EXCHANGES = ["Copy Host", "Copy Device", "Swap"]


def side_colors(results):
    """A side has one colour in all figures; the host's are black and grey."""
    platforms = dict.fromkeys(side for device in results.devices for side in results.platforms(device))
    return {**dict(zip(platforms, COLORS)), HOST: BLACK, ONE_THREAD: GREY}


def table_of(rows, key, number, sides, header):
    """A table with a line for each key(row) and a column for each side."""
    lines = {}
    for row in rows:
        lines.setdefault(key(row), {})[row.side] = number(row)
    return Table([*header, *map(short, sides)], caption=f"The numbers: {header[0]}", rows=[[*first, *(numbers.get(side, "-") for side in sides)] for first, numbers in lines.items()])


def square_products(results, device):
    return [row for row in results.find(device, "matmul") if len(row.dimensions) == 1]


def host_reference(results, device, family, size, number, sides=(HOST,)):
    """The host's result, for a line across a panel. Its code is measured beside each variant; the fastest counts."""
    rows = [results.best(device, family, size, side) for side in sides]
    return [(short(row.side), number(row)) for row in rows if row]


def matrix_products(results):
    """GFLOP/s against n."""
    for device in results.devices:
        rows = square_products(results, device)
        if not rows:
            continue
        sizes = sorted({row.size for row in rows}, key=int)
        panels = []
        for side in results.platforms(device):
            series = [Series(name, [(row.dimensions[0], gflops(row)) for row in rows if row.side == side and row.variant == name],
                             color, marker=marker) for name, color, marker in zip(PRODUCTS, COLORS, MARKERS)]
            if results.is_cpu(device):
                host = [results.best(device, "matmul", size, HOST) for size in sizes]
                series.append(Series(short(HOST), [(row.dimensions[0], gflops(row)) for row in host if row], BLACK, dashed=True, marker="."))
            panels.append(Panel(short(side), "n", "GFLOP/s", series))
        label = results.label(device)
        yield Figure(results.key("matmul", device), f"Products of n x n matrices, {label}", [best_products(results, device, sizes[-1])], panels,
                     [table_of(rows, lambda row: (row.variant, row.size), gflops, results.sides(device), ["GFLOP/s", "n"])])


def best_products(results, device, size):
    parts = []
    for side in [*results.platforms(device), HOST]:
        best = results.best(device, "matmul", size, side)
        if best:
            parts += [", " if parts else "", f"{short(side)} " if side == HOST else f"{short(side)} {best.variant} with ", gflops(best)]
    return [f"The fastest of the five at n = {size}, in GFLOP/s: ", *parts, "."] if parts else []


def group_sizes(results):
    """GFLOP/s against the edge of square work-groups, transfers included."""
    colors = side_colors(results)
    for device in results.devices:
        rows = results.find(device, "group_size")
        if not rows:
            continue
        panels, sentences = [], []
        for n in sorted({row.dimensions[0] for row in rows}):
            series = []
            for side in results.platforms(device):
                for variant in ("NAIVE", "LOCAL"):
                    points = [(row.dimensions[1], gflops(row)) for row in rows
                              if (row.side, row.variant, row.dimensions[0]) == (side, variant, n)]
                    series.append(Series(f"{short(side)}, {variant}", points, colors[side], variant == "LOCAL", "s" if variant == "LOCAL" else "o"))
            panels.append(Panel(f"n = {n}", "edge of the work-group in work-items", "GFLOP/s", series))
            ours = [row for row in rows if row.side == results.ours(device) and row.ok and row.dimensions[0] == n]
            best = {name: max((row for row in ours if row.variant == name), key=lambda row: row.gflops, default=None)
                    for name in ("NAIVE", "LOCAL")}
            if all(best.values()):
                sentences += [f"At n = {n} {results.ours(device)} is fastest "] + [
                    part for name, end in (("NAIVE", ", "), ("LOCAL", ". ")) for part in (
                        f"with work-groups of {best[name].dimensions[1]} x {best[name].dimensions[1]} for {name} (", gflops(best[name]), f" GFLOP/s){end}")]
        label = results.label(device)
        yield Figure(results.key("groups", device), f"Matrix products and the size of work-groups, {label}",
                     [sentences, ["The time includes the copies of both matrices to the device and of the product back."]], panels,
                     [table_of(rows, lambda row: (row.variant, str(row.dimensions[0]), str(row.dimensions[1])), gflops, results.platforms(device),
                               ["GFLOP/s", "n", "edge"])])


def portability(results):
    """How fast the five products are, each as a part of FAST3 on the same device and platform."""
    panels, lines, sentence = [], [], []
    for device in results.devices:
        rows = [row for row in square_products(results, device) if row.variant == "FAST3"]
        if not rows:
            continue
        size = max((row.size for row in rows), key=int)
        points = {name: [] for name in PRODUCTS}
        for side in results.platforms(device):
            fast3 = results.get(device, "matmul FAST3", size, side)
            relative = {name: times_as_fast(results.get(device, f"matmul {name}", size, side), fast3) for name in PRODUCTS
                        if fast3 and results.get(device, f"matmul {name}", size, side)}
            for name, number in relative.items():
                points[name].append((short(side), number))
            lines.append([device, size, short(side), *(relative.get(name, "-") for name in PRODUCTS)])
            if side == results.ours(device) and {"FAST1", "NAIVE"} <= relative.keys():
                sentence += [f"{results.label(device)}: {side}'s FAST1 has ", relative["FAST1"], " and NAIVE ", relative["NAIVE"],
                             " times the speed of its FAST3. "]
        panels.append(Panel(f"{results.label(device)}, n = {size}", "platform", "speed relative to FAST3",
                            [Series(name, points[name], color) for name, color in zip(PRODUCTS, COLORS)], y_log=False,
                            categories=[short(side) for side in results.platforms(device)]))
    if panels:
        yield Figure("portability", "Portability: the same kernels on each device, relative to FAST3",
                     [sentence, ["Of portable performance one would see bars of one height for a kernel in all groups."]], panels,
                     [Table(["device", "n", "platform", *PRODUCTS], lines)], share_y=False)


def exchanges(results):
    """The iterated filter: three ways to hand a pass's output to the next."""
    panels, tables, sentence = [], [], []
    for device in results.devices:
        rows = results.find(device, "iir")
        if not rows:
            continue
        size = results.sizes(device, "iir")[-1]
        series = [Series(name, [(short(row.side), milliseconds(row)) for row in rows
                                if row.variant == name and row.size == size and row.side in results.platforms(device)], color)
                  for name, color in zip(EXCHANGES, COLORS)]
        panels.append(Panel(f"{results.label(device)}, {int(size):,} samples", "platform", "ms for 32 passes", series, y_log=False,
                            categories=[short(side) for side in results.platforms(device)],
                            references=host_reference(results, device, "iir", size, milliseconds)))
        tables.append(table_of(rows, lambda row: (row.variant, f"{int(row.size):,}"), milliseconds, results.sides(device),
                               [f"ms on the {results.label(device)}", "samples"]))
        ours = [results.get(device, f"iir {name}", size, results.ours(device)) for name in EXCHANGES]
        if all(ours):
            sentence += [f"{results.label(device)}: {results.ours(device)} takes ", milliseconds(ours[0]), " ms by copies through the host, ",
                         milliseconds(ours[1]), " ms by copies on the device, ", milliseconds(ours[2]), " ms by swapping buffers. "]
    if panels:
        yield Figure("iir", "Recursive filter with 16 taps: three ways to exchange a pass's output", [sentence], panels, tables, share_y=False)


def electrostatics(results):
    """Pairs of a grid point and an atom per second."""
    colors = side_colors(results)

    def billions(row):
        return Number(row, "rate", 1e-9)

    panels, tables, sentence = [], [], []
    for device in results.devices:
        rows = results.find(device, "mdh")
        if not rows:
            continue
        size = results.sizes(device, "mdh")[-1]
        kernels = list(dict.fromkeys(row.variant for row in rows))
        series = [Series(short(side), [(row.variant, billions(row)) for row in rows if row.side == side and row.size == size], colors[side])
                  for side in results.platforms(device)]
        points, atoms = rows[-1].dimensions
        panels.append(Panel(f"{results.label(device)}, {points:,} points, {atoms:,} atoms", "kernel", "10⁹ pairs/s", series, y_log=False,
                            categories=kernels, references=host_reference(results, device, "mdh", size, billions, (HOST, ONE_THREAD))))
        tables.append(table_of(rows, lambda row: (row.variant, row.size), billions, results.sides(device),
                               [f"10⁹ pairs/s on the {results.label(device)}", "points x atoms"]))
        best, alone, threads = (results.best(device, "mdh", size, side) for side in (results.ours(device), ONE_THREAD, HOST))
        if best and alone and threads:
            sentence += [f"{results.label(device)}: {results.ours(device)}'s {best.variant} is ", times_as_fast(best, alone),
                         " times as fast as vectorised C++ on one thread and ", times_as_fast(best, threads), " times as fast as on all. "]
    if panels:
        yield Figure("mdh", "Electrostatics of a molecule (multiple Debye-Hueckel)", [sentence], panels, tables, share_y=False)


def centroids(results):
    """The histogram of nearest centroids: five layouts of the data, and the text's table of 15 x 5 times."""
    for device in results.devices:
        rows = results.find(device, "nearest_centroids")
        if not rows:
            continue
        count = max(row.dimensions[0] for row in rows)
        panels = [Panel(short(side), "centroids", "ms", [
            Series(name, [(row.dimensions[1], milliseconds(row)) for row in rows
                          if row.side == side and row.variant == name and row.dimensions[0] == count], color, marker=marker)
            for name, color, marker in zip(LAYOUTS, COLORS, MARKERS)]) for side in results.platforms(device)]
        tables = []
        for side in results.platforms(device):
            lines = [[f"{int(size.split('x')[0]):,}", size.split("x")[1],
                      *(milliseconds(row) if row else "-" for row in (results.get(device, f"nearest_centroids {name}", size, side) for name in LAYOUTS))]
                     for size in results.sizes(device, "nearest_centroids")]
            tables.append(Table(["descriptors", "centroids", *LAYOUTS], lines, f"{short(side)}, milliseconds", emphasise_least=True,
                                is_open=side == results.ours(device)))
        label = results.label(device)
        ours = results.best(device, "nearest_centroids", results.sizes(device, "nearest_centroids")[-1], results.ours(device))
        sentence = [f"The curves are of {count:,} descriptors with 64 dimensions. "]
        if ours:
            sentence += [f"With {ours.dimensions[1]} centroids {results.ours(device)} is fastest with the layout '{ours.variant}': ", milliseconds(ours), " ms. "]
        yield Figure(results.key("centroids", device), f"Histogram of nearest centroids, {label}", [sentence], panels, tables)


def bandwidth(results):
    """Vector addition with and without transfers."""
    colors = side_colors(results)
    panels, tables, sentence = [], [], []

    def rate(row):
        return Number(row, "gbytes_per_second")

    for device in results.devices:
        rows = [row for row in results.find(device, "vector") if row.kernel.startswith("vector add_float vec4")]
        if not rows:
            continue
        series = []
        for side in results.sides(device):
            for transfers in (False, True):
                points = [(row.dimensions[0], rate(row)) for row in rows if row.side == side and row.kernel.endswith("transfers") == transfers]
                if points and not (transfers and side in (HOST, ONE_THREAD)):
                    series.append(Series(short(side) + (", with transfers" if transfers else ""), points, colors[side], transfers))
        panels.append(Panel(results.label(device), "elements", "GB/s", series))
        tables.append(table_of(results.find(device, "vector"), lambda row: (row.variant, f"{row.dimensions[0]:,}"), rate, results.sides(device),
                               [f"GB/s on the {results.label(device)}", "elements"]))
        size, ours = results.sizes(device, "vector")[-1], results.ours(device)
        alone, together = (results.get(device, f"vector add_float vec4{rest}", size, ours) for rest in ("", " + transfers"))
        if alone and together:
            sentence += [f"{results.label(device)}, {int(size):,} elements: {ours}'s kernel alone moves ", rate(alone),
                         " GB/s; with the copies to and from the device the same bytes come at ", rate(together), " GB/s. "]
    if panels:
        yield Figure("bandwidth", "Bandwidth: sum of two vectors of float, with and without transfers", [sentence], panels, tables)


def binary(number):
    return f"{number >> 20} Mi" if number >= 1 << 20 else f"{number >> 10} Ki"


def roofline(results):
    """Every kernel of ours that computes in floating point, at its largest size."""
    for run, device in zip(results.runs, results.devices):
        limits, ours, rows = run["device"], results.ours(device), {}
        for row in results.find(device, side=results.ours(device)):
            if row.flops and row.family != "group_size" and "transfers" not in row.kernel:
                rows.setdefault(row.kernel, row)
                if row.dimensions > rows[row.kernel].dimensions or len(row.dimensions) < len(rows[row.kernel].dimensions):
                    rows[row.kernel] = row
        if not rows:
            continue
        families = {}
        for row in rows.values():
            families.setdefault(row.family, []).append((row.flops / row.bytes, gflops(row)))
        series = [Series(name, points, COLORS[i % len(COLORS)], marker=MARKERS[(i + i // len(COLORS)) % len(MARKERS)])
                  for i, (name, points) in enumerate(families.items())]
        peak = limits["fma_peak_flops"] * 1e-9
        cached = max(limits["bandwidths"], key=lambda level: level["bytes_per_second"])
        roofs = [("memory", peak, limits["memory_bandwidth_bytes_per_second"] * 1e-9),
                 (f"caches, {binary(cached['footprint'])}B", peak, cached["bytes_per_second"] * 1e-9)]
        label = results.label(device)
        lines = [[row.kernel, row.size, f"{row.flops / row.bytes:.3g}", gflops(row), Number(row, "share_of_limit", 100)] for row in rows.values()]
        yield Figure(results.key("roofline", device), f"Roofline of {ours}, {label}",
                     [["Each mark is a kernel at its largest size, under the limits that were measured in the same run. Above the memory's slope are "
                       "those whose data the caches hold. A function such as exp counts as one operation, which puts kernels that call many too low; "
                       "kernels without floating-point operations have no place here."]],
                     [Panel(limits["name"], "floating-point operations per byte that must be moved", "GFLOP/s", series, roofs=roofs)],
                     [Table(["kernel", "size", "FLOP/byte", "GFLOP/s", "% of the limit"], lines)])


def reductions(results):
    """The least of many numbers, and their histogram."""
    colors = side_colors(results)

    def rate(row):
        return Number(row, "gbytes_per_second")

    def values(row):
        return Number(row, "rate", 1e-9)

    for device in results.devices:
        least, counts = results.find(device, "find_minimum"), results.find(device, "histogram")
        if not least or not counts:
            continue
        size = results.sizes(device, "histogram")[-1]
        lines = []
        for side in results.platforms(device):
            for variant in ("one group", "many groups"):
                lines.append(Series(f"{short(side)}, {variant}", [(row.dimensions[0], rate(row)) for row in least
                                                                 if (row.side, row.variant) == (side, variant)],
                                    colors[side], variant == "one group"))
        variants = list(dict.fromkeys(row.variant for row in counts))
        bars = [Series(short(side), [(row.variant.replace(" ", "\n"), values(row)) for row in counts if row.side == side and row.size == size],
                       colors[side]) for side in results.platforms(device)]
        panels = [Panel("Minimum", "numbers", "GB/s", lines, references=host_reference(results, device, "find_minimum", results.sizes(device, "find_minimum")[-1], rate)),
                  Panel(f"Histogram, {int(size.split('x')[1]):,} bins", "kernel", "10⁹ numbers/s", bars, y_log=False,
                        categories=[name.replace(" ", "\n") for name in variants])]
        label = results.label(device)
        yield Figure(results.key("reductions", device), f"Minimum and histogram of many numbers, {label}",
                     [["One work-group uses one compute unit; many share the work and need a second launch. Short inputs show the time of a launch. "
                       "The line of C++ is for the longest input."]],
                     panels,
                     [table_of(least, lambda row: (row.variant, f"{row.dimensions[0]:,}"), rate, results.sides(device), ["minimum, GB/s", "numbers"]),
                      table_of(counts, lambda row: (row.variant, f"{row.dimensions[0]:,}", f"{row.dimensions[1]:,}"), values, results.sides(device),
                               ["histogram, 10⁹ numbers/s", "numbers", "bins"])], share_y=False)


def frames(results):
    """The animated meshes, frames per second."""
    colors = side_colors(results)

    def rate(row):
        return Number(row, "rate")

    def name(row):
        return f"{row.family}\n{row.size} x {row.size}"

    panels, tables = [], []
    for device in results.devices:
        rows = [*results.find(device, "zoom"), *results.find(device, "ripple")]
        if not rows:
            continue
        sides = [*results.platforms(device), HOST]
        series = [Series(short(side), [(name(row), rate(row)) for row in rows if row.side == side], colors[side]) for side in sides]
        panels.append(Panel(results.label(device), "mesh", "frames/s", series, categories=list(dict.fromkeys(map(name, rows)))))
        tables.append(table_of(rows, lambda row: (row.family, row.size), rate, results.sides(device), [f"frames/s on the {results.label(device)}", "side"]))
    if panels:
        yield Figure("frames", "Animated meshes: zoom and ripple",
                     [["Zoom launches one small kernel for each of 100 frames; ripple computes rings of 16 drops, with exp and cos for each vertex."]],
                     panels, tables)


def image_filter(results):
    """A picture turned, shrunk and smoothed, in each mode of the sampler."""
    colors = side_colors(results)

    def rate(row):
        return Number(row, "rate", 1e-6)

    panels, tables = [], []
    for device in results.devices:
        rows = results.find(device, "image_filter")
        if not rows:
            continue
        sides = [*results.platforms(device), HOST]
        series = [Series(short(side), [(row.variant.replace(", ", "\n"), rate(row)) for row in rows if row.side == side], colors[side])
                  for side in sides if any(row.side == side for row in rows)]
        size = results.sizes(device, "image_filter")[-1]
        panels.append(Panel(f"{results.label(device)}, {size} x {size}", "addressing and filter", "10⁶ elements/s", series, y_log=False,
                            categories=list(dict.fromkeys(row.variant.replace(", ", "\n") for row in rows))))
        tables.append(table_of(rows, lambda row: (row.variant, row.size), rate, results.sides(device),
                               [f"10⁶ elements/s on the {results.label(device)}", "side"]))
    if panels:
        yield Figure("image-filter", "Images and samplers: a picture turned, shrunk and smoothed",
                     [["Each element is a weighted mean of nine places, which the sampler reads between the elements and beyond the edges."]],
                     panels, tables, share_y=False)


def all_figures(results):
    for make in (matrix_products, group_sizes, portability, exchanges, electrostatics, centroids, bandwidth, reductions, frames, image_filter, roofline):
        yield from make(results)
