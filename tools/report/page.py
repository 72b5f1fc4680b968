"""The page: one HTML file that needs no other."""
import base64
import html

import figures
import pictures
import plots
import texts
from model import Mean, Number, Results, Table, short

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 0 auto; max-width: 1240px; padding: 24px; }
a { color: #0063a3; } figure { scroll-margin-top: 16px; }
h1 { margin: 0 0 4px; } h2 { margin: 48px 0 8px; border-bottom: 1px solid #ddd; }
figure { margin: 16px 0 28px; } figure img { width: 100%; height: auto; } figcaption { max-width: 75em; }
table { border-collapse: collapse; font-size: 14px; margin: 8px 0; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px 3px 0; text-align: left; border-bottom: 1px solid #eee; vertical-align: top; }
td.number, th.number { text-align: right; } td.least { font-weight: bold; } .wrong { color: #b00020; font-weight: bold; }
.pictures { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; align-items: start; margin: 16px 0; }
.pictures.many { grid-template-columns: repeat(4, 1fr); } .pictures figure { margin: 0; }
summary { color: #0063a3; cursor: pointer; } .note { color: #555; font-size: 14px; }
"""


def escape(text):
    return html.escape(str(text))


def span(part, tag="span", classes=""):
    """A Number says in data-csv which line and column it comes from. A list is a sentence."""
    if isinstance(part, list):
        return f"<{tag}>{''.join(map(span, part)) or '-'}</{tag}>"
    if isinstance(part, Mean):
        return f'<{tag} class="number" data-mean="{escape(part.source)}">{escape(part.text)}</{tag}>'
    if not isinstance(part, Number):
        return escape(part) if tag == "span" else f"<{tag}>{escape(part)}</{tag}>"
    classes = " ".join(name for name in (classes, "" if part.is_right else "wrong") if name)
    attribute = f' class="{classes}"' if classes else ""
    return f'<{tag}{attribute} data-csv="{part.source}">{escape(part.text)}</{tag}>'


def sentence(parts):
    return "".join(span(part) for part in parts)


def table(content):
    yield f"<details{' open' if content.is_open else ''}><summary>{escape(content.caption)}</summary><table>"
    numeric = [any(isinstance(row[i], Number) for row in content.rows) for i in range(len(content.header))]
    yield "<thead><tr>" + "".join(f'<th class="number">{escape(name)}</th>' if is_number else f"<th>{escape(name)}</th>"
                                  for name, is_number in zip(content.header, numeric)) + "</tr></thead><tbody>"
    for row in content.rows:
        values = [cell.value for cell in row if isinstance(cell, Number) and cell.is_right]
        least = min(values, default=None) if content.emphasise_least else None
        yield "<tr>" + "".join(
            span(cell, "td", "number least" if isinstance(cell, Number) and cell.value is not None and cell.value == least else
                 "number") for cell in row) + "</tr>"
    yield "</tbody></table></details>"


def image(kind, content, alternative):
    encoded = base64.b64encode(content).decode()
    return f'<img src="data:image/{kind};base64,{encoded}" alt="{escape(alternative)}">'


def figure(content, svg):
    yield f'<figure id="{escape(content.key)}"><h3>{escape(content.title)}</h3>'
    yield image("svg+xml", svg.encode(), content.title)
    yield "<figcaption>" + "".join(f"<p>{sentence(parts)}</p>" for parts in content.sentences if parts)
    for one in content.tables:
        yield from table(one)
    yield "</figcaption></figure>"


def machine(data):
    yield "<table>"
    for run in data["runs"]:
        device = run["device"]
        yield (f"<tr><th>{escape(device['kind'])}</th><td>{escape(device['name'])}: {device['fma_peak_flops'] * 1e-9:,.0f} GFLOP/s of fused "
               f"multiply-adds in float, {device['memory_bandwidth_bytes_per_second'] * 1e-9:,.0f} GB/s from memory, both measured</td></tr>")
        for side in run["platforms"]:
            yield (f"<tr><td>{escape(short(side['name']))}</td><td>{escape(side['version'])}, driver {escape(side['driver_version'])}, "
                   f"on {escape(side['device'])}</td></tr>")
    host = data["runs"][0]["machine"]
    yield (f"<tr><th>C++</th><td>{escape(host['processor'])}, {host['threads']} threads; {escape(host['host_compiler'])}</td></tr></table>")


def wrong_results(rows):
    wrong = [row for row in rows if not row.ok]
    yield f"<p>{len(rows)} results were checked against the host's, {len(wrong)} were wrong or failed.</p>"
    if wrong:
        yield "<ul>" + "".join(f'<li class="wrong">{escape(row.kernel)} {escape(row.size)} on {escape(short(row.side))}: {escape(row.error)}</li>'
                               for row in wrong) + "</ul>"


def picture_row(results, folder):
    for run, device in zip(results.runs, results.devices):
        if not run.get("pictures") and not run.get("frames"):
            continue
        yield f"<h3>Pictures, computed by {escape(run['ours'])} on the {escape(results.label(device))}</h3>"
        for some, name in zip(pictures.all_pictures(run, folder), ("pictures", "pictures many")):
            yield f'<div class="{name}">' + "".join(
                f'<figure>{image("png", content, title)}<figcaption>{escape(title)}, {escape(size)}</figcaption></figure>'
                for title, size, content in some) + "</div>"


def beside_texts(results):
    yield "<h2>The texts' own figures</h2>"
    yield ("<p>What five texts report of the machines of their time, and what the same programs do here. The texts' figures are theirs, measured by them: "
           "they are no targets, because processors, sizes and compilers differ.</p>")
    yield from table(texts.table(results))


def overview(results):
    means = [mean for device in results.devices for peer in results.sides(device)[1:] if (mean := results.mean(device, peer))]
    yield "<p>How many times as fast Quern is, in geometric mean over all kernels and sizes that both sides have run:</p>"
    yield from table(Table(["device", "beside", "times as fast", "rows", "slower in"], [
        [results.label(mean.device), short(mean.peer), mean, str(len(mean.ratios)), str(mean.slower)] for mean in means], "At a glance", is_open=True))


def contents(shown):
    yield "<p>" + " | ".join(f'<a href="#{escape(one.key)}">{escape(one.title)}</a>' for one in shown) + "</p>"


def body(data, rows, folder, drawings):
    """Adds the figures to `drawings`, key -> SVG."""
    results = Results(data, rows)
    yield f"<h1>Quern beside its peers</h1><p class=\"note\">Measured {escape(data['made'])}{' with the small sizes of --quick' if data['quick'] else ''}.</p>"
    yield from machine(data)
    yield from wrong_results(rows)
    yield from overview(results)
    shown = list(figures.all_figures(results))
    yield from contents(shown)
    for one in shown:
        drawings[one.key] = plots.svg_of(one)
        yield from figure(one, drawings[one.key])
    yield from picture_row(results, folder)
    yield from beside_texts(results)


def write(data, rows, output):
    """Writes the page into the folder `output`, which holds the pictures' numbers, and beside it each figure as a file."""
    drawings = {}
    text = "\n".join(['<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Quern: report</title>',
                      f"<style>{STYLE}</style></head><body>", *body(data, rows, output, drawings), "</body></html>", ""])
    (output / "figures").mkdir(parents=True, exist_ok=True)
    for key, svg in drawings.items():
        (output / "figures" / f"{key}.svg").write_text(svg)
    path = output / "report.html"
    path.write_text(text)
    return path
