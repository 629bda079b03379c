"""Made-up table, dealt at from another PC: it notes each command and gives the answers a test chose."""

import random

from controller.cli.client import TableReply
from controller.games import GAMES
from controller.lab.demo.api_pace import ApiPace
from controller.lab.demo.hands import DealtCards, Hands
from drivers.emulators.bee_tek import EmulatedBeeTek

BACCARAT = GAMES["baccarat"].deck(GAMES["baccarat"].settings())
EACH_ROUND = GAMES["rhum32"].deck(GAMES["rhum32"].settings())


class DiscardingPort:
    """Port of an emulated shoe that keeps nothing."""

    is_plugged, name = True, "a line"

    def __getattr__(self, act):
        return lambda *_: None


def state(life: str = "idle", seq: int = 7, **about: object) -> dict:
    """Return a table's state as its API gives it, with other values for `about`."""
    due = {"step": "deal", "to": "player", "face_up": True}
    return {
        "seq": seq, "life": life, "round": 3, "fault": None, "lost": [], "places": {"player": ["2C"], "banker": []},
        "loose": ["5H", "6H"], "due": due, "expected": "card to player", "shoe": {"left": 300, "changing": False},
        **about,
    }  # fmt: skip


class RemoteTable(ApiPace):
    """Remote table that answers each command with the next of `reasons`; None means done."""

    def __init__(self, *reasons: str | None, then: dict | None = None) -> None:
        super().__init__(self, 10**9, lambda says: self.told.append(says))
        self.told, self.sent, self._reasons = list[str](), list[dict](), list(reasons)
        self.state = state()
        self._then = then

    async def ask(self, method: str, target: str, body: dict | None = None) -> TableReply:
        if method == "GET":
            return TableReply(200, self._then or self.state)
        self.sent.append({name: value for name, value in body.items() if name != "id"})
        reason = self._reasons.pop(0) if self._reasons else None
        verdict = "done" if reason is None else "refused"
        return TableReply(200, {"verdicts": [{"verdict": verdict, "reason": reason, "says": f"for {reason}"}]})


def dealing(table: RemoteTable, deck=BACCARAT, *, given: bool = False, shoe=EmulatedBeeTek) -> Hands:
    """Return hands that deal at this table with an emulated shoe."""
    device = shoe(DiscardingPort(), deck=deck.cards, decks=deck.copies, seed=1)
    return Hands(device, table, DealtCards(deck, given, random.Random(1)))
