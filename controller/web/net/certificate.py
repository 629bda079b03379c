"""Certificate of an encrypted door, renewed without a restart.

New connections get a renewed certificate after the next check of the files. If the files cannot be used (half written,
or a certificate without its new key), the former certificate stays in use.
"""

import ssl
from pathlib import Path

from ...core.coded_message import CodedMessage, coded
from ...text.coded import render
from .sockets import UnusableAddress


class Certificate:
    """Certificate and key in two files that another program renews. Raises UnusableAddress."""

    def __init__(self, certificate: str, key: str) -> None:
        self._files = (certificate, key)
        self._last_marks = self._marks()
        self.trouble: CodedMessage | None = None
        self.context = self._newest = _load_context(*self._files)  # the door keeps `context` as long as it is open
        self.context.sni_callback = self._show  # called before the certificate is sent, also without a server name

    def look(self) -> None:
        """Load the certificate again if its files have changed."""
        marks = self._marks()
        if marks == self._last_marks and self.trouble is None:
            return
        import structlog  # here, because it imports rich and asyncio, and most commands log nothing

        log = structlog.get_logger()
        try:
            self._newest = _load_context(*self._files)
        except UnusableAddress as error:
            if marks != self._last_marks:
                log.warning("certificate_unusable", reason=str(error))
            self.trouble = coded("old_certificate")
        else:
            log.info("certificate_renewed", file=self._files[0])
            self.trouble = None
        self._last_marks = marks

    def _marks(self) -> list[tuple[int, ...] | None]:
        return [_mark(Path(file)) for file in self._files]

    def _show(self, connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        connection.context = self._newest


def _mark(file: Path) -> tuple[int, ...] | None:
    """Device, inode, time and size of a file, which show if it has changed; None if there is no file."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size


def _load_context(certificate: str, key: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, _no_password)
    except ssl.SSLError:
        why: CodedMessage | str = coded("no_pair")
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
    else:
        return context
    raise UnusableAddress(coded("certificate_unusable", path=certificate, key=key, reason=why))


def _no_password() -> str:
    raise ValueError(render(coded("key_locked")))
