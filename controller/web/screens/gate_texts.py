"""Texts for signing in at a table's page and at a floor's, in English; translations are in `locale/`."""

from collections.abc import Mapping

GATE: Mapping[str, str] = {
    "sign_in": "Sign in",
    "sign_out": "Sign out",
    "name": "Badge number or name",
    "pin": "PIN",
    "badge": "Badge read",
    "erase": "Erase",
    "lapsed": "No input for a while: enter your PIN to continue.",
    "pin_of": "PIN of {name}",
    "go_on": "Go on",
}
