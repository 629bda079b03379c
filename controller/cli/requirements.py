"""Requirements of a running table on this PC beside a valid config: record, clock, socket, pages, anchor, bus.

`run` uses them, `check` and `doctor` only test them, with the same messages. A test leaves nothing behind, and a table
that runs already does not fail by its own socket or port.
"""

import errno
import os
import time
from pathlib import Path
from stat import S_ISDIR

from ..config.mistakes import BadConfig
from ..config.paths import SOCKETS, change_directory, home_of, is_of_a_service, pc_folder
from ..config.people import PeopleFile, registry
from ..config.table_file import Config
from ..core.coded_message import CodedMessage
from ..core.state import State
from ..journal import head_of, is_there, is_written, read, recover_state, refuse_locked
from ..station.anchor_admission import admit
from ..station.ownership import require_own
from ..text.errors import quote, system_message
from ..web.net import listening
from ..web.net.sockets import NAME_ONE, NAME_THE_TABLE, Listening, UnusableAddress, look, place_of

RUNS = "it runs at this moment"


def journal_of(config: Path, settings: Config) -> Path:
    """Path of the journal of a config that has all sections a running table needs.

    Raises BadConfig.
    """
    if not settings.shoe.is_set_up:
        raise BadConfig(f'{config}: shoe.port: no port given; write one, such as port = "/dev/serial/by-id/..."')
    if settings.journal.path is None:
        raise BadConfig(f'{config}: journal.path: no file given; write one, such as path = "table1.journal"')
    path = Path(settings.journal.path)
    if _is_missing(path.parent):
        raise BadConfig(f"{config}: journal.path: expected a file in an existing folder, got {path}")
    return path


