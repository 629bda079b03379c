"""The key of the ids that viewers are told of players: the platform's own, where the users file has one."""

import secrets
import threading
from contextlib import suppress
from pathlib import Path

from ...config.mistakes import BadUsers
from ...core.viewers import Viewers
from .users import UsersFile


class ViewerKey:
    """Of one table. `users`: the file, where there is one. Without a key in it each start of the program has one; while
    it cannot be read, the key that was last read holds: it keeps nobody from looking on."""

    def __init__(self, users: Path | None, *, seated: bool) -> None:
        self._users = None if users is None else UsersFile(users)
        self._seated, self._by_chance = seated, secrets.token_bytes(32)
        self._key = self._by_chance
        self._lock = threading.Lock()

    def viewers(self) -> Viewers:
        """Those who look on from now. Usable from any thread."""
        with self._lock, suppress(BadUsers):
            key = None if self._users is None else self._users.users().viewer_key
            self._key = self._by_chance if key is None else key.encode()
        return Viewers(self._key, self._seated)
