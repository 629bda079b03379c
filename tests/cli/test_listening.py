"""Sockets of running tables: a socket that this user may not open counts as listening."""

import pytest

from controller.cli import client


@pytest.mark.parametrize(("error", "listens"), [(None, True), (PermissionError("not for us"), True), (False, False)])
def test_a_socket_of_another_user_counts_as_listening(tmp_path, monkeypatch, error, listens):
    def answers(_):
        if isinstance(error, OSError):
            raise error
        return error is None

    monkeypatch.setattr(client, "answers", answers)
    assert client.listens(tmp_path / "t.sock") is listens


def test_the_first_answering_socket_is_chosen_else_the_first_existing(tmp_path, monkeypatch):
    gone, dead, alive = (tmp_path / name for name in ("gone.sock", "dead.sock", "alive.sock"))
    for one in (dead, alive):
        one.touch()
    monkeypatch.setattr(client, "answers", lambda path: path == alive)
    assert client._choose_socket([gone, dead, alive]) == alive
    monkeypatch.setattr(client, "answers", lambda _: False)
    assert client._choose_socket([gone, dead, alive]) == dead
    assert client._choose_socket([gone]) == gone
