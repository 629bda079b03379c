"""Records of one night at a table in which everything happens; always the same records."""

from functools import cache

from controller.core import events as e
from controller.core.records import Record
from tests.core.bench import Bench

ROUND = "open; bet p1 player 12.50; bet p2 tie 3.00; wait 5s; close; "
NATURAL = "card 9C; wait 2s; card 2D; wait 2s; card KH; wait 2s; card 3S; "
WRONG = (
    (f"{ROUND}card 9C; card 2D; press manager; wait 4s", "correct 2 4D", "Misread: as seen on camera"),
    (f"{ROUND}card 9C; unread; wait 9s", "enter 2D", "Card identified on camera"),
    (f"{ROUND}card 9C; card JOKER; wait 31s", "burn", "A joker <left> in the shoe"),
    (f"{ROUND}card 9C; press dropped; wait 2s", "resume", "Put back"),
    (f"{ROUND}card 9C; press manager; wait 61s", "cancel", "It cannot be put right"),
)
REST = ("KH", "3S", "7D", "8C", "6C")


def signs_in(bench: Bench, name: str, badge: str | None, where: e.SignInDoor) -> None:
    bench.do(e.SignIn(name, "10.0.0.7", where, person=badge))


@cache
def night() -> tuple[Record, ...]:
    """Return all records of the night."""
    bench = Bench()
    signs_in(bench, "Maria", "103", "manager")
    signs_in(bench, "Maria", "103", "manager")
    signs_in(bench, "Dora", "101", "dealer")
    bench.do(e.BadSignIns(2, 0, 2, 0, ("103",), ("10.0.0.7",)))
    bench.do(e.BadSignIns(3, 0, 3, 0, ("104",), ("10.0.0.8",)))
    bench.says(f"{ROUND}{NATURAL}wait 8s")
    bench.do(e.DealerOn("Dora", id="101"))
    for says, ruling, because in WRONG:
        bench.says(f"{says}; ack by Maria; wait 6s; rule {ruling} by Maria because '{because}'; wait 2s")
        for card in REST:
            if bench.life == "dealing":
                bench.says(f"card {card}; wait 3s")
    bench.says("shoe change by Maria; shoe ready S2 312 by Maria")
    for number in range(2):
        bench.do(e.HandOverSaid("Maria", "Sandu", "102", bench.state.seq, f"Key {number} sticks", person="103"))
    bench.says(f"lost panel; wait 20s; found panel; {ROUND}{NATURAL}lost panel; wait 7s; found panel; wait 1s")
    bench.says("wait 30s; resettle 1 correct 2 6D by Maria with Sandu because 'Misread: <seen> on camera'")
    bench.says("open; close; card 9C")
    return tuple(bench.records)
