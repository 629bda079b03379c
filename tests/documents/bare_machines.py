"""Bare Debian machines on which the pages are run, each with its own systemd, in a private network."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from tests.machine import Machine

from .pages import ROOT
from .typist import HOME, Typist

ADDRESSES = {"pc1": "10.0.0.1", "pc2": "10.0.0.2", "bus": "10.0.0.5", "admin": "10.0.0.9"}
BUILDER = "builder"  # this PC, which has a checkout and makes the package
HOSTS = "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in ADDRESSES.items())
# Copies the package from /srv to the person's home. All PCs have the same SSH key: eva and root can sign in from each
# PC to the others.
MEET = f"""
hostname "$0"; echo "$0" >/etc/hostname; cat >/etc/hosts
ip link set lo up; ip address add ADDRESS/24 dev LINK; ip link set LINK up
printf 'StrictHostKeyChecking accept-new\\nLogLevel ERROR\\n' >/etc/ssh/ssh_config.d/pcs.conf
for home in /root {HOME}; do
  install -d -m 700 $home/.ssh
  cp /run/key $home/.ssh/id_ed25519; cp /run/key.pub $home/.ssh/authorized_keys
  chmod 600 $home/.ssh/*
done
cp /srv/tablectl_*.deb {HOME}/
chown -R eva: {HOME}/.ssh {HOME}/tablectl_*.deb; rm /run/key /run/key.pub
"""


def meets_the_others(person: Typist, name: str, link: str, key: Path) -> None:
    """Give a PC its name, its address, and the SSH key that the other PCs accept."""
    for file in (key, key.with_suffix(".pub")):
        person.as_root(f"cat >/run/{file.name}", file.read_text())
    person.as_root(MEET.replace("ADDRESS", ADDRESSES[name]).replace("LINK", link).replace('"$0"', name), HOSTS)


def new_key(folder: Path) -> Path:
    """Make an SSH key without a passphrase in this folder."""
    key = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    return key


class BareMachine:
    """PC for a `Typist`: a machine under systemd-nspawn."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def does(self, *command: str, typed: str = "") -> tuple[int, str]:
        ended = self.machine.run(*command, check=False, input=typed)
        return ended.returncode, ended.stdout + ended.stderr


class Machines:
    """Machines of a page, each started when the page first names it; the context manager ends them."""

    def __init__(self, root: Path, given: Path, folder: Path) -> None:
        self._root, self._given, self._key = root, given, new_key(folder)
        self._mark = uuid4().hex[:6]  # names its networks, apart from those of other runs
        self._stack, self._people = ExitStack(), dict[str, Typist]()

    def __enter__(self) -> "Machines":
        self._stack.enter_context(_network(f"{self._mark}-net"))
        _ip("-n", f"{self._mark}-net", "link", "add", "bridge", "up", "type", "bridge")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def person_at(self, name: str) -> Typist:
        """Return the person at the PC of this name; start its machine if it does not run yet."""
        if name not in self._people:
            self._people[name] = self._started(name)
        return self._people[name]

    def _started(self, name: str) -> Typist:
        if name == BUILDER:
            return builder(self._stack)
        network, own = f"{self._mark}-net", f"{self._mark}-{name}"
        self._stack.enter_context(_network(own))
        _ip("-n", own, "link", "add", "lan", "type", "veth", "peer", "name", name, "netns", network)
        _ip("-n", network, "link", "set", name, "up", "master", "bridge")
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("SYSTEMD_NSPAWN_UNIFIED_HIERARCHY", "1")  # the only one in Debian 13's systemd
            place = f"--network-namespace-path=/run/netns/{own}"
            machine = self._stack.enter_context(Machine(self._root, f"--bind-ro={self._given}:/srv", place))
        person = Typist(BareMachine(machine))
        meets_the_others(person, name, "lan", self._key)
        machine.run("systemctl", "start", "--no-block", "multi-user.target")
        return person


def builder(stack: ExitStack) -> Typist:
    """Return a person at this PC itself, who works as root in this checkout with its environment.

    Root, because the checkout may be in root's home. All changes are discarded when the stack is closed.
    """
    machine = stack.enter_context(Machine("/", "--private-network"))
    person = Typist(BareMachine(machine), "root")
    person.as_root(f"echo {ROOT} >{HOME}/.typed/folder")
    return person


@contextmanager
def _network(name: str) -> Iterator[None]:
    _ip("netns", "add", name)
    try:
        yield
    finally:
        _ip("netns", "delete", name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