def require_clock(settings: Config, journal: Path) -> None:
    """Check that the PC's clock fits the last record. Raises WrongClock, JournalError.

    A record of another table is ignored here; it is refused when it is loaded.
    """
    for last in read(journal, max(0, head_of(journal).seq - 1)):
        if last.table == settings.table.name:
            settings.clock.check(last.at, time.time_ns() // 1000)


def people_of(config: Path, settings: Config) -> PeopleFile:
    """Return the registry of persons, after checking that it knows the config's dealer. Raises BadUsers, BadConfig."""
    file = registry(config, settings.people)
    if (wrong := unknown_dealer_error(config, settings, file)) is not None:
        raise BadConfig(wrong)
    return file


def unknown_dealer_error(config: Path, settings: Config, file: PeopleFile) -> str | None:
    """Error text if the dealer named in the config is no dealer of the registry, else None. Raises BadUsers."""
    people, dealer = file.people(), settings.table.dealer
    person = None if people is None or dealer is None else people.by_number(dealer)
    if people is None or dealer is None or (person is not None and "dealer" in person.roles):
        return None
    return (
        f"{config}: table.dealer: expected the badge number of a dealer in {file.path}, got {dealer!r}: write one "
        "there, or take the line out"
    )


def listen(settings: Config, journal: Path) -> Listening:
    """Open the table's own Unix socket. Raises UnusableSocket."""
    return Listening(*_socket(settings, journal))


def require_name(config: Path, settings: Config) -> None:
    """Check that a service and its table have the same name. Raises BadConfig."""
    name = settings.table.name
    if is_of_a_service(config) and config.stem != name:
        raise BadConfig(
            f"{config}: table.name: expected {quote(config.stem)}, the name of the file and of its service "
            f"tablectl@{config.stem}, got {quote(name)}: the same in both, or `--table` means another than `systemctl`"
        )


def require_record(settings: Config, journal: Path) -> None:
    """Check that the record belongs to this table and can be continued, and that no other table has its folder.

    Raises JournalError, PermissionError.
    """
    refuse_locked(journal)
    if _is_readable(journal):
        head_of(journal)
        require_own(recover_state(journal), settings.house("dealer"), journal)


def require_clock_of(settings: Config, journal: Path) -> None:
    """Check that the clock fits the record, if there is one. Raises WrongClock, JournalError, PermissionError."""
    if _is_readable(journal):
        require_clock(settings, journal)


def require_anchor(settings: Config, journal: Path) -> None:
    """Check that the anchor allows a start on this record. Raises AnchorRefused, JournalError."""
    if settings.journal.anchor is not None:
        admit(settings.journal, journal, recover_state(journal) if is_there(journal) else State())


def require_bus(settings: Config) -> None:
    """Check that the table can sign in to its bus. Raises BadCredentials, PermissionError."""
    if settings.bus.servers:
        from ..bus.keys import check_signer  # imports nkeys, which only a table with a bus needs

        credentials = Path(settings.bus.credentials or "")
        _is_readable(credentials)
        check_signer(credentials)


def _is_readable(file: Path) -> bool:
    """True if the file is there. Raises PermissionError if this user may not read it."""
    if not file.exists():
        return False
    if not os.access(file, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
    return True


def require_socket(config: Path, settings: Config, journal: Path) -> None:
    """Check that the table's socket can be opened. Raises UnusableSocket.

    A missing folder of sockets is no error for a service: systemd creates it at the start.
    """
    place = _socket(settings, journal)
    made_at_start = is_of_a_service(config) and place[0].parent == pc_folder(SOCKETS)
    if not made_at_start or place[0].parent.exists():
        look(*place)


def require_pages(settings: Config, journal: Path, *, runs: bool = False) -> None:
    """Check that the pages can be served at the configured address. Raises UnusableAddress, BadConfig.

    `runs`: the table runs, so its own pages may answer there.
    """
    try:
        listening.listen(settings.web, settings.users_beside(journal)).close()
    except UnusableAddress:
        listening.certificate_of(settings.web)
        if not (runs and _serves(settings)):
            raise


def _serves(settings: Config) -> bool:
    """True if this table's own pages answer at its address, or pages that do not name their table."""
    from .own_pages import serves_table  # imports HTTP and TLS, which are needed only if the port is in use

    host, port = settings.web.place() or ("", 0)
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - where a browser asks, not a listener
    scheme = "https" if settings.web.certificate else "http"
    try:
        return serves_table(f"{scheme}://{f'[{here}]' if ':' in here else here}:{port}", settings.table.name)
    except OSError:
        return False


def outlook(config: Path, settings: Config) -> str:
    """Sentence for `check`: the table runs, it could run, or the reason why this is not known.

    Raises the errors of `run`.
    """
    home = home_of(config)
    try:
        with change_directory(home):
            journal = journal_of(config, settings)
            listening.certificate_of(settings.web)
            if is_written(journal):
                require_pages(settings, journal, runs=True)
                return RUNS
            require_record(settings, journal)
            require_clock_of(settings, journal)
            require_anchor(settings, journal)
            require_bus(settings)
            require_socket(config, settings, journal)
            require_pages(settings, journal)
            return f"it could run here{_missing_shoe_note(settings.shoe.port)}"
    except PermissionError as error:
        return f"cannot check whether it could run: {error.filename or home}: {system_message(error)}"


def _missing_shoe_note(port: str | None) -> str:
    """Note that the table would wait for a shoe that is not plugged in, else empty.

    Hosts behind a network port are not asked.
    """
    missing = port is not None and "://" not in port and not Path(port).exists()
    return f", and would wait for the shoe: there is no {port} now" if missing else ""


def _socket(settings: Config, journal: Path) -> tuple[Path, str | None, CodedMessage]:
    """Path of the table's socket, its group, and advice if another table has it."""
    api = settings.api
    if api.socket is not None:
        return Path(api.socket), api.group, NAME_ONE
    return place_of(settings.table.name, journal, os.environ), api.group, NAME_THE_TABLE


def _is_missing(folder: Path) -> bool:
    """True if the folder does not exist; False if this user may not look."""
    try:
        return not S_ISDIR(folder.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
