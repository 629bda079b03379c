"""Judge of hidden cards that players know too early, by the events sent to them, independent of the core."""

from collections.abc import Sequence
from typing import Any

from ...core import events as e
from ...core.views import view
from ...rules.procedure import Deal
from .bench import Bench
from .judge import Judge

BURN = "burn"  # place of burnt cards in some sheets


class HiddenKnowledge(Judge):
    """No question or betting window is open while a player knows a counting card too early.

    Because it was sent to them, or is reported to have been seen, and the sheet shows it only later.
    """

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.known: set[int] = set()  # numbers of the round's draws that players know
        self.asked = 0  # number of events after which somebody could decide or bet while a card lay face down

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        if event == e.KeyPressed("exposed") and any(record.kind in ("faulted", "reported") for record in records):
            lie = (draw for draw in before.round.draws if draw.lies)
            self.known |= {draw.number for draw in lie if draw.hidden}
        for record in records:
            self.hear(record, after)
        if after.life in ("betting", "deciding") and after.round.joined is not None:
            down = self.down(after)
            self.asked += bool(down)
            assert not self.known & down, f"draws {self.known & down} lie face down and were seen"

    def hear(self, record: Any, after: Any) -> None:
        """Note the draws that this record shows to the game server, which stands for all players."""
        if record.kind == "opened":
            self.known = set()
        event = view(record, "server")
        if record.kind == "revealed":
            places = after.round.draws
            self.known |= {draw.number for draw in places if draw.place == event["place"] and draw.fate == "placed"}
            return
        for about in (event, {"draw": event.get("draw"), **event.get("came", {})}, event.get("after", {})):
            if about.get("draw") and about.get("card") and record.round == after.round.number:
                self.known.add(about["draw"])

    def down(self, state: Any) -> set[int]:
        """Numbers of the draws that lie face down, computed from the rule sheet."""
        position, round_ = self.bench.position, state.round
        dealing, down = position.start(round_), dict[int, str]()
        for entry in round_.script:
            due, place = dealing.due, getattr(entry, "place", None)
            if isinstance(due, Deal) and not due.face_up and due.to != BURN and hasattr(entry, "draw"):
                down[entry.draw] = due.to
            down = {draw: where for draw, where in down.items() if where != place}
            position.take(dealing, round_, entry)
        return set(down)
