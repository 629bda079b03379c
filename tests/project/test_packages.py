"""Tests of what is distributed: the wheel, the sdist, the manual page and the service's files."""

import re
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path, PurePath
from runpy import run_path
from zipfile import ZipFile

import pytest
from click import Context, Group
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from controller.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Iterator[ZipFile]:
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    with ZipFile(path) as members:
        yield members


def under(folder: str) -> dict[str, bytes]:
    """Return the files in a folder of the source, by path."""
    top = ROOT / folder
    return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def within(wheel: ZipFile, folder: str) -> dict[str, bytes]:
    """Return the files in a folder of the wheel, by path."""
    members = [name for name in wheel.namelist() if PurePath(name).is_relative_to(folder)]
    return {str(PurePath(name).relative_to(folder)): wheel.read(name) for name in members}


def test_the_wheel_contains_the_examples_the_documents_and_the_units(wheel):
    assert within(wheel, "controller/docs") == under("docs")
    assert within(wheel, "controller/examples") == under("config")
    assert within(wheel, "controller/systemd") == under("systemd")
    tops = {PurePath(name).parts[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"controller", "drivers"}


def test_the_sdist_contains_everything_the_wheel_is_built_from():
    members = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert members >= {"pyproject.toml", "README.md", "LICENSE", "Makefile"}
    assert members >= {"examples/python/tablectl_client.py", "examples/typescript/tablectl.ts"}
    for folder in ("config", "systemd"):
        assert members >= {f"{folder}/{name}" for name in under(folder)}


def test_a_package_page_shows_pictures_and_links_the_source(wheel):
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    page = HeaderParser().parsestr(wheel.read(metadata).decode())
    source = "https://github.com/tablectl/tablectl"
    assert f"Source, {source}" in page.get_all("Project-URL")
    pictures = re.findall(r"!\[.+\]\((.+)\)", page.get_payload())
    assert len(pictures) == 2
    assert not re.findall(r"\]\((?!https:)", page.get_payload())
    files = "https://raw.githubusercontent.com/tablectl/tablectl/main/"
    assert all((ROOT / picture.removeprefix(files)).is_file() for picture in pictures if picture.startswith(files))
    assert all(picture.startswith(files) for picture in pictures)


def test_the_manual_page_has_every_command_and_every_option():
    page = "\n".join(run_path(str(ROOT / "packaging/man.py"))["page"]()).replace("\\-", "-")
    commands = {"tablectl": main}
    while commands:
        path, command = commands.popitem()
        assert f'.SS "{path} ' in page
        names = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        assert all(name in page for name in names if name.startswith("-"))
        if isinstance(command, Group):
            inner = {
                name: command.get_command(Context(command), name) for name in command.list_commands(Context(command))
            }
            commands |= {f"{path} {name}": one for name, one in inner.items()}


def test_make_service_uninstall_and_package_name_the_same_files():
    makefile, program = ((ROOT / path).read_text() for path in ("Makefile", "packaging/program.sh"))
    (wait,) = re.findall("^WAIT := (.*)$", makefile, re.MULTILINE)
    lines = re.findall(r"install -D -m 644 -t (\S+) (.*)$", makefile, re.MULTILINE)
    sources = [
        (folder.replace("$(WAIT)", wait), source.strip("'")) for folder, all_ in lines for source in all_.split()
    ]
    (laid,) = re.findall("^LAID='(.*?)'", program, re.MULTILINE | re.DOTALL)
    assert {f"{folder}/{PurePath(source).name}" for folder, source in sources} == set(laid.split())
    assert {source.removeprefix("systemd/") for _, source in sources} == set(under("systemd"))
