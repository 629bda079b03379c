"""The key of the viewers' pseudonyms, which the table's loop and the bus read at the same time."""

import threading

from controller.config.kept_file import KeptFile
from controller.core.viewers import Viewers
from controller.web.access.viewer_key import ViewerKey

KEY = "the platform's own key"
SOON = 0.2  # seconds in which the other thread could get a wrong answer


def test_simultaneous_readers_get_the_same_viewer_key(tmp_path, monkeypatch):
    users = tmp_path / "t.users"
    users.write_text(f'{{"viewer_key": "{KEY}"}}')
    key, viewers = ViewerKey(users), list[Viewers]()
    other = threading.Thread(target=lambda: viewers.append(key.viewers()))

    def changed(file: KeptFile) -> bytes | None:
        if other.ident is not None:
            return None
        other.start()
        other.join(SOON)
        return file.path.read_bytes()

    monkeypatch.setattr(KeptFile, "read_if_changed", changed)
    try:
        viewers.append(key.viewers())
    finally:
        other.join()
    assert viewers == [Viewers(KEY.encode())] * 2
