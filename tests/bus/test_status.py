"""Status of a table for a floor: the same words as on the table's own page for shift managers."""

import msgspec

from controller.bus.status import Status, status
from controller.core import events as e
from controller.core.clock import to_text
from controller.core.position import Position
from controller.games import GAMES
from controller.text.faults import LANGUAGES, Words
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.table_snapshot import TableSnapshot
from tests.bus.tables import ROUND
from tests.core.chance import TABLES, Judge


class Stands:
    """Table with a given state. `halted`: the reason why its record cannot be written."""

    def __init__(self, house, state, halted=None):
        self.house, self.state, self.halted, self.halted_at = house, state, halted, state.at + 7_000_000
        self.due = Position(GAMES).due(state) if state.live else None

    def status(self, *troubles: str) -> Status:
        return msgspec.json.decode(msgspec.json.encode(status(self, troubles)), type=Status)


class SamePage(Judge):
    """Judge that compares the status with the table's page for shift managers, in each language."""

    def look(self, before, event, records, after):
        if after.seq % 3:
            return
        table = Stands(self.bench.house, after)
        status = table.status()
        assert set(status.texts) == set(LANGUAGES)
        for language, texts in status.texts.items():
            page = manager(TableSnapshot(after, table.due, table.house), Words(language))
            assert (texts.game, texts.round, texts.life) == (page.title, page.round, page.says)
            assert texts.next == " · ".join(filter(None, (page.next.head, page.next.text)))
            fault = ("", "") if page.fault is None else (page.fault.head, page.fault.text)
            assert (texts.head, texts.text) == fault
            assert bool(texts.money) == bool(page.bets)
            assert (
                f"{page.bets} ".startswith(f"{len(after.round.bets)} · {texts.money.rpartition(' ')[0]} ")
                or not page.bets
            )
        assert status.fault is None or status.fault.seq == page.fault.seq


def bench(*events: e.Event):
    """Return a table of the first kind after these events."""
    table = TABLES[0]()
    table.do(*events)
    return table


def test_a_write_failure_has_the_same_words_as_the_page():
    table = bench(*ROUND)
    status = Stands(table.house, table.state, "disk full").status()
    assert (status.halted, status.halted_at) == ("disk full", to_text(table.state.at + 7_000_000))
    assert status.texts["en"].head
    assert "disk full" in status.texts["en"].text
    assert status.texts["ro"].head not in ("", status.texts["en"].head)


def test_reasons_against_the_next_round_show_during_this_round():
    """Else the alarm about the posted rules would end and return with every round."""
    table = bench(e.Open())
    posted = msgspec.structs.replace(table.house, posted_digest="another")
    assert Stands(posted, table.state).status().bars == ("rules_mismatch",)
    assert Stands(table.house, table.state).status().bars == ()


def test_a_live_round_keeps_its_mark_of_training():
    """A restart with another config in the middle of a round: the round ends as it began, also at the floor."""
    table = bench(e.Open())
    terms = msgspec.structs.replace(table.house.terms, training=True)
    trained = msgspec.structs.replace(table.house, terms=terms)
    assert Stands(trained, table.state).status().training is False
    assert Stands(trained, bench().state).status().training is True


def test_four_rounds_left_or_the_cut_card_announce_a_change():
    table = bench()
    shoe, last = table.state.shoe, table.state.shoe.size - table.house.deck.change_below - 4 * 6  # six cards a round
    for out, cut, ends in ((0, False, False), (last, False, False), (last + 1, False, True), (10, True, True)):
        state = msgspec.structs.replace(table.state, shoe=msgspec.structs.replace(shoe, out=out, cut=cut))
        assert Stands(table.house, state).status().ends is ends, (out, cut)


def test_a_shoe_that_is_being_changed_announces_no_change():
    table = bench()
    nearly_out = msgspec.structs.replace(table.state.shoe, out=table.state.shoe.size, cut=True)
    for changing in (False, True):
        shoe = msgspec.structs.replace(nearly_out, changing=changing)
        state = msgspec.structs.replace(table.state, shoe=shoe)
        assert Stands(table.house, state).status().ends is not changing


def test_half_a_shoe_is_not_nearly_out():
    table = bench()
    shoe = msgspec.structs.replace(table.state.shoe, out=180)
    half = msgspec.structs.replace(table.state, shoe=shoe)
    screen = dealer(TableSnapshot(half, None, table.house), Words("en"))
    assert (screen.shoe, Stands(table.house, half).status().ends) == ("Cards left: 132 · change in 92", False)


def test_one_deck_per_round_never_announces_a_change():
    table = next(one() for one in TABLES if one().house.deck.every_round)
    table.do(*[e.CardOut(card) for card in table.house.deck.cards])
    assert Stands(table.house, table.state).status().ends is False


def test_a_status_of_an_older_version_is_decoded():
    table = bench()
    body = msgspec.to_builtins(Stands(table.house, table.state).status())
    for new in ("size", "ends", "bars", "texts"):
        del body[new]
    assert msgspec.convert(body, Status).texts == {}
