"""A wallet written from the documents agrees with the record, even if table or wallet is killed."""

import random
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller.config.paths import users_of
from controller.core.records import Record
from controller.journal import head_of, recall
from controller.web.access.users import UsersFile
from tests.chance import SEED
from tests.end_to_end.past_rounds import PastRounds
from tests.end_to_end.rig import ROOT, Folder, RunningProgram, tablectl
from tests.patience import eventually
from tests.ports import free

DOCUMENT = ROOT / "docs" / "resettlement.md"
CARDS = {"won": ("9C", "2D"), "lost": ("8C", "6D"), "tie": ("9C", "6D")}  # first two draws, by the result of p1's bet
NINE = ["lost", "tie", "won", "tie", "lost", "won", "void", "lost", "void", "tie", "void"]  # all changes, from `won` on


def corrections(end: str) -> list[dict[str, object]]:
    """Return the corrections that give any round this result for p1's bet."""
    if end == "void":
        return [{"ruling": "cancel"}]
    return [{"ruling": "correct", "draw": draw, "card": card} for draw, card in enumerate(CARDS[end], start=1)]


class Following:
    """Wallet as a process that can be killed and started again. `port`: port of the table's pages."""

    def __init__(self, folder: Path, port: int, token: str) -> None:
        self.file, self._log = folder / "wallet.db", folder / "wallet.log"
        module = "tests.end_to_end.documented_wallet"
        self._command = [sys.executable, "-m", module, f"http://127.0.0.1:{port}", token, str(self.file)]

    @contextmanager
    def running(self) -> Iterator[RunningProgram]:
        with RunningProgram(self._command, self._log) as program:
            yield program

    def rows(self, what: str) -> list[tuple]:
        if not self.file.exists():
            return []
        with closing(sqlite3.connect(self.file)) as db:
            return db.execute(what).fetchall()

    def balances(self) -> dict[str, int]:
        return dict(self.rows("SELECT player, sum(amount) FROM booked GROUP BY player"))

    def has(self, seq: int) -> bool:
        """Return True if the wallet has booked everything up to this record and no more."""
        return self.rows("SELECT seq FROM place") == [(seq,)]


def recorded(records: list[Record]) -> dict[str, int]:
    """Return each player's balance as the records give it."""
    balances = Counter[str]()
    for record in records:
        what = record.what
        match record.kind:
            case "bet_accepted":
                balances[what.player] -= what.stake
            case "bet_withdrawn" | "refunded":
                balances[what.player] += what.stake
            case "paid":
                balances[what.player] += what.returned
            case "resettled":
                for one in what.movements:
                    balances[one.player] += one.difference
    return dict(balances)


def pc(path: Path, port: int, anchor: Path | None = None, **more: int) -> PastRounds:
    """Make a PC with the table, whose pages have this port."""
    path.mkdir()
    table = PastRounds(Folder(path), **more)
    text = table.folder.config.read_text(encoding="utf-8").replace("127.0.0.1:0", f"127.0.0.1:{port}")
    if anchor is not None:
        text = text.replace("[journal]\n", f'[journal]\nanchor = "{anchor}"\n')
    table.folder.config.write_text(text, encoding="utf-8")
    return table


def token_at(table: PastRounds) -> str:
    with UsersFile(users_of(table.folder.journal)).change() as change:
        return change.add_token("platform")


def has_all(wallet: Following, table: PastRounds) -> None:
    eventually(lambda: wallet.has(head_of(table.folder.journal).seq))
    assert wallet.balances() == recorded(table.folder.records())


def documented_differences(path: Path) -> set[tuple[str, str, int]]:
    """Return the differences listed in the document: old result, new result, difference."""
    found = re.findall(r"^\| (won|lost|tie) \| (\w+) \| \d+ \| \d+ \| ([−+]?\d+) \|$", path.read_text("utf-8"), re.M)
    return {(was, now, int(moved.replace("−", "-"))) for was, now, moved in found}


def test_a_wallet_made_from_the_documents_books_the_nine_differences(tmp_path):
    table = pc(tmp_path / "pc", port := free())
    wallet = Following(tmp_path, port, token_at(table))
    with wallet.running(), table.running():
        number = table.plays()
        for revision, end in enumerate(NINE):
            assert table.settles_anew(number, corrections(end), f"r{revision}", revision)["verdict"] == "done"
        has_all(wallet, table)
    of_p1 = "SELECT amount FROM booked WHERE player = 'p1' AND id LIKE '%.r%' ORDER BY seq"
    moved = [amount for (amount,) in wallet.rows(of_p1)]
    chain = zip(["won", *NINE[:-1]], NINE, moved, strict=True)
    booked = {(was, now, amount) for was, now, amount in chain if was != "void"}
    assert len(documented_differences(DOCUMENT)) == 9
    assert booked == documented_differences(DOCUMENT)
    table.shoe.unplug()


