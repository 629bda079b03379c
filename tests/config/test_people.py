"""Registry of people: no two can be mistaken for each other; it holds no readable PIN or badge."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config.mistakes import BadUsers
from controller.config.people import IDS, People, PeopleFile, Person
from controller.config.people_change import RegistryChange, _registry_text, change_registry
from controller.config.pins import pin_matches


@pytest.fixture
def file(tmp_path) -> PeopleFile:
    file = PeopleFile(tmp_path / "people.toml")
    with change_registry(file) as change:
        change.add("1042", "Liviu Pop", ["manager", "dealer"], "2580")
    return file


def test_a_person_has_number_name_roles_and_an_unreadable_pin(file):
    entry = file.people().find("1042")
    assert (entry.id, entry.person.name, entry.person.roles) == ("1042", "Liviu Pop", ("dealer", "manager"))
    assert pin_matches("2580", entry.person.pin)
    assert "2580" not in file.path.read_text(encoding="utf-8")
    assert file.path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "name",
    [
        "LIVIU POP", "liviu pop", "LiviuPop", "Liviu-Pop", "Lıviu Pop", "Liviu Роp", "Lιviu Pop", "L1viu Pop",
        "Iiviu Pop", "Liviu P0p", "1042", "l042", "1O42",
    ],
)  # fmt: skip
def test_a_name_that_can_be_taken_for_anothers_is_refused(file, name):
    before = file.path.read_bytes()
    with pytest.raises(BadUsers, match="can be taken for 1042 Liviu Pop"), change_registry(file) as change:
        change.add("1043", name, ["dealer"], None)
    assert file.path.read_bytes() == before


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "Liviu Pop ", " Anna", "An  na", "Anna\u200b", "An\u00adna", "\u202eAnna", "Anna\u3164", "An\nna",
        "A\x00", "Ａnna", "Anna\ufe0f", "An\u0301na", "ﬁnn", "dealer", "Server", "KIOSK", "a" * 41, "a;b", "_a",
        "\ud800",
    ],
)  # fmt: skip
def test_a_name_with_invisible_or_ambiguous_characters_is_refused(file, name):
    with pytest.raises(BadUsers, match="expected"), change_registry(file) as change:
        change.add("1043", name, ["dealer"], None)


@pytest.mark.parametrize("number", ["", "10 42", "1042\n", "１０４２", "ä", "-1", "a" * 21, "dealer", "a.b", 'a"b'])
def test_a_badge_number_that_is_no_bare_key_is_refused(file, number):
    with pytest.raises(BadUsers, match="expected a badge number"), change_registry(file) as change:
        change.add(number, "Anna", ["dealer"], None)


@pytest.mark.parametrize("number", ["1042", "1O42", "IO42"])
def test_a_badge_number_is_one_persons_for_ever(file, number):
    with change_registry(file) as change:
        change.remove("1042")
    with pytest.raises(BadUsers, match="1042"), change_registry(file) as change:
        change.add(number, "Anna", ["dealer"], None)
    assert file.people().find("1042") is None
    with change_registry(file) as change:
        change.add("1042", "Liviu Pop", ["dealer"], None)  # the same person comes back
    assert file.people().find("1042").person.roles == ("dealer",)


def test_a_pin_is_not_the_badge_number(file):
    for wrong in ("1042", "1234", "12"):
        with pytest.raises(BadUsers, match="expected a PIN"), change_registry(file) as change:
            change.set_pin("1042", wrong)


def test_two_alike_names_in_the_registry_file_are_refused(file):
    text = file.path.read_text(encoding="utf-8")
    file.path.write_text(f'{text}\n[people.7]\nname = "LIVIU POP"\n', encoding="utf-8")
    with pytest.raises(BadUsers, match=r"people\.toml: 7 LIVIU POP can be taken for 1042 Liviu Pop"):
        file.people()
    with pytest.raises(BadUsers):  # refused again until the file is corrected
        file.people()
    file.path.write_text(text, encoding="utf-8")
    assert file.people().find("liviu pop").id == "1042"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[people.1", "not TOML"),
        ("people = 3", "no registry of persons"),
        ('[people.1]\nname = "Anna"\nroles = ["boss"]', "invalid enum value 'boss'"),
        ('[people.1]\nname = "Anna"\npine = "x"', "unknown field"),
        ('[people.1]\nname = "Anna\\u200B"', "expected characters that can be seen"),
        ('[people."1 2"]\nname = "Anna"', "expected a badge number"),
        ("\xff", "not TOML: expected text in UTF-8, got byte FF in line 1"),
    ],
)
def test_a_broken_registry_file_is_one_line_with_its_path(tmp_path, text, says):
    file = PeopleFile(tmp_path / "people.toml")
    file.path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadUsers) as error:
        file.people()
    assert str(error.value).startswith(f"{file.path}: ")
    assert says.lower() in str(error.value).lower()
    assert "\n" not in str(error.value)


def test_a_registry_that_was_read_or_configured_must_exist(tmp_path, file):
    assert PeopleFile(tmp_path / "none.toml").people() is None
    with pytest.raises(BadUsers, match="no such file"):
        PeopleFile(tmp_path / "none.toml", needed=True).people()
    assert file.people() is not None
    file.path.unlink()
    with pytest.raises(BadUsers, match="no such file"):
        file.people()


people = st.dictionaries(
    st.from_regex(IDS, fullmatch=True),
    st.builds(
        Person,
        st.text(st.sampled_from("aăîșțßЖя中'.- 7"), min_size=1, max_size=12).filter(lambda name: name[0].isalpha()),
        st.just(("dealer", "auditor")),
        st.none() | st.just("$argon2id$v=19$x"),
        st.booleans(),
    ),
    max_size=5,
)


@given(people)
def test_a_written_registry_is_read_as_the_same_people(written):
    read = tomllib.loads(_registry_text(written))
    assert {number: one["name"] for number, one in read.get("people", {}).items()} == {
        number: one.name for number, one in written.items()
    }


@given(st.lists(st.tuples(st.sampled_from("123"), st.text("aAıIil1 оo0", min_size=1, max_size=3)), max_size=8))
def test_after_any_additions_each_number_and_name_is_unique(adding):
    change = RegistryChange(None)
    for number, name in adding:
        try:
            change.add(number, name, ["dealer"], None)
        except BadUsers:
            continue
    people = People(change.people)
    for number, person in change.people.items():
        assert people.find(number).id == people.find(person.name).id == people.find(person.name.upper()).id == number


def test_a_badge_identifies_its_holder_and_is_stored_unreadable(file):
    with change_registry(file) as change:
        change.add("7", "Anna", ["dealer"], None)
        change.set_badge("1042", "0004711815")
        change.set_badge("7", "04A2B9C1F0")
    people, text = file.people(), file.path.read_text(encoding="utf-8")
    assert [people.holder(code).id for code in ("0004711815", "04A2B9C1F0")] == ["1042", "7"]
    assert people.holder("0004711816") is None
    assert not [code for code in ("0004711815", "04A2B9C1F0") if code in text]


def test_two_salts_in_one_registry_are_both_known(tmp_path, file):
    other = PeopleFile(tmp_path / "other.toml")
    for one, number in ((file, "1042"), (other, "7")):
        with change_registry(one) as change:
            if number == "7":
                change.add("7", "Anna", ["dealer"], None)
            change.set_badge(number, f"0004711{number}")
    joined = People({**file.people().by_id, **other.people().by_id})
    assert [joined.holder(f"0004711{number}").id for number in ("1042", "7")] == ["1042", "7"]
    assert People({"8": Person("Bea", ("dealer",), badge="no hash")}).holder("0004711815") is None


def test_a_badge_has_one_holder_and_is_free_after_removal(file):
    with change_registry(file) as change:
        change.add("7", "Anna", ["dealer"], None)
        change.set_badge("1042", "0004711815")
    for code, says in (("0004711815", "7 Anna has the badge of 1042 Liviu Pop"), ("1 2 3 4 5", "8 to 64"), ("7", "")):
        with (
            pytest.raises(BadUsers, match=says or "badge number or name of somebody here"),
            change_registry(file) as change,
        ):
            change.set_badge("7", code)
    with change_registry(file) as change:
        change.remove("1042")
        change.set_badge("7", "0004711815")
    assert file.people().holder("0004711815").id == "7"
