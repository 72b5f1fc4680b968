"""Frames of the gallery's animations, which OpenGL draws from the very buffer that a kernel changes."""
import re
import shutil
import subprocess

MESHES = {"zoom": 32, "ripple": 256}  # vertices along a side
LIMIT = 300  # seconds that one of them may take


def program(bench, name):
    """A program of the gallery, as it lies beside the benchmark in the build tree or in an installation. None where it is not there."""
    places = (bench.parent / f"examples/{name}/{name}", bench.parent.parent / f"examples/{name}/{name}")
    return next((place for place in places if place.is_file()), None)


def last_frame(folder):
    return max(folder.glob("*.png"), key=lambda path: int(re.search(r"\d+$", path.stem)[0]), default=None)


def draw(options, device, folder):
    """Runs the animations on the device of that name. The last frame of each that compares well with the host's mesh is kept in `folder`:
    name -> file. Where there is no OpenGL to draw them, none is."""
    kept = {}
    for name, side in MESHES.items():
        is_wanted = not options.kernel or any(part in name for part in options.kernel)
        animation = program(options.bench, name) if options.tool and is_wanted else None
        if not animation:
            continue
        drawn = folder / name
        command = [options.tool, "run", animation, "--tour", "--platform", "Quern", "--device", device, "--mesh", str(side), "--pictures", drawn]
        try:
            ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT, check=False).returncode
        except subprocess.TimeoutExpired:
            ended = None
        frame = last_frame(drawn)
        if ended == 0 and frame:
            kept[name] = shutil.move(frame, folder / f"{name}.png").name
        shutil.rmtree(drawn, ignore_errors=True)
    return kept
