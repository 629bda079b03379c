"""Commands `tablectl people` and `tablectl kiosk`."""

import json
import time
from pathlib import Path

import pytest

from controller.config.paths import CONFIGS, STATES, pc_folder
from controller.config.people import PeopleFile
from controller.config.pins import pin_matches
from controller.web.access.wrong_pins import MOST, WrongPins

ANY_PORT = '[web]\nlisten = "127.0.0.1:0"\n'  # any free port: `check` tries it


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "t.toml"
    text = '[game]\nname = "baccarat"\n[shoe]\nport = "/dev/none"\n[journal]\n'
    text += f'path = "{tmp_path}/t.journal"\n'
    path.write_text(text, encoding="utf-8")
    return path


def add(tablectl, where, number="1042", name="Anna Pop", role="dealer", **more):
    return tablectl("people", "add", where, number, name, "--role", role, stdin="2580\n", **more)


def test_a_person_is_added_listed_changed_and_removed(tablectl, config):
    assert add(tablectl, config).stdout == "1042 Anna Pop: dealer\n"
    tablectl("people", "roles", config, "1042", "--role", "manager", "--role", "dealer")
    tablectl("people", "pin", config, "1042", stdin="7391\n")
    tablectl("people", "rename", config, "1042", "Anna Stan")
    file = PeopleFile(config.with_name("people.toml"))
    assert pin_matches("7391", file.people().find("1042").person.pin)
    assert tablectl("people", "list", config).stdout == "1042  Anna Stan  dealer, manager\n"
    people = json.loads(tablectl("people", "list", config, "--json").stdout)
    roles = ["dealer", "manager"]
    assert people == [
        {"id": "1042", "name": "Anna Stan", "roles": roles, "signs_in": True, "left": False, "badge": False}
    ]
    assert tablectl("people", "remove", config, "1042").stdout == "1042 has left\n"
    assert tablectl("people", "list", config).stdout == ""
    assert tablectl("people", "list", config, "--all").stdout == "1042  Anna Stan  left\n"


def test_people_are_changed_by_the_config_of_a_floor(tablectl, tmp_path):
    config = tmp_path / "floor.toml"
    bus = '[bus]\nservers = ["tls://10.0.0.5:4222"]\ncredentials = "main.nk"\n'
    bus += 'admin = "UADMINSPUBLICKEYASTABLECTLBUSINITPRINTSITAAAAAAAAAAAAAAA"\n'
    for people, file in (("", "people.toml"), ('[people]\nfile = "staff.toml"\n', "staff.toml")):
        config.write_text(f'[floor]\nname = "main"\n{bus}{people}', encoding="utf-8")
        added = add(tablectl, config, role="manager")
        assert (added.stdout, added.stderr) == ("1042 Anna Pop: manager\n", "")
        assert list(PeopleFile(tmp_path / file).people().by_id) == ["1042"]
        assert tablectl("people", "remove", config, "1042").stderr == ""
        assert tablectl("people", "list", config, "--all").stdout == "1042  Anna Pop  left\n"


def test_a_badge_is_set_and_listed_without_its_number(tablectl, config):
    add(tablectl, config)
    assert tablectl("people", "badge", config, "1042", stdin="0004711815\n").stdout == "1042 has a new badge\n"
    output = tablectl("people", "list", config).stdout + tablectl("people", "list", config, "--json").stdout
    assert "with a badge" in output
    assert json.loads(output.splitlines()[1])[0]["badge"] is True
    assert "4711815" not in output
    refused = tablectl("people", "badge", config, "1042", stdin="123\n", exit_code=2).stderr
    assert refused.startswith("tablectl: expected what the reader")
    assert tablectl("people", "badge", config, "1042", "--lost").stdout == "1042 has no badge\n"
    assert tablectl("people", "list", config).stdout == "1042  Anna Pop  dealer\n"


def test_tables_may_share_a_registry_and_commands_name_it(tablectl, config, tmp_path):
    (tmp_path / "studio").mkdir()
    text = config.read_text(encoding="utf-8")
    config.write_text(f'{text}[people]\nfile = "studio/people.toml"\n', encoding="utf-8")
    add(tablectl, config)
    assert tablectl("people", "list", tmp_path / "studio" / "people.toml").stdout == "1042  Anna Pop  dealer\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add", "1043", "ANNA POP", "--role", "dealer"), "1043 ANNA POP can be taken for 1042 Anna Pop"),
        (("add", "1042", "Bea", "--role", "dealer"), "1042 is the badge number of Anna Pop"),
        (
            ("add", "1043", "Bea", "--role", "boss"),
            "expected a role out of auditor, dealer, engineer",
        ),
        (("add", "1043", "Bea"), "missing option '--role'"),
        (("pin", "7"), "no person with the badge number '7'; there are 1042"),
        (("remove", "7"), "no person with the badge number '7'; there are 1042"),
    ],
)
def test_a_refused_people_command_is_one_line_and_changes_nothing(tablectl, config, arguments, says):
    add(tablectl, config)
    before = config.with_name("people.toml").read_bytes()
    verb, *rest = arguments
    (line,) = tablectl("people", verb, config, *rest, stdin="2580\n", exit_code=2).stderr.splitlines()
    assert says in line
    assert config.with_name("people.toml").read_bytes() == before


def test_with_a_registry_user_add_is_refused_with_advice(tablectl, config):
    add(tablectl, config)
    refusal = tablectl("user", "add", config, "bea", stdin="2580\n", exit_code=2).stderr
    assert refusal.endswith("people.toml: add them with `tablectl people add`\n")
    assert len(tablectl("token", "add", config, "platform").stdout.strip()) == 43


