"""Words for people are looked up by existing codes: a misspelt code would silently show other words."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import get_args

import pytest

import controller
from controller.config.people import PersonRole
from controller.core import offers, views
from controller.core.codes import REASONS, START
from controller.core.events import Choice, Device, Ruling
from controller.core.fault_catalogue import CATALOGUE
from controller.core.life import STATES
from controller.core.records import What
from controller.core.records.fact import kind_of
from controller.floor.shared_state import alarms
from controller.floor.site import history_texts, page_texts
from controller.lab.demo import manager as demo
from controller.reports import significant_events
from controller.station import record_log
from controller.text import terms
from controller.text.floor_texts import HEADS
from controller.text.refusals import OF_A_RULING, WORDS
from controller.web.api.verdicts import OWN_REASONS
from controller.web.screens import (
    gate_texts,
    manager_acts,
    manager_texts,
    next_step,
    player,
    resettling_texts,
    round_texts,
    texts,
)
from drivers import events as device_events

RULINGS = {*get_args(Ruling)}
FAULTS = {*CATALOGUE, "late_card", "slid_again"}  # with the two variants of `at_fault.told_as`
OFFERED = {code: {*one.rulings, *one.at_rest} for code, one in CATALOGUE.items()}
OFFERED |= {"late_card": OFFERED["stalled"] | OFFERED["missing_card"], "slid_again": OFFERED["unread_card"]}
KINDS = {kind_of(what) for what in get_args(What)}  # of records
TABLES = {
    "record_log.FIELDS": (record_log.FIELDS, KINDS),
    "views.PLAYER": (views.PLAYER, KINDS),
    "significant_events.ITSELF": (significant_events.ITSELF, KINDS),
    "terms.DEVICES": (terms.DEVICES, {*get_args(Device)}),
    "terms.LIVES": (terms.LIVES, {*STATES, "halted"}),
    "next_step.KEYS": (next_step.KEYS, {None, *START}),
    "texts.OBSTACLES": (texts.OBSTACLES, {*START}),
    "offers.NEEDS": (offers.NEEDS, RULINGS),
    "alarms.DELAYS": (alarms.DELAYS, {*HEADS}),
    "demo.RULINGS": (demo.RULINGS, FAULTS),
    "manager_acts.ASKS": (manager_acts.ASKS, {*manager_texts.ACTS}),
}
PAGES = Path(controller.__file__).parent / "web" / "pages"
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PAGES.glob("*.js")))
CODED = {  # words whose names are built from a code
    *(f"role_{role}" for role in get_args(PersonRole)),
    *(f"choice_{choice}" for choice in get_args(Choice)),
    *vars(device_events),
}
WORDS_OF_PAGES = {
    "page_texts.WORDS": page_texts.WORDS,
    "history_texts.PAGE": history_texts.PAGE,
    "gate_texts.GATE": gate_texts.GATE,
    "manager_texts.WORDS": manager_texts.WORDS,
    "round_texts.SEARCH": round_texts.SEARCH,
    "resettling_texts.FORM": resettling_texts.FORM,
    "resettling_texts.REVISIONS": resettling_texts.REVISIONS,
    "player.SEATED": player.SEATED,
    "texts.SKIP_WORDS": texts.SKIP_WORDS,
}


@pytest.mark.parametrize("name", ["ASKS", "ASKS_WHERE", "ONE_RULING", "ASIDE_AT"])
def test_words_of_a_fault_belong_to_an_existing_fault(name):
    assert {*getattr(manager_texts, name)} <= FAULTS


@pytest.mark.parametrize("name", ["LOOSE_AT_FAULT", "DUE_AT_FAULT"])
def test_words_at_a_place_are_of_a_known_fault(name):
    assert {*getattr(texts, name)} <= FAULTS


@pytest.mark.parametrize("name", ["MEANS", "TITLES", "MEANS_IF_DUE", "ASKS_PATIENCE", "ASIDE_ELSE", "WAITS", "DONE"])
def test_words_of_a_ruling_belong_to_an_existing_ruling(name):
    assert {*getattr(manager_texts, name)} <= RULINGS


@pytest.mark.parametrize("name", ["TITLES_AT", "MEANS_AT", "ANSWERS"])
def test_words_of_a_ruling_at_a_fault_are_offered(name):
    pairs: Collection[tuple[str, str]] = getattr(manager_texts, name)
    assert [(code, ruling) for code, ruling in pairs if ruling not in OFFERED.get(code, ())] == []


def test_words_of_a_refused_ruling_belong_to_an_existing_ruling():
    rulings = {ruling for ruling, _ in OF_A_RULING}
    assert rulings <= {*RULINGS, "resettle"}
    assert {reason for _, reason in OF_A_RULING} <= {*REASONS}


def test_words_of_a_refusal_are_of_a_known_reason():
    assert {*WORDS} <= {*REASONS, *OWN_REASONS}


@pytest.mark.parametrize("name", TABLES)
def test_each_key_of_a_table_is_a_code_that_exists(name):
    keys, codes = TABLES[name]
    assert {*keys} - {*codes} == set()


@pytest.mark.parametrize("name", WORDS_OF_PAGES)
def test_each_word_sent_to_a_page_is_used_there(name):
    names = {*re.findall(r"\w+", SOURCE)}
    assert {*WORDS_OF_PAGES[name]} - CODED - names == set()
