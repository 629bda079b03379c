"""Each page for engineers works when typed line by line at bare PCs that have only the package.

The PCs are software PCs where KVM makes them fast, else systemd-nspawn machines made of the same files: on an emulated
processor the pages would take hours.
"""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.documents.bare_machines import ADDRESSES, BUILDER, Machines, builder, meets_the_others, new_key
from tests.documents.page_run import RUN, PageRun
from tests.documents.pages import DOCS
from tests.documents.typist import Typist
from tests.ports import free
from tests.vm.conftest import overlay
from tests.vm.pc import SoftwarePc
from tests.vm.processor import has_kvm

pytestmark = [pytest.mark.vm, pytest.mark.timeout(7200)]


class PagePcs:
    """The bare PCs of a page, on a network of their own. Each is switched on when the page first names it."""

    def __init__(self, image: Path, folder: Path) -> None:
        self._image, self._folder, self._key = image, folder, new_key(folder)
        self._network = f"socket,id=lan,mcast=230.0.0.1:{free()},localaddr=127.0.0.1"
        self._stack, self._people = ExitStack(), dict[str, Typist]()

    def __enter__(self) -> "PagePcs":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def person_at(self, name: str) -> Typist:
        """Return the person at this PC; switches the PC on at the first call."""
        if name not in self._people:
            self._people[name] = self._started(name)
        return self._people[name]

    def _started(self, name: str) -> Typist:
        if name == BUILDER:
            return builder(self._stack)
        disk = self._folder / f"{name}.qcow2"
        overlay(self._image / "bare.img", disk)
        card = f"virtio-net-pci,netdev=lan,mac=52:54:00:00:00:{[*ADDRESSES].index(name):02x}"
        pc = self._stack.enter_context(SoftwarePc(self._image, disk, lan=("-netdev", self._network, "-device", card)))
        person = Typist(pc)
        meets_the_others(person, name, "eth1", self._key)
        return person


def bare_pcs(image: Path, folder: Path) -> PagePcs | Machines:
    """Return the bare PCs of a page, as a context manager that removes them at the end."""
    return (
        PagePcs(image, folder)
        if has_kvm(image / "vmlinuz")
        else Machines(image / "bare", image / "bare" / "srv", folder)
    )


@pytest.mark.parametrize("page", RUN)
def test_every_block_of_a_page_runs_as_it_stands(page, image, tmp_path, documents):
    with bare_pcs(image, tmp_path) as pcs:
        outcome = PageRun(pcs.person_at, print).page(DOCS / page)
    documents.append(outcome.row())
