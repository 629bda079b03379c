"""`tablectl help` lists the documents and shows each as text."""

from click.testing import CliRunner

from controller.cli import main
from tests.documents.pages import DOCS


def run(*arguments):
    return CliRunner().invoke(main, ["help", *arguments])


def test_every_document_is_listed_with_its_title():
    listed = dict(line.split("  ", 1) for line in run().stdout.splitlines())
    titles = {page.stem: page.read_text(encoding="utf-8").splitlines()[0] for page in DOCS.glob("*.md")}
    del titles["README"]
    assert {name.strip(): f"# {title.strip()}" for name, title in listed.items()} == titles


def test_a_document_is_shown_as_text():
    shown = run("faults")
    assert shown.exit_code == 0
    assert "Faults and rulings" in shown.stdout
    assert "duplicate_card" in shown.stdout
    assert "# Faults" not in shown.stdout
    assert "<!--" not in shown.stdout


def test_an_unknown_help_topic_is_refused_with_the_nearest_name():
    refused = run("falts")
    assert refused.exit_code == 2
    assert "no such topic 'falts' (did you mean faults?); `tablectl help` lists them" in refused.stderr