def taken_back_first(table: PastRounds, key: str) -> None:
    """Withdraw a bet before it is placed; check that the bet is refused afterwards."""
    about = {"player": "p1", "market": "player", "round": table.asks("GET", "state")["round"]}
    unbet, bet = ({**about, "command": "unbet", "id": f"u{key}", "bet": key}, {**about, "command": "bet", "id": key})
    assert [one.get("reason") for one in table.sends([unbet])] == ["no_bet"]
    assert [one.get("reason") for one in table.sends([{**bet, "stake": 500}])] == ["taken_back"]


def goes_wrong(table: PastRounds, dice: random.Random, place: int) -> None:
    """Disturb the wallet at random: cancel a round with bets, or settle a played round anew."""
    what = dice.choice(["cancelled", "anew", "anew", "anew"])
    if what == "cancelled":
        table.does(command="open")
        taken_back_first(table, f"late{place}")
        about = {"round": table.asks("GET", "state")["round"], "player": "p2", "market": "tie"}
        table.sends([{**about, "command": "bet", "id": f"c{place}", "stake": 300}])
        table.cancels()
        return
    number, end = dice.choice([*played(table)]), dice.choice([*CARDS, "void"])
    revision = len(table.settled_anew(number))
    verdict = table.settles_anew(number, corrections(end), f"a{place}", revision)
    assert verdict["verdict"] == "done" or verdict["reason"] == "no_change"


def played(table: PastRounds) -> list[int]:
    return [record.round for record in table.folder.records() if record.kind == "settled"]


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_wallet_made_from_the_documents_loses_nothing_over_kills(tmp_path):
    dice, rounds = random.Random(SEED), 6
    table = pc(tmp_path / "pc", port := free(), rounds=rounds)
    wallet = Following(tmp_path, port, token_at(table))
    for place in range(rounds):
        with table.running() as program:
            table.plays()
            with wallet.running():
                for step in range(6):
                    goes_wrong(table, dice, 10 * place + step)
                if dice.random() < 0.5:
                    has_all(wallet, table)
            if dice.random() < 0.5:
                goes_wrong(table, dice, 10 * place + 9)  # the wallet is not running meanwhile
            program.process.kill()
            program.ends()
    with wallet.running(), table.running():
        has_all(wallet, table)
    table.shoe.unplug()


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_a_resettlement_lost_in_a_takeover_is_undone(tmp_path):
    (tmp_path / "shared").mkdir()
    (parts := tmp_path / "parts").mkdir()
    port, anchor = free(), tmp_path / "shared" / "t1.anchor"
    old, new = (pc(tmp_path / name, port, anchor) for name in ("old", "new"))
    wallet = Following(tmp_path, port, token_at(old))
    with wallet.running():
        with old.running() as program:
            number = old.plays()
            assert old.settles_anew(number, corrections("tie"), "r0", 0)["verdict"] == "done"
            assert tablectl("journal", "ship", old.folder.config, "--to", parts).returncode == 0
            last = head_of(old.folder.journal).seq
            assert old.settles_anew(number, corrections("void"), "r1", 1)["verdict"] == "done"
            lost = head_of(old.folder.journal).seq
            eventually(lambda: recall(anchor).seq == lost)
            has_all(wallet, old)
            program.process.kill()
            program.ends()
        users_of(new.folder.journal).unlink()  # the takeover brings the table's own users
        words = ["takeover", new.folder.config, "--from", parts, "--by", "eva"]
        refused = tablectl(*words)
        assert refused.returncode == 2, refused
        result = tablectl(*words, "--accept-loss", "--because", "it burnt")
        assert result.returncode == 0, result.stderr
        new.takes_over(old)
        with new.running():
            assert [one.what.revision for one in new.settled_anew(number)] == [1]
            assert new.settles_anew(number, corrections("lost"), "r2", 2)["reason"] == "stale_revision"
            assert new.settles_anew(number, corrections("lost"), "r3", 1)["verdict"] == "done"
            assert [one.what.revision for one in new.settled_anew(number)] == [1, 2]
            has_all(wallet, new)
    undone = wallet.rows("SELECT id, amount, seq FROM undone WHERE player = 'p1'")
    assert [(name.rpartition(".")[2], amount) for name, amount, _ in undone] == [("r2", 0)]
    assert min(seq for *_, seq in undone) > last
    assert wallet.balances()["p1"] == -100
    for command in ("verify", "replay"):
        assert tablectl("journal", command, new.folder.journal).returncode == 0
    for one in (old, new):
        one.shoe.unplug()
