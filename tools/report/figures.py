"""The figures of the texts, each a function of the results: which numbers it shows, and what one sees in it."""
from model import HOST, ONE_THREAD, Figure, Number, Panel, Series, Table, gflops, milliseconds, short, times_as_fast

BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, BLACK, GREY = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00",
                                                            "#000000", "#777777")
COLORS = [BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, BLACK, GREY]
PRODUCTS = {"NAIVE": (BLUE, "o"), "LOCAL": (VERMILION, "s"), "FAST1": (GREEN, "^"), "FAST2": (PURPLE, "D"), "FAST3": (ORANGE, "v")}


def side_colors(results, device):
    """Ours is blue in all figures, the host grey and black."""
    colors = dict(zip(results.platforms(device), COLORS[:6]))
    return {**colors, HOST: BLACK, ONE_THREAD: GREY}


def table_of(rows, columns, number, sides, header):
    """A table with a line for each (kernel, size) and a column for each side."""
    lines = {}
    for row in rows:
        lines.setdefault(columns(row), {})[row.side] = number(row)
    return Table([*header, *map(short, sides)],
                 [[*key, *(numbers.get(side, "-") for side in sides)] for key, numbers in lines.items()])


def square_products(results, device):
    return [row for row in results.find(device, "matmul") if len(row.dimensions) == 1]


def matrix_products(results):
    """GFLOP/s against n."""
    for device in results.devices:
        rows = square_products(results, device)
        if not rows:
            continue
        host = [(row.dimensions[0], gflops(row)) for row in rows if row.side == HOST and row.variant == "FAST3"]
        panels = []
        for side in results.platforms(device):
            series = [Series(name, [(row.dimensions[0], gflops(row)) for row in rows if row.side == side and row.variant == name],
                             color, marker=marker) for name, (color, marker) in PRODUCTS.items()]
            if host and results.label(device) == "CPU":
                series.append(Series(short(HOST), host, BLACK, dashed=True, marker="."))
            panels.append(Panel(short(side), "n", "GFLOP/s", series))
        yield Figure(f"matmul-{results.label(device)}", f"Matrix products on the {results.label(device)}: GFLOP/s against n",
                     [best_products(results, device, rows)], panels,
                     [table_of(rows, lambda row: (row.variant, row.size), gflops, results.sides(device), ["product", "n"])])


def best_products(results, device, rows):
    largest = max((row.size for row in rows), key=int)
    sentence = [f"The fastest of the five at n = {largest}:"]
    for side in [*results.platforms(device), HOST]:
        best = results.best(device, "matmul", largest, side)
        if best:
            name = "" if side == HOST else f"'s {best.variant}"
            sentence += [f" {short(side)}{name}", gflops(best), "GFLOP/s,"]
    return sentence[:-1] + ["GFLOP/s."] if len(sentence) > 1 else sentence


def bandwidth(results):
    """Vector addition with and without transfers."""
    for device in results.devices:
        rows = [row for row in results.find(device, "vector") if row.kernel.startswith("vector add_float vec4")]
        if not rows:
            continue
        colors = side_colors(results, device)
        series = []
        for side in results.sides(device):
            for transfers in (False, True):
                points = [(row.dimensions[0], Number(row, "gbytes_per_second")) for row in rows
                          if row.side == side and row.kernel.endswith("transfers") == transfers]
                if points and not (transfers and side in (HOST, ONE_THREAD)):
                    series.append(Series(short(side) + (", with transfers" if transfers else ""), points, colors[side], transfers))
        largest = results.sizes(device, "vector")[-1]
        ours = results.ours(device)
        alone, together = (results.get(device, f"vector add_float vec4{rest}", largest, ours) for rest in ("", " + transfers"))
        sentence = [f"At {int(largest):,} elements {ours}'s kernel alone moves", Number(alone, "gbytes_per_second"),
                    "GB/s; with the copies to and from the device around it the same bytes come at",
                    Number(together, "gbytes_per_second"), "GB/s."] if alone and together else []
        yield Figure(f"bandwidth-{results.label(device)}", f"Bandwidth on the {results.label(device)}: sum of two vectors of float",
                     [sentence], [Panel(device, "elements", "GB/s", series)],
                     [table_of(results.find(device, "vector"), lambda row: (row.variant, f"{row.dimensions[0]:,}"),
                               lambda row: Number(row, "gbytes_per_second"), results.sides(device), ["kernel", "elements"])])


def all_figures(results):
    for make in (matrix_products, bandwidth):
        yield from make(results)
