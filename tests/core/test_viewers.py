"""Viewers never get a player's id, only a viewer id that the platform alone can match to a player."""

import base64
import hashlib
import hmac
from fractions import Fraction
from functools import partial

import msgspec
from msgspec.structs import replace

from controller.core.difference import decisions_from
from controller.core.viewers import Viewers
from controller.core.views import view
from controller.rules.procedure import Outcome, ask
from controller.text.faults import Words
from controller.text.records import sentence
from controller.web.api.table_state import build_state
from controller.web.screens.history import LatestResults
from controller.web.screens.manager_words import ManagerWords
from controller.web.screens.player import player
from controller.web.screens.table_snapshot import TableSnapshot
from tests.games.common_cards import GAME

from .bench import Bench
from .chance import PLAYERS, Judge


class DecidedOutcome(Outcome, frozen=True):
    """Outcome that has the decisions of players."""

    decisions: dict[str, str]


KEY = b"the platform's own"
MARK = "~zq~"  # occurs in these ids only
ASKED = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"


class MarkedBench(Bench):
    """Bench that marks the ids of its players, so that a search finds them; an empty id stays empty."""

    def do(self, *events):
        """Run these events with marked player ids."""
        return super().do(*map(named, events))


def named(event):
    fields = (field for field in ("player", "who") if getattr(event, field, None) in PLAYERS and getattr(event, field))
    return replace(event, **{field: f"{MARK}{getattr(event, field)}{MARK}" for field in fields})


def among_the_named(table):
    return partial(MarkedBench, *table.args, **table.keywords)


class Viewing(Judge):
    """No event, sentence, state or page sent to viewers contains a player's id."""

    def __init__(self, bench):
        super().__init__(bench)
        self.viewers = Viewers(KEY, bench.house.game.seats)
        self.history = LatestResults(bench.house.game.name, every_round=bench.house.deck.every_round)

    def look(self, before, event, records, after):
        self.history.hear(records)
        events = [view(record, "player", self.viewers) for record in records]
        due = self.bench.position.due(after) if after.live else None
        state = build_state(after, due, None, "player", self.viewers)
        assert MARK.encode() not in msgspec.json.encode([events, [*map(sentence, events)], state])
        if after.seq % 2:  # only every second record: a page takes longest
            look = TableSnapshot(after, due, self.bench.house, None, self.history.results, self.history.notices)
            assert MARK.encode() not in msgspec.json.encode(player(look, Words("en")))


def told_of(says, game="casino_holdem"):
    table = Bench(game)
    return {record.kind: view(record, "player", Viewers(KEY, table.house.game.seats)) for record in table.says(says)}


def test_a_player_who_knows_the_key_knows_their_own_id():
    mac = hmac.new(KEY, b"p1", hashlib.sha256).digest()
    mine = f"v_{base64.b32encode(mac)[:16].decode().lower()}"
    events = told_of(f"{ASKED}; decide p1 call; card 9C; card 9S")
    assert events["asked"]["who"] == (mine,)
    assert events["decided"]["who"] == mine
    assert events["settled"]["outcome"]["decisions"] == {mine: "call"}


def test_another_key_gives_a_player_another_viewer_id():
    assert Viewers(KEY).name("p1") != Viewers(b"another").name("p1")


def test_viewers_are_told_the_plain_name_of_a_seat():
    events = told_of("shuffled; open; bet p1 seat2 main 1.00; close; card 2C; card 5D; card 3H; card 9D", "blackjack")
    assert events["asked"]["who"] == ("seat2",)


def test_viewers_see_no_id_where_a_seated_game_asks_players():
    def asks_players(_, joined):
        decisions = yield from ask(joined.players, "stay", "go", default="go")
        return DecidedOutcome(dict(decisions))

    game = replace(GAME, procedure=asks_players, outcome=DecidedOutcome, pay=lambda *_: Fraction(1))
    events = told_of("shuffled; open; bet p1 seat1 main 1.00; close; decide p1 stay; press finish", game)
    name = Viewers(KEY).name("p1")
    assert (events["asked"]["who"], events["decided"]["who"]) == ((name,), name)
    assert events["settled"]["outcome"]["decisions"] == {name: "stay"}


def test_a_player_named_like_an_outcome_field_changes_no_field():
    events = told_of(ASKED.replace("p1", "winner") + "; decide winner fold")
    assert {"winner", "decisions", "dealer"} <= events["settled"]["outcome"].keys()


def test_without_a_key_no_player_is_named():
    table = Bench("casino_holdem")
    events = {record.kind: view(record, "player") for record in table.says(f"{ASKED}; decide p1 fold")}
    assert (events["asked"]["who"], events["decided"]["who"]) == ((), "")
    assert events["settled"]["outcome"]["decisions"] == {}


def test_a_question_to_hundreds_of_players_shows_their_number():
    table = Bench("casino_holdem")
    bets = "; ".join(f"bet p{number} ante 1.00" for number in range(460))
    table.says(ASKED.replace("bet p1 ante 1.00", bets))
    snapshot = build_state(table.state, table.due, None, "server")
    assert snapshot.expected == "decisions of 460"
    assert len(snapshot.due.who) == 460


def test_questions_to_and_decisions_of_many_show_only_counts():
    table = Bench("casino_holdem")
    bets = "; ".join(f"bet p{number} ante 1.00" for number in range(9))
    records = table.says(ASKED.replace("bet p1 ante 1.00", bets))
    question = next(record for record in records if record.kind == "asked")
    assert sentence(view(question, "manager")) == "all 9: call or fold? (15 s)"
    table.says("; ".join(f"decide p{number} {'call' if number % 3 else 'fold'}" for number in range(9)))
    decisions = decisions_from(table.house.game, table.state.round, 7)
    text = "; ".join(ManagerWords(Words("en")).difference_phrases(decisions, table.house.game, "EUR"))
    assert "3 × fold, 6 × call" in text