def test_the_dealer_of_the_config_is_one_of_the_registry(tablectl, config):
    config.write_text(f"{config.read_text(encoding='utf-8')}{ANY_PORT}", encoding="utf-8")
    assert "people: the shift managers of the users file (no registry)" in tablectl("check", config).stdout
    add(tablectl, config)
    add(tablectl, config, "1043", "Bea", "auditor")
    assert f"people: 2 in {config.with_name('people.toml')}" in tablectl("check", config).stdout
    text = config.read_text(encoding="utf-8")
    for dealer, code in (("1042", 0), ("1043", 2), ("anna", 2)):
        config.write_text(f'{text}[table]\ndealer = "{dealer}"\n', encoding="utf-8")
        result = tablectl("check", config, exit_code=code)
        assert ("table.dealer: expected the badge number of a dealer in" in result.stderr) == bool(code)


def test_a_registry_change_warns_of_an_unknown_config_dealer(tablectl, config):
    with config.open("a", encoding="utf-8") as file:
        file.write('[table]\ndealer = "dealer-1"\n')
    note = tablectl("people", "add", config, "1042", "Anna Pop", "--role", "dealer", stdin="2580\n").stderr
    assert note.startswith(f"now correct the config: {config}: table.dealer: expected the badge number of a dealer in")
    config.write_text(config.read_text(encoding="utf-8").replace("dealer-1", "1042"), encoding="utf-8")
    assert tablectl("people", "roles", config, "1042", "--role", "dealer", "--role", "manager").stderr == ""
    assert "'1042'" in tablectl("people", "remove", config, "1042").stderr


def test_token_add_outside_the_tables_folder_is_refused(tablectl, config, tmp_path, monkeypatch):
    journal = tmp_path / "beside.journal"
    journal.touch()
    text = config.read_text(encoding="utf-8").replace(f"{tmp_path}/t.journal", "beside.journal")
    config.write_text(text, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    refusal = tablectl("token", "add", config, "platform", exit_code=2).stderr
    assert f"its record is not here but in {tmp_path}: do this from there" in refusal
    assert [*Path().iterdir()] == []
    monkeypatch.chdir(tmp_path)
    assert len(tablectl("token", "add", config, "platform").stdout.strip()) == 43


def test_a_services_new_registry_is_readable_by_its_group(tablectl, monkeypatch, own_pc):
    config, home = pc_folder(CONFIGS) / "table1.toml", pc_folder(STATES) / "table1"
    for folder in (config.parent, home):
        folder.mkdir(parents=True)
    calls = []
    monkeypatch.setattr("controller.cli.people.PeopleFile", lambda path, **more: calls.append(more) or PeopleFile(path))
    config.write_text('[game]\nname = "baccarat"\n', encoding="utf-8")
    add(tablectl, config)
    assert calls == [{"group_of": home}]


# ── the dealer's screen ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_kiosk_address_is_printed_once_and_can_be_revoked(tablectl, config):
    address = tablectl("kiosk", config).stdout.strip()
    assert address.startswith("http://127.0.0.1:8032/kiosk/")
    assert address.rpartition("/")[2] not in config.with_name("t.users").read_text(encoding="utf-8")
    assert tablectl("kiosk", config, "--revoke").stdout == "revoked: 0 screens\n"


@pytest.mark.parametrize(
    "listen", ['"off"', '"10.0.0.7:8032"\nplain = true', '"127.0.0.1:0"'], ids=["off", "elsewhere", "any port"]
)
def test_kiosk_is_refused_when_no_local_browser_reaches_the_pages(tablectl, config, listen):
    text = config.read_text(encoding="utf-8")
    config.write_text(f"{text}[web]\nlisten = {listen}\n", encoding="utf-8")
    assert "web.listen: expected" in tablectl("kiosk", config, exit_code=2).stderr


def test_an_old_kiosk_setting_is_refused_with_the_new_command(tablectl, config):
    text = config.read_text(encoding="utf-8")
    config.write_text(f"{text}{ANY_PORT}kiosk = false\n", encoding="utf-8")
    tablectl("check", config)
    config.write_text(f"{text}{ANY_PORT}kiosk = true\n", encoding="utf-8")
    (line,) = tablectl("check", config, exit_code=2).stderr.splitlines()
    assert "web.kiosk: expected false" in line
    assert "tablectl kiosk CONFIG" in line


@pytest.mark.parametrize("kind", ["table", "floor"])
def test_lift_opens_sign_in_from_unknown_browsers_again(tablectl, config, tmp_path, kind):
    users = tmp_path / "t.users"
    if kind == "floor":
        bus = f'[bus]\nservers = ["nats://h:4222"]\ncredentials = "x"\nadmin = "U{"A" * 55}"\n'
        config.write_text(f'[floor]\nname = "main"\n{bus}', encoding="utf-8")
        users = tmp_path / "main.users"
    pins = WrongPins(users, time.time)
    for _ in range(MOST):
        pins.add("1042")
    assert pins.is_closed("1042")
    output = tablectl("people", "lift", config, "1042").stdout
    assert output == "1042 may sign in from everywhere again\n"
    assert not pins.is_closed("1042")
    again = tablectl("people", "lift", config, "1042", exit_code=2)
    assert "no wrong PINs of 1042 are counted here" in again.stderr
