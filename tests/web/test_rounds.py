"""Rounds and their stories over the API for a shift manager, from the journal and its archives."""

import re
from typing import get_args

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.causes import NoRuling, NoSeat, NoServer
from controller.core.withholding import withhold
from controller.journal import archives, opening_seq
from controller.reports import round_stories as told
from controller.text.faults import LANGUAGES, Words
from controller.text.records import QUIET
from controller.text.story import tell
from controller.text.table_words import TableWords
from controller.web.api.round_history import result
from controller.web.screens.manager_words import ManagerWords
from controller.web.screens.report_words import span
from tests.patience import on_loop
from tests.table.test_table import HOLDEM
from tests.text.test_wording import ALL
from tests.web.rig import NATURAL, Spoken


def play(table: Spoken, *before: e.Event, cards: tuple[str, ...] = NATURAL) -> None:
    """Play one round of baccarat, confirmed by the dealer."""
    table.rig.take(e.Open(), *before, e.Close())
    table.rig.deal(*cards)
    table.rig.take(e.KeyPressed("finish"))
    assert table.table.state.life == "settled"


def bets(*stakes: int) -> list[e.Event]:
    return [e.PlaceBet(f"p{number}", "player", stake) for number, stake in enumerate(stakes)]


async def rounds(table: Spoken, query: str = "") -> list[dict]:
    reply = await table.ask("GET", f"/api/rounds?{query}")
    assert reply.status == 200, reply
    return reply.body["rounds"]


async def story(table: Spoken, number: int) -> dict:
    reply = await table.ask("GET", f"/api/rounds/{number}")
    assert reply.status == 200, reply
    return reply.body


