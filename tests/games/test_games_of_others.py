"""Games from other people's packages: each mistake is named, and only the faulty game fails."""

import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import game_argument, main
from controller.config import game_section
from controller.config.mistakes import BadConfig
from controller.core.encoding import encode
from controller.core.hands import hands, score
from controller.core.sheet import canonical, digest
from controller.games import FAILED, GAMES, installing
from controller.games.installing import Failed, Installed, load_games
from controller.games.installing.fit import validate_game
from controller.lab.testing.bench import Bench, kinds
from controller.rules.face import Face
from controller.rules.game import Game, Prize
from controller.rules.procedure import Ask, Bets, Deal, Hand, Outcome, ask, deal
from controller.rules.returns import Counted
from controller.text.faults import Words, _OfGames
from controller.text.results import remarks, sentence
from controller.text.table_words import TableWords
from tests.games.common_cards import GAME as AT_SEATS

SHEET = """
from msgspec.structs import replace
from controller.games.thirty_two import GAME as OURS
GAME = replace(OURS, name="vendors")
"""


@pytest.fixture
def vendor(tmp_path, monkeypatch) -> Callable[..., Installed]:
    """Function that installs the package `vendor-games` and returns all games, working and failed."""
    info = tmp_path / "vendor_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vendor-games\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path)

    def install(ending: str = "", entries: str = "vendors = vendor:GAME", texts: str | None = None) -> Installed:
        (info / "entry_points.txt").write_text(f"[tablectl.games]\n{entries}\n")
        (tmp_path / "vendor.py").write_text(SHEET + ending)
        if texts is not None:
            (tmp_path / "vendors.toml").write_text(texts)
        monkeypatch.delitem(sys.modules, "vendor", raising=False)
        return load_games()

    return install


def test_none_of_our_own_games_has_failed():
    assert FAILED == ()
    assert tuple(GAMES) == installing.OURS


def test_a_package_adds_a_game_by_an_entry_point(vendor):
    installation = vendor()
    assert (list(installation.games), installation.failed) == ([*installing.OURS, "vendors"], ())


@pytest.mark.parametrize(
    ("ending", "entries", "says"),
    [
        ("1 / 0", "vendors = vendor:GAME", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "vendors = vendor:GAME", "SystemExit: 3"),
        ("import no_such_module", "vendors = vendor:GAME", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("", "vendors = vendor:GAMES", "AttributeError: module 'vendor' has no attribute 'GAMES'"),
        ("GAME = {}", "vendors = vendor:GAME", "expected a Game from controller.rules.game, got a dict"),
        ("", "others = vendor:GAME", "name: expected the entry point's own, others, of a-z, 0-9 and _, got vendors"),
        (
            'GAME = replace(GAME, name="baccarat")',
            "baccarat = vendor:GAME",
            "the name baccarat is taken: give the game another, in its GAME and its entry point",
        ),
        (
            'GAME = replace(GAME, places=["one"])',
            "vendors = vendor:GAME",
            "places: expected tuple[str, ...], got ['one']",
        ),
        ("GAME = replace(GAME, pay=2)", "vendors = vendor:GAME", "pay: expected something to call, got 2"),
        (
            'GAME = replace(GAME, joins="ante")',
            "vendors = vendor:GAME",
            "joins: expected one of the markets player10, player11, player8, player9, got ante",
        ),
        (
            'GAME = replace(GAME, exclusive=(("player8", "ante"),))',
            "vendors = vendor:GAME",
            "exclusive: expected one of the markets player10, player11, player8, player9, got ante",
        ),
        (
            'GAME = replace(GAME, highest={"ante": (3.5,)})',
            "vendors = vendor:GAME",
            "highest: expected Mapping[str, tuple[Fraction | Prize, ...]], got {'ante': (3.5,)}",
        ),
        (
            "GAME = replace(GAME, markets=(replace(GAME.markets[0], odds=1.5), *GAME.markets[1:]))",
            "vendors = vendor:GAME",
            "market player8 odds: expected Decimal | None, got 1.5",
        ),
        (
            'GAME = replace(GAME, face=replace(GAME.face, layout="side"))',
            "vendors = vendor:GAME",
            "face layout: expected Literal[sides, row, poker, seats], got 'side'",
        ),
        (
            'GAME = replace(GAME, face=replace(GAME.face, room={"joker": 1}))',
            "vendors = vendor:GAME",
            "face room: expected one of the places player8, player9, player10, player11, got joker",
        ),
        (
            'GAME = replace(GAME, face=replace(GAME.face, room={"player8": 0}))',
            "vendors = vendor:GAME",
            "face room: expected 1 card or more, got 0",
        ),
        (
            'GAME = replace(GAME, face=replace(GAME.face, room={"player8": "3"}))',
            "vendors = vendor:GAME",
            "face room: expected int | Mapping[str, int], got {'player8': '3'}",
        ),
        (
            'GAME = replace(GAME, face=replace(GAME.face, layout="sides"))',
            "vendors = vendor:GAME",
            "face layout: expected two places for sides, got player8, player9, player10, player11: use row",
        ),
        ("GAME = replace(GAME, deck=lambda _: ())", "vendors = vendor:GAME", "deck: expected a Deck with cards in it"),
        (
            "GAME = replace(GAME, procedure=lambda *_: [][0])",
            "vendors = vendor:GAME",
            "IndexError: list index out of range",
        ),
    ],
)
def test_a_broken_game_names_its_package_and_breaks_no_other(vendor, ending, entries, says):
    installation = vendor(ending, entries)
    assert tuple(installation.games) == installing.OURS
    (failed,) = installation.failed
    message = f"the game {entries.split()[0]} of the package vendor-games failed ({says}"
    assert str(failed).startswith(message)
    assert str(failed).endswith("): have it repaired, or uninstall the package")


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (
            '[ro]\n"{place} wins" = "câștigă {locul}"',
            "vendors.toml: [ro] 'câștigă {locul}': expected the same names in braces as in",
        ),
        ('[ro]\n"{place wins" = "câștigă"', "vendors.toml: [ro] '{place wins': expected '}' before end of string"),
        ("[ro", "vendors.toml: Expected ']' at the end of a table declaration"),
        (
            '[en]\n"FINISH" = "GO"',
            "vendors.toml: [en]: the English texts are in the module: remove this section",
        ),
        ("[ro]\nplace = 1", "vendors.toml: Expected `str`, got `int`"),
    ],
)
def test_an_unusable_text_catalogue_of_a_package_is_reported(vendor, texts, says):
    ending = "def play(*of):\n    return OURS.procedure(*of)\nGAME = replace(GAME, procedure=play)\n"
    (failed,) = vendor(ending, texts=texts).failed
    assert failed.mistake.startswith(says)


