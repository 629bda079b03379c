"""Colours at a terminal; none in a pipe, and none if NO_COLOR is set (no-color.org)."""

import os
import sys

import click


def green(text: str) -> str:
    """Colour a text green: everything is in order."""
    return _colour("green", text)


def red(text: str) -> str:
    """Colour a text red: somebody must act now."""
    return _colour("red", text)


def yellow(text: str) -> str:
    """Colour a text yellow: a warning."""
    return _colour("yellow", text)


def _colour(colour: str, text: str) -> str:
    plain = os.environ.get("NO_COLOR") or not sys.stdout.isatty()
    return text if plain else click.style(text, fg=colour, bold=colour == "red")
