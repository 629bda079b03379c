"""The Debian package and the bundle install, upgrade and uninstall on a bare Debian 12 and 13.

Each Debian runs under its own systemd. mmdebstrap makes their root folders once; changes to a machine are thrown away
with it.
"""

import re
import shutil
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from controller import __version__
from tests.end_to_end.rig import ROOT
from tests.machine import Machine, NoMachine
from tests.patience import eventually
from tests.project.repository import git
from tests.shared_folders import made_once

pytestmark = [pytest.mark.proof, pytest.mark.timeout(3600)]

SUITES = {"12": "bookworm", "13": "trixie"}
UNIT = "tablectl@table1.service"
LINE = "127.0.0.1:4001"
NEW, NEXT = "tablectl table new table1 --game baccarat --port socket://", "99.0.0"
SOCKET = "unix:/run/tablectl/table1.sock"
PATIENCE = 900.0  # seconds


class BuiltPackages(NamedTuple):
    """Bundle and package of this tree; a package of a later version lies in the folder `later` beside."""

    bundle: Path
    package: Path

    @property
    def version(self) -> str:
        """Version of the package; since this build is no release, it has the commit in it."""
        return self.package.name.split("_")[1]


def only(folder: Path, pattern: str) -> Path:
    (path,) = folder.glob(pattern)
    return path


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Iterator[BuiltPackages]:
    """Bundle and package, built in temporary folders: this tree's `dist` may be in use."""
    with made_once(tmp_path_factory, "packages", make) as top:
        dist = top / "now" / "dist"
        yield BuiltPackages(only(dist, "*-bundle.tar"), only(dist, "*.deb"))


def make(top: Path) -> None:
    now, later = (copy_of_the_tree(top / name) for name in ("now", "later"))
    git(now, "init", "-q")
    git(now, "add", "-A")
    git(now, "commit", "-qm", "as it is")
    version = later / "controller" / "__init__.py"
    version.write_text(re.sub(r'(?<=__version__ = ").*(?=")', NEXT, version.read_text()))
    run(later / "packaging" / "deb.sh", sys.executable)
    for script in ("deb.sh", "bundle.sh"):
        run(now / "packaging" / script, sys.executable)
    (later / "dist").rename(now / "dist" / "later")


