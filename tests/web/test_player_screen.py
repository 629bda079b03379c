"""The players' screen: messages in faults, hidden cards and money, results, roads, training."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.records import Settled
from controller.games import GAMES
from controller.text.faults import LANGUAGES, Words
from controller.web.api.table_state import build_state
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.player import player
from tests.core.bench import Bench
from tests.core.test_catalogue import RAISE, ROWS, played
from tests.web.bench_screens import (
    BLACKJACK,
    BOARD,
    HOLDEM,
    UP_AND_DOWN,
    bench_after,
    bench_look,
    dealer_screen,
    hand_at,
    json_text,
    player_screen,
)

NAMED = ("device_lost", "duplicate_card", "missing_card", "stalled")  # with a name in their head

# ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("code", "game"), [(row.code, row.game) for row in ROWS])
def test_a_fault_instructs_the_dealer_and_reassures_players(code, game, language):
    table, words = RAISE[code](game), Words(language)
    stop, notice = dealer(bench_look(table), words).stop, player(bench_look(table), words).notice
    assert stop.head
    assert stop.hands.endswith(words.hands(code))
    assert (stop.head == words.head(code)) is (code not in NAMED)
    assert stop.players == notice.text == words.players(code)
    assert notice.until is None


@pytest.mark.parametrize(("code", "game"), [(row.code, row.game) for row in ROWS])
def test_players_are_told_neither_the_code_nor_a_loose_card(code, game):
    table = RAISE[code](game)
    shown = player(bench_look(table), Words("en"))
    assert code not in json_text(shown)
    lying = [face.card for place in shown.places for one in place.hands for face in one.cards]
    placed = [draw for draw in table.state.round.draws if draw.fate == "placed"]
    assert sorted(map(str, lying)) == sorted(str(None if draw.hidden else draw.card) for draw in placed)


def test_the_notice_after_a_ruling_names_outcome_and_end_time():
    (resumed,) = player_screen(script="open; press manager; rule resume by anna because x").beside
    assert (resumed.kind, resumed.text, resumed.until) == (
        "resumed",
        "The game goes on.",
        "2026-01-01T00:00:08.000000Z",
    )
    shown = player_screen(script="open; press manager; rule cancel by anna because x; open")
    assert shown.beside[0].text == "Round 1 is cancelled. All bets of it have been returned."  # round 2 is on
    assert (shown.phase, shown.result) == ("betting", None)


CANCELLED = "press manager; rule cancel by anna because x"
VOID = {
    "baccarat": "open; close; card 9C; card 2D; card KD; card 3H",
    "thirty_two": "shuffled; open; close; card 6C; card 6D",
    "casino_holdem": HOLDEM + BOARD,
    "blackjack": BLACKJACK + UP_AND_DOWN + "decide seat2 split; card 2C; card 3C",
}


@pytest.mark.parametrize("after_it", ["", "; press manager", "; table close"])
@pytest.mark.parametrize("game", VOID)
def test_a_voided_hand_is_marked_without_total_on_every_screen(game, after_it):
    table = bench_after(f"{VOID[game]}; {CANCELLED}{after_it}", game)
    for compose in (dealer, player, manager):
        held = [one for place in compose(bench_look(table), Words("en")).places for one in place.hands if one.cards]
        assert {(one.total, one.result, one.won, one.void) for one in held} == {("", "VOID", False, True)}


def voided(script: str) -> dict[str, tuple[str, str]]:
    """Total and result of each hand with cards in blackjack, after a script; the same on every screen."""
    table = bench_after(script, "blackjack")
    results = [
        {one.place: (one.total, one.result) for place in screen.places for one in place.hands if one.cards}
        for screen in (compose(bench_look(table), Words("en")) for compose in (dealer, player, manager))
    ]
    assert results[0] == results[1] == results[2]
    return results[0]


def test_one_void_hand_is_marked_beside_those_in_play():
    ruled = "press manager; rule void_hand seat2 by anna because x"
    assert voided(BLACKJACK + UP_AND_DOWN + ruled) == {
        "dealer": ("", ""),
        "seat2": ("", "VOID"),
        "seat5": ("19", ""),
    }
    split = f"{VOID['blackjack']}; {ruled}"
    assert {place for place, (_, result) in voided(split).items() if result == "VOID"} == {"seat2", "seat2.2"}


def test_void_marks_only_places_with_cards_in_that_round():
    script = f"open; close; card 9C; {CANCELLED}"
    assert (
        hand_at(player_screen(script=script), "banker").result,
        hand_at(player_screen(script=script), "banker").void,
    ) == (
        "",
        False,
    )
    shown = player_screen(script=f"{script}; open; close; card 9C")
    assert (hand_at(shown, "player").total, hand_at(shown, "player").void) == ("9", False)


def test_the_dealer_sees_that_cancelled_bets_are_returned():
    assert dealer_screen(script=f"open; close; card 2C; {CANCELLED}").result == "Cancelled: all bets are returned"


# ── what players do not see ──────────────────────────────────────────────────────────────────────────────────────


def test_a_face_down_card_shows_no_value_or_total():
    for shown in (
        dealer_screen("blackjack", BLACKJACK + UP_AND_DOWN),
        player_screen("blackjack", BLACKJACK + UP_AND_DOWN),
    ):
        held = hand_at(shown, "dealer")
        assert [face.card for face in held.cards] == ["6C", None]
        assert (held.cards[1].name, held.cards[1].rank, held.total) == ("face-down card", "", "")
        assert "5H" not in json_text(shown)


def test_players_see_no_money_and_until_the_close_no_seats():
    script = "shuffled; open; bet p1 seat2 main 12.34"
    before = player_screen("blackjack", script)
    assert not any(place.taken for place in before.places if place.seat)
    after = player_screen("blackjack", script + "; close")
    assert [place.place for place in after.places if place.seat and place.taken] == ["seat2"]
    assert "12.34" not in json_text(before) + json_text(after)
    assert "1234" not in json_text(before) + json_text(after)


def test_players_hear_of_a_result_once_it_is_confirmed():
    script = "open; close; card 9C; card 2D; card KD; card 3H"
    complete = player_screen(script=script)
    assert (complete.result, hand_at(complete, "player").won, complete.says) == (
        None, False, "The result is being confirmed",
    )  # fmt: skip
    settled = player_screen(script=script + "; press finish")
    assert (settled.result.text, settled.result.remarks) == ("PLAYER wins 9 : 5", ("natural",))
    assert hand_at(settled, "player").won


def test_a_card_entered_by_hand_is_flagged():
    script = "open; close; unread; rule enter 9C by anna because x"
    assert player_screen(script=script).manual == "A card of this round was entered by hand."
    assert [flag.kind for flag in dealer_screen(script=script).flags] == ["manual"]


# ── results ──────────────────────────────────────────────────────────────────────────────────────────────────────


CALLED = HOLDEM + BOARD + "decide p1 call; decide p2 fold; "
STOOD = BLACKJACK + "card 6C; card TH; decide seat2 stand; decide seat5 stand; "
FOUR_EACH = "shuffled; open; bet p1 seat1 ante 1.00; close; " + "".join(
    f"card {card}; " for card in ("2C", "5D", "9H", "KS", "3C", "7D", "8H", "QS")
)


@pytest.mark.parametrize(
    ("game", "script", "says"),
    [
        ("baccarat", "open; close; card 9C; card 2D; card KD; card 3H", "PLAYER wins 9 : 5"),
        ("baccarat", "open; close; card 9C; card 9D; card KD; card KH", "TIE 9 : 9"),
        ("thirty_two", "shuffled; open; close; card 6C; card 6D; card 6H; card KS", "PLAYER 11 wins with 24"),
        ("casino_holdem", HOLDEM + BOARD + "decide p1 fold; decide p2 fold", "Nobody called"),
        ("casino_holdem", CALLED + "card 3C; card 4D", "Dealer does not qualify"),
        ("casino_holdem", CALLED + "card KC; card KD", "DEALER wins: three kings against pair of kings"),
        ("blackjack", STOOD + "card TS", "Dealer busts with 26"),
        ("blackjack", BLACKJACK + "card TD; card AH", "Dealer: blackjack"),
        ("rhum32", FOUR_EACH + "decide seat1 fold", "No hand is left in play"),
    ],
)
def test_a_result_is_one_sentence(game, script, says):
    assert dealer_screen(game, script).result == says


@pytest.mark.parametrize(
    ("cards", "remarks"),
    [
        ("card 9C; card 2D; card 9D; card 3H", ("natural", "player pair")),
        ("card 2C; card 9D; card 3D; card 9H", ("natural", "banker pair")),
        ("card 4C; card 4D; card 4H; card 4S", ("natural", "player pair", "banker pair")),
    ],
)
def test_a_natural_and_each_pair_are_named_beside_the_result(cards, remarks):
    assert player_screen(script=f"open; close; {cards}; press finish").result.remarks == remarks


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_last_results_have_a_sentence_in_every_game(game, language):
    table = played(game, lambda step: step is None)
    if table.life == "complete":
        table.says("press finish")
    assert any(isinstance(record.what, Settled) for record in table.records)
    shown = player(bench_look(table), Words(language))
    assert shown.result.text
    assert shown.roads or shown.last[0].text == shown.result.text


def test_the_roads_show_only_settled_rounds_of_this_shoe():
    round_ = "open; close; card 9C; card 2D; card KD; card 3H; press finish; "
    cancelled = "open; press manager; rule cancel by anna because x; "
    bead = player_screen(script=round_ + "shoe change; shoe ready; " + round_ + cancelled).roads.roads[0]
    assert [(cell.kind, cell.letter) for cell in bead.cells] == [("player", "P")]
    assert bead.name == "Bead plate, the last results: P"


def test_a_road_shows_its_latest_columns():
    rounds = "open; close; card 9C; card 2D; card KD; card 3H; press finish; " * 3
    shown = bench_look(bench_after(rounds))
    many = msgspec.structs.replace(shown, results=shown.results * 20)
    bead = player(many, Words("en")).roads.roads[0]
    assert (max(cell.column for cell in bead.cells), min(cell.column for cell in bead.cells)) == (bead.columns - 1, 0)
    assert len(bead.cells) == 6 * bead.columns


def test_the_roads_mark_the_newest_sign_and_show_percentages():
    round_ = "open; close; card 9C; card 2D; card KD; card 3H; press finish; "
    board = player_screen(script=round_ * 3).roads
    assert [[cell.newest for cell in road.cells][-1:] for road in board.roads[:2]] == [[True], [True]]
    assert sum(cell.newest for road in board.roads for cell in road.cells) == sum(
        bool(road.cells) for road in board.roads
    )
    assert [(count.kind, count.count, count.percent) for count in board.counts] == [
        ("player", 3, 100), ("banker", 0, 0), ("tie", 0, 0),
    ]  # fmt: skip


# ── what stays, and for how long ─────────────────────────────────────────────────────────────────────────────────

OVER = "open; close; card 9C; card 2D; card KD; card 3H; press finish"


@pytest.mark.parametrize(
    ("then", "phase"),
    [
        ("shoe change", "shoe_change"),
        ("table close", "closed"),
        ("dealer -", "dealer_change"),
        ("open", "betting"),
        ("open; close", "dealing"),
        ("open; press manager", "paused"),
        ("open; close; press manager", "paused"),
    ],
)
def test_a_result_has_six_seconds_whatever_begins_after_it(then, phase):
    shown = player_screen(script=f"{OVER}; {then}")
    assert (shown.phase, shown.result.text, shown.result.until) == (
        phase, "PLAYER wins 9 : 5", "2026-01-01T00:00:06.000000Z",
    )  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "script", "bet"),
    [
        ("blackjack", f"{STOOD}card TS", "seat1 main"),
        ("thirty_two", f"{VOID['thirty_two']}; card 6H; card KS", "player8"),
    ],
)
def test_a_result_outlasts_the_next_bets_in_other_games(game, script, bet, language):
    table, words = bench_after(f"{script}; press finish", game), Words(language)
    result = player(bench_look(table), words).result
    table.says(f"wait 1s; shuffled; open; bet p3 {bet} 5.00; wait 1s; close")
    screen = player(bench_look(table), words)
    assert (screen.phase, screen.result) == ("dealing", replace(result, until="2026-01-01T00:00:06.000000Z"))


def test_a_result_from_before_training_is_not_shown_in_it():
    table = bench_after(f"{OVER}; open; close")
    training = replace(table.house, terms=replace(table.house.terms, training=True))
    state = replace(table.state, round=replace(table.state.round, terms=training.terms))
    assert player(replace(bench_look(table), house=training, state=state), Words("en")).result is None


@pytest.mark.parametrize("then", ["shoe change; shoe ready", "shoe change; shoe ready; open", "open; close; card 9C"])
def test_a_previous_round_is_cleared_by_new_shoe_or_card(then):
    shown = player_screen(script=f"{OVER}; {then}")
    assert shown.result is None
    assert sum(len(one.cards) for place in shown.places for one in place.hands) == ("card" in then)


def test_a_closing_table_shows_its_round_to_the_end():
    assert player_screen(script="open; close; card 9C; table close").phase == "dealing"


# ── training ─────────────────────────────────────────────────────────────────────────────────────────────────────

TRAINED = "open; bet p1 player 1.00; close; card 9C; card 2D"


@pytest.mark.parametrize("script", [TRAINED, f"{TRAINED}; press manager", f"{TRAINED}; card KD; card 3H; press finish"])
@pytest.mark.parametrize("role", ["player", "server"])
def test_the_state_tells_nothing_of_a_round_played_for_training(role, script):
    table = bench_after(script, training=True)
    state = build_state(table.state, table.due, None, role)
    blank = build_state(Bench().state, None, None, role)
    assert replace(state, seq=blank.seq, at=blank.at, shoe=blank.shoe) == blank
    assert build_state(table.state, table.due, None, "dealer").places["player"]


@pytest.mark.parametrize("script", [TRAINED, f"{TRAINED}; card KD; card 3H; press finish"])
def test_players_never_see_a_training_round_after_training(script):
    table = bench_after(script, training=True)
    house = replace(table.house, terms=replace(table.house.terms, training=False))
    shown = player(replace(bench_look(table), house=house), Words("en"))
    assert (shown.round, shown.phase, shown.result, shown.clock, shown.notice, shown.beside) == (
        "", "idle", None, None, None, (),
    )  # fmt: skip
    assert not any(one.cards for place in shown.places for one in place.hands)


def test_players_are_shown_the_digest_of_the_rules_that_run():
    table = Bench("rhum32")
    table.says("shuffled; open")
    assert player(bench_look(table), Words("en")).digest == table.state.round.digest