def test_package_texts_are_used_where_ours_has_none(vendor, monkeypatch):
    ending = "def play(*of):\n    return OURS.procedure(*of)\nGAME = replace(GAME, procedure=play)\n"
    installation = vendor(ending, texts='[ro]\n"pair plus" = "pereche plus"\n')
    monkeypatch.setattr("controller.text.faults.TEXTS", installation.texts)
    say = _OfGames("ro").gettext
    assert (say("pair plus"), say("nothing of theirs")) == ("pereche plus", "nothing of theirs")


# ── a sheet that fails in mid-round ──────────────────────────────────────────────────────────────────────────────


BAD = set[str]()  # cards on which the sheet fails; empty while its digest is computed


def fails(rules: object, joined: object):
    yield from deal(hand := Hand("player8"))
    if BAD.intersection(hand.cards):
        raise KeyError(hand.cards[0])
    return (yield from GAMES["thirty_two"].procedure(rules, joined))


def pays(result: object, stake: object):
    if BAD:
        raise ValueError("the card was KH")
    return GAMES["thirty_two"].pay(result, stake)


@pytest.fixture
def bad():
    """Make the sheet fail on KC from now on, after its digest was computed without a failure."""
    digest(VENDORS)
    BAD.add("KC")
    yield
    BAD.clear()


VENDORS = replace(GAMES["thirty_two"], name="vendors", procedure=fails, pay=pays)


def at_close(game: Game = VENDORS) -> Bench:
    table = Bench(game)
    table.says("shuffled; open; bet p1 player8 10.00; close")
    return table


CANCEL = "rule cancel by manager because it cannot go on"


IMPOSSIBLE = (
    Deal("player8", 1), Bets(1), Ask(("p1",), (), ""), Ask((), ("call",), "call"), Ask(("p1",), ("call",), "fold"),
)  # fmt: skip


@pytest.mark.parametrize("step", IMPOSSIBLE)
def test_an_impossible_step_stops_the_round(step):
    steps = []

    def asks(rules, joined):
        yield from deal(Hand("player8"))
        yield from steps
        return (yield from GAMES["thirty_two"].procedure(rules, joined))

    digest(game := replace(VENDORS, procedure=asks))
    table = at_close(game)
    steps.append(step)
    assert kinds(table.says("card 6C")) == ["faulted", "drawn"]
    table.restart()
    assert (table.fault, table.state.fault.rulings) == ("replay_failed", ("cancel",))
    assert kinds(table.says(CANCEL))[:2] == ["ruled", "cancelled"]


