"""Texts for people: each language has every text, and none names a code or a hidden card."""

import ast
import gettext
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest
from babel.messages.pofile import read_po

from controller import games
from controller.core.events import CardOut, ShoeSays
from controller.core.fault_catalogue import CATALOGUE
from controller.core.open_fault import Fault
from controller.core.spot import Spot
from controller.floor.site import history_texts, page_texts
from controller.rules import face, poker
from controller.text import (
    alert_texts,
    caller_texts,
    floor_texts,
    glossary,
    keys,
    pc_texts,
    refusals,
    ruling_reasons,
    story_texts,
    table_story_texts,
    terms,
    touched_texts,
)
from controller.text import faults as words
from controller.text.fault_conditions import CAUGHT, WHEN
from controller.text.fault_texts import FAULTS, FaultTexts
from controller.text.faults import (
    CANCELLED,
    LANGUAGES,
    LOCALE,
    MANUAL,
    PLAYERS,
    RESUMED,
    Words,
)
from controller.text.naming import market_name
from controller.web.screens import (
    manager_texts,
    player_texts,
    report_texts,
    resettling_texts,
    round_texts,
    texts,
)
from controller.web.screens.manager_words import ManagerWords
from tests.kept_files import is_kept


def texts_of(module: ModuleType) -> Iterator[str]:
    """Yield every text in the upper-case names of a module of texts."""
    for name, value in vars(module).items():
        if name.isupper():
            yield from flat(value)


def flat(value: object) -> Iterator[str]:
    """Yield the texts in a text, a tuple or a mapping, at any depth."""
    if isinstance(value, str):
        yield value
    else:
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from flat(inner)


def told_of(texts: FaultTexts) -> Iterator[str]:
    """Yield every text of a fault that people read."""
    yield from filter(None, (texts.head, texts.called_for, texts.hands, texts.says))
    yield from flat(texts.reasons)


def texts_of_games() -> Iterator[str]:
    """Yield the texts of games: phrases found in their source, and the words of their faces."""
    for source in (Path(face.__file__), *Path(games.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Phrase":
                yield from (text.value for text in node.args[:1] if isinstance(text, ast.Constant))
    for game in games.GAMES.values():
        of = game.face
        named = (*of.markets.values(), *of.decisions.values(), *of.hands.values(), *of.results.values())
        yield from (*named, *filter(None, [of.formed]))


SCREENS = [  # labels on screens
    report_texts, resettling_texts, round_texts,
    texts, player_texts, manager_texts, ruling_reasons, touched_texts, story_texts, refusals, terms, keys,
    table_story_texts, alert_texts, caller_texts, pc_texts, floor_texts, page_texts, history_texts,
]  # fmt: skip
GLOSSARY = [
    glossary.TITLE,
    *glossary.COLUMNS.values(),
    *glossary.PLACES.values(),
    *(text for term in glossary.TERMS for text in (term.word, term.means)),
]
TEXTS = [
    *GLOSSARY,
    *(text for module in SCREENS for text in texts_of(module)),
    *texts_of_games(),
    *poker.RANKS.values(),
    *poker.RANKED.values(),
    *(text for fault in FAULTS.values() for text in told_of(fault)),
    *PLAYERS.values(),
    RESUMED,
    CANCELLED,
    MANUAL,
]
CATALOGUES = [LOCALE / name / "LC_MESSAGES" for name in LANGUAGES if name != "en"]


def test_every_fault_has_its_texts_and_conditions():
    assert list(FAULTS) == list(WHEN) == list(CATALOGUE)
    assert set(CAUGHT) <= set(CATALOGUE)


def test_every_fault_cause_has_words_for_players():
    assert {entry.cause for entry in CATALOGUE.values()} == set(PLAYERS)


@pytest.mark.parametrize("folder", CATALOGUES, ids=[folder.parent.name for folder in CATALOGUES])
def test_a_catalogue_has_every_text_and_is_compiled(folder):
    with (folder / "tablectl.po").open("rb") as file:
        translated = {message.id: message.string for message in read_po(file) if message.id}
    assert set(translated) == set(TEXTS)
    assert all(blanks(text) == blanks(translated[text]) for text in TEXTS)
    with (folder / "tablectl.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    assert {text: compiled.gettext(text) for text in TEXTS} == translated, "make texts"


def test_texts_in_two_cases_are_as_kept():
    """The catalogue has both texts of such a pair, so it does not show where one stands for the other."""
    by_letters = defaultdict[str, Counter[str]](Counter)
    for text in TEXTS:
        by_letters[text.lower()][text] += 1
    pairs = (texts for texts in by_letters.values() if len(texts) > 1)
    lines = ("; ".join(f"{text}: {times}" for text, times in sorted(texts.items())) for texts in pairs)
    assert is_kept(Path(__file__).parent / "kept" / "two_cases.txt", "\n".join(sorted(lines)) + "\n")


def blanks(text: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CATALOGUE)
def test_players_hear_neither_code_nor_card(code, language):
    text = Words(language).players(code)
    assert code not in text
    assert "{" not in text


def test_a_hidden_card_is_not_named_to_the_manager():
    fault = Fault(5, "extra_card", None, CardOut("KS"), ("burn",), 3, hidden=True)
    assert ManagerWords(Words("en")).fault(fault.code, fault.due, fault.visible_cause) == (
        "A card came when none was due: a card that is face down. Expected: no card."
    )


def test_in_romanian():
    assert Words("ro").say(RESUMED) == "Jocul continuă."
    assert Words("ro").dealer("card_dropped") == "O carte a căzut de pe masă. Nu o ridicați, așteptați șeful de tură."


def test_in_romanian_declining_insurance_is_not_called_a_refusal():
    assert [Words("ro").say(name) for name in ("insure", "decline")] == ["asigură", "fără asigurare"]


def test_a_language_without_a_catalogue_is_refused_by_name():
    with pytest.raises(LookupError, match="expected one of en, ro, got 'xx'"):
        words.Words("xx")


@pytest.mark.parametrize(
    ("language", "result", "said"),
    [
        ("en", "ROUND BROKEN OFF", "The shoe says ROUND BROKEN OFF. The table has: TIE 4 : 4."),
        ("ro", "RUNDĂ ÎNTRERUPTĂ", "Sabotul indică RUNDĂ ÎNTRERUPTĂ. Masa are: EGALITATE 4 : 4."),
    ],
)
def test_a_round_broken_off_at_the_shoe_has_words(language, result, said):
    manager_words, cause = ManagerWords(Words(language)), ShoeSays("forced_quit")
    assert (manager_words.winner("forced_quit"), manager_words.result("forced_quit")) == (result, result)
    outcome = {"winner": "tie", "player": 4, "banker": 4, "pairs": []}
    assert manager_words.both_results(cause, "baccarat", outcome) == said


def test_the_play_bet_of_rhum_has_a_romanian_name():
    assert market_name(games.GAMES["rhum32"], Spot("play", "seat1"), Words("ro")) == "LOC 1 · pariu la mărire"


def test_floor_and_table_say_alike_who_has_seen_a_fault():
    assert page_texts.WORDS["seen_by"] == manager_texts.SEEN
