"""Glossary: one word for each thing, in each language, on every screen, in every report and alert."""

import re

import pytest

from controller.text import pc_texts
from controller.text.faults import LANGUAGES, Words
from controller.text.glossary import PLACES, TERMS
from controller.web.screens.glossary_page import page, rows
from tests.text.test_words import TEXTS, texts_of

# Patterns of words that must not be used, and the word that the glossary has instead.
SECOND = {
    "en": {
        r"\bvoid\b(?<!VOID)": "cancelled", r"annul": "cancelled", r"abort": "cancelled", r"\bframes?\b": "telegram",
        r"acknowledg": "seen", r"croupier": "dealer", r"supervisor|pit boss|inspector|floor manager": "shift manager",
        r"suspend|on hold|frozen": "paused", r"wager": "bet", r"gambler|punter": "player", r"\bmis-?scan": "misread",
        r"journal\b(?! verify)": "record", r"practice mode|\btest round": "training", r"adjudicat|verdict": "ruling",
        r"dealing shoe|card box": "shoe", r"technician": "engineer", r"log ?in\b|log ?out\b": "sign in",
        r"disconnected|unplugged": "not connected", r"by the manager's hand|manually": "by hand",
    },
    "ro": {
        r"\bnul[ăe]?\b": "anulată", r"suspendat|pauzat": "în pauză", r"antrenament|exersare": "instruire",
        r"inginer": "tehnician", r"crupier": "dealer", r"supervizor|inspector|manager": "șef de tură",
        r"bancher": "bancă", r"logar|logat|conectați-vă|conectarea": "autentificare", r"socot": "contează",
        r"cadre\b|frame": "telegrame", r"cutie|dispenser": "sabot", r"rămășag|ponta": "pariu",
        r"FINISH": "FINAL", r"înregistrarea (este|se poate)": "jurnalul", r"preluat:": "văzut",
        r"deconectat": "neconectat", r"e afară": "a ieșit",
    },
}  # fmt: skip

# Texts of the floor about alarms and supervisors, which have words of their own.
OF_THE_FLOOR = {
    "Acknowledge", "acknowledged by {name}", "Alarm acknowledged", "supervisor",
    "there is no supervisor or shift manager of that number",
    "Here a shift manager rules; a supervisor does at the floor.",
    *(said for term in TERMS if term.where == ("floor",) for said in (term.word, term.means)),
}  # fmt: skip

# Texts of a PC's log, in English only: the file of a record is called a journal there.
OF_THE_LOG = set(texts_of(pc_texts))


@pytest.mark.parametrize(
    ("language", "second", "word"),
    [(language, second, word) for language, seconds in SECOND.items() for second, word in seconds.items()],
)
def test_no_text_uses_a_second_word_for_one_thing(language, second, word):
    say = Words(language).say
    texts = (text for text in TEXTS if text not in OF_THE_FLOOR and (language != "en" or text not in OF_THE_LOG))
    found = [say(text) for text in texts if re.search(second, say(text), re.IGNORECASE) and say(text) != "VOID"]
    assert found == [], f"the word is {word!r}"


@pytest.mark.parametrize(
    ("english", "romanian"),
    [(r"\b(strike|struck)\b", "radia"), (r"\bvoid.*\bhand\b|\bhand\b.*\bvoid", "invalid"), (r"\bcancel", "anul")],
)
def test_strike_void_and_cancel_have_three_romanian_verbs(english, romanian):
    texts = [Words("ro").say(text).lower() for text in TEXTS if re.search(english, text, re.IGNORECASE)]
    assert texts
    assert [text for text in texts if romanian not in text] == []
    if romanian == "radia":
        assert [text for text in texts if re.search("anul|invalid", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_has_a_word_a_definition_and_a_place(language):
    entries = list(rows(language))
    assert len(entries) == len(TERMS) == len({term.word for term in TERMS})
    for *words, means, where in entries:
        assert len(set(words)) == len(LANGUAGES) or words[0] in {"panel"}, words
        assert re.fullmatch(r"[A-ZĂÂÎȘȚ].{9,120}\.", means), means
        assert where
    assert {place for term in TERMS for place in term.where} == set(PLACES)


def test_the_page_has_every_word_in_its_language():
    romanian = page("ro")
    assert '<html lang="ro">' in romanian
    for term in TERMS:
        assert f">{term.word}<" in romanian
        assert f">{Words('ro').say(term.word)}<" in romanian
        assert f">{Words('ro').say(term.means)}<" in romanian
