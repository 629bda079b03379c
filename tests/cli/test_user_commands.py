"""Commands `tablectl user` and `tablectl token`: managers, tokens and the viewer key."""

import json

import pytest

from controller.config.paths import CONFIGS, STATES, pc_folder
from controller.config.pins import pin_matches
from controller.config.table_file import load
from controller.lab.commands.demo import _web
from controller.web.access.users import UsersFile


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "t.toml"
    path.write_text(f'[game]\nname = "baccarat"\n[journal]\npath = "{tmp_path}/t.journal"\n', encoding="utf-8")
    return path


def test_a_shift_manager_is_added_listed_and_removed(tablectl, config):
    assert tablectl("user", "add", config, "anna", stdin="2580\n").stdout == "anna may sign in\n"
    assert json.loads(tablectl("user", "list", config, "--json").stdout) == ["anna"]
    users = UsersFile(load(config).users_beside(config.with_suffix(".journal")))
    assert pin_matches("2580", users.users().managers["anna"])
    assert tablectl("user", "remove", config, "anna").stdout == "anna may no longer sign in\n"
    assert tablectl("user", "list", config).stdout == ""


def test_a_token_is_shown_once_listed_and_made_void(tablectl, config):
    token = tablectl("token", "add", config, "platform").stdout.strip()
    assert UsersFile(config.with_suffix(".users")).users().holder(token) == "platform"
    assert tablectl("token", "list", config).stdout == "platform\n"
    assert "has a token already" in tablectl("token", "add", config, "platform", exit_code=2).stderr
    assert tablectl("token", "remove", config, "platform").stdout == "platform's token is void\n"


def test_a_services_relative_paths_lead_into_its_state_folder(tablectl, tmp_path, monkeypatch, own_pc):
    config, state = pc_folder(CONFIGS) / "table1.toml", pc_folder(STATES) / "table1"
    config.parent.mkdir(parents=True)
    config.write_text('[game]\nname = "baccarat"\n[journal]\npath = "t.journal"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    tablectl("user", "add", config, "anna", stdin="2580\n")
    assert (tmp_path / "t.users").exists()  # without a state folder the paths lead here
    state.mkdir(parents=True)
    tablectl("user", "add", config, "bea", stdin="2580\n")
    assert set(UsersFile(state / "t.users").users().managers) == {"bea"}


def test_the_viewer_key_is_made_and_shown_once(tablectl, config):
    key = tablectl("user", "viewer-key", config).stdout.strip()
    assert UsersFile(config.with_suffix(".users")).users().viewer_key == key
    assert "not shown again: --set" in tablectl("user", "viewer-key", config, exit_code=2).stderr


def test_the_platform_may_bring_a_key_of_its_own(tablectl, config):
    assert (
        "the platform" not in tablectl("user", "viewer-key", config, "--set", stdin="the platform's own key\n").stdout
    )
    assert UsersFile(config.with_suffix(".users")).users().viewer_key == "the platform's own key"
    refusal = tablectl("user", "viewer-key", config, "--set", stdin="short\n", exit_code=2).stderr
    assert refusal == "tablectl: expected a key of at least 16 ASCII characters, got 5\n"


@pytest.mark.parametrize("pin", ["", "1234", "abcd"])
def test_a_bad_pin_is_one_line_and_leaves_no_file(tablectl, config, pin):
    (line,) = tablectl("user", "add", config, "anna", stdin=f"{pin}\n", exit_code=2).stderr.splitlines()
    assert line.startswith("tablectl: expected a PIN")
    assert not config.with_suffix(".users").exists()


def test_a_demo_has_two_managers_and_takes_more(tablectl, tmp_path):
    _web(tmp_path, 0).close()
    users = tmp_path / "demo.users"
    tablectl("user", "add", users, "bea", stdin="2580\n")
    assert tablectl("user", "list", users).stdout.split() == ["bea", "manager1", "manager2"]


def test_token_commands_accept_the_users_file_itself(tablectl, tmp_path):
    file = tmp_path / "demo.users"
    assert len(tablectl("token", "add", file, "platform").stdout.strip()) == 43
    assert tablectl("token", "list", file).stdout == "platform\n"
