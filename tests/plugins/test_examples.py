"""Tests that all commands know the games and devices of the installed packages of `examples/`."""

import json
import tomllib

import pytest

from .site import PACKAGES, run_commands

ROUND = """shuffled
open
bet p1 ante 10.00
bet p1 pair_plus 5.00
bet p2 ante 10.00
close
card AS
card KS
card QS
card QC
card 3D
card 9H
decide p1 play
decide p2 fold
press finish
"""


def test_a_game_and_a_device_are_installed_as_packages(site, tmp_path):
    (tmp_path / "round.txt").write_text(ROUND)
    config, rtp, drawn, faults, played = run_commands(
        site, tmp_path, "init three_card_poker --shoe eight_digits --port /dev/x",
        "rtp three_card_poker --rounds 4000 --json",
        "diagram three_card_poker", "faults --json", "play three_card_poker round.txt",
    )  # fmt: skip
    assert tomllib.loads(config)["shoe"] == {"model": "eight_digits", "port": "/dev/x"}
    returns = {row["market"]: (row["method"], round(row["return"], 2)) for row in json.loads(rtp)}
    assert returns == {"ante": ("exact", 96.63), "pair_plus": ("exact", 97.68)}
    assert '["dealer, face down"]' in drawn
    assert '["play or fold?"]' in drawn
    ours = {row["code"] for row in json.loads(faults) if row["game"] == "three_card_poker"}
    assert {"hidden_card_exposed", "duplicate_card", "missing_card"} <= ours
    paid = [line.partition("  p")[2] for line in played.splitlines() if " gets " in line]
    assert paid == ["1 gets 70.00 for 10.00 on ante", "1 gets 205.00 for 5.00 on pair_plus",
                    "2 gets 0.00 for 10.00 on ante", "1 gets 20.00 for 10.00 on play"]  # fmt: skip


def test_a_package_is_one_module_and_what_belongs_to_it():
    for package in PACKAGES:
        name = package.name
        assert {path.name for path in package.iterdir() if path.is_file()} <= {
            f"{name}.py", f"{name}.toml", f"test_{name}.py", "pyproject.toml", "round.hex", "keys.hex",
        }  # fmt: skip
        assert len((package / f"{name}.py").read_text().splitlines()) < 250


@pytest.mark.proof
def test_a_demo_of_the_game_is_recorded_replayed_and_reported(site, tmp_path):
    journal = "d/demo.journal"
    demo, stands, again, report, shown = run_commands(
        site, tmp_path, "demo three_card_poker --rounds 3 --speed 100 --seed 4 --faults --no-web --journal d",
        f"journal verify {journal}", f"journal replay {journal}", f"report {journal} --shift --lang ro",
        f"journal show {journal}",
    )  # fmt: skip
    assert "3 rounds: 2 settled" in demo
    assert "FAULT card_before_close" in demo
    assert "valid" in stands
    assert "3 rounds" in again
    assert "Three Card Poker" in report
    assert "play or fold?" in shown
