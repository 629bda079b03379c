"""The users file: no PIN or token in it, it is replaced whole, and a change is seen at once."""

import threading
from unittest.mock import Mock

import pytest

from controller.config import pins
from controller.config.mistakes import BadUsers
from controller.config.pins import HASHER, check_pin, pin_matches
from controller.web.access.users import UsersFile


@pytest.fixture
def file(tmp_path) -> UsersFile:
    return UsersFile(tmp_path / "t.users")


def test_a_pin_fits_its_person_and_no_other(file):
    with file.change() as change:
        change.set_pin("anna", "2580")
    hashed = file.users().managers["anna"]
    assert pin_matches("2580", hashed)
    assert not pin_matches("2581", hashed)
    assert not pin_matches("2580", None)
    assert not pin_matches("2580", "no hash")


def test_an_unknown_person_costs_a_full_pin_hash(monkeypatch):
    """The time of the answer does not tell whether the name exists: a hash of a person's cost is verified."""
    hasher = Mock(wraps=HASHER)
    monkeypatch.setattr(pins, "HASHER", hasher)
    assert not pin_matches("2580", None)
    ((verified, pin),) = (call.args for call in hasher.verify.call_args_list)
    assert pin == "2580"
    assert not HASHER.check_needs_rehash(verified)


def test_neither_a_pin_nor_a_token_is_in_the_file(file):
    with file.change() as change:
        change.set_pin("anna", "258079")
        token = change.add_token("platform")
    text = file.path.read_text(encoding="utf-8")
    assert "258079" not in text
    assert token not in text
    assert file.users().holder(token) == "platform"
    assert file.users().holder(token[:-1]) is None
    assert file.path.stat().st_mode & 0o777 == 0o640


def test_a_change_is_seen_by_who_has_the_file_open(file):
    other = UsersFile(file.path)
    assert other.users().managers == {}
    with file.change() as change:
        change.set_pin("anna", "2580")
    assert set(other.users().managers) == {"anna"}
    with file.change() as change:
        change.remove("anna")
    assert other.users().managers == {}


def test_changes_at_the_same_time_are_all_kept(file):
    def add(number: int) -> None:
        with UsersFile(file.path).change() as change:
            change.add_token(f"t{number}")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(file.users().tokens) == 12
    assert {path.name for path in file.path.parent.iterdir()} == {file.path.name, f".{file.path.name}.lock"}


def test_a_change_that_is_refused_changes_nothing(file):
    with file.change() as change:
        change.set_pin("anna", "2580")
    before = file.path.read_bytes()
    with pytest.raises(BadUsers), file.change() as change:
        [change.remove(name) for name in ("anna", "bea")]
    assert file.path.read_bytes() == before


@pytest.mark.parametrize(
    "pin", ["", "123", "1234567890123", "12a4", "１２３４", "1111", "1234", "4321", "8901", "-123"]
)
def test_a_pin_is_4_to_12_digits_and_not_trivial(pin):
    with pytest.raises(BadUsers, match="expected a PIN"):
        check_pin(pin)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *(
            (name, "expected a name")
            for name in ("", " anna", "anna ", "an  na", "kiosk", "Dealer", "a" * 41, "a;b", "_a")
        ),
        *(
            (name, "expected characters that can be seen")
            for name in ("an\nna", "a\x1b[0m", "anna\u3164", "an\u200bna")
        ),
        ("ange\u0301la", "expected a name in Unicode's form NFC"),
    ],
)
def test_an_invalid_or_reserved_user_name_is_refused(file, name, said):
    with pytest.raises(BadUsers, match=said), file.change() as change:
        change.set_pin(name, "2580")
    with pytest.raises(BadUsers, match=said), file.change() as change:
        change.add_token(name)
    assert not file.path.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"managers": {"a b\\u0000": "x"}}', '{"menagers": {}}', "\xff"])
def test_a_broken_users_file_is_refused_with_its_path(file, text):
    file.path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadUsers, match=r"t\.users: no users file: (JSON is malformed|[a-z])"):
        file.users()
    with pytest.raises(BadUsers), file.change():
        pass
    assert file.path.read_bytes() == text.encode("latin-1")


def test_a_name_that_differs_only_in_case_is_refused(file):
    with file.change() as change:
        change.set_pin("anna", "2580")
        change.set_pin("anna", "1379")  # a new PIN for the same person
    with pytest.raises(BadUsers, match="there is anna already"), file.change() as change:
        change.set_pin("ANNA", "2580")


def test_an_unknown_person_or_token_cannot_be_removed(file):
    with pytest.raises(BadUsers, match="no shift manager 'anna'; there are none"), file.change() as change:
        change.remove("anna")
    with pytest.raises(BadUsers, match="no token 'x'; there are none"), file.change() as change:
        change.remove_token("x")


def test_a_users_file_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(BadUsers, match="no such file"), UsersFile(tmp_path / "no" / "t.users").change():
        pass
