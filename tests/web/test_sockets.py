"""The socket of a table: its path, its permissions, and what happens to a file at its path."""

import grp
import os
import socket
import stat

import pytest

from controller.cli import main
from controller.config.paths import ROOT, SOCKETS, pc_folder
from controller.web.net import sockets
from controller.web.net.sockets import Listening, UnusableSocket, place_of, table_of


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.sock"


def abandoned(path) -> None:
    """Leave a socket file at this path, as a killed program does."""
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
        dead.listen()


def test_only_owner_and_group_may_use_a_socket(path):
    listening = Listening(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    listening.close()


def test_a_socket_is_gone_after_its_program(path):
    Listening(path).close()
    assert not path.exists()


def test_closing_leaves_the_new_socket_of_another_program(path):
    listening = Listening(path)
    path.unlink()
    abandoned(path)
    listening.close()
    assert path.exists()


def test_the_socket_of_a_dead_program_is_replaced(path):
    abandoned(path)
    listening = Listening(path)
    assert sockets.answers(path)
    listening.close()


def test_a_program_that_listens_keeps_its_socket(path):
    listening = Listening(path)
    with pytest.raises(UnusableSocket, match="a program listens there already"):
        Listening(path)
    assert sockets.answers(path)
    listening.close()


def test_a_busy_program_keeps_its_socket(path):
    with socket.socket(socket.AF_UNIX) as busy, socket.socket(socket.AF_UNIX) as first:
        busy.bind(str(path))
        busy.listen(0)
        first.connect(str(path))
        with pytest.raises(UnusableSocket, match="a program listens there already"):
            Listening(path)


@pytest.mark.parametrize("make", ["write_text", "mkdir", "symlink_to"])
def test_a_file_that_is_no_socket_is_left_alone(path, make):
    getattr(path, make)(*(() if make == "mkdir" else ("elsewhere",)))
    with pytest.raises(UnusableSocket, match="expected a socket or nothing"):
        Listening(path)
    assert os.path.lexists(path)


def test_a_path_too_long_for_the_kernel_is_refused(tmp_path):
    with pytest.raises(UnusableSocket, match=r"may have 107 bytes, this has \d+; name another one under \[api\]"):
        Listening(tmp_path / ("t" * 120))


def test_a_socket_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(UnusableSocket, match="no such file or directory; name another one"):
        Listening(tmp_path / "nowhere" / "t.sock")


def test_a_group_may_be_named(path):
    own = os.getgroups()[-1] if os.getgroups() else os.getgid()  # a group that this user may set
    listening = Listening(path, grp.getgrgid(own).gr_name)
    assert path.stat().st_gid == own
    listening.close()


def test_a_socket_for_a_missing_group_is_refused(path):
    with pytest.raises(UnusableSocket, match=r"api\.group: expected a group of this computer, got 'dealers'"):
        Listening(path, "dealers")
    assert not path.exists()


def test_the_kernel_names_the_user_at_a_socket():
    one, other = socket.socketpair()
    with one, other:
        assert sockets.user_name(sockets.peer_of(one)) == sockets.user_name(os.getuid())
    assert sockets.user_name(4_000_000_000) == "4000000000"


# ── the path ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_systemds_folder_comes_first_then_the_users_then_the_journals(tmp_path):
    own, journal, nobodys = tmp_path / "own", tmp_path / "t.journal", {ROOT: str(tmp_path)}
    machine, users = pc_folder(SOCKETS, nobodys), {**nobodys, "XDG_RUNTIME_DIR": str(own)}
    assert place_of("t1", journal, nobodys) == tmp_path / "t.journal.sock"
    assert place_of("t1", journal, users) == tmp_path / "t.journal.sock"
    own.mkdir()
    assert place_of("t1", journal, users) == own / "tablectl" / "t1.sock"
    assert stat.S_IMODE((own / "tablectl").stat().st_mode) == 0o700
    machine.mkdir(parents=True)
    assert place_of("t1", journal, users) == machine / "t1.sock"


@pytest.mark.parametrize("name", ["../../etc/t", "table 1", "Tisch ä", ".", "a.sock"])
def test_a_tables_name_never_leads_elsewhere(tmp_path, name):
    environment = {ROOT: str(tmp_path)}
    pc_folder(SOCKETS, environment).mkdir(parents=True)
    path = place_of(name, tmp_path / "t.journal", environment)
    assert path.parent == pc_folder(SOCKETS, environment)
    assert table_of(path) == name


def test_the_command_line_reports_an_unusable_socket_in_one_line(capsys, path):
    path.write_text("")
    config = path.with_name("t.toml")
    config.write_text(
        f"""[game]\nname = "baccarat"\n[shoe]\nport = "{path.parent}/shoe"\n
        [journal]\npath = "{path.parent}/t.journal"\n[api]\nsocket = "{path}"\n[web]\nlisten = "off"\n""",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit) as ended:
        main(["run", str(config)])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(
        f"tablectl: {path}: expected a socket or nothing, there is something else"
    )
