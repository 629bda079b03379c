"""Config of a table: each mistake is one line that names the key by its path and what to write."""

import json
import re
import tomllib
from collections import defaultdict
from datetime import date
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, Struct
from msgspec.structs import fields
from structlog.testing import capture_logs

from controller.cli import main
from controller.config.mistakes import BadConfig
from controller.config.people import People, Person
from controller.config.table_file import Config, check, load
from controller.core.house import Ceilings, House, Limits, PlayerCeilings, PlayerLimits, SumLimits
from controller.games import GAMES
from controller.journal import Journal
from controller.script.config_of_round import as_toml, config_of
from controller.station.station import Station
from drivers import shoes
from drivers.panels import PANELS
from drivers.serial_port import SerialSettings
from drivers.shoes import ShoeModel
from drivers.shoes.bee_tek import BeeTek
from tests.core.bench import Bench

EXAMPLES = sorted((Path(__file__).parents[2] / "config").glob("*.toml"))


def refusal(text: str, folder: Path) -> str:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig) as error:
        load(path)
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


# ── what is refused, and in which words ──────────────────────────────────────────────────────────────────────────

MISSPELT = {
    "[table]\nconfrim = 'dealer'": ("table.confrim", "did you mean confirm?"),
    "[shoe]\nmodle = 'angel_eye'": ("shoe.modle", "did you mean model?"),
    "[panel.keys]\nfinsh = 2": ("panel.keys.finsh", "did you mean finish?"),
    "[timers]\nbeting = 15": ("timers.beting", "did you mean betting?"),
    "[journal]\npaht = 'x'": ("journal.paht", "did you mean path?"),
    "[game]\nname = 'baccarat'\ndekcs = 6": ("game.dekcs", "did you mean decks?"),
    "[game]\nname = 'casino_holdem'\ndecks = 1": ("game.decks", "burn_before_street, deal_order, deal_out_if_all_fold"),
    "[shoo]\nport = 'x'": ("shoo", "did you mean shoe?"),
    "[nonsense]": ("nonsense", "there are"),
    "confirm = 'dealer'": ("confirm", "there are"),
    "[shoe]\nsettings.free_draw = true": (
        "shoe.settings.free_draw",
        "there are bcc_with_stx, error_restarts, sequence",
    ),
    "[shoe]\nmodel = 'bee_tek'\nsettings.fre_draw = true": ("shoe.settings.fre_draw", "did you mean free_draw"),
}


@pytest.mark.parametrize(("text", "said"), MISSPELT.items())
def test_a_misspelt_key_or_section_names_the_known_ones(text, said, tmp_path):
    path, hint = said
    message = refusal(text, tmp_path)
    assert message.startswith(f"{path}: no such key")
    assert hint in message