def copy_of_the_tree(place: Path) -> Path:
    place.mkdir()
    for name in ("config", "controller", "docs", "drivers", "packaging", "requirements", "systemd"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (".gitignore", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy2(ROOT / name, place)
    return place


def run(*command: object) -> str:
    ended = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ended.returncode == 0, f"{command}: {ended.stdout}{ended.stderr}"
    return ended.stdout + ended.stderr


@pytest.fixture(scope="session")
def roots(tmp_path_factory) -> Iterator[dict[str, Path]]:
    """Root folders of the smallest Debians that can run a service, by version."""
    with made_once(tmp_path_factory, "debian", make_roots) as top:
        yield {debian: top / debian for debian in SUITES}


def make_roots(top: Path) -> None:
    """Make the root folders of all Debian versions, in parallel."""
    with bare(Path("/"), top):
        pass  # skips the tests where no machine can be started
    making = {
        debian: subprocess.Popen(
            ["mmdebstrap", "--quiet", "--variant=minbase", "--include=systemd,udev", suite, top / debian],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for debian, suite in SUITES.items()
    }  # fmt: skip
    outputs = {debian: process.communicate()[0] for debian, process in making.items()}
    assert all(process.returncode == 0 for process in making.values()), outputs


class BareDebian:
    """Machine with a bare Debian, used by shell commands as root."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def sh(self, command: str, *, fails: bool = False, **options: str) -> str:
        """Run a shell command; return all its output. Checks that it succeeds, or fails if `fails`."""
        ended = self._machine.run("sh", "-ec", command, check=False, **options)
        output = ended.stdout + ended.stderr
        assert (ended.returncode != 0) == fails, f"{command}: {ended.returncode}\n{output}"
        return output

    def says(self, name: str) -> str:
        """Return a property of the table's systemd unit."""
        return self.sh(f"systemctl show --value -p {name} {UNIT}").strip()

    def round(self) -> int:
        """Return the number of the table's current or last round; 0 if there was none."""
        number = re.search(r"round (\d+)", self.sh("tablectl status --table table1"))
        return int(number[1]) if number else 0

    def reaches(self, number: int) -> bool:
        """Wait until the table has reached this round."""
        return eventually(lambda: self.round() >= number)


@contextmanager
def bare(root: Path, files: Path, *options: str) -> Iterator[BareDebian]:
    """Start a bare Debian with these files in /srv."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SYSTEMD_NSPAWN_UNIFIED_HIERARCHY", "1")  # the only hierarchy of Debian 13's systemd
        try:
            machine = Machine(root, f"--bind-ro={files}:/srv", *options)
        except NoMachine as reason:
            pytest.skip(str(reason))
    with machine:
        yield BareDebian(machine)


def test_lintian_finds_no_fault_and_dpkg_owns_no_program(made):
    assert run("lintian", "--allow-root", "--info", "--fail-on", "error,warning,info", made.package) == ""
    held = run("dpkg-deb", "--contents", made.package)
    for path in (
        "usr/bin/tablectl", "usr/lib/sysusers.d/tablectl.conf", "usr/lib/tmpfiles.d/tablectl.conf",
        "usr/lib/systemd/system/tablectl@.service", "usr/lib/systemd/system/tablectl-floor@.service",
        "usr/lib/udev/rules.d/70-tablectl.rules",
        "usr/share/bash-completion/completions/tablectl", "usr/share/zsh/vendor-completions/_tablectl",
        "usr/share/man/man1/tablectl.1.gz", "usr/share/doc/tablectl/examples/baccarat.toml",
        "usr/share/doc/tablectl/examples/floor.toml",
    ):  # fmt: skip
        assert f"{path}\n" in held
    assert "/opt/" not in held  # dpkg would remove files of its own under a running table


@pytest.mark.parametrize("debian", SUITES)
def test_the_bundle_installs_upgrades_and_is_removed_without_a_network(made, roots, debian):
    with bare(roots[debian], made.bundle.parent, "--private-network") as here:
        assert here.sh("ls /sys/class/net").split() == ["lo"]
        here.sh("tar -x -C /root -f /srv/*-bundle.tar; sh /root/tablectl-*/install.sh")
        a_wheel_alone_runs(here)
        a_table_is_at_work(here)
        an_upgrade_leaves_it_alone(here, made.version)
        another_python_gives_the_program_another_environment(here)
        it_is_removed_when_no_table_runs(here)


def a_wheel_alone_runs(here: BareDebian) -> None:
    """Install only the wheel, as INSTALL describes for PCs without the service, and run it."""
    _, elsewhere = (ROOT / "packaging" / "INSTALL").read_text().split("Elsewhere")
    commands = "\n".join(line for line in elsewhere.splitlines() if line.startswith("  "))
    here.sh(f"cd /root/tablectl-*\n{commands}\ntablectl/bin/python -m pip check")
    own = "/root/tablectl-*/tablectl/bin/tablectl"
    assert "[table]" in here.sh(f"{own} init baccarat")
    assert "round 1 open for bets" in here.sh(f"echo open | {own} play baccarat")


def a_table_is_at_work(here: BareDebian) -> None:
    """Start a table as a service, and deal round after round from an emulated shoe."""
    assert here.sh("tablectl --version").startswith(
        f"tablectl, version {__version__}, from /opt/tablectl/{__version__}"
    )
    here.sh("tablectl demo --rounds 1 --speed 50")
    here.sh("tablectl bus init /root/studio --table table1 --floor main")  # the bus's library is installed
    here.sh(NEW + LINE)
    assert here.sh("stat -c '%U:%G %a' /etc/tablectl/table1.toml") == "root:tablectl 640\n"
    assert "ok       config" in here.sh("tablectl doctor /etc/tablectl/table1.toml", fails=True)  # no panel, no NTP
    here.sh(f"systemctl enable --now {UNIT}")
    here.sh(f"systemd-run --unit=hands tablectl emulate angel_eye --listen {LINE} --hands {SOCKET} --speed 5")
    here.reaches(2)


def an_upgrade_leaves_it_alone(here: BareDebian, version: str) -> None:
    process, first = here.says("MainPID"), here.round()
    output = here.sh("apt-get -q -y install /srv/later/*.deb")
    assert f"{UNIT} goes on with /opt/tablectl/{version}; between two rounds: systemctl restart {UNIT}" in output
    here.reaches(first + 2)
    assert here.says("MainPID") == process
    assert here.sh("tablectl --version").startswith(f"tablectl, version {NEXT}, from /opt/tablectl/{NEXT}")
    here.sh(f"systemctl stop hands; systemctl restart {UNIT}")  # nothing runs the old version any more


def another_python_gives_the_program_another_environment(here: BareDebian) -> None:
    """Replace Debian's Python: the program gets a new environment.

    The old interpreter is removed, and dpkg's trigger is set as the package of a new Python does it.
    """
    here.sh("rm /opt/tablectl/current/bin/python*; dpkg-trigger --by-package=python3 --no-await /usr/bin/python3")
    output = here.sh("dpkg --triggers-only --pending")
    assert f"goes on with /opt/tablectl/{NEXT};" in output
    assert here.sh("ls /opt/tablectl").split() == [NEXT, f"{NEXT}-2", "current"]


def it_is_removed_when_no_table_runs(here: BareDebian) -> None:
    process = here.says("MainPID")
    refused = here.sh("apt-get -q -y remove tablectl", fails=True)
    assert f"still running; first: systemctl disable --now {UNIT}" in refused
    assert here.says("MainPID") == process
    here.sh(f"systemctl disable --now {UNIT}")
    assert "tablectl: removing the program from /opt/tablectl\n" in here.sh("apt-get -q -y remove tablectl")
    assert here.sh("ls /opt") == ""
    output = here.sh("apt-get -q -y purge tablectl")
    left = here.sh("find /etc /opt /usr /var/lib -name '*tablectl*' -not -path '/var/lib/systemd/*'").split()
    word = "/var/lib/tablectl/.begun/%2Fvar%2Flib%2Ftablectl%2Ftable1%2Ftable1.journal"
    assert sorted(left) == ["/etc/tablectl", "/var/lib/tablectl", word]
    (by_hand,) = re.findall("to remove them too: (.*)", output)
    here.sh(by_hand)
    here.sh("getent passwd tablectl || getent group tablectl", fails=True)


def commands_of_the_docs() -> list[str]:
    """Return the commands of docs/operating.md from a clone to the first settled round."""
    blocks = re.findall(r"^```console\n(.*?)^```", (ROOT / "docs/operating.md").read_text(), re.DOTALL | re.MULTILINE)
    (block,) = (block for block in blocks if "make deb" in block and "emulate" in block)
    return re.findall(r"^\$ (?:sudo )?(.*)$", block, re.MULTILINE)


def test_six_commands_lead_from_a_bare_debian_to_rounds(made, roots, record_property):
    make_deb, *commands = commands_of_the_docs()
    assert make_deb == "make deb"
    assert len(["git clone", make_deb, *commands]) <= 6
    began = time.monotonic()
    with bare(roots["12"], made.package.parent) as here:
        here.sh("apt-get -q update; ln -s /srv dist")
        for command in commands:
            here.sh(command.replace("apt install", "apt-get -q -y install"))
        assert "settled, round 1" in here.sh("tablectl status --all")
    record_property("seconds", time.monotonic() - began)


def test_of_package_and_checkout_the_later_one_is_started(made, another_machine):
    here = BareDebian(another_machine)
    package = b64encode(made.package.read_bytes()).decode()
    output = here.sh("base64 -d >/root/tablectl.deb; dpkg --install /root/tablectl.deb", input=package)
    assert "this package takes the place of what 'make service' has put here" in output
    assert where_it_is(here) == ["/usr/lib/systemd/system/tablectl@.service", "/usr/bin/tablectl"]
    output = here.sh(f"make -C {ROOT} service")
    assert "stands before the package tablectl from now on; back to that: make uninstall" in output
    assert where_it_is(here) == ["/etc/systemd/system/tablectl@.service", "/usr/local/bin/tablectl"]
    here.sh(f"make -C {ROOT} uninstall")
    assert where_it_is(here) == ["/usr/lib/systemd/system/tablectl@.service", "/usr/bin/tablectl"]
    assert here.sh("tablectl --version").startswith("tablectl, version")
    here.sh("dpkg --purge tablectl")
    assert here.sh("ls -d /opt/tablectl", fails=True)


def where_it_is(here: BareDebian) -> list[str]:
    """Return the paths of the table's unit and of the command."""
    return here.sh("readlink -f $(systemctl show --value -p FragmentPath tablectl@table1); command -v tablectl").split()
