"""Bar charts as SVG: one bar for each value, with the value written above it.

The charts are for print, also in black and white: they use one colour only. A chart is two drawings side by side, each
with half of the bars, so that a phone can show one below the other, in letters of the same size.
"""

from collections.abc import Sequence
from html import escape

from msgspec import Struct

WIDTH, HEIGHT = 360, 84  # size of half a chart, in SVG units
TOP, BASE = 15, 70  # y of the top of the highest bar, and of the base line
FILLED = 0.72  # share of a bar's slot that the bar fills


class Bar(Struct, frozen=True):
    """One bar of a chart.

    `says`: the value as text; `value`: None if there is none; `bounds`: the interval in which the true value lies.
    """

    label: str
    value: float | None
    says: str
    bounds: tuple[float, float] | None = None

    @property
    def spoken_text(self) -> str:
        """Value and bounds as text, for screen readers."""
        return self.says if self.bounds is None else f"{self.says} ({self.bounds[0]:.1f} – {self.bounds[1]:.1f})"

    @property
    def top(self) -> float:
        """Highest value that is drawn: the upper bound, else the value, else 0."""
        return self.bounds[1] if self.bounds else self.value or 0.0


def bars(title: str, values: Sequence[Bar]) -> str:
    """Draw a bar chart of these values as SVG, with its values in the label for screen readers."""
    most = max((bar.top for bar in values), default=0.0) or 1.0
    half = max(1, (len(values) + 1) // 2)
    text = ", ".join(f"{bar.label}: {bar.spoken_text}" for bar in values)
    drawn = "".join(_half_chart(values[start : start + half], WIDTH / half, most) for start in (0, half))
    return f'<div class="plot" role="img" aria-label="{escape(f"{title}. {text}")}">{drawn}</div>'


def _half_chart(values: Sequence[Bar], place: float, most: float) -> str:
    drawn = "".join(_bar(bar, number * place, place, most) for number, bar in enumerate(values))
    line = f'<path d="M0 {BASE}H{WIDTH}" stroke="#000" stroke-width="0.8"/>'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{drawn}{line}</svg>'


def _bar(bar: Bar, left: float, place: float, most: float) -> str:
    tall, top = ((at or 0.0) / most * (BASE - TOP) for at in (bar.value, bar.top))
    middle, size = left + place / 2, 9
    box = (
        f'<rect x="{left + place * (1 - FILLED) / 2:.1f}" y="{BASE - tall:.1f}" width="{place * FILLED:.1f}" '
        f'height="{tall:.1f}" fill="#555"/>'
    )
    return (
        (box if tall else "")
        + _line(bar, middle, most)
        + f'<text x="{middle:.1f}" y="{BASE - top - 3:.1f}" font-size="{size}" text-anchor="middle">'
        + f'{escape(bar.says)}</text><text x="{middle:.1f}" y="{BASE + 11}" font-size="{size}" text-anchor="middle">'
        + f"{escape(bar.label)}</text>"
    )


def _line(bar: Bar, middle: float, most: float) -> str:
    """Draw the line between the bounds, with a tick at each end; empty without bounds."""
    if bar.bounds is None:
        return ""
    low, high = (BASE - at / most * (BASE - TOP) for at in bar.bounds)
    ends = "".join(f"M{middle - 3:.1f} {at:.1f}h6" for at in (low, high))
    return f'<path d="{ends}M{middle:.1f} {low:.1f}V{high:.1f}" stroke="#000" stroke-width="0.9"/>'
