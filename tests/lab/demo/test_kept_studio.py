"""Files that a demo of several tables writes, and the programs that it starts, compared with stored output."""

import re
import sys
from pathlib import Path

from controller.lab.demo import studio
from controller.lab.demo.plan import Plan
from controller.lab.demo.studio import StudioDemo
from controller.lab.demo.studio_folder import StudioFolder, tables_of
from tests.kept_files import is_kept

KEPT = Path(__file__).parent / "kept" / "studio.txt"
KEY = re.compile(r"\b[A-Z][A-Z2-7]{55}\b")  # public key of the bus


def test_a_studio_writes_files_and_starts_programs_as_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(studio, "server_program", lambda: "nats-server")
    notices = list[studio.StudioLine]()
    place = StudioFolder(tmp_path, tables_of(3, None), 4222)
    demo = StudioDemo(Plan(seed=3, rounds=2), place, 8040, notices.append)
    programs = [one.program for one in (demo.server, demo.floor, *demo.tables)]
    lines = [f"{one.name}: {' '.join(one.command)} <{one.given.decode()} 2>{one.log}" for one in programs]
    for path in (place.server_config, *sorted(tmp_path.glob("[ft]*.toml"))):
        lines += [f"── {path}", path.read_text(encoding="utf-8")]
    text = "\n".join(lines).replace(str(tmp_path), "FOLDER").replace(sys.executable, "PYTHON")
    keys = dict.fromkeys(KEY.findall(text))
    assert is_kept(KEPT, KEY.sub(lambda found: f"KEY{list(keys).index(found[0])}", text))
    assert notices == []


def test_a_second_demo_in_a_folder_keeps_its_people(tmp_path):
    for tables in (1, 14):
        StudioFolder(tmp_path, tables_of(tables, "baccarat"), 4222).add_people()
    people = (tmp_path / "people.toml").read_text(encoding="utf-8")
    assert people.count('"dealer"') == 14
    assert people.count('name = "Anna Pop"') == people.count('name = "Dealer 14"') == 1
