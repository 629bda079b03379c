"""Delivery of an alert by a process of its own: it delivers, or says why not without naming a secret."""

import asyncio
import io
import os
import subprocess
import sys

import msgspec
import pytest

from controller.config.alerts import Target, Unaddressed
from controller.outputs import delivery
from controller.outputs.delivery import AlertMessage, TargetRefused, deliver, is_usable, send
from tests.patience import PATIENCE
from tests.ports import free
from tests.services import Silence, Webhook


def message(url: str = "", **target: object) -> AlertMessage:
    """Return an alert message for this address."""
    title, body = "[t1#50] stalled: table t1, round 12", "expected: a card\ncame: ü"
    return AlertMessage(Target(url=url or None, **target), title, body)


def sent(url: str, patience: float = PATIENCE) -> str | None:
    """Deliver a message by a process; return the reason why it failed, None if it did not."""
    return asyncio.run(send(message(url), patience))


def test_a_message_reaches_a_webhook_as_it_was_written():
    hook = Webhook()
    with hook.up() as port:
        assert sent(f"json://127.0.0.1:{port}/alerts") is None
    (took,) = hook.took
    assert took["title"] == "[t1#50] stalled: table t1, round 12"
    assert took["message"] == "expected: a card\ncame: ü"
    assert took["type"] == "warning"


def test_an_unreachable_target_is_reported_without_its_address():
    url = f"json://operator:pass%20word@127.0.0.1:{free()}/secret-path?+X-Token=a%2Fb-token"
    with pytest.raises(TargetRefused) as refused:
        deliver(message(url))
    assert str(refused.value) == "A Connection error occurred sending JSON notification to ***."


def test_a_refusing_target_is_reported_as_the_reason():
    hook = Webhook()
    hook.status = 401
    with hook.up() as port:
        assert "error=401" in sent(f"json://127.0.0.1:{port}/")
    assert hook.took == []


def test_a_delivery_process_that_takes_too_long_is_killed():
    silence = Silence()
    assert sent(f"json://127.0.0.1:{silence.port}/?rto=600", patience=0.05) == "no answer within 0.05 s"


def test_a_failed_process_start_is_reported_as_the_reason(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/python")
    assert sent("json://127.0.0.1:9/") == "no process can be started for it: no such file or directory"


def test_delivery_works_without_permission_to_lower_priority(monkeypatch):
    def refuse(_: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "nice", refuse)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(msgspec.json.encode(message("nonsense")))))
    monkeypatch.setattr(sys, "stdout", output := io.StringIO())
    assert delivery.main() == 1
    assert output.getvalue().startswith("the address is no URL")


def test_a_cancelled_delivery_ends_its_process():
    async def play():
        silence = Silence()
        task = asyncio.create_task(send(message(f"json://127.0.0.1:{silence.port}/?rto=600"), 600))
        assert await asyncio.to_thread(silence.called.wait, PATIENCE)
        task.cancel()
        await asyncio.wait([task])
        assert await asyncio.to_thread(silence.left.wait, PATIENCE)

    asyncio.run(play())


@pytest.mark.parametrize("url", ["nonsense", "nope://host", "json://", "json://one,json://two", "mailto://"])
def test_addresses_unknown_to_apprise_are_recognized(url):
    assert not is_usable(url)


@pytest.mark.parametrize("url", ["json://host/path", "mailtos://user:pw@example.com", "json://host:1234?+X-Key=1"])
def test_valid_addresses_are_recognized_without_a_network(url):
    assert is_usable(url)


def test_an_unusable_address_is_reported_without_naming_it():
    assert sent("nope://user:password@host") == "the address is no URL that apprise understands here"


def test_an_address_in_a_file_is_read_when_sending(tmp_path):
    file = tmp_path / "mail"
    with pytest.raises(Unaddressed, match=f"{file}: no such file or directory"):
        deliver(message(file=str(file)))
    hook = Webhook()
    with hook.up() as port:
        file.write_text(f"json://127.0.0.1:{port}/\n")
        deliver(message(file=str(file)))
    assert len(hook.took) == 1


@pytest.mark.parametrize(("content", "said"), [(b" \n", "the file is empty"), (b"\xff\xfe", "expected text in UTF-8")])
def test_a_file_without_an_address_is_reported(tmp_path, content, said):
    file = tmp_path / "mail"
    file.write_bytes(content)
    with pytest.raises(Unaddressed, match=said):
        Target(file=str(file)).address()


def test_an_address_can_come_from_the_environment(monkeypatch):
    target = Target(env="TABLECTL_ALERT")
    with pytest.raises(Unaddressed, match="the environment variable TABLECTL_ALERT is not set"):
        target.address()
    monkeypatch.setenv("TABLECTL_ALERT", "json://host/")
    assert target.address() == "json://host/"


def test_a_failed_delivery_process_is_reported_with_its_code(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert sent("json://host/") == "the delivery ended with code 1"


def test_the_table_itself_never_loads_apprise():
    program = "import sys, controller.cli.run; print('apprise' in sys.modules, 'requests' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]
