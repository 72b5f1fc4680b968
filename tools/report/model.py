"""What the page consists of: numbers that know their line of the CSV, and the panels, figures and tables made of them."""
import math
import re
from dataclasses import dataclass, field

HOST, ONE_THREAD = "host", "1 thread"
# How the page calls sides whose platforms have longer names.
SHORT_NAMES = {"Portable Computing Language": "PoCL", "NVIDIA CUDA": "NVIDIA OpenCL", "CUDA C++, same kernels": "CUDA C++", HOST: "C++, all threads",
               ONE_THREAD: "C++, one thread"}


def short(side):
    return SHORT_NAMES.get(side, side)


def text_of(value):
    """Three digits, as all numbers of the page are written."""
    if value >= 999.5:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


@dataclass(frozen=True)
class Number:
    """A column of a row of the CSV times `scale`; with `over`, divided by the same column of that row."""
    row: object
    column: str
    scale: float = 1
    over: object = None

    @property
    def is_right(self):
        return self.row.ok and (self.over is None or self.over.ok)

    @property
    def value(self):
        """None where the result is wrong or failed."""
        if not self.is_right:
            return None
        value = getattr(self.row, self.column) * self.scale
        return value if self.over is None else value / getattr(self.over, self.column)

    @property
    def text(self):
        return text_of(self.value) if self.is_right else "wrong"

    @property
    def source(self):
        """Where it comes from: "17.seconds*1000" or "17.seconds/12.seconds"."""
        first = f"{self.row.number}.{self.column}"
        if self.over is not None:
            return f"{first}/{self.over.number}.{self.column}"
        return first if self.scale == 1 else f"{first}*{self.scale:g}"


@dataclass(frozen=True)
class Mean:
    """The geometric mean of how many times as fast `ours` is as `peer`, over all lines of a device that both have a right result for."""
    device: str
    ours: str
    peer: str
    ratios: tuple

    @property
    def text(self):
        return text_of(math.exp(sum(map(math.log, self.ratios)) / len(self.ratios)))

    @property
    def slower(self):
        return sum(ratio < 1 for ratio in self.ratios)

    @property
    def source(self):
        return f"{self.device}|{self.ours}|{self.peer}"


def gflops(row):
    return Number(row, "gflops")


def milliseconds(row):
    return Number(row, "seconds", 1e3)


def times_as_fast(row, other):
    """How many times as fast `row` is as `other`."""
    return Number(other, "seconds", over=row)


@dataclass
class Series:
    """A line, or the bars of one colour: (x, Number) each. Of bars, x is a category of the panel."""
    label: str
    points: list
    color: str
    dashed: bool = False
    marker: str = "o"


@dataclass
class Panel:
    title: str
    x_label: str
    y_label: str
    series: list
    x_log: bool = True
    y_log: bool = True
    categories: list = None  # of bars
    references: list = field(default_factory=list)  # (label, Number) each: lines across the panel
    roofs: list = field(default_factory=list)  # (label, peak, bandwidth) each: what bounds a roofline


@dataclass
class Table:
    """Cells are text or Numbers. The least number of a row is emphasised where `emphasise_least`. A table that is not open is shown
    when the reader asks for it."""
    header: list
    rows: list
    caption: str = "The numbers"
    emphasise_least: bool = False
    is_open: bool = False


@dataclass
class Figure:
    """`sentences` are lists of text and Numbers. Panels lie side by side and share the y axis where `share_y`."""
    key: str
    title: str
    sentences: list
    panels: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    share_y: bool = True


class Results:
    """The rows of the CSV, and the runs of the JSON, to choose from."""

    def __init__(self, data, rows):
        self.runs = data["runs"]
        self.rows = rows
        self.devices = list(dict.fromkeys(row.device for row in rows))
        self._index = {(row.device, row.kernel, row.size, row.side): row for row in rows}

    def label(self, device):
        """The kind of the device where that says which it is, else its name."""
        kind = device.split(":")[0]
        return kind if sum(other.split(":")[0] == kind for other in self.devices) == 1 else device.split(": ", 1)[1]

    def key(self, name, device):
        """Of a figure of one device: a word that suits a file's name."""
        return re.sub(r"\W+", "-", f"{name} {self.label(device)}").strip("-").lower()

    @staticmethod
    def is_cpu(device):
        return device.startswith("CPU")

    def sides(self, device):
        return list(dict.fromkeys(row.side for row in self.rows if row.device == device))

    def platforms(self, device):
        return [side for side in self.sides(device) if side not in (HOST, ONE_THREAD)]

    def ours(self, device):
        return self.platforms(device)[0]

    def find(self, device, family=None, side=None):
        return [row for row in self.rows if row.device == device and family in (None, row.family) and side in (None, row.side)]

    def get(self, device, kernel, size, side):
        return self._index.get((device, kernel, size, side))

    def sizes(self, device, family):
        """From the smallest to the largest."""
        return sorted({row.size for row in self.find(device, family)}, key=lambda size: [int(part) for part in size.split("x")])

    def mean(self, device, peer):
        """None where there is nothing to compare."""
        ours = self.ours(device)
        pairs = [(row, self.get(device, row.kernel, row.size, peer)) for row in self.find(device, side=ours)]
        ratios = tuple(other.seconds / row.seconds for row, other in pairs if other and row.ok and other.ok)
        return Mean(device, ours, peer, ratios) if ratios else None

    def best(self, device, family, size, side):
        """The fastest right result of a side among the variants of a family; None if there is none."""
        rows = [row for row in self.find(device, family, side) if row.size == size and row.ok]
        return min(rows, key=lambda row: row.seconds, default=None)
