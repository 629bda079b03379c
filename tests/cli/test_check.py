"""`tablectl check` refuses what `tablectl run` would, in the same words, and leaves no file."""

import errno
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from controller.cli import own_pages, requirements
from controller.config.table_file import load
from controller.core.sheet import digest
from controller.games import GAMES
from controller.journal import Journal
from controller.web.net.sockets import Listening
from tests.end_to_end.rig import start_table

SOUND = {
    "game": 'name = "baccarat"',
    "table": 'name = "t1"',
    "shoe": 'port = "/dev/none"',
    "journal": 'path = "FOLDER/t.journal"',
    "api": 'socket = "FOLDER/t.sock"',
    "web": 'listen = "127.0.0.1:0"',
}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path, monkeypatch) -> Write:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    def write(name: str = "t.toml", **sections: str | None) -> Path:
        """Write a config with these sections and the usual others; None leaves a section out."""
        text = "".join(f"[{name}]\n{lines}\n" for name, lines in {**SOUND, **sections}.items() if lines is not None)
        config = tmp_path / name
        config.write_text(text.replace("FOLDER", str(tmp_path)), encoding="utf-8")
        return config

    return write


def everything(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def test_check_of_a_sound_table_leaves_no_files(tablectl, write, tmp_path):
    config = write(shoe='port = "/dev/null"')
    before = everything(tmp_path)
    assert tablectl("check", config).stdout.startswith(f"{config}: sound; it could run here\n")
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    ("port", "says"),
    [
        ("/dev/none", ", and would wait for the shoe: there is no /dev/none now"),
        ("socket://127.0.0.1:9", ""),
    ],
)
def test_check_says_that_an_unplugged_shoe_is_waited_for(tablectl, write, port, says):
    config = write(shoe=f'port = "{port}"')
    assert tablectl("check", config).stdout.startswith(f"{config}: sound; it could run here{says}\n")


