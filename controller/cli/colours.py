"""Colours at a terminal; none in a pipe, and none where NO_COLOR is set (no-color.org)."""

import os
import sys

import click


def green(text: str) -> str:
    """Text of what is as it should be."""
    return _in("green", text)


def red(text: str) -> str:
    """Text of what needs somebody now."""
    return _in("red", text)


def yellow(text: str) -> str:
    """Text of what somebody should know."""
    return _in("yellow", text)


def _in(colour: str, text: str) -> str:
    plain = os.environ.get("NO_COLOR") or not sys.stdout.isatty()
    return text if plain else click.style(text, fg=colour, bold=colour == "red")
