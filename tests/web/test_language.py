"""Refusals are in the language of the page that asks; programs still read English."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import msgspec

from controller.core import events as e
from controller.core import records as r
from controller.core.coded_message import coded
from controller.core.codes import REASONS
from controller.core.life import STATES
from controller.text.coded import join_with_or, render
from controller.text.faults import Words
from controller.text.refusals import OF_A_RULING, refusal_message
from controller.web.api import verdicts
from controller.web.api.verdicts import OWN_REASONS, command_verdict, encode_verdict, untaken_verdict, waiting_verdict
from tests.core.chance import Judge
from tests.patience import on_loop
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.rig import Spoken
from tests.web.staff import PINS, at_a_staffed_table

ENGLISH, ROMANIAN = Words("en"), Words("ro")
ROOT = Path(__file__).parents[2] / "controller"
RULE = {"command": "rule", "id": "r1", "fault": 1, "ruling": "burn", "because": "seen"}


def verdict_text(verdict: verdicts.Verdict, words: Words) -> str:
    return str(msgspec.json.decode(encode_verdict(verdict, words))["says"])


def is_translated(verdict: verdicts.Verdict) -> bool:
    """True if a verdict has its own words in English, and other words in Romanian."""
    return verdict_text(verdict, ENGLISH) == verdict.says != verdict_text(verdict, ROMANIAN)


# ── verdicts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_refusal_is_in_the_pages_language_or_english(tmp_path):
    texts = dict.fromkeys(("", "&lang=en", "&lang=xx"), "nothing is paused") | {"&lang=ro": "nimic nu este în pauză"}

    async def steps():
        async with Spoken(tmp_path) as table:
            for query, says in texts.items():
                reply = await table.ask("POST", f"/api/commands?role=manager{query}", {**RULE, "id": query or "none"})
                (verdict,) = reply.body["verdicts"]
                assert (verdict["reason"], verdict["says"]) == ("not_paused", says)

    on_loop(steps)


def test_an_answer_without_a_language_is_unchanged():
    for verdict in (
        verdicts.refused_verdict("c", "not_all"),
        waiting_verdict("c"),
        untaken_verdict("c", "ending"),
        verdicts.id_reused_verdict("c"),
    ):
        assert encode_verdict(verdict, ENGLISH) == msgspec.json.encode(verdict)


def test_every_reason_of_a_verdict_is_in_romanian():
    for reason in (*REASONS, *OWN_REASONS):
        assert is_translated(verdicts.refused_verdict("c", reason)), reason
    for ruling, reason in OF_A_RULING:
        message = refusal_message(reason, ruling)
        assert message.code == f"refused_{ruling}_{reason}"
        assert ROMANIAN.tell(message) != ENGLISH.tell(message)
    for state in STATES:
        ignored = r.Record(1, 0, "t1", r.Ignored(e.Close(), state))
        assert verdict_text(command_verdict("c", [ignored], "manager"), ENGLISH) == f"not while the table is {state}"
        assert is_translated(command_verdict("c", [ignored], "manager"))
    assert is_translated(waiting_verdict("c"))


def test_a_reworded_english_sentence_keeps_its_romanian():
    """Another version of the table may use other English words: the translation needs only the code."""
    verdict = verdicts.refused_verdict("c", "not_paused")
    reworded = msgspec.structs.replace(verdict, says="there is no pause, now")
    assert verdict_text(reworded, ROMANIAN) == verdict_text(verdict, ROMANIAN) == "nimic nu este în pauză"
    assert verdict_text(reworded, ENGLISH) == "nothing is paused"
    unknown = msgspec.structs.replace(reworded, message=coded("refused_by_the_moon"))
    assert verdict_text(unknown, ROMANIAN) == "there is no pause, now"


class Translated(Judge):
    """Every refusal that a table records is translated into Romanian."""

    def look(self, before, event, records, after):
        for record in records:
            if isinstance(record.what, r.Refusal):
                assert is_translated(command_verdict("c", [record], "manager")), record


# ── who may what, and signing in ─────────────────────────────────────────────────────────────────────────────────────


def test_a_sentence_is_translated_with_its_parts():
    roles = join_with_or([coded("role_manager"), coded("role_dealer")])
    message = coded("for_persons", command=coded("command_rule"), roles=roles, name="{Ana}")
    assert render(message) == "rule is for a manager or dealer, which {Ana} is not"
    assert ROMANIAN.tell(message) == "decizia asupra erorii: numai pentru șef de tură sau dealer, iar {Ana} nu este"


def test_a_role_refusal_is_in_the_pages_language(tmp_path):
    texts = {
        "": "rule is for a manager, which Sandu is not",
        "&lang=ro": "decizia asupra erorii: numai pentru șef de tură, iar Sandu nu este",
    }

    async def steps(table):
        sandu = BrowserPerson(table, ELSEWHERE)
        assert (await sandu.sign_in("102", PINS["102"])).status == 200
        for (query, says), target in product(texts.items(), ("commands", "preview")):
            refused = await sandu.ask("POST", f"/api/{target}?role=manager{query}", RULE)
            assert (refused.status, refused.body["detail"]) == (403, says)
            assert refused.body["message"]["code"] == "for_persons"

    at_a_staffed_table(tmp_path, steps)


def test_sign_on_and_second_person_refusals_are_translated(tmp_path):
    async def steps(table):
        screen, maria = BrowserPerson(table), BrowserPerson(table, ELSEWHERE)
        await screen.be_the_screen()
        await screen.open_page("dealer")
        table.rig.take(e.Open())
        dora = {"name": "101", "pin": PINS["101"]}
        refused = await screen.ask("POST", "/session/dealer?role=dealer&lang=ro", dora)
        assert refused.body["detail"].startswith("dealerul se autentifică între două runde")
        sandu = {"name": "102", "pin": PINS["102"]}
        refused = await screen.ask("POST", "/session/dealer?role=dealer&lang=ro", sandu)
        assert refused.body["detail"] == "trebuie un dealer, iar Sandu nu este"
        assert (await maria.sign_in("103", PINS["103"])).status == 200
        two = {"ruling": RULE, "second": sandu}
        refused = await maria.ask("POST", "/api/v1/rulings?role=manager&lang=ro", two)
        assert refused.body["detail"] == "trebuie un șef de tură, iar Sandu nu este"
        two["second"] = {"name": "106", "pin": PINS["106"]}
        (verdict,) = (await maria.ask("POST", "/api/v1/rulings?role=manager&lang=ro", two)).body["verdicts"]
        assert verdict["says"] == "nimic nu este în pauză"

    at_a_staffed_table(tmp_path, steps)


def test_rulings_and_commands_answer_an_unknown_language_in_english(tmp_path):
    async def steps(table):
        maria = BrowserPerson(table, ELSEWHERE)
        assert (await maria.sign_in("103", PINS["103"])).status == 200
        two = {"ruling": RULE, "second": {"name": "106", "pin": PINS["106"]}}
        for path, body in (("commands", {**RULE, "id": "alone"}), ("rulings", two)):
            answer = await maria.ask("POST", f"/api/v1/{path}?role=manager&lang=xx", body)
            (verdict,) = answer.body["verdicts"]
            assert (answer.status, verdict["says"]) == (200, "nothing is paused")

    at_a_staffed_table(tmp_path, steps)


def test_an_invalid_name_is_refused_in_the_pages_language(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            body = {"command": "dealer", "id": "d1", "name": "Ana  Maria"}
            english = await table.ask("POST", "/api/commands?role=manager", body)
            assert english.body["detail"].endswith("between its words and none around them - at `$.name`")
            problem = (await table.ask("POST", "/api/commands?role=manager&lang=ro", body)).body
            assert problem["detail"].startswith("trebuie un nume cu câte un singur spațiu")
            assert (problem["detail"][-13:], problem["position"]) == ("- la `$.name`", "$.name")

    on_loop(steps)


# ── the source ───────────────────────────────────────────────────────────────────────────────────────────────────────

SAYING = {"HTTPException": 1, "RequestRefused": 1, "Forbidden": 0, "problem": 2}  # position of the text
MET = [  # code that answers people at a page
    *(ROOT / "web" / "access").glob("*.py"),
    *(ROOT / "web" / "api" / f"{name}.py" for name in ("staff", "problems")),
    *(ROOT / "web" / "net" / f"{name}.py" for name in ("bodies", "admission")),
    *(ROOT / "floor" / "site" / f"{name}.py" for name in ("acts", "hand_over")),
    *(ROOT / "floor" / "consoles" / f"{name}.py" for name in ("table_requests", "gateway")),
    ROOT / "floor" / "people" / "viewers.py",
]


def written_out(path: Path) -> Iterator[str]:
    """Yield refusals with their text as a literal in the code, in no catalogue."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
            for argument in node.args[SAYING[node.func.id] :][:1]:
                text = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
                if isinstance(text, ast.Constant):
                    yield str(text.value)


def test_no_page_refusal_is_an_untranslated_literal():
    assert {text for path in MET for text in written_out(path)} == set()


PAGES = (ROOT / "web" / "pages").glob("*.js")
WRITES = re.compile(r"""\b(?:write|post)\([`"]([^`"]+)[`"]""")
OF_TALK = {
    "/api/preview",
    "/api/commands",
    "/api/rounds",
    "/api/rulings",
    "/api/floor/acts",
    "/session/alive",
}  # talk.js adds the language


def test_every_request_a_page_writes_names_its_language():
    targets = {target for page in PAGES for target in WRITES.findall(page.read_text(encoding="utf-8"))}
    assert any(target.startswith("/api/commands?role=dealer") for target in targets)
    assert {target for target in targets if "lang=${document.documentElement.lang}" not in target} == OF_TALK