WRONG_TYPE = {
    "[table]\nname = 5": ("table.name", "expected text in quotes", "got 5"),
    "[table]\nname = ''": ("table.name", "1 to 40 characters", "got ''"),
    "[table]\ncarry = 'yes'": ("table.carry", "expected true or false", "got 'yes'"),
    "[table]\ncarry = 1": ("table.carry", "expected true or false", "got 1"),
    "[table]\ngone = 'stay'": ("table.gone", "one of return, keep", "got 'stay'"),
    "[game]\nname = 'baccarat'\nposted_digest = 'abc'": ("game.posted_digest", "64 digits", "got 'abc'"),
    "[game]\nname = 'baccarat'\nposted_digest = 5": ("game.posted_digest", "64 digits", "got 5"),
    "[table]\nconfirm = 'manager'": ("table.confirm", "one of dealer, shoe, auto", "got 'manager'"),
    "[table]\nname = 2020-01-01": ("table.name", "expected text in quotes", "2020"),
    "[shoe]\nbaud = '4800'": ("shoe.baud", "expected a whole number from 300 to 921600", "got '4800'"),
    "[shoe]\nmodel = 'bee_tek'\nsettings.free_draw = 'no'": ("shoe.settings.free_draw", "true or false", "got 'no'"),
    "[shoe]\nsettings.sequence = 9": ("shoe.settings.sequence", "such as 123456789ABCDEF", "got 9"),
    "[shoe]\nsettings.sequence = '1231'": ("shoe.settings.sequence", "two or more different characters", "got '1231'"),
    "[shoe]\nsettings.sequence = '9'": ("shoe.settings.sequence", "two or more different characters", "got '9'"),
    "[shoe]\nsettings.sequence = '12 3'": ("shoe.settings.sequence", "different characters", "got '12 3'"),
    "[shoe]\nsettings.error_restarts = 1": ("shoe.settings.error_restarts", "true or false", "got 1"),
    "[shoe]\nbaud = 4800.5": ("shoe.baud", "expected a whole number", "got 4800.5"),
    "[shoe]\nallow = 'lock'": ("shoe.allow", "expected a list, each one of lock, cancel_error", "got 'lock'"),
    "[shoe]\nallow = ['lick']": ("shoe.allow.0", "expected one of lock, cancel_error", "got 'lick'"),
    "[shoe]\nallow = ['lock', 3]": ("shoe.allow.1", "expected one of lock, cancel_error", "got 3"),
    "[web]\nkiosk = true": ("web.kiosk", "expected false, or nothing", "got true"),
    "[panel.keys]\nopen = 'F1'": ("panel.keys.open", 'expected a whole number or "none"', "got 'F1'"),
    "[panel]\nkeys = [1, 2]": ("panel.keys", "expected a section", "got [1, 2]"),
    "[timers]\nbetting = 1.5": ("timers.betting", "expected a whole number from 1 to 3600", "got 1.5"),
    "[alerts.5]\nurl = 3": ("alerts.5.url", "expected text in quotes of 1 to 4096 characters", "got 3"),
    "[limits.markets]\n7 = 'high'": ("limits.markets.7", "expected a section", "got 'high'"),
    "[game]\nname = 'baccarat'\ndecks = '6'": ("game.decks", "expected a whole number from 1 to 8", "got '6'"),
    "[game]\nname = 'baccarat'\nmargin = '5%'": ("game.margin", "expected a number from 0 to 0.5", "got '5%'"),
    "[game]\nname = 'casino_holdem'\nburn_before_street = 1": ("game.burn_before_street", "true or false", "got 1"),
    "[journal]\nanchor_required = true": ("journal.anchor_required", "expected an anchor too", "got true"),
}
OUT_OF_RANGE = {
    "[shoe]\nbaud = 1": ("shoe.baud", "from 300 to 921600", "got 1"),
    "[shoe]\nbaud = 99999999999999999999": ("shoe.baud", "from 300 to 921600", "got 99999999999999999999"),
    "[timers]\nbetting = 0": ("timers.betting", "from 1 to 3600", "got 0"),
    "[timers]\ndecision = -15": ("timers.decision", "from 1 to 3600", "got -15"),
    "[timers]\ndecision = 3601": ("timers.decision", "from 1 to 3600", "got 3601"),
    "[game]\nname = 'baccarat'\ndecks = 0": ("game.decks", "from 1 to 8", "got 0"),
    "[game]\nname = 'baccarat'\ndecks = 9": ("game.decks", "from 1 to 8", "got 9"),
    "[game]\nname = 'baccarat'\nchange_below = 5": ("game.change_below", "at least 6", "got 5"),
    "[game]\nname = 'baccarat'\nbetting_windows = 2": ("game.betting_windows", "one of 1, 3", "got 2"),
    "[game]\nname = 'baccarat'\nmargin = 5": ("game.margin", "a number from 0 to 0.5", "got 5"),
    "[game]\nname = 'baccarat'\nmargin = -0.01": ("game.margin", "a number from 0 to 0.5", "got -0.01"),
    "[game]\nname = 'baccarat'\nmargin = nan": ("game.margin", "a number from 0 to 0.5", "got nan"),
    '[journal]\npath = "a\\u0000b"': ("journal.path", "of 1 to 4096 characters", r"got 'a\x00b'"),
    f"[table]\nname = '{'x' * 41}'": ("table.name", "1 to 40 characters", "got 'xxx"),
}
TOML_WORDS = {
    "[timers]\nstall = true": ("timers.stall", "from ", "got true"),
    "shoe = [true, {a = false}]": ("shoe", "expected a section", "got [true, {'a': false}]"),
    "shoe = 2026-11-29": ("shoe", "expected a section", "got 2026-11-29"),
    "shoe = 2026-11-29T12:00:00Z": ("shoe", "expected a section", "got 2026-11-29T12:00:00+00:00"),
}
A_LIST = {
    "[[shoe]]\nmodel = 'angel_eye'": ("shoe", "expected a section", "got [{"),
    "shoe = [1]": ("shoe", "expected a section", "got [1]"),
    "table = 'x'": ("table", "expected a section", "got 'x'"),
    "game = 'baccarat'": ("game", "expected a section", "got 'baccarat'"),
    "game = ['baccarat']": ("game", "expected a section", "got ['baccarat']"),
}


