"""Book of bets: it equals a dict copied at each change, and a change costs the same at any size."""

import gc
from collections.abc import Iterator
from unittest import mock

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core import book as books
from controller.core.book import NO_BETS, Bet, Layered, Stakes
from controller.core.spot import Spot
from controller.core.state import Round, State


def layers_of(book):
    return (*book._bets._layers, *book._ids_by_player._layers)


def copied_to(book, before):
    """Count the entries in the layers of `book` that it does not share with the book before."""
    layer_ids = {id(layer) for layer in layers_of(before)}
    return sum(len(layer) for layer in layers_of(book) if id(layer) not in layer_ids)


SPOTS = (Spot("tie"), Spot("banker"), Spot("main", "seat2"))
KEYS = st.integers(0, 90)
CHANGES = st.lists(st.tuples(st.sampled_from(["having", "without"]), KEYS), min_size=150, max_size=250)


def a_bet(number, stake=100, **more):
    return Bet(f"b{number}", f"p{number % 7}", SPOTS[number % 3], stake, **more)


@pytest.fixture(scope="module", params=[books.FULL, 20])
def full(request) -> Iterator[None]:
    with mock.patch.object(books, "FULL", request.param):
        yield


@settings(max_examples=15)
@given(CHANGES)
@pytest.mark.usefixtures("full")
def test_layers_equal_a_copied_dict_and_earlier_layers_never_change(changes):
    layered, plain, snapshots = Layered(), {}, []
    for number, (what, key) in enumerate(changes):
        snapshots.append((layered, dict(plain)))
        if what == "having":
            layered, plain = layered.copy_with(key, number), plain | {key: number}
        else:
            layered, plain = layered.without(key), {one: value for one, value in plain.items() if one != key}
        assert layered.get(key) == plain.get(key)
    for one, expected in [*snapshots[::17], (layered, plain)]:
        assert list(one.as_dict().items()) == list(expected.items())


@settings(max_examples=15)
@given(CHANGES)
def test_a_book_knows_its_bets_their_players_and_the_stakes(changes):
    book, plain = NO_BETS, {}
    for number, (what, key) in enumerate(changes):
        bet = a_bet(key, number + 1)
        book = book.copy_with(bet) if what == "having" else book.without(bet.id)
        plain.pop(bet.id, None)  # a bet with another stake is a new bet and goes to the end
        if what == "having":
            plain[bet.id] = bet
    assert list(book.items()) == list(plain.items())
    assert (len(book), book.total) == (len(plain), sum(bet.stake for bet in plain.values()))
    for player in {bet.player for bet in plain.values()} | {"nobody"}:
        for spot in SPOTS:
            of = [bet for bet in plain.values() if (bet.player, bet.spot) == (player, spot)]
            assert sorted(book.bets_on(player, spot), key=lambda bet: bet.id) == sorted(of, key=lambda bet: bet.id)
    for spot in SPOTS:
        on = [bet.stake for bet in plain.values() if bet.spot == spot]
        assert book.staked.get(spot, Stakes()) == (len(on), sum(on))
        assert (spot in book.staked) == bool(on)


@settings(max_examples=15)
@given(gone=st.sets(KEYS))
def test_removing_many_bets_at_once_equals_removing_each(gone):
    together = one_by_one = book_of(a_bet(number) for number in range(60))
    together = together.without_all(a_bet(number).id for number in gone)
    for number in gone:
        one_by_one = one_by_one.without(a_bet(number).id)
    assert list(together.items()) == list(one_by_one.items())
    assert (len(together), dict(together.staked)) == (len(one_by_one), dict(one_by_one.staked))
    assert (together is NO_BETS) == (one_by_one is NO_BETS)


def book_of(bets):
    book = NO_BETS
    for bet in bets:
        book = book.copy_with(bet)
    return book


def test_a_bet_at_other_odds_stays_in_its_place():
    book = NO_BETS.copy_with(a_bet(1)).copy_with(a_bet(2)).copy_with(a_bet(1, odds="2.00"))
    assert [(bet.id, bet.odds) for bet in book.values()] == [("b1", "2.00"), ("b2", None)]


def test_an_emptied_book_is_not_written_to_a_checkpoint():
    emptied = NO_BETS.copy_with(a_bet(1)).without("b1").without("b1")
    assert emptied == {}
    assert msgspec.json.encode(State(round=Round(3, bets=emptied))) == msgspec.json.encode(State(round=Round(3)))


@pytest.fixture
def small_layers(monkeypatch) -> int:
    """Set the length of a full layer so low that thousands of bets fill several; return it."""
    monkeypatch.setattr(books, "FULL", 200)
    return 200


@pytest.mark.usefixtures("small_layers")
def test_entries_copied_per_bet_do_not_grow_with_the_book():
    """The average number of entries copied per bet stays below twice that of a small book."""

    def copied(count):
        book, entries = NO_BETS, 0
        for number in range(count):
            before, book = book, book.copy_with(a_bet(number))
            entries += copied_to(book, before)
        return entries / count

    assert copied(4_000) < 2 * copied(100)


def test_no_change_copies_all_of_a_great_book_at_once(small_layers):
    """A card may have to wait for a change, so the largest single copy has a limit."""
    book, most = NO_BETS, 0
    for number in range(2_000):
        before, book = book, book.copy_with(Bet(f"b{number}", f"p{number}", SPOTS[0], 1))
        most = max(most, copied_to(book, before))
    assert most < 2 * 1.5 * small_layers  # two maps: the bets, and the bets of each player


def test_replacing_one_bet_does_not_copy_all_other_bets():
    book = NO_BETS
    for number in range(5_000):
        book = book.copy_with(Bet(f"b{number}", f"p{number}", SPOTS[0], 1))
    again = book.without("b1").copy_with(Bet("b5000", "p1", SPOTS[0], 1))
    assert copied_to(again, book) < 100


def test_bets_are_not_tracked_by_the_garbage_collector():
    """A collection that goes through 20,000 bets would take longer than a card may wait."""
    book = NO_BETS
    for number in range(100):
        book = book.copy_with(a_bet(number))
    bets = list(book.values())
    assert not any(gc.is_tracked(one) for bet in bets for one in (bet, bet.spot))


def test_a_book_made_at_once_is_the_same():
    bets = [a_bet(number, 100 + number) for number in range(300)]
    one_by_one = NO_BETS
    for bet in bets:
        one_by_one = one_by_one.copy_with(bet)
    at_once = books.Book.of_bets(bets)
    assert list(at_once.items()) == list(one_by_one.items())
    assert (at_once.staked, len(at_once)) == (one_by_one.staked, 300)
    assert all(at_once.bets_of(f"p{number}") == one_by_one.bets_of(f"p{number}") for number in range(7))
    again = at_once.without("b7").copy_with(a_bet(7, 5))
    assert (len(again), again["b7"].stake, len(at_once.without("b0"))) == (300, 5, 299)
    assert books.Book.of_bets(()) is NO_BETS
