"""Test that all modules make their coded messages with the checked function of `tests.empty_fields`."""

from controller.bus import bus_client
from controller.core import coded_message
from controller.text import refusals
from tests.empty_fields import checked_coded


def test_messages_made_anywhere_in_the_program_are_watched():
    assert coded_message.coded is bus_client.coded is refusals.coded is checked_coded