NINES, HEX = "9" * 5000, "0x" + "f" * 5000  # Python prints no number as long as the second
TOO_LONG = {
    f"[game]\nname = '{NINES}'": "game.name: expected one of ",
    f"[game]\nname = {HEX}": "game.name: expected one of ",
    f"[table]\nname = '{NINES}'": "table.name: expected text in quotes of 1 to 40 characters, got '999",
    f"[shoe]\nbaud = {NINES}": "expected whole numbers of at most 4,300 digits",
    f"[shoe]\nbaud = {HEX}": "shoe.baud: expected a whole number from 300 to 921600, got a number of ",
    f"[timers]\n{NINES} = 1": "timers.'99999",
    '[alerts]\n"\\n" = false': r"alerts.'\n': expected a section of its own, [like.this], got false",
    '[alerts]\n"\\n" = {}': r"alerts.'\n': expected either url, file or env, got 0 of them",
    '[table]\n"\\n" = 1': r"table.'\n': no such key",
    '[game]\nname = "rhum32"\n[limits.markets."\\n"]': r"limits.markets.'\n': no such market",
}


@pytest.mark.parametrize(("text", "said"), TOO_LONG.items(), ids=range(len(TOO_LONG)))
def test_long_or_multi_line_values_are_shortened_in_the_refusal(text, said, tmp_path):
    message = refusal(text, tmp_path)
    assert message.startswith(said)
    assert len(message) < 250


def test_a_shortened_value_shows_no_password(tmp_path):
    message = refusal(f"[alerts.mail]\nurl = ['{'a' * 100}', 'mailtos://anna:secret@example.com']", tmp_path)
    assert message.endswith("://...']")
    assert "secret" not in message


@pytest.mark.parametrize(("text", "said"), {**WRONG_TYPE, **OUT_OF_RANGE, **TOML_WORDS, **A_LIST}.items())
def test_a_wrong_value_is_refused_with_expected_and_found(text, said, tmp_path):
    path, expected, got = said
    message = refusal(text, tmp_path)
    assert message.startswith(f"{path}: expected ")
    assert expected in message
    assert got in message


ONE_OF_THE_GAMES = f"expected one of {', '.join(sorted(GAMES))}"
UNKNOWN = {
    "[game]\nname = 'bacarat'": ("game.name", ONE_OF_THE_GAMES, "did you mean baccarat?"),
    "[game]\nname = 'poker'": ("game.name", ONE_OF_THE_GAMES, "got 'poker'"),
    "[game]\nname = 3": ("game.name", ONE_OF_THE_GAMES, "got 3"),
    "[game]\nname = ['baccarat']": ("game.name", ONE_OF_THE_GAMES, "got ['baccarat']"),
    "[shoe]\nmodel = 'angel_eyes'": ("shoe.model", "angel_eye", "angel_eyes"),
    "[shoe]\nmodel = ''": ("shoe.model", "angel_eye, barcode, bee_tek, hid_pos", "''"),
    "[panel]\nmodel = 'xk25'": ("panel.model", "xk24", "xk25"),
    "[beacon]\nmodel = 'lr5'": ("beacon.model", "lr6_usb", "lr5"),
}


@pytest.mark.parametrize(("text", "said"), UNKNOWN.items())
def test_an_unknown_game_or_model_names_the_known_ones(text, said, tmp_path):
    message = refusal(text, tmp_path)
    assert message.startswith(f"{said[0]}: ")
    assert all(part in message for part in said[1:])


KEYS = {
    "model = 'stream_deck_mini'\nkeys.change = 6": (
        "panel.keys.change: expected a key of the stream_deck_mini, one of 0, 1, 2, 3, 4, 5, got 6"
    ),
    "model = 'stream_deck'\nkeys.open = -1": "panel.keys.open: expected a key of the stream_deck, one of 0, 1, ",
    "model = 'stream_deck'\nkeys.leave = 14": (
        "panel.keys.leave: expected a key of its own, got 14, which is manager already"
    ),
    "model = 'xk24'\nkeys.change = 10\nkeys.cut = 10": (
        "panel.keys.cut: expected a key of its own, got 10, which is change already"
    ),
    "model = 'xk24'\nkeys.change = 14": "panel.keys.change: expected a key of the xk24, one of 0, 1, 2, 3, 4, 5, 8, ",
    "model = 'xk24'\nkeys.chnage = 10": "panel.keys.chnage: no such key (did you mean change?); there are ",
    "model = 'stream_deck'\nkeys.open = 'no'": "panel.keys.open: expected a whole number or \"none\", got 'no'",
    "model = 'stream_deck'\nunit = 3": "panel.unit: expected nothing, a stream_deck says no unit id, got 3",
}


@pytest.mark.parametrize(("text", "said"), KEYS.items())
def test_a_key_that_a_panel_cannot_have_is_refused(text, said, tmp_path):
    assert refusal(f"[panel]\n{text}", tmp_path).startswith(said)


@pytest.mark.parametrize("text", ["[panel]\nunit = 4", "[panel.keys]\nfinish = 3", "[beacon]\nat = '1-2'"])
def test_settings_of_a_device_without_its_model_are_refused(text, tmp_path):
    section = text[1:].partition("]")[0].partition(".")[0]
    says = f"{section}.model: expected a model beside other settings of [{section}], got none"
    assert refusal(text, tmp_path) == says


