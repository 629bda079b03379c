"""A round of thousands of bets is settled anew through kills; a wallet books each movement once."""

import random
from functools import partial

import pytest

from controller.core.house import SLICE
from controller.journal import head_of
from tests.chance import SEED
from tests.end_to_end.past_rounds import TIE, VOID, WON, PastRounds
from tests.end_to_end.rig import tablectl
from tests.end_to_end.test_documented_wallet import Following, has_all, pc, token_at
from tests.patience import eventually
from tests.ports import free

AT_ONCE = 500  # commands in a request


def plays_large(table: PastRounds, bets: int) -> int:
    """Play a round with this many bets to its end; return its number."""
    table.does(command="open")
    number = int(table.asks("GET", "state")["round"])
    markets = ("player", "banker", "tie")
    every = [
        {"command": "bet", "id": f"b{place}", "player": f"p{place}", "market": markets[place % 3], "stake": 100 + place}
        for place in range(bets)
    ]
    for start in range(0, bets, AT_ONCE):
        verdicts = table.sends([{**one, "round": number} for one in every[start : start + AT_ONCE]])
        assert {one["verdict"] for one in verdicts} == {"done"}
    table.deals()
    eventually(lambda: table.folder.count("paid") == bets)
    return number


def is_recorded(table: PastRounds, parts: int) -> bool:
    return table.folder.count("resettled") == parts


def judged(table: PastRounds, number: int, bets: int, revisions: int) -> None:
    """Check that each revision has every bet once and continues the one before, and check the record."""
    was = {one.what.bet: one.what.returned for one in table.folder.records() if one.kind == "paid"}
    found = table.settled_anew(number)
    for revision in range(1, revisions + 1):
        parts = [one.what for one in found if one.what.revision == revision]
        assert [one.part for one in parts] == list(range(1, -(-bets // SLICE) + 1))
        moved = [one for part in parts for one in part.movements]
        assert {one.bet: one.was for one in moved} == was
        assert len(moved) == bets
        was = {one.bet: one.now for one in moved}
    for command in ("verify", "replay"):
        result = tablectl("journal", command, table.folder.journal)
        assert result.returncode == 0, result


def settled_anew_through_kills(tmp_path, bets: int, chain: list[dict[str, object]]) -> None:
    dice = random.Random(SEED)
    table = pc(tmp_path / "pc", port := free())
    wallet = Following(tmp_path, port, token_at(table))
    parts = -(-bets // SLICE)
    with table.running():
        number = plays_large(table, bets)
    for revision, amendment in enumerate(chain):
        about = number, [amendment], f"r{revision}", revision
        with wallet.running(), table.running() as program:
            assert table.settles_anew(*about)["verdict"] == "done"
            if dice.random() < 0.5:
                eventually(partial(wallet.rows, f"SELECT 1 FROM booked WHERE id LIKE '%.r{revision + 1}' LIMIT 1"))
            program.process.kill()
            program.ends()
        recorded = len(table.settled_anew(number))
        assert recorded > revision * parts
        with wallet.running(), table.running():
            assert table.settles_anew(*about)["verdict"] == "done"  # same answer as the first time
            eventually(partial(is_recorded, table, (revision + 1) * parts))
            has_all(wallet, table)
    assert head_of(table.folder.journal).seq > bets
    judged(table, number, bets, len(chain))
    table.shoe.unplug()


def test_a_large_round_is_settled_anew_through_kills(tmp_path):
    settled_anew_through_kills(tmp_path, 2 * SLICE + 1, [TIE, VOID])


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_a_round_of_20000_bets_is_settled_anew_through_kills(tmp_path):
    settled_anew_through_kills(tmp_path, 20_000, [TIE, VOID, WON])
