# SPDX-License-Identifier: Apache-2.0
"""One HTML file with everything in it: charts drawn by the page itself, tables below them, no address elsewhere."""

import html
import json

import vl_convert

from . import charts, machine
from .estimates import paired_ratio
from .tables import case_heading, ratio_text, summary, times

STYLE = """
:root { color-scheme: light; --ink: #1f2937; --soft: #64748b; --line: #e2e8f0; --ours: #0b7a75; }
* { box-sizing: border-box; }
body { margin: 0; background: #f8fafc; color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 32px 24px 80px; }
h1 { font-size: 28px; margin: 0 0 4px; letter-spacing: -0.02em; }
h2 { font-size: 20px; margin: 44px 0 2px; }
p.soft { color: var(--soft); margin: 0 0 16px; }
section { overflow-x: auto; }
section { background: white; border: 1px solid var(--line); border-radius: 12px; padding: 20px 22px; margin: 14px 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: 14px; margin: 22px 0; }
.tile { background: white; border: 1px solid var(--line); border-radius: 12px; padding: 14px 18px; }
.tile b { display: block; font-size: 22px; white-space: nowrap; color: var(--ours); letter-spacing: -0.02em; }
.tile span { color: var(--soft); font-size: 13px; }
table { border-collapse: collapse; width: 100%; margin-top: 12px; }
table { font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 8px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--soft); font-weight: 500; }
tr.ours td { color: var(--ours); font-weight: 600; }
td.slower { background: #ecfdf5; }
td.faster { background: #fef2f2; }
main a { color: var(--ours); }
nav a { text-decoration: none; margin-right: 12px; }
"""

COLUMNS = [
    ("median s", "seconds", "{:.3f}"),
    ("min s", "minimum", "{:.3f}"),
    ("decoded GB/s", "gigabytes_per_second", "{:.2f}"),
    ("rows/s", "rows_per_second", "{:,.0f}"),
    ("first batch ms", "first_batch", "{:.1f}"),
    ("CPU s/GB", "cpu_per_gigabyte", "{:.2f}"),
    ("server CPU s", "server_cpu", "{:.2f}"),
    ("peak MiB", "peak_mib", "{:,.0f}"),
    ("page faults", "minor_faults", "{:,.0f}"),
]


def _table(case):
    head = "".join(f"<th>{title}</th>" for title in ["client", *(c[0] for c in COLUMNS), "× our time (95 %)"])
    rows = []
    found = {name: summary(case, name) for name in case["records"]}
    for name, of in sorted(found.items(), key=lambda item: item[1]["seconds"] if item[1] else float("inf")):
        title = html.escape(case["titles"][name])
        if of is None:
            rows.append(f'<tr><td>{title}</td><td colspan="10">no right run</td></tr>')
            continue
        of = {**of, "first_batch": of["first_batch"] * 1000}
        cells = "".join(f"<td>{form.format(of[key])}</td>" for _, key, form in COLUMNS)
        ratio = "" if name == "ours" else ratio_text(paired_ratio(times(case, name), times(case, "ours")))
        rows.append(
            f'<tr class="{"ours" if name.startswith("ours") else ""}"><td>{title}</td>{cells}<td>{ratio}</td></tr>'
        )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _matrix(results):
    """Who is how much slower than our driver, scenario by scenario; what was faster stands out."""
    names, titles = [], {}
    for case in (case for result in results.values() for case in result["cases"]):
        titles |= case["titles"]
        names += [name for name in case["records"] if name not in names and name != "ours"]
    rows = []
    for result in results.values():
        for case in result["cases"]:
            cells = []
            for name in names:
                ratio = paired_ratio(times(case, name), times(case, "ours"))
                colour = "" if ratio is None else "slower" if ratio[1] > 1 else "faster" if ratio[2] < 1 else ""
                cells.append(f'<td class="{colour}">{"" if ratio is None else f"{ratio[0]:.2f}"}</td>')
            label = html.escape(f"{result['scenario']} {case['name']}")
            rows.append(f'<tr><td><a href="#{result["scenario"]}">{label}</a></td>{"".join(cells)}</tr>')
    head = "".join(f'<th title="{html.escape(titles[name])}">{html.escape(name)}</th>' for name in names)
    return (
        "<h2>Times of the others, ours being 1</h2>"
        '<p class="soft">Median of the paired ratios; coloured where the whole 95 % interval lies on one side.</p>'
        f"<section><table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
    )