def test_rounds_are_listed_latest_first_with_their_results(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            play(table)
            table.rig.take(e.Open(), e.CardOut("5H"))
            table.rig.clock.ahead += 4_000_000
            table.rig.take(e.Rule("cancel", "anna", "shoe touched"))
            table.rig.take(e.Open())
            live, cancelled, settled = await rounds(table)
            assert [one["round"]["round"] for one in (live, cancelled, settled)] == [3, 2, 1]
            assert [one["round"]["end"] for one in (live, cancelled, settled)] == ["live", "cancelled", "settled"]
            assert [one["result"] for one in (live, cancelled, settled)] == [None, "shoe touched", "PLAYER wins 9 : 5"]
            assert cancelled["round"]["faults"] == ["card_before_close"]
            assert 4 <= cancelled["round"]["paused"] < 5
            assert [one["paused"] for one in (live, cancelled, settled)] == [
                None,
                span(cancelled["round"]["paused"]),
                None,
            ]
            assert (settled["round"]["dealer"], settled["round"]["manual"]) == ("d1", False)

    on_loop(steps)


def test_the_next_page_of_rounds_continues_before_the_last(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            for _ in range(5):
                play(table)
            assert [one["round"]["round"] for one in await rounds(table, "count=2")] == [5, 4]
            assert [one["round"]["round"] for one in await rounds(table, "before=4&count=2")] == [3, 2]
            assert await rounds(table, "before=1") == []

    on_loop(steps)


def test_rounds_are_found_through_the_archives(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            for number in range(6):
                play(table, *bets(*[100] * number))
                if number % 2:
                    table.rig.journal.book.rotate()
            table.rig.take(e.Open())
            assert len(archives(table.rig.path)) == 3
            assert [one["round"]["round"] for one in await rounds(table)] == [7, 6, 5, 4, 3, 2, 1]
            assert {one["round"]["end"] for one in await rounds(table, "before=7")} == {"settled"}
            for number in range(1, 8):
                one = await story(table, number)
                assert one["round"]["round"] == number
                assert one["lines"][0]["kind"] == "opened"
                assert number == 7 or one["result"] == "PLAYER wins 9 : 5"
            assert opening_seq(table.rig.path, 8) is None

    on_loop(steps)


def test_a_story_lists_timed_events_and_groups_bets(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open(), *bets(1000, 500, 250))
            table.rig.clock.ahead += 7_000_000
            table.rig.take(e.Close())
            table.rig.deal(*NATURAL, "5H")
            table.rig.take(e.Acknowledge("anna"), e.Rule("burn", "anna", "one too many"))
            one = await story(table, 1)
            texts = [line["text"] for line in one["lines"]]
            assert "3 bets, 17.50 in all (PLAYER)" in texts
            assert "9♣ to PLAYER" in texts
            assert "anna rules: Burn the card, draw 5 – one too many" in texts
            closed = next(line for line in one["lines"] if line["kind"] == "closed")
            assert 7 <= closed["after"] < 8
            assert one["lines"][0]["after"] == 0
            assert [line["seq"] for line in one["lines"]] == sorted(line["seq"] for line in one["lines"])

    on_loop(steps)


def test_a_round_ends_where_the_next_begins(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            play(table)
            table.rig.take(e.DealerOn("d2"))
            play(table)
            kinds = [line["kind"] for line in (await story(table, 1))["lines"]]
            assert kinds.count("opened") == 1
            assert "dealer_changed" not in kinds

    on_loop(steps)


def test_the_story_of_a_live_round_names_no_hidden_card(tmp_path):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            table.face_down()
            text = str(await story(table, 1))
            assert "K♠" in text
            assert not [card for card in ("5C", "7D", "5♣", "7♦") if card in text]

    on_loop(steps)


def test_a_long_story_is_cut_and_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(told, "FAR", 10)

    async def steps():
        async with Spoken(tmp_path) as table:
            play(table, *bets(*[100] * 30))
            one = await story(table, 1)
            assert one["cut"] is True
            assert sum(line["kind"] == "dealt" for line in one["lines"]) == 0

    on_loop(steps)


@pytest.mark.parametrize("role", ["dealer", "server", "player"])
def test_only_a_shift_manager_reads_rounds(tmp_path, role):
    async def steps():
        async with Spoken(tmp_path) as table:
            for target in ("/api/rounds", "/api/rounds/1"):
                reply = await table.ask("GET", f"{target}?role={role}")
                assert (reply.status, reply.body["reason"]) == (403, "forbidden")

    on_loop(steps)


@pytest.mark.parametrize(
    ("target", "status", "says"),
    [
        ("/api/rounds/0", 400, "round: expected a number from 1 on, got '0'"),
        ("/api/rounds/x", 400, "round: expected a number from 1 on, got 'x'"),
        ("/api/rounds?before=-1", 400, "before: expected a number from 1 on, got '-1'"),
        ("/api/rounds?count=0", 400, "count: expected a number from 1 on, got '0'"),
        ("/api/rounds?count=%D9%A3", 400, "count: expected a number from 1 on"),
        ("/api/rounds/4", 404, "round 4 is not in the record, nor in the archives beside it"),
        ("/api/rounds?before=4", 404, "round 4 is not in the record"),
        ("/api/rounds/1?lang=xx", 400, "lang: expected one of en, ro, got 'xx'"),
    ],
)
def test_a_round_that_cannot_be_found_gives_one_line(tmp_path, target, status, says):
    async def steps():
        async with Spoken(tmp_path) as table:
            play(table)
            reply = await table.ask("GET", target)
            assert reply.status == status
            assert reply.body["detail"].startswith(says)

    on_loop(steps)


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            [
                "round 1 is open for bets",
                "3 bets, 17.50 in all (PLAYER)",
                "no more bets",
                "9♣ to PLAYER",
                "FAULT: One card too many",
                "anna has seen the fault",
                "anna rules: Burn the card, draw 5 – one too many",
                "5♥ is burnt (draw 5)",
                "the result stands: PLAYER wins 9 : 5",
            ],
        ),
        (
            "ro",
            [
                "runda 1 este deschisă pentru pariuri",
                "pariuri: 3, 17.50 în total (JUCĂTOR)",
                "pariurile sunt închise",
                "9♣ la JUCĂTOR",
                "EROARE: O carte în plus",
                "anna a văzut eroarea",
                "anna decide: Ardeți cartea, cartea nr. 5 – one too many",
                "5♥ este arsă (cartea nr. 5)",
                "rezultatul este confirmat: JUCĂTOR câștigă 9 : 5",
            ],
        ),
    ],
)
def test_a_story_is_in_the_readers_language(tmp_path, lang, lines):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open(), *bets(1000, 500, 250), e.Close())
            table.rig.deal(*NATURAL, "5H")
            table.rig.take(e.Acknowledge("anna"), e.Rule("burn", "anna", "one too many"))
            reply = await table.ask("GET", f"/api/rounds/1?role=manager&lang={lang}")
            texts = [line["text"] for line in reply.body["lines"]]
            assert [line for line in texts if line in lines] == lines

    on_loop(steps)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_story_holds_a_key(language):
    words, game = ManagerWords(Words(language)), ""
    for record in ALL:
        game = getattr(record.what, "game", game)
        if record.round and record.kind not in QUIET:
            line = tell(words, game, [replace(record, what=withhold(record.what))])
            assert not re.search(r"[a-z]_[a-z]|\bseat\d|[{}]|None", line), (record.kind, line)


