"""Listening socket of a program's pages, with their certificate, theme and users file, as the config says."""

import ipaddress
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ...config.mistakes import BadConfig
from ...config.overlay import IN_A_ROW, OverlaySection
from ...config.theme import Theme, load_theme
from ...config.web import WebSection
from ...core.coded_message import coded
from ...text.errors import system_message
from .address import Address
from .certificate import Certificate
from .sockets import UnusableAddress

if TYPE_CHECKING:
    from .lookout import Watched


class NetListening(Struct, frozen=True):
    """Socket and settings of the pages; `socket` is None if the config says `listen = "off"`."""

    socket: socket.socket | None
    section: WebSection
    users: Path
    certificate: Certificate | None = None
    theme: Theme | None = None
    overlay: OverlaySection = IN_A_ROW
    watched: "Mapping[str, Watched]" = {}  # parts to check: the address may appear late, the certificate be renewed
    at_hand: bool = False  # every browser at this PC is the dealer's, as in a demo

    @property
    def url(self) -> str | None:
        """Address of the pages to open in a browser; None if they are not served."""
        if self.socket is None:
            return None
        host, port = self.socket.getsockname()[:2]
        host = socket.gethostname() if ipaddress.ip_address(host).is_unspecified else host
        scheme = "https" if self.certificate else "http"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def close(self) -> None:
        """Close the socket if there is one."""
        if self.socket is not None:
            self.socket.close()


def _theme(section: WebSection) -> Theme | None:
    """Theme that the config names. Raises BadConfig."""
    try:
        return None if section.theme is None else load_theme(Path(section.theme))
    except BadConfig as error:
        raise BadConfig(f"web.theme: {error}") from None


def listen(
    section: WebSection, users: Path, overlay: OverlaySection = IN_A_ROW, *, at_hand: bool = False
) -> NetListening:
    """Read theme and certificate, and bind the address that the config names.

    `at_hand`: every browser at this PC is the dealer's. Raises UnusableAddress, BadConfig.
    """
    place = section.place()
    theme = _theme(section)
    if place is None:
        return NetListening(None, section, users)
    certificate, address = certificate_of(section), Address(*place)
    if not os.access(f"{users.absolute().parent}/.", os.X_OK):
        raise UnusableAddress(coded("users_shut_in", path=str(users)))
    watched: dict[str, Watched] = {} if address.is_always_here else {"address": address}
    if certificate is not None:
        watched["certificate"] = certificate
    try:
        return NetListening(address.listen(), section, users, certificate, theme, overlay, watched, at_hand)
    except OSError as error:
        raise UnusableAddress(coded("address_unusable", host=section.listen, reason=system_message(error))) from None


def certificate_of(section: WebSection) -> Certificate | None:
    """Load the certificate that the config names; None if it names none. Raises UnusableAddress."""
    if section.certificate is None or section.key is None:
        return None
    return Certificate(section.certificate, section.key)