REFUSED = {
    "no shoe": ({"shoe": None}, "shoe.port: no port given"),
    "no journal": ({"journal": None}, "journal.path: no file given"),
    "the journal's folder is missing": ({"journal": 'path = "FOLDER/no/t.journal"'}, "an existing folder, got /"),
    "the journal is another file": ({"journal": 'path = "FOLDER/t.toml"'}, "t.toml: "),
    "the anchor is the journal": (
        {"journal": 'path = "FOLDER/t.journal"\nanchor = "FOLDER/t.journal"'}, "journal.anchor: expected a file of its"
    ),
    "nobody knows that loss": ({"journal": 'path = "t"\nanchor_loss = "ask"'}, "journal.anchor_loss: expected one of"),
    "the socket's folder is missing": ({"api": 'socket = "FOLDER/no/t.sock"'}, "no such file or directory; name"),
    "the socket is another file": ({"api": 'socket = "FOLDER/t.toml"'}, "expected a socket or nothing"),
    "the socket's group has a NUL": ({"api": 'group = "a\\u0000"'}, "api.group: expected a group of this"),
    "there is no theme": ({"web": 'listen = "127.0.0.1:0"\ntheme = "no.toml"'}, "web.theme: no.toml: no such file"),
    "there is no register": (
        {"shoe": 'model = "barcode"\nport = "/dev/none"\nsettings = { codes = "no.toml" }'},
        "shoe.settings.codes: no.toml: no such file or directory; `tablectl deck learn no.toml` makes it",
    ),
    "nobody is in the socket's group": ({"api": 'group = "no-such-group"'}, "api.group: expected a group of this"),
    "the users' folder is missing": ({"web": 'listen = "127.0.0.1:0"\nusers = "no/t.users"'}, "web.users: expected"),
    "no certificate": (
        {"web": 'listen = "127.0.0.1:0"\ncertificate = "no"\nkey = "no"'}, "web.certificate: expected a certificate",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("section", "lines"),
    [
        ("shoe", 'port = "socket://[::1"'),
        ("bus", 'servers = ["tls://a:4222"]\ncredentials = "x.nk"\nfloors = { hall = 1 }'),
        ("bus", 'servers = ["tls://a:4222"]\ncredentials = "x.nk"\nplatforms = { p = { key = "x" } }'),
    ],
)
def test_an_odd_value_in_a_config_is_one_line(tablectl, write, section, lines):
    result = tablectl("check", write(**{section: lines}), exit_code=2)
    assert result.stderr.startswith("tablectl: ")
    assert section in result.stderr


@pytest.mark.parametrize(("sections", "said"), REFUSED.values(), ids=REFUSED)
def test_what_run_refuses_check_refuses_in_the_same_words(tablectl, write, sections, said):
    config = write(**sections)
    checked, run = (tablectl(command, config, exit_code=2) for command in ("check", "run"))
    (line,) = checked.stderr.splitlines()
    assert said in line
    assert (checked.stdout, line) == ("", run.stderr.rstrip("\n"))


def test_check_and_run_refuse_an_unmounted_anchor_alike(tablectl, write, tmp_path):
    config = write(journal='path = "FOLDER/t.journal"\nanchor = "FOLDER/usb/t.anchor"')
    checked = tablectl("check", config, exit_code=2).stderr
    of = f"{tmp_path}/t.journal ([journal] anchor)"
    assert f"{tmp_path}/usb/t.anchor: expected the anchor of {of}, its folder is not there" in checked
    assert "; if the table had no anchor before, or the anchor is lost for good, begin a new one: `" in checked
    with start_table(config) as started:
        assert started.ends() == 2
    assert started.errors().splitlines()[-1] == checked.rstrip("\n")


@pytest.mark.parametrize(("credentials", "said"), [(None, "no such file or directory"), ("x", "expected the seed of")])
def test_check_and_run_refuse_unusable_bus_credentials_alike(tablectl, write, tmp_path, credentials, said):
    config = write(bus='servers = ["nats://127.0.0.1:1"]\nstudio = "main"\ncredentials = "FOLDER/t.nk"')
    if credentials is not None:
        (tmp_path / "t.nk").write_text(credentials)
    checked = tablectl("check", config, exit_code=2).stderr
    assert f"{tmp_path}/t.nk: {said}" in checked
    with start_table(config) as started:
        assert started.ends() == 2
    assert started.errors().splitlines()[-1] == checked.rstrip("\n")


def test_a_record_this_user_cannot_read_is_not_sound(tablectl, write, tmp_path, monkeypatch):
    record = tmp_path / "t.journal"
    Journal(record).close()
    monkeypatch.setattr(requirements.os, "access", lambda file, _: file != record)
    assert f"cannot check whether it could run: {record}: permission denied\n" in tablectl("check", write()).stdout


@pytest.fixture
def taken() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f'listen = "127.0.0.1:{server.getsockname()[1]}"'


def test_a_port_that_another_program_has_is_refused(tablectl, write, taken, tmp_path):
    config = write(web=taken)
    checked, run = (tablectl(command, config, exit_code=2).stderr for command in ("check", "run"))
    assert "address already in use; name another one under [web]" in checked
    assert checked == run
    with closing(Journal(tmp_path / "t.journal")):
        assert tablectl("check", config, exit_code=2).stderr == run


@pytest.mark.parametrize(
    ("listen", "asked"),
    [
        ("127.0.0.1:8032", "http://127.0.0.1:8032"),
        ("0.0.0.0:8032", "http://127.0.0.1:8032"),
        ("[::]:8032", "http://[::1]:8032"),
        ("[fd00::7]:8032", "http://[fd00::7]:8032"),
    ],
)
def test_own_pages_are_requested_from_this_pc(monkeypatch, write, listen, asked):
    requests = []
    monkeypatch.setattr(own_pages, "serves_table", lambda *what: requests.append(what) or True)
    settings = load(write(web=f'listen = "{listen}"\nplain = true'))
    assert requirements._serves(settings)
    assert requests == [(asked, "t1")]


@pytest.mark.parametrize(("pages_of", "code"), [("t1", 0), ("t2", 2)])
def test_a_running_tables_port_may_be_its_own_pages(tablectl, write, tmp_path, pages_of, code):
    with pages(pages_of) as port, closing(Journal(tmp_path / "t.journal")):
        config = write(web=f'listen = "127.0.0.1:{port}"')
        run = tablectl("check", config, exit_code=code)
    assert ("it runs at this moment" in run.stdout, "address already in use" in run.stderr) == (not code, bool(code))


@contextmanager
def pages(table: str) -> Iterator[int]:
    """Serve the health check of a running table's pages; yield their port."""

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"ok":true,"table":"%s"}' % table.encode())

        def log_message(self, *_: object) -> None:
            """Log nothing about a request."""

    with HTTPServer(("127.0.0.1", 0), Health) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_posted_rules_that_do_not_run_are_named(tablectl, write):
    """With other posted rules a table starts but opens no round; check and doctor say so."""
    run, other = f"{digest(GAMES['baccarat'])}", "0" * 64
    config = write(shoe='port = "/dev/null"', game=f'name = "baccarat"\nposted_digest = "{run}"')
    assert "posted:" not in tablectl("check", config).stdout
    assert f"ok       rules: baccarat 1, digest {run}, as posted" in tablectl("doctor", config, exit_code=1).stdout
    config = write(shoe='port = "/dev/null"', game=f'name = "baccarat"\nposted_digest = "{other}"')
    problem = "[game] posted_digest is that of other rules, 00000000…: no round opens; "
    assert f"\nposted: {problem}" in tablectl("check", config, exit_code=1).stdout
    as_json = tablectl("check", config, "--json", exit_code=1)
    assert json.loads(as_json.stdout)["game"]["posted_digest"] == other
    assert as_json.stderr.startswith(f"tablectl: posted: {problem}")
    assert f"\nPROBLEM  rules: {problem}" in tablectl("doctor", config, exit_code=1).stdout


