"""Plot of simulated returns that approach the rule sheet's figure, as SVG.

The SVG is written by hand: a band, a line and two axes are smaller than a drawing library on the PC of a table.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10

from ...rules.game import Market
from .simulate import Estimate

WIDTH, HEIGHT = 800, 360  # size of one market's picture; below, the position of its axes
LEFT, RIGHT, TOP, BOTTOM = 80, 760, 60, 310
AT_MOST = 400  # most points of the line
INK, FAINT, OURS, SHEET = "#222", "#ddd", "#1f5fa8", "#c0392b"


def picture(game: str, courses: Mapping[Market, Sequence[Estimate]]) -> str:
    """Draw one picture for each market, one below the other."""
    height = HEIGHT * len(courses)
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13" fill="{INK}">']
    parts.append('<rect width="100%" height="100%" fill="#fff"/>')
    for number, (market, course) in enumerate(courses.items()):
        parts.append(f'<svg y="{number * HEIGHT}" width="{WIDTH}" height="{HEIGHT}">')
        parts += _market(f"{game} {market.name}", course, None if market.published is None else float(market.published))
        parts.append("</svg>")
    return "\n".join([*parts, "</svg>\n"])


def _market(title: str, course: Sequence[Estimate], sheet: float | None) -> Iterator[str]:
    last = course[-1]
    points = [*course[:: ceil(len(course) / AT_MOST)], last]
    low, high = _range(points, sheet)

    def x(rounds: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * rounds / last.rounds, 1)

    def y(percent: float) -> float:
        return round(TOP + (BOTTOM - TOP) * (high - max(low, min(high, percent))) / (high - low), 1)

    def line(errors: float) -> list[str]:
        return [f"{x(one.rounds)},{y(100 * (float(one.mean) + errors * one.error))}" for one in points]

    yield _text(LEFT, 22, f"Return to player, {title}", 'font-size="16" font-weight="bold"')
    for percent in _ticks(low, high):
        yield f'<path d="M{LEFT} {y(percent)}H{RIGHT}" stroke="{FAINT}"/>'
        yield _text(LEFT - 8, y(percent) + 4, f"{percent:.4g} %", 'text-anchor="end"')
    for quarter in range(5):
        rounds = last.rounds * quarter // 4
        yield _text(x(rounds), BOTTOM + 20, f"{rounds:,}".replace(",", " "), 'text-anchor="middle"')
    yield _text((LEFT + RIGHT) / 2, BOTTOM + 40, "rounds", 'text-anchor="middle"')
    yield f'<polygon points="{" ".join(line(1) + line(-1)[::-1])}" fill="{OURS}" fill-opacity="0.25"/>'
    yield f'<polyline points="{" ".join(line(0))}" fill="none" stroke="{OURS}" stroke-width="1.5"/>'
    label = f"simulated {100 * float(last.mean):.2f} %, in a band of one standard error, at last {100 * last.error:.2f}"
    yield _text(LEFT, 44, label, f'fill="{OURS}"')
    if sheet is not None:
        yield f'<path d="M{LEFT} {y(sheet)}H{RIGHT}" stroke="{SHEET}" stroke-width="1.5" stroke-dasharray="6 4"/>'
        yield _text(RIGHT, 44, f"rule sheet {sheet:.2f} %", f'fill="{SHEET}" text-anchor="end"')


def _range(points: Sequence[Estimate], sheet: float | None) -> tuple[float, float]:
    """Range of the y axis, in percent, without the first twentieth of the points, which vary most."""
    settled = points[len(points) // 20 :]
    shown = [100 * (float(one.mean) + sign * one.error) for one in settled for sign in (-1, 1)]
    shown += [] if sheet is None else [sheet]
    margin = 0.1 * (max(shown) - min(shown)) or 1
    return min(shown) - margin, max(shown) + margin


def _ticks(low: float, high: float) -> list[float]:
    """Choose four to ten round figures from low to high."""
    ten = 10 ** floor(log10(high - low))
    step = next(step for step in (ten / 10, ten / 5, ten / 2, ten) if (high - low) / step < 10)
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]


def _text(x: float, y: float, text: str, how: str) -> str:
    return f'<text x="{x}" y="{y}" {how}>{text}</text>'
