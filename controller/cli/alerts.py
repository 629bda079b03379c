"""`tablectl alerts`: who is told of faults, what waits for them, and whether they can be reached."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from ..config import Config, load
from ..homes import home_of
from ..journal import is_there
from ..mistakes import BadConfig
from ..outbox import PACE, Places
from ..outputs.alert_text import trial
from ..outputs.alerts import waiting
from ..outputs.courier import Errand, carry
from .arguments import CONFIG


@click.command
@CONFIG
@click.option("--test", "test", is_flag=True, help="Send a test to every target; exit 1 if one does not take it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a target.")
def alerts(config: Path, *, test: bool, as_json: bool) -> None:
    """Show the alert targets of CONFIG and how many alerts wait for each, or send each of them a test."""
    settings = load(config)
    if not settings.alerts:
        raise BadConfig(
            f'{config}: alerts: no target given; write one, such as url = "mailtos://..." under [alerts.mail]'
        )
    found = asyncio.run(_tried(settings)) if test else _waiting(settings, home_of(config))
    for one in found:
        click.echo(msgspec.json.encode(one) if as_json else f"{one['target']}: level {one['level']}, {_told(one)}")
    if any(one.get("failure") for one in found):
        sys.exit(1)


async def _tried(settings: Config) -> list[dict[str, Any]]:
    async def tried(name: str) -> dict[str, Any]:
        target, message = settings.alerts[name], trial(settings.table.name, name)
        errand = Errand(target, message.subject, message.body, urgent=False)
        return {"target": name, "level": target.level, "failure": await carry(errand, PACE.patience)}

    return await asyncio.gather(*(tried(name) for name in settings.alerts))


def _waiting(settings: Config, home: Path) -> list[dict[str, Any]]:
    journal = home / (settings.journal.path or "")
    places = Places(journal).read() if is_there(journal) else {}
    return [
        {
            "target": name,
            "level": target.level,
            "waiting": [told.subject for told in waiting(journal, target.level, places[name])]
            if name in places
            else None,
        }
        for name, target in settings.alerts.items()
    ]


def _told(one: dict[str, Any]) -> str:
    if "failure" in one:
        return f"not delivered: {one['failure']}" if one["failure"] else "the test was taken"
    if one["waiting"] is None:
        return "not begun: the table has not run with it yet"
    return "\n  ".join([f"{len(one['waiting']) or 'nothing'} waiting", *one["waiting"]])
