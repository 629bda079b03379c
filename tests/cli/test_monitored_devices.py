"""`tablectl monitor` observes each configured device through its own codec."""

import pytest

from controller.cli.monitor import _add, _config_of_options
from controller.config.mistakes import BadConfig
from controller.config.table_file import check

PORT = "/dev/serial/by-id/x"


class Lookers:
    """Records the class names of the arguments of each `add_...` call."""

    def __init__(self) -> None:
        self.added = dict[str, list[str]]()

    def __getattr__(self, name):
        return lambda *what: self.added.setdefault(name, [type(one).__name__ for one in what])


def added(**sections: dict) -> dict[str, list[str]]:
    observer = Lookers()
    _add(observer, check({"game": {"name": "baccarat"}, **sections}))
    return observer.added


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ({"shoe": {"model": "bee_tek", "port": PORT}}, {"add_shoe": ["OwnPort", "BeeTek"]}),
        ({"panel": {"model": "xk24"}}, {"add_panel": ["XK24", "Recognition"]}),
        ({"beacon": {"model": "blink1"}}, {"add_beacon": ["Blink1", "Recognition"]}),
    ],
)
def test_each_configured_device_is_looked_at(sections, expected):
    found = added(**sections)
    assert list(found) == list(expected)
    assert found == expected


def test_all_devices_of_a_table_are_looked_at_together():
    found = added(shoe={"model": "bee_tek", "port": PORT}, panel={"model": "xk24"}, beacon={"model": "blink1"})
    assert list(found) == ["add_shoe", "add_panel", "add_beacon"]


def test_without_any_device_there_is_nothing_to_look_at():
    with pytest.raises(BadConfig, match="no device is configured"):
        added()


def test_options_stand_for_a_config():
    assert _config_of_options("bee_tek", PORT, None).shoe.port == PORT
    assert _config_of_options(None, None, "xk24").panel.model == "xk24"