class _Page:
    """Collects what the page says and the charts that its script draws."""

    def __init__(self):
        self.parts, self.specs = [], []

    def chart(self, chart):
        if chart is not None:
            self.parts.append(f'<div id="chart{len(self.specs)}"></div>')
            self.specs.append(
                chart.configure_view(strokeWidth=0).configure_axis(grid=True, gridColor="#eef2f7").to_dict()
            )


def _tiles(results):
    """The three figures that matter most, of P1."""
    case = results["P1"]["cases"][0] if "P1" in results else None
    of = summary(case, "ours") if case else None
    if of is None:
        return ""
    tiles = [
        (f"{of['gigabytes_per_second']:.2f} GB/s", "decoded on a LAN, C++"),
        (f"{of['rows_per_second'] / 1e6:.1f} M rows/s", f"of {case['dataset']['columns']} columns"),
        (f"{of['first_batch'] * 1000:.0f} ms", "to the first batch"),
        (f"{of['peak_mib']:.0f} MiB", "peak memory of the process"),
    ]
    for name, words in (("lower-bound", "of the lower bound's rate"), ("connector", "× the Python connector's rate")):
        ratio = paired_ratio(times(case, name), times(case, "ours"))
        if ratio:
            tiles.append((f"{ratio[0]:.0%}" if name == "lower-bound" else f"{ratio[0]:.1f} ×", words.lstrip("× ")))
    cells = "".join(f'<div class="tile"><b>{value}</b><span>{words}</span></div>' for value, words in tiles)
    return f'<div class="tiles">{cells}</div>'


def _scenario(page, result):
    page.parts.append(f'<h2 id="{result["scenario"]}">{result["scenario"]}: {html.escape(result["title"])}</h2>')
    goal = f"Passes when {html.escape(result['passes'])}. " if result["passes"] else ""
    page.parts.append(
        f'<p class="soft">{goal}{result["runs"]} rounds behind a warm-up, processors {result["processors"]}.</p>'
    )
    for case in result["cases"]:
        page.parts.append("<section>")
        page.chart(charts.throughput(result, case))
        page.parts.append(f"<p><b>{html.escape(case_heading(case))}</b></p>{_table(case)}")
        page.parts.append("</section>")
    pictured = next((case for case in result["cases"] if case["portraits"].get("ours")), None)
    if pictured:
        page.parts.append("<section>")
        page.chart(charts.memory_over_time(pictured))
        page.chart(charts.transfers(pictured))
        page.parts.append("</section>")


def render(results, sweeps):
    """The page of all results ({scenario: result}) and of what the sweeps found."""
    page = _Page()
    first = next(iter(results.values()))
    page.parts.append("<h1>CloudFetch, client beside client</h1>")
    page.parts.append(f'<p class="soft">{html.escape(machine.line(first["machine"]))}. {first["time"][:10]}.</p>')
    page.parts.append("<nav>" + "".join(f'<a href="#{name}">{name}</a>' for name in results) + "</nav>")
    page.parts.append(_tiles(results) + _matrix(results))
    for result in results.values():
        _scenario(page, result)
    for scenario, tables in sweeps.items():
        chart = charts.sweep(scenario, tables)
        if chart is not None:
            page.parts.append("<section>")
            page.chart(chart)
            page.parts.append("</section>")
    draw = "".join(
        f"vegaEmbed('#chart{index}', {json.dumps(spec)}, {{actions: false, renderer: 'svg'}});\n"
        for index, spec in enumerate(page.specs)
    )
    script = vl_convert.javascript_bundle(snippet=draw)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>CloudFetch benchmark</title>'
        f"<style>{STYLE}</style></head><body><main>{''.join(page.parts)}</main>"
        f'<script type="module">{script}</script></body></html>\n'
    )
