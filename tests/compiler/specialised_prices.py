#!/usr/bin/env python3
"""Compares what kernels cost by the model of the processor in the form that runs any launch and in forms that are specialised to
launches, which must not cost more: specialised_prices.py QUERN SOURCE..."""

import concurrent.futures
import os
import re
import subprocess
import sys

# Definitions that the sources need.
OPTIONS = "-cl-std=CL3.0 -DTYPE=float -DFUNCTION=exp -DSIZE=256 -DTILE=16"
# Sources that do not compile, or not alone.
NOT_ALONE = {"broken.cl", "tabulate.cl"}
# Groups in which a row has room for tiles of packets as wide as those of the general form, so that nothing is lost at its end.
FORMS = {
    "groups of 256": ["--local-size", "256"],
    "groups of 64 x 4": ["--local-size", "64,4"],
    "arguments 0 to 3 of 1000": ["--local-size", "256"] + [f"--argument={i}=1000" for i in range(4)],
    "arguments 4 to 7 of 1000": ["--local-size", "256"] + [f"--argument={i}=1000" for i in range(4, 8)],
}
FACTS = ["--whole-groups", "--zero-offset", "--disjoint-buffers"]
ISAS = ["sse42", "avx2", "avx512"]
# Regions that are counted in another way, as where a loop has become two, may cost a little more.
FACTOR = 1.2
SLACK = 0.25


def region_price(text):
    """What a work-item costs in the way that was chosen."""
    if "once for all work-items of a group" in text:
        return 0.0
    prices = text[text.index("cost"):]

    def of(name):
        found = re.search(re.escape(name) + r" ([0-9.]+)", prices)
        return float(found[1]) if found else None

    if "one work-item after the other" in text:
        return min(price for price in (of("LLVM's loops"), of("one by one")) if price is not None)
    return of("in tiles") or of("packets")


def kernel_prices(quern, source, isa, facts):
    """What a work-item of each kernel costs, with the lines that say so."""
    command = [quern, "compile", source, "--report", "--isa", isa, "--options", OPTIONS, *facts]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    prices = {}
    # Of groups that are packets, loops with barriers are part of the region, and its price has all of their iterations.
    for name, text in re.findall(r"^kernel (\w+), region \d+: (.*)$", output, re.MULTILINE):
        if "groups as packets" in text or ("cost" not in text and "once for all" not in text):
            continue
        price, lines = prices.get(name, (0.0, []))
        prices[name] = (price + region_price(text), [*lines, text])
    return prices


def compare(quern, source, isa):
    general = kernel_prices(quern, source, isa, [])
    complaints, count = [], 0
    for form, facts in FORMS.items():
        for name, (price, lines) in kernel_prices(quern, source, isa, FACTS + facts).items():
            before, general_lines = general.get(name, (None, []))
            if before is None:
                continue
            count += 1
            if price > FACTOR * before + SLACK:
                complaints.append(
                    f"{source}, kernel {name}, {isa}: {price:.2f} for {form}, and {before:.2f} for any launch\n" +
                    "".join(f"    any: {line}\n" for line in general_lines) + "".join(f"    {form}: {line}\n" for line in lines))
    return complaints, count


def main():
    quern, *sources = sys.argv[1:]
    jobs = [(source, isa) for source in sources if os.path.basename(source) not in NOT_ALONE for isa in ISAS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        results = list(threads.map(lambda job: compare(quern, *job), jobs))
    complaints = [complaint for found, _ in results for complaint in found]
    for complaint in complaints:
        print(complaint)
    count = sum(number for _, number in results)
    print(f"{count} specialised kernels, {len(complaints)} dearer than in general")
    sys.exit(1 if complaints or count == 0 else 0)


if __name__ == "__main__":
    main()
