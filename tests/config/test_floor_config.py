"""Config of a floor: allowed keys and values; each mistake is one line that names the key."""

import pytest

from controller.config.floor_file import FloorConfig, check_floor, load_floor, store_of
from controller.config.mistakes import BadConfig

BUS = {"servers": ["tls://10.0.0.5:4222"], "credentials": "main.nk", "admin": "U" + "A" * 55}


def test_a_floor_needs_no_more_than_its_bus():
    config = check_floor({"bus": BUS})
    assert (config.floor.name, config.floor.at_most, config.floor.keep_days, config.floor.minimum) == (
        "main",
        6,
        30,
        200,
    )
    assert config.web.listen == "127.0.0.1:8040"
    assert config.bus.studio == "main"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({}, 'bus.servers: expected the studio\'s bus, such as ["tls://10.0.0.5:4222"], got none'),
        ({"bus": {"servers": ["tls://a:1"]}}, "bus.credentials: expected a file with its nkey"),
        ({"bus": {"servers": ["tls://a:1"], "credentials": "x"}}, "bus.admin: expected the admin's public nkey"),
        ({"bus": {**BUS, "admin": "UA"}}, "bus.admin: expected a public nkey of 56 letters"),
        ({"bus": {**BUS, "tables": {}}}, "bus.tables: no such key"),
        ({"bus": BUS, "floor": {"name": "a b"}}, "floor.name: expected only letters, digits, - and _"),
        ({"bus": BUS, "floor": {"at_most": 0}}, "floor.at_most: expected a whole number from 1 to 200, got 0"),
        ({"bus": BUS, "floor": {"keep": 3}}, "floor.keep: no such key"),
        ({"bus": BUS, "web": {"listen": "off"}}, "web.listen: expected an address and port"),
        ({"bus": BUS, "web": {"listen": "0.0.0.0:8040"}}, "web.listen: expected an address of this PC alone"),
        ({"bus": BUS, "shifts": {"begin": ["25:00"]}}, "shifts.begin: expected hours"),
        ({"bus": BUS, "alerts": {"boss": {}}}, "alerts.boss: expected either url, file or env"),
        ({"bus": BUS, "game": {"name": "baccarat"}}, "game: no such key"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key(raw, says):
    with pytest.raises(BadConfig) as error:
        check_floor(raw)
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


def test_the_floors_store_is_beside_its_config_unless_configured(tmp_path):
    path = tmp_path / "floor.toml"
    assert store_of(path, FloorConfig()) == tmp_path / "main.floor"
    bus = f'servers = ["tls://a:1"]\ncredentials = "x"\nadmin = "{BUS["admin"]}"'
    path.write_text(f'[floor]\nname = "west"\nstore = "/srv/kept"\n[bus]\n{bus}\n')
    assert str(store_of(path, load_floor(path))) == "/srv/kept"


def test_a_missing_or_broken_floor_config_is_named_by_path(tmp_path):
    for name, text in (("none.toml", None), ("bad.toml", "[floor")):
        if text is not None:
            (tmp_path / name).write_text(text)
        with pytest.raises(BadConfig, match=name):
            load_floor(tmp_path / name)
