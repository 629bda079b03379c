"""Endless inputs that a codec is checked with."""

from controller.lab.testing.endless_input import LENGTH, endless_inputs


def test_a_message_without_end_goes_on_from_its_middle():
    (data,) = [data for name, data in endless_inputs([b"1234", b"12345678"]) if name == "a telegram without its end"]
    assert data == b"1234" + b"5" * LENGTH
