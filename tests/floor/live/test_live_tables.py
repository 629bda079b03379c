"""Live state of all tables at a floor, and the picture of it for each viewer."""

import itertools
import random
from contextlib import closing

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.clock import SECOND, Time, to_text
from controller.core.coded_message import coded
from controller.core.views import view
from controller.floor.history.misreads import recent_events
from controller.floor.live import live_tables as halls
from controller.floor.live.live_tables import LiveTables
from controller.floor.live.page_messages import PageChange, PagePicture, Strip
from controller.floor.shared_state.alarms import DELAYS
from controller.floor.shared_state.documents import AlarmAcknowledgement, CallClaim, FloorWorker, HeldAlarm, Shelving
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import TableEvent, decode_event
from tests.core.bench import Bench
from tests.floor.bare_floor import FloorViewer
from tests.floor.statuses import START, calling_status, status

ANNA, ION = FloorViewer("7", "Anna Pop"), FloorViewer("8", "Ion Rusu", all=False)


class At:
    """Clock that a test sets."""

    def __init__(self) -> None:
        self.now: Time = START

    def __call__(self) -> Time:
        return self.now


@pytest.fixture
def at() -> At:
    return At()


@pytest.fixture
def hall(at) -> LiveTables:
    hall = LiveTables("main", 6, at)
    hall.set_trouble(None)
    return hall


def strips(hall: LiveTables, viewer: FloorViewer = ANNA, language: str = "en") -> dict[str, Strip]:
    """Return the strips that a viewer sees, by table."""
    return {strip.table: strip for strip in hall.picture(viewer, language).strips}


def bay(hall: LiveTables, name: str) -> list[str]:
    """Return the tables of a bay in their order."""
    lie = [strip for strip in hall.picture(ANNA, "en").strips if strip.bay == name]
    return [strip.table for strip in sorted(lie, key=lambda strip: strip.order)]