def test_a_procedure_failing_on_a_card_allows_only_cancel(bad):
    table = at_close()
    assert kinds(table.says("card KC")) == ["faulted", "drawn"]
    assert (table.life, table.fault, table.state.fault.rulings) == ("paused", "replay_failed", ("cancel",))
    where = Path(__file__).name
    assert table.state.fault.came.setting.startswith(f"KeyError in {where}, line ")
    assert "KC" not in str(table.state.fault.came)
    message = TableWords(Words("en")).describe_cause(table.state.fault.came)
    assert message.startswith(f"the rules of vendors fail in round 1 (KeyError in {where}, line ")
    assert kinds(table.says(CANCEL))[:2] == ["ruled", "cancelled"]
    assert table.facts("refunded")[0].stake == 1000
    assert kinds(table.says("shuffled; open"))[-1] == "opened"


def test_a_failing_sheet_replays_identically_and_survives_a_restart(bad):
    first, second = (at_close() for _ in range(2))
    for table in (first, second):
        table.says("card KC; card 7C")
    assert [encode(one) for one in first.records] == [encode(one) for one in second.records]
    assert first.fault == "replay_failed"
    first.restart()
    assert (first.life, first.fault) == ("paused", "replay_failed")


def test_a_ruling_that_makes_the_sheet_fail_is_refused(bad):
    table = at_close()
    table.says("card 6C; press manager; rule correct 1 KC by manager because misread")
    assert table.facts("ruling_refused")[0].reason == "does_not_fit"
    assert table.life == "paused"


def test_a_failing_pay_function_stops_the_round_before_payment(bad):
    table = at_close()
    table.says("card 6C; card 6D; card 6H; card KD; card 7D; card 8S")
    table.says("press finish")
    assert (table.fault, table.facts("paid"), table.facts("settled")) == ("replay_failed", [], [])
    assert kinds(table.says(CANCEL)).count("refunded") == 1


@pytest.mark.parametrize("slices", [1, 100])
@pytest.mark.parametrize(
    "returned", [None, 1.5, Decimal("1.5"), Fraction(-1), -1, Prize(-50), Prize(1.5), Prize(Fraction(3, 2))]
)
def test_a_pay_function_without_a_sound_return_stops_the_round(returned, slices):
    table = Bench(replace(VENDORS, procedure=GAMES["thirty_two"].procedure, pay=lambda *_: returned))
    table.house = replace(table.house, slice=slices)
    table.says("shuffled; open; bet p1 player8 10.00; bet p2 player8 10.00; close; card 6C; card 6D; card 6H; card KD")
    table.says("press finish")
    assert (table.fault, table.facts("paid"), table.facts("settled")) == ("replay_failed", [], [])
    assert table.state.fault.came.setting.startswith("TypeError in dealing.py, line ")
    assert kinds(table.says(CANCEL)).count("refunded") == 2


def test_a_game_whose_pay_returns_no_sound_amount_is_refused(monkeypatch):
    game = replace(VENDORS, procedure=GAMES["thirty_two"].procedure, pay=lambda *_: 1.5)
    monkeypatch.setitem(GAMES, "vendors", game)
    wrong = r"\(for player8, pay must return a Fraction from 0 on or a Prize, not 1.5\): have it repaired"
    with pytest.raises(BadConfig, match=f"game.name: the game vendors of the package tablectl failed {wrong}"):
        game_section.playable("vendors")


class Odd(Outcome, frozen=True):
    """Outcome with a field of any type."""

    value: object


@pytest.mark.parametrize("value", [Fraction(1, 2), Hand("player8"), {("player8", 1): 2}, "\ud800"])
@pytest.mark.parametrize("confirm", ["auto", "dealer"])
def test_an_outcome_that_cannot_be_recorded_stops_the_round(confirm, value):
    values = [""]

    def returns(_, joined):
        yield from deal(Hand("player8"))
        return Odd(values[-1])

    table = Bench(replace(VENDORS, procedure=returns, pay=lambda *_: Fraction(0)), confirm=confirm)
    values.append(value)
    table.says("shuffled; open; bet p1 player8 10.00; close; card 6C")
    assert (table.fault, table.facts("completed"), table.facts("settled")) == ("replay_failed", [], [])
    assert kinds(table.says(CANCEL)).count("refunded") == 1


@pytest.fixture
def blank():
    """Sheet whose sentences, totals and remarks fail."""
    face = replace(VENDORS.face, result=wrong, remarks=wrong, forms=wrong)
    return replace(VENDORS, score=wrong, face=face)


def wrong(*_: object):
    raise ValueError("the card was KH")


