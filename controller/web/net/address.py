"""Network address of the pages. It may appear late (after a power cut), disappear, and come back.

The port is taken at the start, whether the PC has the address or not (IP_FREEBIND of ip(7), for which no privilege is
needed). So the pages are reachable as soon as the address exists, without a retry, and no other program has taken the
port meanwhile. A mistyped address is accepted too, so it is reported while it is missing.

A port in use by another program is refused at the start: a browser would find that program's pages, perhaps another
table's, and waiting does not help.
"""

import errno
import ipaddress
import socket
from functools import lru_cache

from ...core.coded_message import CodedMessage, coded

UNANSWERED = 15_000  # ms without acknowledgement of sent data until a connection is cut (other PC off, cable out)
_FREEBIND = {socket.AF_INET: (socket.IPPROTO_IP, 15), socket.AF_INET6: (socket.IPPROTO_IPV6, 78)}  # Linux's numbers


class Address:
    """Network address and port of the pages."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._address = ipaddress.ip_address(host)
        self._family = socket.AF_INET if self._address.version == 4 else socket.AF_INET6
        self.trouble: CodedMessage | None = None

    @property
    def is_always_here(self) -> bool:
        """True if every PC has this address: loopback or unspecified."""
        return self._address.is_loopback or self._address.is_unspecified

    def listen(self) -> socket.socket:
        """Open the listening socket. Raises OSError."""
        listening = socket.socket(self._family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # else asyncio leaves Nagle on
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.setsockopt(*_FREEBIND[self._family], 1)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED)  # accepted sockets inherit it
            listening.bind((self._host, self._port))
            listening.listen()
        except OSError:
            listening.close()
            raise
        return listening

    def look(self) -> None:
        """Check whether this PC has the address; log a change, and note it in `trouble`."""
        missing = not self.is_here()
        if missing == (self.trouble is not None):
            return
        import structlog  # here, because it imports rich and asyncio, and most commands log nothing

        log = structlog.get_logger()
        if missing:
            log.warning("web_address_missing", address=self._host)
            self.trouble = coded("no_address", host=self._host)
        else:
            log.info("web_address_there", address=self._host)
            self.trouble = None

    def is_here(self) -> bool:
        """True if this PC has the address now."""
        with socket.socket(self._family, socket.SOCK_STREAM) as probe:
            try:
                probe.bind((self._host, 0))
            except OSError as error:
                return error.errno != errno.EADDRNOTAVAIL
        return True


def network_of(address: object) -> str:
    """Network under which a socket's peer is counted: /64 of IPv6, one address of IPv4. Empty for a Unix socket.

    One visitor can have all 2^64 addresses of a /64.
    """
    if not isinstance(address, tuple):
        return ""
    host = parse_address(str(address[0]).partition("%")[0])
    if isinstance(host, ipaddress.IPv6Address):
        return str(host.ipv4_mapped or ipaddress.ip_network((host, 64), strict=False))
    return str(address[0])


def subnet_of(host: str) -> str:
    """Network under which wrong PINs from an address are counted: /64 of IPv6, /24 of IPv4.

    Addresses of this PC are one network.
    """
    address = parse_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address is None:
        return host
    bits = 64 if address.version == 6 else 24
    return "loopback" if address.is_loopback else str(ipaddress.ip_network((address, bits), strict=False))


def is_loopback(host: str) -> bool:
    """True if this host name or address means this PC itself."""
    address = parse_address(host)
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address  # a socket for both families has IPv4 peers as ::ffff:a.b.c.d
    return host == "localhost" or (address is not None and address.is_loopback)


@lru_cache(1024)
def parse_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an IP address; None if the text is something else, such as a host name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