def passes(hall: LiveTables, at: At, seconds: float, *tables: str) -> None:
    """Let time pass; the `tables` tables send heartbeats."""
    until = at.now + round(seconds * SECOND)
    while at.now < until:
        at.now = min(at.now + SECOND // 2, until)
        for table in tables:
            hall.note_beat(table, at.now)
        hall.tick(at.now)


# ── bays and their order ─────────────────────────────────────────────────────────────────────────────────────────


def test_calls_come_by_halt_then_level_then_age_then_money(hall):
    """Order of calls: halted tables, then the higher level, the older call, the larger stake."""
    statuses = {
        "t1": calling_status("t1", waits=10),
        "t2": calling_status("t2", waits=90),
        "t3": calling_status("t3", calls=2, waits=5),
        "t4": status("t4", halted="disk full"),
        "t5": calling_status("t5", waits=10, money=500_00),
    }
    for table, one in statuses.items():
        hall.take_status(table, one)
    assert bay(hall, "calls") == ["t4", "t3", "t2", "t5", "t1"]


def test_a_halt_waits_since_its_own_beginning(hall):
    """A halt's age counts from the halt, even if the last record of the table is an hour old."""
    hall.take_status("t1", status("t1", halted="disk full", halted_at=to_text(START + 60 * SECOND)))
    hall.take_status("t2", status("t2", halted="disk full", halted_at=to_text(START + 30 * SECOND)))
    assert strips(hall)["t1"].call.since == to_text(START + 60 * SECOND)
    assert bay(hall, "calls") == ["t2", "t1"]


def test_a_halted_table_with_a_fault_calls_for_its_halt(hall):
    hall.take_status("t1", replace(calling_status(), halted="disk full", halted_at=to_text(START)))
    call = strips(hall)["t1"].call
    assert (call.seq, call.code, call.level, call.since) == (0, "halted", 1, to_text(START))


def test_doubts_about_a_table_show_until_they_are_over(hall, at):
    """A second PC, or messages that others have signed."""
    hall.take_status("t1", status())
    for doubts in ((coded("two_pcs", theirs="e1", ours="e2"),), ()):
        hall.doubts = lambda table, doubts=doubts: doubts if table == "t1" else ()
        passes(hall, at, 1, "t1")
        assert hall._tables["t1"].doubts == doubts


def test_tables_are_grouped_by_what_they_need(hall):
    hall.take_status("t1", status("t1"))
    hall.take_status("t2", status("t2", open=False, life="idle"))
    hall.take_status("t3", status("t3", training=True))
    hall.take_status("t4", status("t4", lost=("panel",)))
    hall.take_status("t5", calling_status("t5"))
    hall.take_status("t6", status("t6", open=False))  # its last round is live
    assert {table: strip.bay for table, strip in strips(hall).items()} == {
        "t1": "playing", "t2": "resting", "t3": "resting", "t4": "watch", "t5": "calls", "t6": "playing",
    }  # fmt: skip
    assert hall.picture(ANNA, "en").head.counts == {"calls": 1, "watch": 1, "playing": 2, "resting": 2}


def test_tables_that_need_nothing_are_sorted_by_name(hall):
    for table in ("t10", "t2", "t1"):
        hall.take_status(table, status(table))
    assert bay(hall, "playing") == ["t1", "t2", "t10"]


def test_a_table_of_an_unknown_game_shows_what_it_reports(hall):
    hall.take_status("t1", status(texts={}, game="sic_bo"))
    strip = strips(hall, language="ro")["t1"]
    assert (strip.game, strip.says, strip.next) == ("sic_bo", "dealing", "card to player")


# ── heard tables ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_three_missed_beats_make_a_table_unheard(hall, at):
    hall.take_status("t1", status("t1"))
    hall.take_status("t2", status("t2"))
    passes(hall, at, 5, "t1", "t2")
    last = at.now
    passes(hall, at, 3, "t2")
    assert strips(hall)["t1"].heard is None
    passes(hall, at, 0.5, "t2")
    strip = strips(hall)["t1"]
    assert (strip.heard, strip.bay, [one.kind for one in strip.alarms]) == (to_text(last), "watch", ["unheard"])
    assert strips(hall)["t2"].heard is None
    hall.note_beat("t1", at.now)
    assert (strips(hall)["t1"].heard, strips(hall)["t1"].bay) == (None, "playing")


def test_a_table_counts_as_heard_once_a_beat_came(hall, at):
    hall.take_status("t1", status("t1"))
    assert (hall.is_heard("t1"), strips(hall)["t1"].heard) == (False, None)  # and no alarm yet
    hall.note_beat("t1", at.now)
    assert hall.is_heard("t1")


def test_a_resumed_floor_reads_waiting_messages_before_it_judges(hall, at):
    """After a minute's suspension a floor reads waiting heartbeats before it reports silent tables."""
    for table in ("t1", "t2"):
        hall.take_status(table, status(table))
    passes(hall, at, 2, "t1", "t2")
    at.now += 60 * SECOND
    hall.take_status("t1", calling_status())  # the first of the waiting messages
    assert strips(hall)["t1"].heard is None
    for table in ("t1", "t2"):
        hall.note_beat(table, at.now)
    hall.tick(at.now)
    assert [strip.heard for strip in strips(hall).values()] == [None, None]


def test_a_call_stays_open_at_an_unheard_table(hall, at):
    hall.take_status("t1", calling_status())
    passes(hall, at, 10)
    strip = strips(hall)["t1"]
    assert (strip.bay, strip.call.seq, strip.heard) == ("calls", 11, to_text(START))


def test_a_closed_table_that_is_not_heard_rests(hall, at):
    hall.take_status("t1", status(open=False, life="cancelled"))
    passes(hall, at, 10)
    assert (strips(hall)["t1"].bay, strips(hall)["t1"].alarms) == ("resting", ())


def test_a_cut_floor_line_makes_no_table_silent(hall, at):
    """While the floor has no line to the bus, it reports its own trouble, not 200 silent tables."""
    for number in range(200):
        hall.take_status(f"t{number}", status(f"t{number}"))
    passes(hall, at, 2, *(f"t{number}" for number in range(200)))
    hall.set_trouble("no answer in time")
    passes(hall, at, 30)
    picture = hall.picture(ANNA, "en")
    assert "no answer in time" in picture.head.line
    assert picture.head.counts["playing"] == 200
    assert not hall.has_alarm_changes
    hall.set_trouble(None)
    passes(hall, at, 3)
    assert hall.picture(ANNA, "en").head == replace(picture.head, line=None)
    passes(hall, at, 1, "t5")
    assert hall.picture(ANNA, "en").head.counts == {"calls": 0, "watch": 199, "playing": 1, "resting": 0}


# ── claims, assignments ──────────────────────────────────────────────────────────────────────────────────────────


def claim(fault: int = 11, **about: object) -> CallClaim:
    return replace(CallClaim("e1", fault, fault, "8", "Ion Rusu", "second", to_text(START)), **about)


def test_a_call_shows_the_person_who_claimed_it(hall):
    hall.take_status("t1", calling_status())
    hall.set_claim("t1", claim())
    assert [strips(hall, one)["t1"].call.claim.mine for one in (ANNA, ION)] == [False, True]
    hall.set_claim("t1", claim(id=None))
    assert strips(hall)["t1"].call.claim is None


def test_a_claim_known_before_its_table_shows_at_the_call(hall):
    hall.set_claim("t1", claim())
    hall.take_status("t1", calling_status())
    assert strips(hall)["t1"].call.claim.id == "8"
    hall.remove("t1")
    hall.set_claim("t1", claim(id=None))
    hall.take_status("t1", calling_status())
    assert strips(hall)["t1"].call.claim is None


@pytest.mark.parametrize("about", [{"fault": 10}, {"epoch": "e0"}])
def test_a_claim_of_another_fault_does_not_count(hall, about):
    hall.take_status("t1", calling_status())
    hall.set_claim("t1", claim(**about))
    assert strips(hall)["t1"].call.claim is None


def test_a_claim_of_a_halt_ends_with_that_halt(hall):
    halted = status(halted="disk full", seq=20)
    hall.take_status("t1", halted)
    hall.set_claim("t1", claim(fault=0, seq=20))
    assert strips(hall)["t1"].call.claim.name == "Ion Rusu"
    hall.take_status("t1", status(seq=30))
    hall.take_status("t1", replace(halted, seq=30))
    assert (strips(hall)["t1"].call.seq, strips(hall)["t1"].call.claim) == (0, None)


def test_the_picture_allows_a_supervisor_only_their_own_tables(hall):
    hall.set_staff([FloorWorker("7", "Anna Pop", "manager"), FloorWorker("8", "Ion Rusu", "supervisor")])
    for table in ("t1", "t2"):
        hall.take_status(table, status(table))
    hall.set_assignments({"t1": "8", "left": "8"})  # `left` is not on the bus
    assert {table: strip.mine for table, strip in strips(hall, ION).items()} == {"t1": True, "t2": False}
    assert {table: strip.mine for table, strip in strips(hall, ANNA).items()} == {"t1": True, "t2": True}
    assert strips(hall)["t1"].owner == "Ion Rusu"
    people = [(one.name, one.tables, one.at_most) for one in hall.picture(ANNA, "en").head.people]
    assert people == [("Anna Pop", (), None), ("Ion Rusu", ("t1",), 6)]


# ── alarms ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_alarm_says_in_the_viewers_language_what_to_do(hall):
    hall.take_status("t1", status(lost=("panel",)))
    alarms = [strips(hall, language=language)["t1"].alarms[0] for language in ("en", "ro")]
    assert [one.head for one in alarms] == ["Not connected: Panel", "Neconectat: Panou"]
    assert alarms[0].act == "Have the device reconnected or replaced"


def test_a_standing_alarm_shows_the_present_count(hall):
    """Two more reports arrive after the alarm was raised; floors share the alarm with its first text."""
    hall.take_status("t1", replace(calling_status(), waiting=1))
    hall.set_alarms({"t1:waiting": HeldAlarm(to_text(START), text="1")})
    hall.take_status("t1", replace(calling_status(), waiting=3))
    assert [one.head for one in strips(hall)["t1"].alarms] == ["3 reports waiting"]


def test_an_ended_alarm_stays_until_acknowledged_even_after_a_restart(hall):
    hall.take_status("t1", status())
    hall.set_alarms({"t1:lost:panel": HeldAlarm(to_text(START), text="panel", over=to_text(START))})
    (one,) = strips(hall)["t1"].alarms
    assert (one.standing, one.head, strips(hall)["t1"].bay) == (False, "Not connected: Panel", "watch")


def test_a_shelved_alarm_leaves_the_watch_list_for_a_while(hall, at):
    hall.take_status("t1", status(lost=("panel",)))
    shelved = Shelving(to_text(START + 60 * SECOND), "7", "Anna Pop", "a new one comes")
    hall.set_alarms({"t1:lost:panel": HeldAlarm(to_text(START), text="panel", shelved=shelved)})
    passes(hall, at, 59, "t1")
    version = hall.version
    (one,) = strips(hall)["t1"].alarms
    assert (strips(hall)["t1"].bay, one.shelved, one.because) == ("playing", shelved.until, "a new one comes")
    passes(hall, at, 2, "t1")
    assert [strip.bay for strip in hall.changes(ANNA, "en", version).strips] == ["watch"]


def test_a_dealer_being_relieved_raises_no_alarm(hall, at):
    hall.take_status("t1", status(bars=("no_dealer",), dealer=None))
    passes(hall, at, 59, "t1")
    assert strips(hall)["t1"].alarms == ()
    hall.take_status("t1", status())
    passes(hall, at, 1, "t1")
    hall.take_status("t1", status(bars=("no_dealer",), dealer=None))
    passes(hall, at, 59, "t1")
    assert strips(hall)["t1"].alarms == ()
    passes(hall, at, 2, "t1")
    assert [one.kind for one in strips(hall)["t1"].alarms] == ["no_dealer"]


@pytest.mark.parametrize(
    ("kind", "about"),
    [("no_dealer", {"bars": ("no_dealer",), "dealer": None}), ("trouble", {"troubles": ("no answer yet",)})],
)
def test_a_cut_floor_line_does_not_shorten_an_alarms_delay(hall, at, kind, about):
    """The delay of an alarm starts again when the line is back; the time of the cut does not count."""
    delay = DELAYS[kind] // SECOND
    hall.take_status("t1", status(**about))
    passes(hall, at, delay - 1, "t1")
    hall.set_trouble("no answer in time")
    passes(hall, at, 3 * delay)
    hall.set_trouble(None)
    passes(hall, at, delay - 1, "t1")
    assert strips(hall)["t1"].alarms == ()
    passes(hall, at, 2, "t1")
    assert [one.kind for one in strips(hall)["t1"].alarms] == [kind]
    hall.set_trouble("no answer in time")
    passes(hall, at, 1)
    assert [(one.kind, one.standing) for one in strips(hall)["t1"].alarms] == [(kind, True)]


def test_one_alarm_at_many_tables_is_one_line(hall, at):
    for number in range(9):
        hall.take_status(f"t{number}", status(f"t{number}", lost=("server",)))
    assert hall.picture(ANNA, "en").head.flood == ()
    for number in range(9, 40):
        hall.take_status(f"t{number}", status(f"t{number}", lost=("server",)))
        hall.take_status(f"c{number}", calling_status(f"c{number}"))
    picture = hall.picture(ANNA, "en")
    assert picture.head.flood == ("31 tables: A card came early", "40 tables: Not connected: Game server")
    assert picture.head.counts == {"calls": 31, "watch": 40, "playing": 0, "resting": 0}


def test_acknowledged_alarms_leave_the_flood_line(hall):
    ack = AlarmAcknowledgement("7", "Anna Pop", to_text(START))
    for number in range(12):
        hall.take_status(f"t{number}", status(f"t{number}", lost=("server",)))
    held = {
        f"t{number}:lost:server": HeldAlarm(to_text(START), text="server", acknowledged=ack) for number in range(12)
    }
    hall.set_alarms(held)
    assert hall.picture(ANNA, "en").head.flood == ()


# ── misreads ─────────────────────────────────────────────────────────────────────────────────────────────────────


NUMBERS = itertools.count(1)


def event(kind: str, **about: object) -> TableEvent:
    envelope = {"seq": next(NUMBERS), "at": to_text(START), "kind": kind, "table": "t1"}
    return decode_event("t1", "e1", msgspec.json.encode({**envelope, **about}))


def ruled(**about: object) -> TableEvent:
    return event("ruled", **{"fault": 1, "by": "eva", "because": "seen", "before": {}, "after": {}, **about})


def test_misreads_are_of_the_last_hundred_cards(hall):
    hall.take_status("t1", status())
    assert strips(hall)["t1"].misreads is None
    hall.count_reads([event("drawn", round=1, draw=draw, card=None) for draw in (1, 2)])
    assert strips(hall)["t1"].misreads == 2
    hall.count_reads(
        [event("dealt", round=2, draw=draw, card="5H", to="player", face_up=True) for draw in range(1, 99)]
    )
    assert strips(hall)["t1"].misreads == 2
    hall.count_reads([ruled(round=2, ruling="correct", after={"draw": 98, "card": "6H"})])
    assert (strips(hall)["t1"].misreads, strips(hall)["t1"].bay) == (3, "watch")
    hall.count_reads([event("dealt", round=3, draw=draw, card="5H", to="player", face_up=True) for draw in (1, 2)])
    assert (strips(hall)["t1"].misreads, strips(hall)["t1"].alarms) == (1, ())
    hall.count_reads([event("dealt", round=4, draw=draw, card="5H", to="player", face_up=True) for draw in range(98)])
    assert strips(hall)["t1"].misreads == 0


def test_a_restarted_floor_continues_its_counts(hall, tmp_path):
    before = [event("drawn", round=1, draw=draw, card=None) for draw in (1, 2)]
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add(before)
        hall.count_reads(recent_events(store))
    hall.take_status("t1", status())
    hall.count_reads([event("drawn", round=1, draw=3, card=None)])
    assert strips(hall)["t1"].misreads == 3


@pytest.mark.parametrize(
    "about",
    [
        {"kind": "drawn", "card": None, "hidden": True},
        {"kind": "dealt", "card": None, "to": "dealer", "face_up": False},
        {"kind": "drawn", "card": "5H", "source": "manual"},
        {"kind": "dealt", "draw": "one"},
    ],
)
def test_a_face_down_or_entered_card_is_no_misread(hall, about):
    hall.take_status("t1", status())
    hall.count_reads([event(**{"round": 1, "draw": 1, **about})])
    assert strips(hall)["t1"].misreads in (None, 0)


@pytest.mark.parametrize(
    "about",
    [{"ruling": "move", "after": {"draw": 1, "place": "player"}}, {"ruling": "correct", "after": {"draw": "1"}}],
)
def test_a_ruling_that_corrects_no_card_makes_no_misread(hall, about):
    hall.take_status("t1", status())
    hall.count_reads([event("drawn", round=1, draw=1, card="5H"), ruled(round=1, **about)])
    assert strips(hall)["t1"].misreads == 0


def test_three_unread_face_down_cards_raise_the_alarm(hall):
    bench = Bench("casino_holdem")
    says = "shuffled; open; bet p1 ante 1.00; close; card 2C; card 3C; unread; rule enter 4D by anna because seen"
    bench.says("; ".join([f"{says}; press manager; rule cancel by bo because torn"] * 3))
    hall.take_status("t1", status())
    hall.count_reads(
        [
            decode_event("t1", "e1", msgspec.json.encode({**view(one, "manager"), "table": "t1"}))
            for one in bench.records
        ]
    )
    assert strips(hall)["t1"].misreads == 3
    assert "misreads" in str(strips(hall)["t1"].alarms)


# ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────────


def with_change(picture: PagePicture, change: PageChange) -> tuple[object, dict[str, Strip]]:
    """Return the head and strips that a page has after a change."""
    strips = {strip.table: strip for strip in picture.strips}
    strips = {table: strip for table, strip in strips.items() if table not in change.gone}
    strips |= {strip.table: strip for strip in change.strips}
    return change.head or picture.head, strips


def test_each_change_is_sent_once_and_alone(hall):
    for number in range(5):
        hall.take_status(f"t{number}", status(f"t{number}"))
    hall.picture(ANNA, "en")
    version = hall.version
    hall.take_status("t3", status("t3", life="complete"))
    change = hall.changes(ANNA, "en", version)
    assert ([strip.table for strip in change.strips], change.head, change.gone) == (["t3"], None, ())
    assert hall.changes(ANNA, "en", hall.version) == PageChange(None, (), ())


def test_a_status_without_visible_news_is_not_sent(hall):
    hall.take_status("t1", status())
    hall.picture(ANNA, "en")
    version = hall.version
    hall.take_status("t1", status(seq=99, at=to_text(START + SECOND)))
    assert hall.changes(ANNA, "en", version) == PageChange(None, (), ())


def test_a_table_that_disappears_and_returns_is_sent_again(hall):
    for table in ("t1", "t2"):
        hall.take_status(table, status(table))
    hall.picture(ANNA, "en")
    version = hall.version
    hall.remove("t2")
    change, gone = hall.changes(ANNA, "en", version), hall.version
    assert (change.gone, change.head.counts["playing"]) == (("t2",), 1)
    hall.take_status("t2", status("t2"))
    for since in (gone, version):
        back = hall.changes(ANNA, "en", since)
        assert (back.gone, [strip.table for strip in back.strips]) == ((), ["t2"])


def test_a_change_sets_the_news_event_once(hall):
    news = hall.news
    hall.take_status("t1", status())
    assert news.is_set()
    assert not hall.news.is_set()


TABLES = tuple(f"t{number}" for number in range(6))


class RandomEvents:
    """Random events at tables, people's acts and other floors' changes."""

    def __init__(self, hall: LiveTables, at: At, chance: random.Random) -> None:
        self.hall, self.at, self.chance = hall, at, chance

    def happens(self) -> None:
        acts = (self.said, self.said, self.called, self.gone, self.passed, self.claimed, self.given, self.held)
        self.chance.choice(acts)(self.chance.choice(TABLES))

    def said(self, table: str) -> None:
        about = {"lost": self.chance.choice(((), ("panel",))), "open": self.chance.random() < 0.8}
        self.hall.take_status(table, status(table, **about))

    def called(self, table: str) -> None:
        self.hall.take_status(table, calling_status(table))

    def gone(self, table: str) -> None:
        self.hall.remove(table)

    def passed(self, table: str) -> None:
        self.hall.note_beat(table, self.at.now)
        passes(self.hall, self.at, self.chance.choice((0.5, 4)), *self.chance.sample(TABLES, 3))

    def claimed(self, table: str) -> None:
        self.hall.set_claim(table, claim(id=self.chance.choice(("7", "8", None))))

    def given(self, table: str) -> None:
        self.hall.set_assignments({table: "8"})

    def held(self, table: str) -> None:
        self.hall.set_alarms({f"{table}:lost:panel": HeldAlarm(to_text(START), text="panel")})


@pytest.mark.parametrize("seed", range(10))
def test_a_picture_plus_its_changes_equals_the_current_picture(hall, at, seed):
    """In any order of events, for every viewer, however rarely the viewer's page asks."""
    chance = random.Random(seed)
    random_events = RandomEvents(hall, at, chance)
    lookers = [(one, language) for one in (ANNA, ION) for language in ("en", "ro")]
    pages = {pair: (hall.picture(*pair), hall.version) for pair in lookers}
    for _ in range(150):
        random_events.happens()
        pair = chance.choice(lookers)
        picture, version = pages[pair]
        head, strips = with_change(picture, hall.changes(*pair, version))
        pages[pair] = (PagePicture(head, tuple(strips.values()), {}), hall.version)
        now = hall.picture(*pair)
        assert strips == {strip.table: strip for strip in now.strips}
        assert head == now.head


def test_a_strip_is_composed_once_per_language(hall, monkeypatch):
    composed: list[tuple[str, str]] = []
    compose = halls.strip

    def counted(facts, language):
        composed.append((facts.status.table, language))
        return compose(facts, language)

    monkeypatch.setattr(halls, "strip", counted)
    for number in range(200):
        hall.take_status(f"t{number}", status(f"t{number}"))
    lookers = [FloorViewer(str(number), "Somebody", all=number % 2 == 0) for number in range(30)]
    versions = {(one, language): 0 for one in lookers for language in ("en", "ro")}
    for language in ("en", "ro"):
        hall.picture(ANNA, language)
    composed.clear()
    for number in range(40):
        hall.take_status(f"t{number}", status(f"t{number}", life="complete"))
        for (one, language), version in versions.items():
            hall.changes(one, language, version)
            versions[one, language] = hall.version
    assert len(composed) == len(set(composed)) == 80