def test_a_game_without_result_texts_shows_only_the_winner(blank):
    table, words = Bench(blank, confirm="auto"), Words("en")
    table.says("shuffled; open; bet p1 player8 10.00; close; card 6C; card 6D; card 6H; card KD; card 7D; card KH")
    (settled,) = table.facts("settled")
    assert (sentence(blank, settled.outcome, words), remarks(blank, settled.outcome, words)) == ("PLAYER 10 wins", ())
    assert score(blank, hands(table.state.round), "player10") == ""


@pytest.mark.parametrize("player", ["p1", "player8"])
def test_a_split_without_seats_moves_no_card(player):
    def splits(_, joined):
        yield from deal(Hand("player8"), Hand("player9"))
        yield from ask(joined.players, "split", "stay", default="stay")
        yield from deal(Hand("player8"))
        return Odd("")

    table = Bench(replace(VENDORS, procedure=splits, pay=lambda *_: Fraction(0)))
    table.says(f"shuffled; open; bet {player} player8 10.00; close; card 6C; card 6D; decide {player} split")
    lying = hands(table.state.round)
    assert {place: [draw.card for draw in draws] for place, draws in lying.items()} == {
        "player8": ["6C"],
        "player9": ["6D"],
    }
    assert "ruled" in kinds(table.says("press manager; rule correct 1 7C by manager because misread"))


@pytest.mark.parametrize("winner", [3, ["player8", "player9"], {}])
def test_an_invalid_winner_is_shown_as_round_over(winner):
    assert sentence(replace(VENDORS, face=Face()), {"winner": winner}, Words("en")) == "The round is over"


def test_a_sheets_canonical_form_ignores_the_order_of_sets():
    high = frozenset(f"{rank}{suit}" for rank in "AKQJT" for suit in "CDHS")
    assert canonical({"high": high}) == canonical({"high": sorted(high)})


@pytest.mark.parametrize("wrong_in", [{"tables": {"odd": object()}}, {"deck": wrong}, {"pricing": wrong}])
def test_a_game_whose_digest_cannot_be_computed_is_refused(monkeypatch, wrong_in):
    monkeypatch.setitem(GAMES, "vendors", replace(VENDORS, **wrong_in))
    with pytest.raises(BadConfig, match=r"game.name: the game vendors .* failed \((Type|Value)Error in "):
        game_section.playable("vendors")


DRAGON = Failed("dragon", "dragon-tiger", "KeyError: 'K'")
SAYS = "the game dragon of the package dragon-tiger failed (KeyError: 'K'): have it repaired, or uninstall the package"


def test_a_command_for_a_failed_game_says_why(monkeypatch):
    monkeypatch.setattr(game_argument, "FAILED", (DRAGON,))
    ended = CliRunner().invoke(main, ["diagram", "dragon"]), CliRunner().invoke(main, ["rtp", "dragon"])
    assert [(one.exit_code, SAYS in one.output) for one in ended] == [(2, True)] * 2


def ends_wrong(*_: object):
    """Deal one card, then fail."""
    yield from deal(Hand("player8"))
    wrong()


@pytest.mark.parametrize(
    ("command", "failing"),
    [
        ("diagram", {"procedure": ends_wrong}),
        ("rtp", {"procedure": ends_wrong, "counted": None}),
        ("rtp", {"pay": lambda *_: wrong(), "counted": None}),
        ("rtp", {"pay": lambda *_: None, "counted": None}),
        ("rtp", {"counted": Counted(("player8",), by="tests.games.test_games_of_others:wrong")}),
    ],
)
def test_a_sheet_failing_in_a_command_is_one_line(monkeypatch, command, failing):
    monkeypatch.setitem(GAMES, "thirty_two", replace(GAMES["thirty_two"], **failing))
    ended = CliRunner().invoke(main, [command, "thirty_two", *(["--rounds", "10"] if command == "rtp" else [])])
    assert (ended.exit_code, ended.output.count("\n")) == (2, 1)
    assert ended.output.startswith("tablectl: the game thirty_two of the package tablectl failed (")
    assert "KH" not in ended.output


def test_a_config_for_a_failed_game_says_why(monkeypatch):
    monkeypatch.setattr(game_section, "FAILED", (DRAGON,))
    with pytest.raises(BadConfig) as refused:
        game_section.find_game("dragon")
    assert str(refused.value) == f"game.name: {SAYS}"


def seats_alone(_, joined):
    """Deal a card to each taken seat, and to no other place."""
    for seat in joined.seats:
        yield from deal(Hand(seat))


def test_a_game_that_deals_to_seats_alone_fits():
    game = replace(AT_SEATS, procedure=seats_alone)
    assert validate_game(game.name, game) is game
