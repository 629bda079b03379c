"""Views: only the auditor sees a face-down card's value before the card is turned over."""

import pytest

from controller.core import events as e
from controller.core import records as r
from controller.core.views import AUDIENCES, view
from controller.rules.cards import FULL_DECK, JOKER

from .bench import Bench
from .chance import Judge

CARDS = {*FULL_DECK, JOKER}
OTHERS = [audience for audience in AUDIENCES if audience != "auditor"]
HIDDEN = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS"


def texts(value):
    """Return every text in an event, at any depth."""
    if isinstance(value, dict):
        return [text for name, inner in value.items() for text in (name, *texts(inner))]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


class Public(Judge):
    """Players never see a card before it lies face up."""

    def __init__(self, bench):
        super().__init__(bench)
        self.public = set()

    def look(self, before, event, records, after):
        for record in records:
            match record.what:
                case r.Opened():
                    self.public = set()
                case r.Dealt(face_up=True, card=card):
                    self.public.add(card)
                case r.PlaceRevealed(cards=cards):
                    self.public.update(cards)
            assert CARDS.intersection(texts(view(record, "player"))) <= self.public, record


class OneEventEach(Judge):
    """Each audience gets one event per record; only the auditor sees checkpoints and salts."""

    def look(self, before, event, records, after):
        for record in records:
            for audience in AUDIENCES:
                fields = view(record, audience)
                assert fields["seq"] == record.seq
                assert fields["kind"] in (record.kind, "internal")
                assert record.salt not in texts(fields) or audience == "auditor"
            if isinstance(record.what, r.Checkpoint):
                assert all(view(record, who) == {"seq": record.seq, "kind": "internal"} for who in OTHERS)


def views_after(says, audience, *more):
    """Return the views that an audience gets of the lines `more`, after the lines `says`."""
    table = Bench("casino_holdem")
    table.says(says)
    records = table.says("; ".join(more))
    return [view(record, audience) for record in records]


def test_players_do_not_see_the_value_of_a_surplus_card():
    table = Bench("baccarat", confirm="dealer", carry=True)
    table.says("open; close; card 9C; card 2D; card KD; card 3H")
    records = table.says("card 5H; rule carry seen no by anna because nobody saw it")
    knows = {who for who in OTHERS if any("5H" in texts(view(record, who)) for record in records)}
    assert "carried" in [record.kind for record in records]
    assert knows == {"manager", "dealer", "server"}


@pytest.mark.parametrize("audience", OTHERS)
def test_a_hidden_card_is_dealt_without_its_value(audience):
    events = views_after("shuffled; open; close; card AC; card 7D", audience, "card KS")
    assert [(event["to"], event["card"]) for event in events] == [("dealer", None)]


@pytest.mark.parametrize("audience", OTHERS)
def test_correcting_a_hidden_card_names_neither_value(audience):
    says = "press manager; rule correct 3 5D by manager because misread"
    events = views_after(HIDDEN, audience, says)
    assert not [text for event in events for text in texts(event) if "KS" in text or "5D" in text]


@pytest.mark.parametrize("audience", OTHERS)
def test_burning_a_hidden_card_does_not_name_it(audience):
    events = views_after(
        "shuffled; open; close; card AC; card 7D; card KS at board", audience, "rule burn by m because x"
    )
    assert "KS" not in str(events)


@pytest.mark.parametrize("audience", OTHERS)
def test_the_reveal_names_both_cards(audience):
    events = views_after(f"{HIDDEN}; card 2H; card 3H; card 4S; decide p1 call; card 9C", audience, "card 9S")
    assert {"place": "dealer", "cards": ("KS", "QS")}.items() <= next(
        event for event in events if event["kind"] == "revealed"
    ).items()


def test_hidden_cards_stay_hidden_when_nobody_calls():
    table = Bench("casino_holdem")
    table.says(f"{HIDDEN}; card 2H; card 3H; card 4S; decide p1 fold")
    assert table.life == "settled"
    for record in table.records:
        assert not {"KS", "QS"} & set(texts(view(record, "player")))


@pytest.mark.parametrize("ruling", ["resume", "extend"])
def test_dealers_and_servers_see_a_rulings_reason_after_the_round(ruling):
    table = Bench("casino_holdem")
    table.says(f'{HIDDEN}; press manager; rule {ruling} by Ann because "the hidden one is KS"')
    record = next(record for record in table.records if record.kind in ("ruled", "extended"))
    for audience in ("dealer", "server"):
        assert view(record, audience)["because"] == ""
        assert "KS" in view(record, audience, over=True)["because"]
    assert "KS" in view(record, "manager")["because"]


def test_players_see_neither_money_nor_names_nor_reasons_of_others():
    table = Bench("casino_holdem")
    table.says(f'{HIDDEN}; press manager; rule resume by Ann because "p1 is nervous"')
    events = [view(record, "player") for record in table.records]
    assert not [text for event in events for text in texts(event) if "Ann" in text or "nervous" in text]
    assert all("stake" not in event for event in events)


@pytest.mark.parametrize("audience", ["manager", "dealer", "server", "player"])
def test_an_ignored_withdrawal_does_not_name_its_sender(audience):
    bet = e.PlaceBet("p1", "tie", 1000, id="b1", via="token:one")
    (ignored,) = Bench("baccarat").do(e.Open(), bet, e.WithdrawBet("p1", "tie", bet="b1", via="unix:eva"))[-1:]
    assert ignored.what.reason == "no_bet"
    assert "eva" not in str(view(ignored, audience))


def test_the_auditor_sees_everything():
    table = Bench("casino_holdem")
    table.says(HIDDEN)
    assert [view(record, "auditor")["card"] for record in table.records if record.kind == "dealt"][2:] == ["KS", "QS"]


# ── training ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_training_round_is_marked_and_announced_to_nobody():
    table = Bench(training=True)
    records = table.says("open; bet p1 player 1.00; close; card 9C; card 2D; card KH; card 3S; card 7H; rule burn by m")
    assert all(record.training for record in records)
    for audience in ("server", "player"):
        assert {view(record, audience)["kind"] for record in records} == {"internal"}
    assert view(records[0], "dealer")["training"] is True


def test_records_between_training_rounds_are_not_training():
    table = Bench(training=True)
    assert not any(record.training for record in table.says("dealer d2; shoe change; shoe ready; table close"))
