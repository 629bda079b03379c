"""The `[web]` section: addresses of the screens and the API; and `[server]`: the game server's names."""

import re
from ipaddress import ip_address
from typing import Annotated, Literal

from msgspec import Meta

from ..text.errors import quote
from .mistakes import BadConfig
from .sections import Name, Section, Text

ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:\d{1,5})?|https?://\[[0-9a-f:]+\](:\d{1,5})?")


class WebSection(Section, frozen=True):
    """Settings of the pages and of the API for the game server."""

    listen: Text = "127.0.0.1:8032"  # an address of this PC with a port, or "off"
    certificate: Text | None = None  # file of the certificate for HTTPS
    key: Text | None = None  # file of the certificate's key
    plain: bool = False  # allow a network address without encryption, if the network itself is protected
    hosts: tuple[Name, ...] = ()  # host names in addresses that browsers use
    users: Text | None = None  # by default beside the journal
    idle: Annotated[int, Meta(ge=1, le=3600)] = 300  # seconds without a touch after which the PIN is asked again
    kiosk: bool = False  # always false: use `tablectl kiosk` to make a browser the dealer's screen
    language: Literal["en", "ro"] = "en"  # language of the dealer's screen and the overlay
    theme: Text | None = None  # file with the overlay's look: colours, logo, font, free edges
    graphics: tuple[Text, ...] = ()  # origins of graphics servers that may show the overlay

    def place(self) -> tuple[str, int] | None:
        """Return host and port to listen on; None if it is off. Raises BadConfig."""
        if self.listen == "off":
            return None
        host, _, port = self.listen.rpartition(":")
        bracketed = host.startswith("[") and host.endswith("]")
        host = "127.0.0.1" if host == "localhost" else host[1:-1] if bracketed else host
        if (":" in host) != bracketed or not (
            _is_address(host) and port.isascii() and port.isdecimal() and int(port) < 2**16
        ):
            raise BadConfig(
                f"web.listen: expected an address and port such as 127.0.0.1:8032, or off, got {quote(self.listen)}"
            )
        return host, int(port)

    def check(self) -> None:
        """Check addresses, certificate and origins. Raises BadConfig."""
        place = self.place()
        for origin in self.graphics:
            if not ORIGIN.fullmatch(origin):
                raise BadConfig(f"web.graphics: expected origins such as http://10.0.0.9:5656, got {quote(origin)}")
        if self.kiosk:
            raise BadConfig(
                "web.kiosk: expected false, or nothing, got true: make a browser of this PC the dealer's "
                "screen with `tablectl kiosk CONFIG`"
            )
        if (self.certificate is None) != (self.key is None):
            missing = "key" if self.key is None else "certificate"
            raise BadConfig(f"web.{missing}: expected a file: certificate and key belong together")
        if place and not ip_address(place[0]).is_loopback and self.certificate is None and not self.plain:
            raise BadConfig(
                f"web.listen: expected an address of this PC alone, or certificate and key too, "
                f"got {quote(self.listen)}: PINs and tokens would pass the network for all to read; plain = true "
                "allows it where the network is protected"
            )


class ServerSection(Section, frozen=True):
    """Settings of the game server, and how long the table plays without it."""

    names: tuple[
        Name, ...
    ] = ()  # of its tokens, of its user at the socket, or in [bus] platforms; none: the table waits for no game server
    grace: Annotated[int, Meta(ge=1, le=3600)] = 10  # seconds without its event stream after which it is lost


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
