"""Identity and format of a record: its table, game, currency and epoch, and the format's version."""

import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from controller.cli import main
from controller.config.mistakes import BadConfig
from controller.config.table_file import load
from controller.core import events as e
from controller.core import sheet
from controller.core.decide import decide
from controller.core.position import Position
from controller.core.records import Configured
from controller.core.state import State
from controller.core.views import AUDIENCES, view
from controller.games import GAMES
from controller.journal import Bounds, Journal, OtherFormat, archives, read
from controller.rules.cards import FULL_DECK, Deck
from controller.script.play import Play
from controller.station.ownership import OtherTable, another_table
from controller.station.station import Station
from controller.table.loop import Table
from tests.core.bench import Bench
from tests.end_to_end.rig import Folder, start_table
from tests.journal.test_journal import HOUSE, RECORDS
from tests.patience import PATIENCE, on_loop
from tests.table.test_table import NATURAL, JournaledTable, started

CONFIG = """
[table]
name = "t1"
currency = "RON"
studio = "Bucharest 2"
[game]
name = "baccarat"
[journal]
first_round = 4712
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "table.journal"


def config(folder, text=CONFIG):
    (folder / "t1.toml").write_text(text)
    return load(folder / "t1.toml")


# ── what a record says of its table ──────────────────────────────────────────────────────────────────────────────


def test_the_first_record_names_table_game_rules_and_program(tmp_path, path):
    async def steps():
        settings = config(tmp_path)
        house = settings.house("dealer")
        book = Journal(path)
        table = Table(house, book)
        table.start("d1", settings.journal.first_round)
        first = next(read(path))
        table.stop()  # else it would tidy up later, in a closed file
        book.close()
        what = first.what
        assert isinstance(what, Configured)
        assert (first.seq, first.table) == (1, "t1")
        assert (what.studio, what.family, what.currency, what.rounds) == ("Bucharest 2", "baccarat", "RON", 4711)
        assert (what.game, what.version, what.settings["decks"]) == ("baccarat", "1", 6)
        assert what.terms == house.pinned_terms()
        assert what.tables == {"odds": {market.name: str(market.odds) for market in house.game.markets}}
        assert what.digest == sheet.digest(house.game)
        assert what.program

    on_loop(steps)


def test_no_two_records_have_one_epoch(tmp_path):
    async def steps():
        epochs = set()
        for name in ("a", "b"):
            rig = await started(tmp_path / name)
            epochs.add(rig.announced[0].what.epoch)
            rig.close()
        assert len(epochs) == 2
        assert all(len(epoch) == 32 for epoch in epochs)

    on_loop(steps)


def test_each_start_records_the_settings_and_keeps_the_epoch(path):
    async def steps():
        (await started(path)).close()
        other = replace(HOUSE, terms=replace(HOUSE.terms, stall_seconds=60), studio="another name")
        (await started(path, other)).close()
        first, then = (record.what for record in read(path) if record.kind == "configured")
        assert (first.epoch, first.currency) == (then.epoch, then.currency)
        assert (first.terms["stall_seconds"], then.terms["stall_seconds"]) == (30, 60)
        assert then.studio == "another name"

    on_loop(steps)


def test_each_file_of_a_record_names_its_epoch_once(path):
    async def steps():
        rig = JournaledTable(path)
        rig.journal.book.close()
        rig.journal.book = Journal(path, Bounds(size=1))
        rig.table.start("d1")
        rig.take(e.Open(), e.Close())
        rig.deal(*NATURAL)
        rig.take(e.KeyPressed("finish"))
        await rig.until(lambda: rig.kinds()[-1] == "configured")
        rig.close()
        for file in (*archives(path), path):
            assert [record.what.epoch for record in read(file) if record.kind == "configured"] == [
                rig.table.state.identity.epoch
            ]

    on_loop(steps)


def test_round_numbers_continue_from_the_configured_first_round(path):
    async def steps():
        rig = JournaledTable(path)
        rig.table.start("d1", 4712)
        rig.take(e.Open())
        assert rig.announced[-1].round == 4712
        rig.close()
        again = JournaledTable(path)
        again.table.start("d1", 1)  # a first round counts only in a new record
        again.take(e.Rule("cancel", "m", ""), e.Open())
        assert again.announced[-1].round == 4713
        again.close()

    on_loop(steps)


def test_a_second_begin_of_a_record_is_ignored(path):
    bench = Bench()
    (ignored,) = bench.do(e.Begin("another"))
    assert (ignored.kind, bench.state.identity.epoch) == ("ignored", "bench")


def test_an_opened_round_has_the_digest_of_its_rules():
    bench = Bench("rhum32")
    (opened,) = bench.says("shuffled; open")[1:]
    assert opened.what.digest == sheet.digest(GAMES["rhum32"]) == bench.state.round.digest


# ── persons ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_only_records_by_persons_have_a_person_id():
    bench = Bench()
    bench.says("dealer anna; open; close; press manager; rule resume by maria")
    ids = {record.kind: record.person for record in bench.records}
    assert (ids["ruled"], ids["closed"], ids["opened"]) == ("maria", None, None)
    assert bench.facts("dealer_changed")[-1].to_id == "anna"
    assert bench.facts("opened")[0].dealer_id == "anna"


def test_only_auditor_and_manager_see_the_ids_of_staff():
    bench = Bench()
    bench.says("dealer anna; open; close; press manager; rule resume by maria")
    ruled = next(record for record in bench.records if record.kind == "ruled")
    opened = next(record for record in bench.records if record.kind == "opened")
    assert [audience for audience in AUDIENCES if "person" in view(ruled, audience)] == ["auditor", "manager"]
    assert [audience for audience in AUDIENCES if "dealer_id" in view(opened, audience)] == ["auditor", "manager"]


# ── records of another table or game ─────────────────────────────────────────────────────────────────────────────


OTHERS = {
    'name = "t2"': "expected the record of table t2, this is that of t1",
    'currency = "EUR"': "expected a record of stakes in EUR, in this one they are in RON",
    'name = "thirty_two"': "expected a record of thirty_two, this is one of baccarat",
}


@pytest.mark.parametrize("line", OTHERS)
def test_a_journal_of_another_table_currency_or_game_is_refused(tmp_path, path, line):
    async def steps():
        first = config(tmp_path)
        with closing(Journal(path)) as book:
            Play(first.house("auto"), book)
        key = line.split(" = ")[0]
        was = next(one for one in reversed(CONFIG.splitlines()) if one.startswith(key) and one != line)
        was = 'name = "t1"' if line == 'name = "t2"' else was
        other = config(tmp_path, CONFIG.replace(was, line))
        with closing(Journal(path)) as book, pytest.raises(OtherTable) as refused:
            Station(other, other.house("dealer"), book)
        assert str(refused.value) == f"{path}: {OTHERS[line]}; give this table another file in [journal] path"

    on_loop(steps)


def test_run_on_the_record_of_another_table_is_one_line(tmp_path):
    folder = Folder(tmp_path)
    config = folder.write_config(panel=None)
    with closing(Journal(folder.journal)) as book:
        Play(HOUSE, book)
    with start_table(config) as table:
        assert table.process.wait(PATIENCE) == 2
        line = table.errors().splitlines()[-1]
    assert "expected the record of table t1, this is that of table" in line
    checked = CliRunner().invoke(main, ["check", str(config)])
    assert (checked.exit_code, checked.stderr) == (2, f"{line}\n")


def test_another_game_of_the_family_needs_its_own_shoe():
    family = [replace(GAMES["baccarat"], family="punto banco", name=name) for name in ("one", "two")]
    houses, state, kinds = [replace(HOUSE, game=game) for game in family], State(), []
    position = Position({game.name: game for game in family})
    for house in houses:
        assert another_table(state, house) is None
        begin = e.ProgramBack() if state.seq else e.Begin("x")
        for event in (begin, e.OpenTable("m"), e.DealerOn("d"), *([] if state.seq else [e.LoadShoe()]), e.Open()):
            draft = decide(house, position, state, event, state.at)
            state = draft.state
            kinds += [record.kind for record in draft.records]
        if house is houses[0]:
            state = decide(house, position, state, e.KeyPressed("manager"), state.at).state
            state = decide(house, position, state, e.Rule("cancel", "m", ""), state.at).state
    assert kinds[-1] == "start_refused"
    state = decide(houses[1], position, state, e.LoadShoe(), state.at).state
    assert decide(houses[1], position, state, e.Open(), state.at).state.round.game == "two"


def test_a_changed_deck_setting_needs_a_new_shoe(path):
    async def steps():
        (await started(path)).close()
        more = replace(HOUSE, settings=replace(HOUSE.settings, decks=8))
        rig = await started(path, more)
        rig.take(e.Open())
        assert rig.announced[-1].what.reason == "shoe_missing"
        rig.take(e.LoadShoe(), e.Open())
        assert rig.announced[-1].kind == "opened"
        assert rig.table.state.shoe.size == Deck(FULL_DECK, 8).size
        rig.close()

    on_loop(steps)


@pytest.mark.parametrize("currency", ["euro", "eur", "", "XXX", "CLF"])
def test_a_currency_is_one_of_iso_4217(tmp_path, currency):
    with pytest.raises(BadConfig, match=r"table.currency: expected the code of an ISO 4217 currency"):
        config(tmp_path, CONFIG.replace("RON", currency))


# ── the format ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def old(path):
    """Journal as the previous version wrote it: format 1, without inputs."""
    with closing(Journal(path)) as book:
        book.append(RECORDS)
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE records DROP COLUMN input")
        db.execute("PRAGMA user_version = 0")
    return path


def test_a_journal_of_an_earlier_format_is_refused_with_advice(old):
    rounds = max(record.round or 0 for record in RECORDS)
    for use in (Journal, lambda path: list(read(path))):
        with pytest.raises(OtherFormat) as refused:
            use(old)
        assert str(refused.value) == (
            f"{old}: a journal of format 1, which `tablectl journal export` of the version before reads; to begin anew,"
            f" move it away and set [journal] first_round = {rounds + 1}"
        )


def test_a_journal_of_a_later_version_is_refused(path):
    Journal(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 3")
    with pytest.raises(OtherFormat, match="a journal of format 3, of a later version; this one knows format 2"):
        Journal(path)
