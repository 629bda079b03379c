"""Alerts that come from no record: table down, table halted or recovered, and a test alert."""

from ..core.coded_message import CodedMessage
from ..text import alert_texts as t
from ..text.coded import render
from ..text.faults import Words
from .alert_text import Alert


def service_down(table: str, service: str, language: str = "en") -> Alert:
    """Compose the alert for a table whose service systemd has given up."""
    say = Words(language).say
    lines = (say(line).format(service=service) for line in t.DOWN_LINES)
    return _alert(table, "down", say(t.DOWN).format(table=table), "\n".join(lines))


def trial(table: str, target: str, language: str = "en") -> Alert:
    """Compose a test alert, to find out whether a target can be reached."""
    say = Words(language).say
    body = say(t.TRIAL_TEXT).format(table=table, target=target)
    return _alert(table, "test", say(t.TRIAL).format(table=table), body, over=True)


def halted_alert(table: str, reason: CodedMessage | str, language: str = "en") -> Alert:
    """Compose the alert for a table whose record cannot be written."""
    say = Words(language).say
    lines = (say(line).format(reason=render(reason, say)) for line in t.HALTED_LINES)
    return _alert(table, "halted", say(t.HALTED).format(table=table), "\n".join(lines))


def recovery_alert(table: str, language: str = "en") -> Alert:
    """Compose the alert for a halted table that can write its record again."""
    say = Words(language).say
    return _alert(table, "halted", say(t.WELL).format(table=table), say(t.WELL_TEXT), over=True)


def _alert(table: str, what: str, subject: str, body: str, *, over: bool = False) -> Alert:
    name = f"{table}#{what}"
    return Alert(0, 0, name, frozenset(), f"[{name}] {subject}", body, over)