def test_panel_keys_default_to_the_models_unless_the_file_overrides():
    def bindings(model, **keys):
        return check({"panel": {"model": model, "keys": keys}}).panel.bindings

    assert bindings("xk24") == {
        "open": 0, "close": 1, "finish": 2, "shuffled": 3, "manager": 5, "dropped": 8, "exposed": 9,
    }  # fmt: skip
    assert bindings("xk60")["finish"] == 3
    mini = bindings("stream_deck_mini", exposed="none", leave=4)
    assert mini == {"open": 0, "close": 1, "finish": 2, "dropped": 3, "leave": 4, "manager": 5}


@pytest.mark.parametrize("model", [None, *PANELS])
def test_every_panel_models_default_keys_are_valid(model):
    assert check({"panel": {"model": model} if model else {}}).panel.bindings["manager"] is not None


@pytest.mark.parametrize("text", ["[table", "name = ", "name = baccarat", "[table]\n[table]", "a = 1\na = 2", "\\"])
def test_a_toml_error_names_its_line(text, tmp_path):
    message = refusal(text, tmp_path)
    assert message.startswith("not TOML: ")
    assert "line" in message or "end of document" in message


def test_a_section_given_twice_is_named_with_its_line(tmp_path):
    message = refusal("[table]\n[bus]\n[table]\n", tmp_path)
    assert message == "not TOML: [table] appears twice, the second time in line 3: write its keys below the first"


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(BadConfig, match="no such file"):
        load(tmp_path / "none.toml")


def test_a_folder_is_no_config(tmp_path):
    with pytest.raises(BadConfig, match="is a directory"):
        load(tmp_path)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    path = tmp_path / "table.toml"
    path.write_bytes(b"[table]\nname = '\xff\xfe'")
    with pytest.raises(BadConfig, match="expected text in UTF-8, got byte FF in line 2") as error:
        load(path)
    assert "\n" not in str(error.value)


# ── what is accepted ─────────────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_file_is_all_defaults(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text("", encoding="utf-8")
    assert load(path) == Config()


def test_by_default_the_dealer_confirms_in_run_not_in_play():
    config = check({"game": {"name": "baccarat"}})
    assert config.house("dealer").terms.confirm == "dealer"
    assert config.house("auto").terms.confirm == "auto"


def test_a_configured_confirmation_holds_in_run_and_play():
    config = check({"game": {"name": "baccarat"}, "table": {"confirm": "shoe"}})
    assert {config.house(who).terms.confirm for who in ("dealer", "auto")} == {"shoe"}


def test_the_settings_of_a_game_reach_its_table():
    raw = {
        "table": {"name": "t7", "carry": False, "panel_loss": "fault", "reveal": "dealer"},
        "game": {"name": "baccarat", "decks": 8, "betting_windows": 3, "margin": 0.1},
        "timers": {"betting": 20, "decision": 9},
    }
    house = check(raw).house("auto")
    assert house.table == "t7"
    assert house.deck.size == 416
    assert (house.settings.betting_windows, house.settings.margin) == (3, 0.1)
    terms = house.terms
    assert (terms.carry, terms.panel_loss, terms.reveal) == (False, "fault", "dealer")
    assert (terms.betting_seconds, terms.decision_seconds) == (20, 9)


def test_limits_may_leave_bets_to_a_class_alone():
    limits = {"minimum": 50, "player": {"maximum": 5}, "classes": {"vip": {"player": {"maximum": 5000}}}}
    terms = check({"game": {"name": "baccarat"}, "limits": limits}).house("auto").terms
    assert terms.stakes.classes["vip"].round.maximum == 500_000


def test_timers_are_15_seconds_by_default():
    terms = check({"game": {"name": "baccarat"}}).house("auto").terms
    assert (terms.betting_seconds, terms.decision_seconds) == (15, 15)


