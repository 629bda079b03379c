"""What the shift manager is told away from the table: of each fault once, and never of a hidden card."""

import re

import pytest
from hypothesis import given, settings

from controller.core import records as r
from controller.outputs.alert_text import KINDS, alert, pause

from .chance import HOLDEM, Judge, play, rounds
from .test_views import face_down


def told(records, record):
    """The alert that a record leads to, with all that came before it at hand."""
    back = [one for one in reversed(records) if one.seq < record.seq and one.kind in KINDS]
    return alert(record, pause(back)) if record.kind in KINDS else None


class NoSecrets(Judge):
    """An alert names no card that lies face down at that moment, unless it lay open before."""

    def __init__(self, bench):
        super().__init__(bench)
        self.public = set()

    def look(self, before, event, records, after):
        for record in records:
            self.see(record.what)
        secret = face_down(after) - self.public
        for record in records:  # it is told when all that belongs to the event is on disk
            said = told(self.bench.records, record)
            if said is not None:
                words = set(re.findall(r"\w+", f"{said.subject} {said.body}"))
                assert not secret & words, (said, record)

    def see(self, what):
        match what:
            case r.Opened():
                self.public = set()
            case r.Dealt(face_up=True, card=card):
                self.public.add(card)
            case r.Revealed(cards=cards):
                self.public.update(cards)


@pytest.mark.parametrize("table", HOLDEM, ids=range(len(HOLDEM)))
@settings(max_examples=40, deadline=None)
@given(rolled=rounds(100))
def test_no_alert_names_a_hidden_card_whatever_happens(table, rolled):
    play(table, (NoSecrets,), rolled)