def test_two_configs_of_one_name_are_refused_with_advice(tablectl, write, tmp_path):
    (tmp_path / "tablectl").mkdir()
    other = write(api=None, journal='path = "FOLDER/other.journal"')
    with closing(Listening(tmp_path / "tablectl" / "t1.sock")):
        for command in ("check", "run"):
            refusal = tablectl(command, other, exit_code=2).stderr
            assert "t1.sock: a program listens there already; is this table running? Else another table" in refusal
            assert refusal.endswith('give this one its own under [table], such as name = "table2"\n')


def test_a_folder_this_user_may_not_read_is_no_error(tablectl, write, monkeypatch):
    """A person without root's rights checks a service's config: a note, and no error."""

    def refuse(folder: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/var/lib/tablectl/t")

    monkeypatch.setattr(requirements, "change_directory", refuse)
    assert (
        "sound; cannot check whether it could run: /var/lib/tablectl/t: permission denied\n"
        in tablectl("check", write()).stdout
    )


def test_an_address_this_pc_lacks_now_is_no_error(tablectl, write):
    output = tablectl("check", write(web='listen = "192.0.2.1:0"\nplain = true')).stdout
    assert "pages: http://192.0.2.1:0, an address that this PC does not have now\n" in output


def test_check_names_the_game_server_that_is_waited_for(tablectl, write):
    assert "\ngame server: none required\n" in tablectl("check", write()).stdout
    config = write(server='names = ["platform"]')
    line = "\ngame server: platform, lost after 10 s without its event stream"
    assert f"{line}; no token or platform is named platform\n" in tablectl("check", config).stdout
    tablectl("token", "add", config, "platform")
    assert f"{line}\n" in tablectl("check", config).stdout


def test_check_refuses_a_game_whose_sheet_fails(monkeypatch, tablectl, tmp_path):
    def play(*_: object):
        raise KeyError("KH")
        yield

    monkeypatch.setitem(GAMES, "thirty_two", replace(GAMES["thirty_two"], procedure=play))
    (tmp_path / "t1.toml").write_text(tablectl("init", "thirty_two").stdout)
    refusal = tablectl("check", tmp_path / "t1.toml", exit_code=2).stderr
    where = f"(KeyError in {Path(__file__).name}, line "
    assert f"game.name: the game thirty_two of the package tablectl failed {where}" in refusal
