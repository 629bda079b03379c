"""A game added by a package is shown on the overlay in Romanian and on the dealer's page in English."""

import re

import pytest
from playwright.sync_api import expect

from tests.end_to_end.rig import RunningProgram
from tests.plugins.site import install
from tests.processes import TABLECTL


@pytest.mark.proof
def test_a_demo_shows_a_packages_game_on_its_pages(visit, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(install(tmp_path / "site")))
    words = ["demo", "three_card_poker", "--seed", "4", "--speed", "10", "--port", "0", "--journal", tmp_path / "d"]
    with RunningProgram([TABLECTL, *words], tmp_path / "errors") as demo:
        site = next(found[0] for line in demo.process.stdout if (found := re.search(r"http://127[^/]*", line)))
        overlay, dealer = visit(f"{site}/overlay?lang=ro"), visit(f"{site}/dealer")
        for one, texts in ((overlay, ("JUCĂTOR câștigă", "carte mare")), (dealer, ("wins", "high card"))):
            for text in ("Three Card Poker", *texts):
                expect(one.page.get_by_text(text).first).to_be_visible()
            one.may_fail = True  # the demo ends while the pages are open
