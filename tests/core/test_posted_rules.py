"""Posted rules: no round starts if the digest of the rule sheet differs from the posted one."""

from msgspec.structs import replace

from controller.core.sheet import digest
from controller.games import GAMES

from .bench import Bench


def posted(posted_digest, game="baccarat"):
    table = Bench(game)
    table.house = replace(table.house, posted_digest=posted_digest)
    table.says("shuffled; open")
    return table


def test_no_round_starts_while_other_rules_are_posted():
    table = posted("0" * 64)
    assert [one.reason for one in table.facts("start_refused")] == ["rules_mismatch"]
    assert table.life == "idle"


def test_a_round_starts_under_the_posted_rules():
    for game in GAMES:
        assert posted(digest(GAMES[game]), game).life == "betting"


def test_a_round_starts_if_no_posted_digest_is_set():
    assert posted(None).life == "betting"
