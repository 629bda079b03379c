"""Progress of `tablectl rtp` in a terminal: a bar for each part of the work, removed at the end."""

from io import StringIO

from rich.console import Console

from controller.lab.commands import rtp


def test_each_part_of_the_work_has_its_own_bar(monkeypatch):
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    monkeypatch.setattr(rtp, "Console", lambda *, stderr: console)
    with rtp._watch() as watch:
        for what, done, of in (("ante", 1, 4), ("bonus", 0, 0), ("ante", 3, 4)):
            watch(what, done, of)
    ante, bonus = [line for line in screen.getvalue().splitlines() if "/" in line][-2:]
    assert "ante" in ante
    assert "3/4" in ante
    assert "bonus" in bonus
    assert "0/?" in bonus
