"""PINs and badge numbers typed at a terminal are asked for by name and not shown."""

from types import SimpleNamespace

import pytest

from controller.cli import people, user


@pytest.mark.parametrize(
    ("module", "ask", "typed", "asked"),
    [
        (user, user.read_pin, ["2580", "2580"], ["PIN", "The same again"]),
        (people, people._read_badge, ["0004411223"], ["Badge"]),
    ],
)
def test_a_typed_secret_is_asked_for_and_hidden(monkeypatch, module, ask, typed, asked):
    left, prompts = list(typed), list[tuple[str, bool]]()

    def prompt(text, *, hide_input):
        prompts.append((text, hide_input))
        return left.pop(0)

    monkeypatch.setattr(module.sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(module.click, "prompt", prompt)
    assert ask() == typed[0]
    assert prompts == [(text, True) for text in asked]


@pytest.mark.parametrize("ask", [user.read_pin, people._read_badge])
def test_a_secret_without_a_terminal_is_the_first_line(monkeypatch, ask):
    lines = iter(["2580\r\n", "1379\n"])
    monkeypatch.setattr(user.sys, "stdin", SimpleNamespace(isatty=lambda: False, readline=lambda: next(lines)))
    assert ask() == "2580"