LIMITS = {
    "[limits]\nminimum = 0.001": "limits.minimum: expected an amount with two decimals at most, got 0.001",
    "[limits]\nmaximum = '5'": "limits.maximum: expected a number from 0.001 to 1000000000000, got '5'",
    "[limits]\nminimum = 1.005": "limits.minimum: expected an amount with two decimals at most, got 1.005",
    "[limits]\nminimum = 5.00\nmaximum = 4.00": "limits.minimum: expected at most the maximum, 4.00 (limits.maximum), "
    "got 5.00",
    "[limits]\nmaximum = 50\n[limits.markets.tie]\nminimum = 60": "limits.markets.tie.minimum: expected at most the "
    "maximum, 50.00 (limits.maximum), got 60.00",
    "[limits]\nminimum = 10\n[limits.markets.tie]\nmaximum = 8": "limits.minimum: expected at most the maximum, 8.00 "
    "(limits.markets.tie.maximum), got 10.00",
    "[limits.markets.tie]\nminimum = 9\nmaximum = 8": "limits.markets.tie.minimum: expected at most the maximum, 8.00 "
    "(limits.markets.tie.maximum), got 9.00",
    "[limits]\nminimum = 2\nmaximum = 4": "limits.maximum: expected at least the rule sheet's minimum of "
    "insurance, 5.00, got 4.00",
    "[limits]\nprize = 0.125": "limits.prize: expected an amount with two decimals at most, got 0.125",
    "[limits]\nmaximum = 10000000000.01": "limits.maximum: expected at most 10,000,000,000.00, got 10000000000.01",
    "[limits.markets.tie]\nmaximum = 1e12": "limits.markets.tie.maximum: expected at most 10,000,000,000.00, got "
    "1000000000000.0",
    "[limits]\nprize = 1e13": "limits.prize: expected a number from 0.001 to 1000000000000, got 10000000000000.0",
    "[rulings]\nsecond_person_above = 1e12": "rulings.second_person_above: expected at most 10,000,000,000.00, got "
    "1000000000000.0",
    "[limits.markets.insurence]\nminimum = 5": "limits.markets.insurence: no such market (did you mean insurance?); "
    "rhum32 has ante, insurance, tie",
    "[limits.markets.insurance]\nminimum = 3.23": "limits.markets.insurance.minimum: expected at least 3.24, below it "
    "insurance returns more than 100 %, got 3.23",
    "[limits.markets.tie]\nleast = 1": "limits.markets.tie.least: no such key; there are maximum, minimum, player",
    "[limits]\nplayer = {minimum = 5, maximum = 4}": "limits.player.minimum: expected at most the maximum, 4.00 "
    "(limits.player.maximum), got 5.00",
    "[limits]\nminimum = 9\nplayer.maximum = 8": "limits.minimum: expected at most the maximum, 8.00 "
    "(limits.player.maximum), got 9.00",
    "[limits]\nmarkets.tie.minimum = 9\nplayer_market.maximum = 8": "limits.markets.tie.minimum: expected at most the "
    "maximum, 8.00 (limits.player_market.maximum), got 9.00",
    "[limits]\nplayer_market.minimum = 9\nround.maximum = 8": "limits.player_market.minimum: expected at most the "
    "maximum, 8.00 (limits.round.maximum), got 9.00",
    "[limits.round]\nmaximum = 0.001": "limits.round.maximum: expected an amount with two decimals at most, got 0.001",
    "[limits.markets.tie.player]\nmaximum = 0.125": "limits.markets.tie.player.maximum: expected an amount with two "
    "decimals at most, got 0.125",
    "[limits.classes.vip.markets.insurance]\nminimum = 3": "limits.classes.vip.markets.insurance.minimum: expected at "
    "least 3.24, below it insurance returns more than 100 %, got 3.00",
    "[limits.classes.vip.markets.tye]\nminimum = 3": "limits.classes.vip.markets.tye: no such market (did you mean "
    "tie?); rhum32 has ante, insurance, tie",
    "[limits.classes.vip]\nprize = 3": "limits.classes.vip.prize: no such key; there are ceilings, markets, maximum, "
    "minimum, player, player_market",
    "[limits.ceilings]\nbet = 0.125": "limits.ceilings.bet: expected an amount with two decimals at most, got 0.125",
    "[limits.classes.vip.ceilings]\nplayer = 1.005": "limits.classes.vip.ceilings.player: expected an amount with two "
    "decimals at most, got 1.005",
    "[limits.classes.vip.ceilings]\nround = 5": "limits.classes.vip.ceilings.round: no such key; there are bet, player",
    "[limits.ceilings]\nround = 0": "limits.ceilings.round: expected a number from 0.001 to 1000000000000, got 0",
    "[limits]\nexposure_warning = 0.001": "limits.exposure_warning: expected an amount with two decimals at most, got "
    "0.001",
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), LIMITS.items())
def test_impossible_limits_are_refused(text, said, tmp_path):
    assert refusal(f"[game]\nname = 'rhum32'\n{text}", tmp_path) == said


def test_a_class_keeps_the_limits_that_it_does_not_set():
    vip = {"player": {"maximum": 50000}, "player_market": {"maximum": 900}, "markets": {"banker": {"maximum": 5000}}}
    limits = {
        "player": {"minimum": 5, "maximum": 5000},
        "player_market": {"minimum": 2, "maximum": 300},
        "markets": {"tie": {"maximum": 50, "player": {"maximum": 70}}, "banker": {"minimum": 3}},
        "classes": {"vip": vip},
    }
    stakes = check({"game": {"name": "baccarat"}, "limits": limits}).house("auto").terms.stakes
    of_vip = stakes.limits_of("vip")
    assert of_vip.round == SumLimits(500, 5000000)
    assert (of_vip.markets["banker"], of_vip.markets["tie"]) == (SumLimits(200, 90000), SumLimits(200, 7000))
    assert (of_vip.bets["banker"], of_vip.bets["tie"].maximum) == (Limits(300, 500000), 5000)


