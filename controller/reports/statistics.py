"""Statistics by dealer, shift, manager, device, fault and table, and in total.

GLI-19 C.6.8 asks for procedure violations and irregularities by supervisor and shift (q), and for the errors of each
device (p). An event counts when it happened, a duration when it ended.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Any

from msgspec.structs import asdict

from ..accounts.entry import CountedDevice, FigureEntry, FigureGroup
from ..config.shifts import Period, shift_and_begin
from ..core.clock import Time
from ..core.records import Record
from ..text.device_names import device_key
from .figures import Figures

PLAY = (
    "rounds", "training", "settled", "manual", "cancelled", "disputed", "resettled", "cards", "faults", "paused",
    "acknowledged", "ruled", "rulings", "refused_rulings", "read", "unread", "corrected", "misread_rate",
    "staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out", "adjusted", "revised",
    "above_ceilings",
)  # fmt: skip
SHOWN: Mapping[str, tuple[str, ...]] = {  # figures of each kind of group
    "all": PLAY,
    "table": PLAY,
    "dealer": PLAY,
    "shift": PLAY,
    "manager": ("acknowledged", "ruled", "rulings", "refused_rulings"),
    "device": ("read", "unread", "corrected", "misread_rate", "faults", "lost", "away"),
    "fault": ("count", "cancelled", "paused", "acknowledged", "ruled", "rulings", "refused_rulings"),
}
Span = tuple[Time | None, Time | None]
NOBODY = "nobody"


def name_of(group: FigureGroup) -> str:
    """Name of a group, such as a dealer, shift or fault; of a device its fixed English name."""
    return device_key(group[1]) if isinstance(group[1], CountedDevice) else group[1]


class Statistics:
    """Figures of all groups. `shifts`: begins of shifts in minutes of the day, local time of `zone`.

    `span`: begin and end of the counted period; entries outside it are ignored.
    """

    def __init__(self, shifts: Sequence[int] = (), zone: tzinfo = UTC, span: Span = (None, None)) -> None:
        self._span = span
        self._shifts, self._zone = sorted(set(shifts)), zone
        self._shift: tuple[Period, str] | None = None  # shift of the last entry, and its name
        self._figures: dict[FigureGroup, Figures] = {("all", ""): Figures()}
        self._common: dict[tuple[str, str | None, str | None], list[Figures]] = {}  # cache of `_common_of`

    def report(self, currency: str = "") -> Iterator[dict[str, Any]]:
        """Yield a row of figures per group, the total first. `currency`: of the amounts in it.

        Rows of devices contain the device's parts beside its name.
        """
        order = list(SHOWN)
        shown = (group for group in self._figures if group[0] in SHOWN)
        for group in sorted(shown, key=lambda group: (order.index(group[0]), name_of(group))):
            by, one = group
            parts = {"device": asdict(one)} if isinstance(one, CountedDevice) else {}
            money = {"currency": currency} if SHOWN[by] is PLAY else {}
            yield {"by": by, "name": name_of(group), **parts, **self._figures[group].report(SHOWN[by]), **money}

    @property
    def figures_by_group(self) -> Mapping[FigureGroup, Figures]:
        """Figures by group: its kind and name, such as `dealer` and `anna`."""
        return self._figures

    def enter(self, record: Record, entry: FigureEntry) -> None:
        """Add an entry of a record to the figures of each group that it belongs to."""
        at, dealer = entry.belongs or (record.at, record.dealer)
        if not self.is_within(at):
            return
        common = [] if entry.alone else self._common_of(record.table, at, dealer)
        for figures in (*common, *map(self.figures_of, entry.also)):
            figures.enter(entry)

    def is_within(self, at: Time) -> bool:
        """True if a time is within the counted period."""
        since, until = self._span
        return (since is None or at >= since) and (until is None or at < until)

    def _common_of(self, table: str, at: Time, dealer: str | None) -> list[Figures]:
        """Figures of the groups that every entry belongs to: total, table, dealer, shift."""
        shift = self._shift_at(at) if self._shifts else None
        where = (table, dealer, shift)
        common = self._common.get(where)
        if common is None:
            groups: list[FigureGroup] = [("all", ""), ("table", table), ("dealer", dealer or NOBODY)]
            groups += [] if shift is None else [("shift", shift)]
            common = self._common[where] = [self.figures_of(group) for group in groups]
        return common

    def _shift_at(self, at: Time) -> str:
        """Name of the shift that contains a time; the last one is kept, as most records follow each other."""
        if self._shift is None or not self._shift[0].since <= at < self._shift[0].until:
            period, begin = shift_and_begin(at, self._shifts, self._zone)
            self._shift = period, self._name(begin)
        return self._shift[1]

    def figures_of(self, group: FigureGroup) -> Figures:
        """Figures of one group, created if it has none yet."""
        figures = self._figures.get(group)
        if figures is None:
            figures = self._figures[group] = Figures()
        return figures

    def _name(self, begin: int) -> str:
        """Name of a shift by its hours, such as `06:00-14:00`."""
        ends = (begin, self._shifts[(self._shifts.index(begin) + 1) % len(self._shifts)])
        return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in ends)
