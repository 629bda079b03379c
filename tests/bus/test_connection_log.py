"""Log of a connection to the bus: the server that was reached, and each reason once."""

from types import SimpleNamespace
from urllib.parse import urlparse

from structlog.testing import capture_logs

from controller.bus.bus_client import BusClient
from tests.patience import on_loop


def test_a_connection_is_logged_with_its_server():
    line = BusClient({})
    line.client = SimpleNamespace(connected_url=urlparse("tls://10.0.0.5:4222"))
    with capture_logs() as lines:
        on_loop(line._note_connection)
    assert [(one["event"], one["server"]) for one in lines] == [("bus_reached", "10.0.0.5:4222")]
    assert (line.there.is_set(), line.up.is_set()) == (True, False)


def test_a_reason_is_logged_once_until_it_changes():
    line = BusClient({})
    line.client = SimpleNamespace(is_connected=False)
    with capture_logs() as lines:
        for reason in ("first", "first", "second", "first"):
            on_loop(lambda reason=reason: line._note_error(Exception(reason)))
    assert [one["reason"] for one in lines] == ["first", "second", "first"]
    assert {one["event"] for one in lines} == {"bus_not_reached"}