def test_a_markets_limits_override_the_general_limits():
    raw = {"game": {"name": "rhum32"}, "limits": {"minimum": 2, "maximum": 100, "prize": 50000.0}}
    raw["limits"]["markets"] = {"tie": {"minimum": 0.5, "maximum": 10.25}, "insurance": {"minimum": 3.24}}
    house = check(raw).house("auto")
    assert house.limits == {"ante": Limits(200, 10_000), "tie": Limits(50, 1025), "insurance": Limits(324, 10_000)}
    assert house.terms.prize_limit == 5_000_000


STAKES = """
[game]
name = "thirty_two"
[limits]
maximum = 50
player_market = {maximum = 100}
player = {minimum = 2, maximum = 200}
round = {maximum = 900.50}
[limits.markets.player8]
player = {maximum = 80}
[limits.classes.vip]
maximum = 500
player = {maximum = 2000}
"""


def test_limits_of_sums_reach_the_table_and_its_classes():
    stakes = check(tomllib.loads(STAKES)).house("auto").terms.stakes
    on_markets = {f"player{number}": SumLimits(maximum=8000 if number == 8 else 10_000) for number in range(8, 12)}
    assert stakes.limits_of(None) == PlayerLimits({}, on_markets, SumLimits(200, 20_000))
    assert stakes.round == SumLimits(maximum=90_050)
    vip = stakes.limits_of("vip")
    assert (vip.markets, vip.round, vip.bets["player9"]) == (on_markets, SumLimits(200, 200_000), Limits(1, 50_000))


def test_a_recorded_round_gives_its_limits_back():
    house = check(tomllib.loads(STAKES)).house("auto")
    bench = Bench("thirty_two", stakes=house.terms.stakes, limits=house.limits)
    bench.says("shuffled; open")
    (opened,) = bench.facts("opened")
    again = check(tomllib.loads(as_toml(config_of(opened, "t", bench.state.identity)))).house("auto")
    assert (again.terms.stakes, again.limits) == (house.terms.stakes, house.limits)


CEILINGS = """
[game]
name = "thirty_two"
[limits]
exposure_warning = 7500
[limits.ceilings]
bet = 100
player = 200.50
round = 9000
[limits.classes.vip.ceilings]
player = 2000
[limits.classes.gold]
maximum = 5
"""


def test_ceilings_of_payment_reach_the_table_and_its_classes():
    terms = check(tomllib.loads(CEILINGS)).house("auto").terms
    assert terms.ceilings == Ceilings(10_000, 20_050, 900_000, {"vip": PlayerCeilings(10_000, 200_000)})
    assert terms.ceilings.ceilings_of(["gold"]) == terms.ceilings.ceilings_of([]) == PlayerCeilings(10_000, 20_050)
    assert terms.exposure_warning == 750_000
    assert (terms.stakes.classes.keys(), check({"game": {"name": "thirty_two"}}).house("auto").terms.ceilings) == (
        {"vip", "gold"},
        UNSET,
    )


def test_a_recorded_round_gives_its_ceilings_back():
    house = check(tomllib.loads(CEILINGS)).house("auto")
    bench = Bench("thirty_two", ceilings=house.terms.ceilings, exposure_warning=750_000)
    bench.says("shuffled; open")
    (opened,) = bench.facts("opened")
    again = check(tomllib.loads(as_toml(config_of(opened, "t", bench.state.identity)))).house("auto").terms
    assert (again.ceilings, again.exposure_warning) == (house.terms.ceilings, 750_000)


def test_a_general_minimum_does_not_lower_the_sheets_own():
    house = check({"game": {"name": "rhum32"}, "limits": {"minimum": 1}}).house("auto")
    assert house.limits["insurance"] == Limits(500)


def test_a_device_that_is_not_there_is_no_error():
    config = check({"shoe": {"port": "/dev/does-not-exist"}, "panel": {"model": "xk24", "serial": "none"}})
    assert config.shoe.port == "/dev/does-not-exist"


def test_nothing_is_sent_to_the_shoe_by_default():
    assert Config().shoe.allow == ()


@pytest.mark.parametrize(
    ("shoe", "baud"),
    [
        ({}, 4800),
        ({"model": "angel_eye"}, 4800),
        ({"model": "bee_tek"}, 9600),
        ({"model": "bee_tek", "baud": 4800}, 4800),
    ],
)
def test_the_baud_rate_is_the_models_unless_the_file_overrides(shoe, baud):
    assert check({"shoe": shoe}).shoe.line_baud == baud


