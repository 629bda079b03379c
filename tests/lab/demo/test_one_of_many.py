"""Dealer of one of many demo tables: waits for a table that does not follow, and then goes on."""

from types import SimpleNamespace

import pytest

from controller.lab.demo import Demo, one_of_many
from controller.lab.demo.one_of_many import OneOfMany
from controller.lab.demo.pace import StuckDemo
from tests.patience import on_loop


@pytest.mark.parametrize(("life", "rounds"), [("dealing", ["", "no dealer", "ended"]), ("settled", [""])])
def test_a_dealer_tries_again_until_the_table_follows(monkeypatch, capsys, life, rounds):
    tries = iter(["closed", *filter(None, rounds)])

    async def stuck(*_):
        if (reason := next(tries)) != "ended":
            raise StuckDemo(reason)

    monkeypatch.setattr(one_of_many, "AGAIN", 0)
    monkeypatch.setattr(Demo, "play", stuck)
    table = OneOfMany.__new__(OneOfMany)
    table.table = SimpleNamespace(state=SimpleNamespace(life=life))
    table.dealer = SimpleNamespace(go_on=stuck)
    on_loop(lambda: table.play(None))
    reasons = ["closed", "no dealer"][: len(rounds)]
    assert capsys.readouterr().out.splitlines() == [f"the dealer waits: {reason}" for reason in reasons]
    assert list(tries) == []