MORE = (  # kinds that no script leads to
    r.Extended(7, "anna", 9), r.HandVoided("seat1", 1, 500, "EUR"),
    r.LossAccepted("e2", "e1", None, "anna", "the disk died"), r.RecordDamaged("links", 7, "it does not follow"),
    r.AnchorBegun("A2", True, "anna", "a new stick"), r.AnchorLost("it is a copy", True), r.AnchorBack(),
    r.WitnessUnheard(7, "no answer"), r.WitnessHeard(),
    r.AnchorLost("it is not there", False), r.RecordSound("links"), r.ReadOut(None),
    r.ShoeEnded(416, 400, 1, 0, 15, {}, {}, 0),
    r.ShoeEnded(416, 400, 1, 15, None, {"5D": 2}, {"9C": 1}, -1), r.DeckSuspect("D1", ("9C",), ("5D",), 40),
    r.ShoeCut("d1"), r.CutSkipped("d1", "late"), r.ShoeReady("d1", "S3", 416, uncut=""),
    r.Disagreed("result", "player", "banker"), r.Cancelled(NoRuling(30)), r.Cancelled(NoServer()),
    r.Cancelled(NoSeat()), r.SignedIn("anna", "10.0.0.7", "manager"), r.SignInsRefused(7, 1, 7, 60, (), ("10.0.0.7",)),
    r.HandedOver("anna", "bea", note="key sticks"), r.DealerChanged("d2"), r.DealerChanged(None), r.DealerLeaving("d1"),
    r.DeviceCutOff("shoe", 90_000, 2), r.DeviceTakenBack("shoe", "anna"), r.TelegramsMissing("shoe", "7", "9"),
    r.ClockSet("2026-01-01T10:00:00.000000Z", "2026-01-01T11:00:00.000000Z"), r.DeviceLost("panel", "unplugged"),
    r.ShoeReady("d1", "S2", 416), r.Voided(5, "7D"), r.Rewound(2, {}), r.WindowOpened(2, {}), r.Restarted(7),
    r.ExposureWarned(5100, 5000, "EUR"),
    r.Refunded("p1", "player", "b1", 500, "EUR"), r.BetRepriced("b1", "p1", "player", 500, "2.0", "1.5", "EUR"),
    r.Resettled(
        1, {"winner": "player"}, {"winner": "tie"}, (r.BetDifference("b1.r1", "b1", "p1", "tie", 500, 0, 4500, 4500),),
        "anna", "bea", "misread", (e.Amendment("correct", 2, "6D"),), "2026-01-01T12:00:00.000000Z", "EUR",
    ),
    r.ResettleRefused("anna", "stale_revision", 1), r.ResettleRefused("anna", "no_case", case=7),
    r.CaseOpened(e.KeyPressed("dropped")), r.CaseDismissed(7, "anna", "a chip fell"),
    r.Resettled(1, {"winner": "player"}, None, (), "anna", "bea", "shoe", (e.Amendment("cancel"),), "x", "EUR"),
    r.Reported(e.KeyPressed("dropped")), r.Disputed(e.ShoeSays("banker"), "player"),
    r.ReportAnswered(7, "found"), r.Escalated(7, None),
    r.StartsRefused("no_dealer", 3, "2026-01-01T12:00:00.000000Z", "2026-01-01T12:00:05.000000Z"),
)  # fmt: skip


def test_a_story_has_translated_words_for_every_record_kind(monkeypatch):
    monkeypatch.setattr("controller.text.story.sentence", lambda event: pytest.fail(f"told in English: {event}"))
    lines = [record for record in ALL if record.kind not in QUIET]
    lines += [replace(lines[0], what=what) for what in MORE]
    kinds = {kind.__struct_config__.tag for kind in get_args(r.What)} - QUIET
    assert {record.kind for record in lines} >= kinds
    game = "baccarat"
    for record in lines:
        game = getattr(record.what, "game", game)
        english, romanian = (
            tell(TableWords(Words(language)), game, [replace(record, what=withhold(record.what))])
            for language in LANGUAGES
        )
        assert english != romanian or record.kind in {"asked", "decided"}, english


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (NoRuling(30), "nimeni nu a decis în 30 s"),
        (NoServer(), "legătura cu jucătorii nu a revenit"),
        (NoSeat(), "niciun loc nu a fost ocupat"),
    ],
)
def test_an_automatic_cancellation_is_explained_in_the_readers_language(why, said):
    words = ManagerWords(Words("ro"))
    opened = next(record for record in ALL if record.kind == "opened")
    void = replace(opened, what=r.Cancelled(why))
    assert tell(words, "baccarat", [void]) == f"runda este anulată: {said}"
    assert result(told.summary([opened, void]), words) == said
