"""The command line's client: which table it asks, and its errors if no table answers."""

import os
import socket
import threading

import pytest

from controller.cli import client
from controller.cli.client import NoAnswer, ask, only_running_socket, socket_of_config, socket_of_table
from controller.config.paths import RUNTIMES, SOCKETS, pc_folder
from controller.web.net.sockets import Listening, file_name


@pytest.fixture
def machine(own_pc):
    """Folder for the sockets of this PC's tables."""
    folder = pc_folder(SOCKETS)
    folder.mkdir(parents=True)
    return folder


def config(tmp_path, api: str = ""):
    path = tmp_path / "t.toml"
    path.write_text(f'[table]\nname = "t 1"\n[journal]\npath = "{tmp_path}/t.journal"\n{api}', encoding="utf-8")
    return path


def test_the_only_table_needs_no_name(machine):
    listening = Listening(machine / "t1.sock")
    assert only_running_socket() == machine / "t1.sock"
    listening.close()


def test_a_killed_table_is_not_among_the_running_ones(machine):
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(machine / "dead.sock"))
    listening = Listening(machine / "t1.sock")
    assert only_running_socket() == machine / "t1.sock"
    listening.close()


def test_one_of_several_running_tables_must_be_named(machine, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "tablectl").mkdir()
    one, other = Listening(machine / file_name("t 1")), Listening(tmp_path / "tablectl" / "t2.sock")
    with pytest.raises(NoAnswer, match=r"several tables run here \(t 1, t2\): say which table with --config, --table"):
        only_running_socket()
    assert socket_of_table("t 1") == one.path
    assert socket_of_table("t2") == other.path
    one.close()
    other.close()


@pytest.mark.parametrize(("uid", "finds"), [(0, True), (1000, False)])
def test_root_finds_the_tables_of_every_user(machine, monkeypatch, uid, finds):
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    users = pc_folder(RUNTIMES)
    (users / "1001" / "tablectl").mkdir(parents=True)
    (users / "1002").mkdir()
    listening = Listening(users / "1001" / "tablectl" / "t1.sock")
    if finds:
        assert only_running_socket() == socket_of_table("t1") == listening.path
    else:
        with pytest.raises(NoAnswer, match="no table runs here"):
            only_running_socket()
    listening.close()


def test_without_a_running_table_the_searched_places_are_named(machine):
    with pytest.raises(NoAnswer, match=f"no table runs here \\(none in {machine}\\): start one with `tablectl run"):
        only_running_socket()


def test_a_config_leads_to_the_socket_that_it_names(machine, tmp_path):
    assert socket_of_config(config(tmp_path, '[api]\nsocket = "/elsewhere/s"\n')).as_posix() == "/elsewhere/s"


def test_without_a_configured_socket_the_running_table_is_found(machine, tmp_path):
    path = config(tmp_path)
    assert socket_of_config(path) == machine / file_name("t 1")  # no table runs, so this socket is named
    listening = Listening(tmp_path / "t.journal.sock")
    assert socket_of_config(path) == listening.path
    listening.close()


def test_a_nonsense_answer_gives_a_one_line_error(tmp_path):
    with socket.socket(socket.AF_UNIX) as strange:
        strange.bind(str(tmp_path / "s"))
        strange.listen()
        thread = threading.Thread(target=say_nonsense, args=(strange,))
        thread.start()
        with pytest.raises(NoAnswer, match=r"no answer \(what\?\): look at `tablectl status` before doing it again"):
            ask(tmp_path / "s", "GET", "/api/state")
        thread.join()


def say_nonsense(listening: socket.socket) -> None:
    peer, _ = listening.accept()
    with peer:
        peer.recv(4096)
        peer.sendall(b"what?\r\n\r\n")


def test_a_program_that_does_not_answer_times_out(tmp_path, monkeypatch):
    monkeypatch.setattr(client, "PATIENCE", 0.05)
    listening = Listening(tmp_path / "s")
    with pytest.raises(NoAnswer, match="timed out"):
        ask(listening.path, "GET", "/api/state")
    listening.close()
