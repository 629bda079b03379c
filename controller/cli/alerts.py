"""`tablectl alerts`: show alert targets and the alerts that wait for each, or send a test.

Also sends the one alert that a table cannot send itself: that it is down.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from ..config.alerts import Target
from ..config.mistakes import BadConfig
from ..config.paths import home_of
from ..config.table_file import Config, load, load_alerts
from ..journal import is_there
from ..journal.outbox import PACE, TargetPlaces
from ..outputs.alert_text import Alert
from ..outputs.alerts import alerts_to_send
from ..outputs.delivery import AlertMessage, send
from ..outputs.own_alerts import service_down, trial
from .arguments import CONFIG


@click.command
@CONFIG
@click.option("--test", "test", is_flag=True, help="Send a test to every target; exit 1 if a delivery fails.")
@click.option(
    "--down", "is_down", is_flag=True, help="Send every target the alert that the table is down; for systemd."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each target.")
def alerts(config: Path, *, test: bool, is_down: bool, as_json: bool) -> None:
    """Show the alert targets of CONFIG and how many alerts wait for each, or send each of them a test."""
    if test and is_down:
        raise click.UsageError("expected --test or --down, got both")
    if is_down:
        name, targets = load_alerts(config)
        asyncio.run(_call(_require_targets(targets, config), partial(service_down, name, f"tablectl@{config.stem}")))
        return
    settings = load(config)
    _require_targets(settings.alerts, config)
    reports = asyncio.run(_send_trials(settings)) if test else _waiting_alerts(settings, home_of(config))
    for one in reports:
        click.echo(msgspec.json.encode(one) if as_json else f"{one['target']}: level {one['level']}, {_describe(one)}")
    if any(one.get("failure") for one in reports):
        sys.exit(1)


def _require_targets(targets: Mapping[str, Target], config: Path) -> Mapping[str, Target]:
    """Return the targets. Raises BadConfig if there are none."""
    if not targets:
        raise BadConfig(
            f'{config}: alerts: no target given; write one, such as url = "mailtos://..." under [alerts.mail]'
        )
    return targets


async def _send_trials(settings: Config) -> list[dict[str, Any]]:
    async def send_trial(name: str) -> dict[str, Any]:
        target = settings.alerts[name]
        message = trial(settings.table.name, name, target.language)
        return {"target": name, "level": target.level, "failure": await _send(message, target)}

    return await asyncio.gather(*(send_trial(name) for name in settings.alerts))


async def _call(targets: Mapping[str, Target], alert_in: Callable[[str], Alert]) -> None:
    """Send to every target, in its language and whatever its level, until each has taken the alert.

    The level does not count, as a table that is down cannot escalate to the next target.
    """

    async def call(name: str, target: Target) -> None:
        failures = 0
        while (failure := await _send(alert_in(target.language), target)) is not None:
            failures += 1
            click.echo(f"{name}: not delivered: {failure}; trying again", err=True)
            await asyncio.sleep(PACE.retry_delay(failures))
        click.echo(f"{name}: delivered")

    await asyncio.gather(*(call(name, target) for name, target in targets.items()))


async def _send(message: Alert, target: Target) -> str | None:
    """Send an alert to a target. Returns None, or the reason why it was not delivered."""
    return await send(AlertMessage(target, message.subject, message.body, urgent=not message.over), PACE.patience)


def _waiting_alerts(settings: Config, home: Path) -> list[dict[str, Any]]:
    journal = home / (settings.journal.path or "")
    places = TargetPlaces(journal).read() if is_there(journal) else {}
    return [
        {
            "target": name,
            "level": target.level,
            "waiting": [one.subject for one in alerts_to_send(journal, target, places, name)]
            if name in places
            else None,
        }
        for name, target in settings.alerts.items()
    ]


def _describe(one: dict[str, Any]) -> str:
    if "failure" in one:
        return f"not delivered: {one['failure']}" if one["failure"] else "test delivered"
    if one["waiting"] is None:
        return "not started: the table has not run with this target yet"
    return "\n  ".join([f"{len(one['waiting']) or 'nothing'} waiting", *one["waiting"]])
