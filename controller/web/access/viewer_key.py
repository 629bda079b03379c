"""Key of the pseudonyms under which viewers see players: the platform's own if the users file has one."""

import secrets
import threading
from contextlib import suppress
from pathlib import Path

from ...config.mistakes import BadUsers
from ...core.viewers import Viewers
from .users import UsersFile


class ViewerKey:
    """Source of one table's key for viewers' player ids.

    `users`: path of the users file, None if there is none. If the file has no key, each start of the program makes a
    random one. If the file cannot be read, the last key stays in use, so that viewers still see the table.
    """

    def __init__(self, users: Path | None, seats: tuple[str, ...] = ()) -> None:
        self._users = None if users is None else UsersFile(users)
        self._seats, self._by_chance = seats, secrets.token_bytes(32)
        self._key = self._by_chance
        self._lock = threading.Lock()

    def viewers(self) -> Viewers:
        """Return the viewers under the current key. Can be called from any thread."""
        with self._lock, suppress(BadUsers):
            key = None if self._users is None else self._users.users().viewer_key
            self._key = self._by_chance if key is None else key.encode()
        return Viewers(self._key, self._seats)
