"""A hand-over or sign-on that a full disk cannot record is answered 503 and has no effect."""

from tests.web.staff import PINS, at_a_staffed_table
from tests.web.test_hand_over import hand_over_body, handed_over, signed_in


def test_a_hand_over_that_cannot_be_recorded_is_refused(tmp_path):
    async def steps(table):
        person = await signed_in(table)
        table.rig.journal.broken = "disk full"
        answer = await person.ask("POST", "/session/hand-over", hand_over_body())
        assert (answer.status, handed_over(table)) == (503, [])

    at_a_staffed_table(tmp_path, steps)


def test_a_sign_on_that_cannot_be_recorded_is_refused(tmp_path):
    async def steps(table):
        table.rig.journal.broken = "disk full"
        answer = await table.ask("POST", "/session/dealer", {"name": "101", "pin": PINS["101"]})
        assert (answer.status, table.table.state.dealer_id) == (503, None)

    at_a_staffed_table(tmp_path, steps)
