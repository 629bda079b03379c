"""Sign-in by badge: with the PIN in place of the id, or alone if the config allows it."""

from controller.config.people_change import change_registry
from controller.core import events as e
from tests.web.net import ELSEWHERE, BrowserPerson
from tests.web.people import kiosk, with_clock
from tests.web.rig import capture_log
from tests.web.staff import BADGES, PINS, at_a_staffed_table

NOBODYS = "9999999999"


def shows(person, badge, pin="", door="/session/dealer?role=dealer"):
    return person.ask("POST", door, {"badge": badge, "pin": pin})


def signs_in(person, badge, pin=""):
    return shows(person, badge, pin, "/session")


def recorded(table, kind):
    return [record.what for record in table.rig.recorded() if record.kind == kind]


def test_a_dealer_signs_on_by_badge_and_pin_without_traces(tmp_path):
    async def steps(table):
        screen = await kiosk(table)
        assert (await screen.ask("GET", "/session?role=dealer")).body["badge"] == "with_pin"
        with capture_log() as lines:
            answer = await shows(screen, BADGES["101"], PINS["101"])
        assert (answer.status, answer.body["dealer"]) == (200, "Dora")
        assert recorded(table, "dealer_changed")[-1].to_id == "101"
        assert (recorded(table, "signed_in")[-1].proof, table.table.state.dealer) == ("badge_pin", "Dora")
        await screen.ask("POST", "/session/dealer?role=dealer", {"name": "106", "pin": PINS["106"]})
        assert recorded(table, "signed_in")[-1].proof == "pin"
        text = table.people.path.read_text(encoding="utf-8") + repr(table.rig.recorded()) + repr(lines)
        assert BADGES["101"] not in text

    at_a_staffed_table(tmp_path, steps)


def test_a_badge_is_not_enough_unless_the_config_says_so(tmp_path):
    async def steps(table):
        screen = await kiosk(table)
        alone = await shows(screen, BADGES["101"])
        assert (alone.status, alone.body["detail"].partition(":")[0]) == (400, "pin")
        for badge, pin in ((BADGES["101"], "9999"), (NOBODYS, PINS["101"])):
            answer = await shows(screen, badge, pin)
            assert (answer.status, answer.body["detail"]) == (401, "wrong badge or PIN")  # without saying which
        assert table.table.state.dealer == "d1"

    at_a_staffed_table(tmp_path, steps)


def test_with_badge_alone_a_badge_signs_on_and_in(tmp_path):
    async def steps(table):
        screen, person = await kiosk(table), BrowserPerson(table, ELSEWHERE)
        assert (await screen.ask("GET", "/session")).body["badge"] == "alone"
        assert (await shows(screen, BADGES["101"])).body["dealer"] == "Dora"
        assert (await signs_in(person, BADGES["106"])).body["name"] == "Livia"
        assert [one.proof for one in recorded(table, "signed_in")[-2:]] == ["badge", "badge"]
        refused = await signs_in(person, BADGES["101"])  # a dealer cannot sign in at the manager's page
        assert refused.status == 403
        assert (await shows(screen, NOBODYS)).status == 401

    at_a_staffed_table(tmp_path, steps, "alone")


def test_a_manager_dealing_by_badge_cannot_rule_at_the_screen(tmp_path):
    async def steps(table):
        screen = await kiosk(table)
        assert (await shows(screen, BADGES["106"])).body["dealer"] == "Livia"  # also a manager
        table.rig.take(e.Open(), e.KeyPressed("manager"))
        rule = {"command": "rule", "id": "r1", "fault": table.table.state.fault.seq, "ruling": "resume", "because": "x"}
        answer = await screen.ask("POST", "/api/commands?role=dealer", rule)
        assert "not for the dealer" in str(answer.body)
        assert table.table.state.life == "paused"

    at_a_staffed_table(tmp_path, steps, "alone")


def test_unknown_badges_are_delayed_like_wrong_pins(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        screen = await kiosk(table)
        answers = [await shows(screen, f"{NOBODYS}{number}") for number in range(3)]
        assert [answer.headers.get("retry-after", "0") for answer in answers] == ["0", "0", "5"]
        assert (await shows(screen, BADGES["101"])).status == 429  # otherwise every number could be tried
        byid = await screen.ask("POST", "/session/dealer?role=dealer", {"name": "101", "pin": PINS["101"]})
        assert byid.status == 200  # a foreign badge on the reader blocks no sign-on by id
        clock.now += 5
        assert (await shows(screen, BADGES["106"])).status == 200
        table.api.checker.stop()
        assert sum(one.wrong for one in recorded(table, "sign_ins_refused")) == 3

    at_a_staffed_table(tmp_path, steps, "alone")


def test_wrong_pins_by_badge_and_by_id_count_together(tmp_path, clock):
    async def steps(table):
        with_clock(table, clock)
        screen = await kiosk(table)
        for _ in range(2):
            assert (await shows(screen, BADGES["101"], "9999")).status == 401
        byid = await screen.ask("POST", "/session/dealer?role=dealer", {"name": "101", "pin": "9999"})
        assert byid.headers["retry-after"] == "5"
        assert (await shows(screen, BADGES["101"], PINS["101"])).status == 429
        clock.now += 5
        assert (await shows(screen, BADGES["101"], PINS["101"])).status == 200

    at_a_staffed_table(tmp_path, steps)


def test_a_lost_badge_is_refused_and_ends_its_sessions(tmp_path):
    async def steps(table):
        person = BrowserPerson(table, ELSEWHERE)
        answer = await signs_in(person, BADGES["106"], PINS["106"])
        person.cookie = "; ".join(answer.cookies)
        assert (await person.ask("GET", "/session")).body["role"] == "manager"
        with change_registry(table.people) as change:
            change.set_badge("106", None)
        assert (await person.ask("GET", "/session")).body["role"] == "player"
        assert (await signs_in(person, BADGES["106"], PINS["106"])).status == 401

    at_a_staffed_table(tmp_path, steps)


def test_a_sign_in_needs_either_a_name_or_a_badge(tmp_path):
    async def steps(table):
        person = BrowserPerson(table, ELSEWHERE)
        for credentials in ({"pin": "2580"}, {"name": "106", "badge": BADGES["106"], "pin": PINS["106"]}):
            answer = await person.ask("POST", "/session", credentials)
            assert (answer.status, answer.body["detail"]) == (400, "expected a name, or a badge in its place")

    at_a_staffed_table(tmp_path, steps)
