"""Example of a floor's config: it is valid, and each default that it names is the real default."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from controller.config.floor_file import FloorConfig, FloorSection, check_floor, load_floor
from controller.config.mistakes import BadConfig

EXAMPLE = Path(__file__).parents[2] / "config" / "floor" / "floor.toml"


def uncommented() -> FloorConfig:
    """Return the example's config with every commented key switched on."""
    return check_floor(tomllib.loads(re.sub(r"^# +(?=[\w.]+ = |\[)", "", EXAMPLE.read_text(), flags=re.MULTILINE)))


def test_the_example_is_valid_with_its_comments_and_without():
    assert load_floor(EXAMPLE).floor == FloorSection()
    assert set(uncommented().alerts) == {"duty"}


def test_defaults_named_in_the_example_are_the_real_ones():
    values, usual = msgspec.to_builtins(uncommented().floor), msgspec.to_builtins(FloorSection())
    assert {**values, "store": None} == usual
    assert values.keys() == usual.keys()
    assert uncommented().web.listen == FloorConfig().web.listen
    assert uncommented().shifts == FloorConfig().shifts


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[floor]\nat_most = 0", "floor.at_most: expected"),
        ("[floor]\nname = 'a floor'", "floor.name: expected only letters, digits, - and _"),
        ("[floor]\nmost = 6", "floor.most: no such key (did you mean at_most?)"),
        ("[bus]\nservers = []", "bus.servers: expected the studio's bus"),
        ("[web]\nlisten = 'off'", "web.listen: expected an address and port"),
    ],
)
def test_a_config_mistake_is_one_line_naming_the_key(tmp_path, line, says):
    section = line.partition("\n")[0]
    text = "".join(
        part for part in re.split(r"(?=^\[)", EXAMPLE.read_text(), flags=re.MULTILINE) if not part.startswith(section)
    )
    (tmp_path / "floor.toml").write_text(f"{text}\n{line}\n")
    with pytest.raises(BadConfig, match=re.escape(says)):
        load_floor(tmp_path / "floor.toml")
