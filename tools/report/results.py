"""The measured numbers: as JSON, as CSV, and as rows to choose from."""
import csv
import json
import shutil
from dataclasses import dataclass

import measuring

COLUMNS = ["device", "kernel", "size", "side", "ok", "seconds", "seconds_min", "seconds_max", "samples", "rate", "unit", "gflops",
           "gbytes_per_second", "share_of_limit", "flops", "bytes", "error"]
NUMBERS = ["seconds", "seconds_min", "seconds_max", "samples", "rate", "gflops", "gbytes_per_second", "share_of_limit", "flops", "bytes"]


@dataclass
class Row:
    """A line of results.csv: one side's result for one kernel at one size. `number` is the line's, from 1; numbers that a wrong or
    failed result lacks are None."""
    number: int
    device: str
    kernel: str
    size: str
    side: str
    ok: bool
    error: str
    unit: str
    seconds: float
    seconds_min: float
    seconds_max: float
    samples: float
    rate: float
    gflops: float
    gbytes_per_second: float
    share_of_limit: float
    flops: float
    bytes: float

    @property
    def dimensions(self):
        return [int(number) for number in self.size.split("x")]

    @property
    def family(self):
        return self.kernel.split(" ")[0]

    @property
    def variant(self):
        return self.kernel.partition(" ")[2]


def load(path):
    try:
        return json.loads(path.read_text())
    except json.JSONDecodeError as error:
        raise measuring.Failure(f"{path} is not the JSON of an earlier report: {error}", 2) from error


def gather(folders, output):
    """The results of earlier reports as one, and what belongs to each run in a folder of `output`."""
    if len(folders) > 1 and output.resolve() in [folder.resolve() for folder in folders]:
        raise measuring.Failure(f"--output {output} is one of the folders to draw: several need another one for their page", 2)
    reports = [(folder, load(folder / "results.json")) for folder in folders]
    runs = []
    for folder, report in reports:
        for run in report["runs"]:
            source, target = folder / run["folder"], output / f"device{len(runs)}"
            if source.is_dir() and source.resolve() != target.resolve():
                shutil.copytree(source, target, dirs_exist_ok=True)
            runs.append({**run, "folder": target.name})
    return {"made": reports[-1][1]["made"], "quick": any(report["quick"] for _, report in reports), "runs": runs}


def device_name(run):
    return f"{run['device']['kind']}: {run['device']['name']}"


def entries(data):
    """A dictionary for each line of the CSV."""
    for run in data["runs"]:
        for result in run.get("results", []):
            for side in result["results"]:
                entry = {"device": device_name(run), "side": side["name"], "ok": int(side["ok"]), "error": side.get("error", ""),
                         **{key: result[key] for key in ("kernel", "size", "unit", "flops", "bytes")}}
                if side["ok"]:
                    # Samples are of a run, which may repeat what the seconds are of.
                    scale = side["seconds"] / sorted(side["samples"])[len(side["samples"]) // 2]
                    entry.update(seconds=side["seconds"], rate=side["rate"], samples=len(side["samples"]),
                                 seconds_min=min(side["samples"]) * scale, seconds_max=max(side["samples"]) * scale,
                                 gflops=result["flops"] / side["seconds"] * 1e-9, share_of_limit=side["share_of_limit"],
                                 gbytes_per_second=result["bytes"] / side["seconds"] * 1e-9)
                yield entry


def write_csv(data, path):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(entries(data))


def read_csv(path):
    with open(path, newline="") as file:
        rows = []
        for number, entry in enumerate(csv.DictReader(file), 1):
            entry.update({name: float(entry[name]) if entry[name] else None for name in NUMBERS})
            entry["ok"] = entry["ok"] == "1"
            rows.append(Row(number=number, **entry))
        return rows
