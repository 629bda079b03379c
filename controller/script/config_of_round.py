"""Config of the table of a recorded round, for the round's script.

It is made from the settings pinned in the round, never from today's config. Settings for which this version's config
has no key are left out.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ..config.table_file import TableSection, TimersSection
from ..core.currency import to_amount
from ..core.records import Opened
from ..core.state import RecordIdentity


def config_of(opened: Opened, table: str, identity: RecordIdentity) -> dict[str, Any]:
    """Return the sections of the config as plain values for TOML."""
    terms = {**opened.terms, "studio": identity.studio or None, "currency": identity.currency or None}
    seconds = {name: terms.get(f"{name}_seconds") for name in TimersSection.__struct_fields__}
    sections = {
        "table": {"name": table, **_without_none({name: terms.get(name) for name in TableSection.__struct_fields__})},
        "game": {"name": opened.game, **_without_none(opened.settings)},
        "timers": _without_none(seconds),
        "limits": _limits(terms, identity.currency),
        "rulings": _without_none(
            {
                "second_person_above": _amount(terms.get("second_above"), identity.currency),
                "resettle_hours": terms.get("resettle_hours"),
            }
        ),
    }
    return {name: section for name, section in sections.items() if section}


def as_toml(config: Mapping[str, Any]) -> str:
    """Return the sections as the text of a config file."""
    return msgspec.toml.encode(config).decode()


def _limits(terms: Mapping[str, Any], currency: str) -> dict[str, Any]:
    markets: dict[str, Any] = {
        market: _bounds(limits, currency) for market, limits in (terms.get("limits") or {}).items()
    }
    stakes = terms.get("stakes") or {}
    for market, sums in (stakes.get("player") or {}).get("markets", {}).items():
        markets.setdefault(market, {})["player"] = _sum(sums, currency)
    ceilings = terms.get("ceilings") or {}
    classes = {name: _class(of, currency) for name, of in (stakes.get("classes") or {}).items()}
    return _without_none(
        {
            "prize": _amount(terms.get("prize_limit"), currency),
            "player": _sum((stakes.get("player") or {}).get("round"), currency),
            "round": _sum(stakes.get("round"), currency),
            "markets": markets or None,
            "classes": _with_ceilings(classes, ceilings.get("classes") or {}, currency) or None,
            "ceilings": _ceilings(ceilings, currency) or None,
            "exposure_warning": _amount(terms.get("exposure_warning"), currency),
        }
    )


def _with_ceilings(classes: dict[str, Any], of: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Limits of classes of players, with their ceilings of payment."""
    return classes | {name: {**classes.get(name, {}), "ceilings": _ceilings(of[name], currency)} for name in of}


def _ceilings(of: Mapping[str, Any], currency: str) -> dict[str, Any]:
    return _without_none({name: _amount(of.get(name), currency) for name in ("bet", "player", "round")})


def _class(of: Mapping[str, Any], currency: str) -> dict[str, Any]:
    markets: dict[str, Any] = {name: _bounds(bounds, currency) for name, bounds in (of.get("bets") or {}).items()}
    for market, sums in (of.get("markets") or {}).items():
        markets.setdefault(market, {})["player"] = _sum(sums, currency)
    return _without_none({"player": _sum(of.get("round"), currency), "markets": markets or None})


def _sum(limits: Mapping[str, Any] | None, currency: str) -> dict[str, Any] | None:
    return _bounds(limits, currency) if limits else None


def _bounds(limits: Mapping[str, Any], currency: str) -> dict[str, Any]:
    return _without_none({bound: _amount(limits.get(bound), currency) for bound in ("minimum", "maximum")})


def _amount(units: int | None, currency: str) -> float | None:
    """Convert minor units to an amount as the config file has it."""
    return None if units is None else float(to_amount(units, currency))


def _without_none(section: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out settings that are None, because TOML has no null."""
    return {name: value for name, value in section.items() if value is not None}