PLAIN_READER = """
[game]
name = "casino_holdem"
[shoe]
model = "bee_tek"
port = "/dev/shoe"
[journal]
path = "t.journal"
[web]
listen = "off"
"""


def test_the_models_speed_reaches_the_link(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(PLAIN_READER, encoding="utf-8")
    config, journal = load(path), Journal(tmp_path / "table.journal")
    station = Station(config, config.house("dealer"), journal)
    journal.close()
    assert station.shoe._own._settings == SerialSettings(9600)


@pytest.mark.parametrize(
    ("roles", "signed_on"), [(("dealer",), ("Dora", "101")), (("manager",), (None, None)), (None, (None, None))]
)
def test_the_configured_dealer_signs_on_only_if_registered_as_dealer(tmp_path, roles, signed_on):
    path = tmp_path / "table.toml"
    path.write_text(f'[table]\ndealer = "101"\n{PLAIN_READER}', encoding="utf-8")
    people = People({} if roles is None else {"101": Person("Dora", roles)})
    config, journal = load(path), Journal(tmp_path / "table.journal")
    station = Station(config, config.house("dealer"), journal, people=people)
    journal.close()
    with capture_logs() as logs:
        assert station._first_dealer() == signed_on
    unknown = [(log["table"], log["dealer"]) for log in logs if log["event"] == "dealer_unknown"]
    assert unknown == ([("table", "101")] if signed_on == (None, None) else [])


def test_check_shows_the_models_speed(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(PLAIN_READER, encoding="utf-8")
    assert "bee_tek at /dev/shoe, 9600 baud, only listened to" in CliRunner().invoke(main, ["check", str(path)]).output
    assert json.loads(CliRunner().invoke(main, ["check", str(path), "--json"]).output)["shoe"]["baud"] == 9600


@pytest.mark.parametrize("game", GAMES)
def test_a_plain_reader_deals_every_game(game):
    assert check({"game": {"name": game}, "shoe": {"model": "bee_tek", "port": "/dev/shoe"}}).shoe.model == "bee_tek"


@pytest.mark.parametrize("free_draw", [True, False])
def test_whether_the_free_mode_counts_is_a_setting(free_draw):
    codec = check({"shoe": {"model": "bee_tek", "settings": {"free_draw": free_draw}}}).shoe.codec()
    (card,) = codec.feed(b" [Manual Burn Cards]<Card:H3> \r\n")
    assert (card.card, card.in_game) == ("3H", free_draw)


# ── the examples that come with the project ──────────────────────────────────────────────────────────────────────


def test_there_are_examples():
    assert EXAMPLES, "config/ holds no example: one commented .toml for each game belongs there"


def test_there_is_an_example_for_each_game():
    played = {load(path).game.get("name") for path in EXAMPLES}
    assert set(GAMES) <= played, f"no example under config/ for {set(GAMES) - played}"


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_an_example_is_sound_and_makes_a_table(path):
    assert isinstance(load(path).house("dealer"), House)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_every_default_that_an_example_shows_is_the_default(path, tmp_path):
    """Each commented line `# key = value` may be uncommented alone and then changes nothing."""
    text, house = path.read_text(encoding="utf-8"), load(path).house("dealer")
    for line in text.splitlines():
        shown = line.removeprefix("# ")
        key, _, value = shown.partition(" = ")
        if line.startswith("# ") and key.isidentifier() and '"..."' not in value:
            changed = tmp_path / "table.toml"
            changed.write_text(text.replace(line, shown), encoding="utf-8")
            assert load(changed).house("dealer") == house, line


COMPUTED = {  # keys whose default depends on the model, the table's name or the folder
    "table.confirm", "shoe.baud", "panel.keys", "limits.markets", "api.socket", "web.users", "people.file",
}  # fmt: skip


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_an_example_value_that_is_no_default_is_indented(path):
    text = path.read_text(encoding="utf-8")
    raw = tomllib.loads(text)
    for line in text.splitlines():
        key = line.removeprefix("# ").partition(" = ")[0]
        if not line.startswith("# ") or not key.isidentifier() or '"..."' in line:
            continue
        changed = tomllib.loads(text.replace(line, line.removeprefix("# ")))
        section = next(name for name, values in changed.items() if values != raw.get(name))
        own = next(name for name, value in changed[section].items() if value != raw.get(section, {}).get(name))
        if section != "game" and f"{section}.{own}" not in COMPUTED:
            usual = getattr(getattr(Config(), section), own)
            assert changed[section][own] == json.loads(msgspec.json.encode(usual)), line


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_every_limit_that_an_example_shows_can_be_set(path):
    text = path.read_text(encoding="utf-8")
    limits = text[text.index("[limits]") : text.index("[journal]")]
    shown = re.findall(r"^#   \S+ = [0-9.]+", limits, re.MULTILINE)
    assert len(shown) >= 6
    for line in shown:
        check(tomllib.loads(text.replace(line, line.removeprefix("#   "))))


SECTION = re.compile(r"^(?:# )?\[([a-z_]+)[^\n]*\].*?(?=^(?:# )?\[|\Z)", re.MULTILINE | re.DOTALL)
OBSOLETE = {"web.kiosk"}


def keys():
    """Yield section and key of every setting of a config, but for those of games and alert targets."""
    for section in fields(Config):
        if isinstance(section.type, type) and issubclass(section.type, Struct):
            yield from ((section.name, key.name) for key in fields(section.type))


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_every_key_of_a_config_is_in_an_example(path):
    sections = defaultdict(str)
    for found in SECTION.finditer(path.read_text(encoding="utf-8")):
        sections[found[1]] += found[0]
    seated = bool(load(path).house("dealer").game.seats)
    for section, key in keys():
        if f"{section}.{key}" not in OBSOLETE and (seated or section != "overlay"):
            assert re.search(rf"\b{key}\b", sections[section]), f"{section}.{key}"
    assert "# posted_digest = " in sections["game"]


def test_the_examples_differ_in_their_games_own_lines_alone():
    texts = [{found[1]: found[0] for found in SECTION.finditer(path.read_text(encoding="utf-8"))} for path in EXAMPLES]
    first, *others = [{name: re.sub(r"[a-z0-9]+-1\b", "NAME-1", text) for name, text in one.items()} for one in texts]
    for other in others:
        for name in first.keys() & other.keys() - {"game", "shoe", "limits"}:
            assert other[name] == first[name], name


# ── arbitrary values ─────────────────────────────────────────────────────────────────────────────────────────────

SCALARS = st.one_of(
    st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(), st.datetimes(), st.times(),
    st.sampled_from(["baccarat", "casino_holdem", "dealer", "angel_eye", "xk24", "lock", date(2020, 1, 1)]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
SECTIONS = ["table", "game", "shoe", "panel", "alerts", "timers", "limits", "journal", "web", "server"]
VOCABULARY = """
name dealer confirm reveal carry panel_loss model port baud free_draw allow keys serial open close betting decision path
decks change_below betting_windows margin burn_before_street url level minimum markets listen hosts names grace 5
"""
KEYS = st.sampled_from(VOCABULARY.split())
RAW = st.dictionaries(
    st.sampled_from(SECTIONS) | st.text(max_size=5),
    st.dictionaries(KEYS | st.text(max_size=5), VALUES, max_size=3) | VALUES,
    max_size=3,
)


@settings(max_examples=500)
@given(RAW)
def test_arbitrary_values_are_a_config_or_one_line(raw):
    try:
        check(raw)
    except BadConfig as refused:
        message = str(refused)
    else:
        return
    assert "\n" not in message
    assert ": " in message


def test_a_shoe_that_knows_no_result_cannot_confirm_one(tmp_path):
    text = "[table]\nconfirm = 'shoe'\n[game]\nname = 'blackjack'\n[shoe]\nmodel = 'bee_tek'\nport = '/dev/ttyS0'"
    assert refusal(text, tmp_path) == "table.confirm: expected dealer or auto, a bee_tek knows no result, got 'shoe'"


def test_commands_for_a_shoe_that_takes_none_are_refused():
    with pytest.raises(BadConfig, match=r"shoe\.allow: expected nothing, a bee_tek takes no commands"):
        check({"game": {"name": "thirty_two"}, "shoe": {"model": "bee_tek", "allow": ["lock"]}})


def test_an_unsupported_shoe_command_is_refused_with_the_supported_ones(monkeypatch):
    monkeypatch.setattr(shoes, "SHOES", {"plain": ShoeModel(BeeTek, commands=("cancel_error",))})
    with pytest.raises(BadConfig, match=r"shoe\.allow\.1: expected one of cancel_error, got 'lock'"):
        check({"shoe": {"model": "plain", "allow": ["cancel_error", "lock"]}})


def test_a_baccarat_only_shoe_is_refused_for_another_game():
    with pytest.raises(BadConfig, match=r"shoe\.model: expected a shoe for thirty_two"):
        check({"game": {"name": "thirty_two"}, "shoe": {"model": "angel_eye", "port": "/dev/ttyS0"}})


def test_the_second_person_amount_is_read_in_minor_units():
    assert check({"rulings": {"second_person_above": 500.5}}).house("dealer", "baccarat").terms.second_above == 50_050
    assert check({}).house("dealer", "baccarat").terms.second_above is None
    with pytest.raises(BadConfig, match=r"rulings\.second_person_above: expected an amount with two decimals at most"):
        check({"rulings": {"second_person_above": 5.001}})
