# SPDX-License-Identifier: MIT
"""Line charts as SVG, for the plots of docs/: one function, draw()."""

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 64, 14, 30, 58
COLOURS = ["#1f6fb4", "#d95f02", "#33805a", "#7a52a8", "#a03050", "#606060", "#b08000", "#20a0a0"]


def number(x):
    return f"{x:.6g}"


def ticks(low, high):
    """Round numbers from low to high, at most six steps apart."""
    step = 10.0 ** -9
    while (high - low) / step > 6:
        # 1, 2, 5, 10, 20, ...
        step *= 2.5 if f"{step:e}"[0] == "2" else 2
    first = int(low / step) - 1
    values = [step * i for i in range(first, first + 10)]
    return [v for v in values if low - 1e-9 * step <= v <= high + 1e-9 * step]


def thinned(points):
    """Removes points that are on the line between their neighbours."""
    kept = []
    for point in points:
        if len(kept) > 1 and kept[-1][1] == kept[-2][1] == point[1]:
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return kept


def draw(title, lines, x_title="", low=0.0, high=None, dashed=()):
    """The text of an SVG file.

    lines: {name: [(x, y), ...]}, in drawing order; low, high: ends of the y axis (high None: from the data); dashed:
    heights to mark.
    """
    points = [p for line in lines.values() for p in line]
    left, right = min(p[0] for p in points), max(p[0] for p in points)
    if high is None:
        high = 1.05 * max([*dashed, *(p[1] for p in points)])
    x = lambda v: round(LEFT + (v - left) / ((right - left) or 1.0) * (WIDTH - LEFT - RIGHT), 1)
    y = lambda v: round(HEIGHT - BOTTOM - (v - low) / ((high - low) or 1.0) * (HEIGHT - TOP - BOTTOM), 1)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           f'<text x="{LEFT}" y="18">{title}</text>']
    for value in ticks(low, high):
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}" stroke="#e0e0e0"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{number(value)}</text>')
    for value in ticks(left, right):
        out.append(f'<text x="{x(value)}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle" fill="#404040">{number(value)}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - BOTTOM + 30}" text-anchor="middle" fill="#404040">{x_title}</text>')
    for value in dashed:
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value)}" y2="{y(value)}" stroke="#909090" stroke-dasharray="4 3"/>')
    at = LEFT
    for (name, line), colour in zip(lines.items(), COLOURS * len(lines)):
        path = " ".join(f"{a},{b}" for a, b in thinned([(x(p[0]), y(p[1])) for p in line]))
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out.append(f'<line x1="{at}" x2="{at + 16}" y1="{HEIGHT - 12}" y2="{HEIGHT - 12}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{at + 21}" y="{HEIGHT - 8}">{name}</text>')
        at += 36 + 6.4 * len(name)
    out.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" fill="none" stroke="#404040"/>')
    return "\n".join(out + ["</svg>", ""])


def sorted_line(values):
    """Values in ascending order over their share, as a staircase."""
    count = len(values)
    return [((i + side) / count, v) for i, v in enumerate(sorted(values)) for side in (0, 1)]
