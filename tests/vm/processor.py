"""The processor of a PC in software: this PC's own through KVM, where a PC starts with it, else an emulated one."""

import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

KVM = ("-accel", "kvm", "-cpu", "host")
EMULATED = ("-accel", "tcg,thread=multi", "-cpu", "max")
STARTS = 20.0  # seconds for a firmware that finds no disk; with KVM it takes a part of one
END = "No bootable device"  # what it says last


@cache
def has_kvm() -> bool:
    """Whether a PC gets through its firmware with KVM: some kernels have the device, and their machines hang in it."""
    if not Path("/dev/kvm").exists():
        return False
    with tempfile.NamedTemporaryFile(mode="r") as said:
        command = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-machine", "q35", *KVM]
        firmware = ["-debugcon", f"file:{said.name}", "-global", "isa-debugcon.iobase=0x402"]
        with subprocess.Popen([*command, *firmware], stderr=subprocess.DEVNULL) as pc:
            until = time.monotonic() + STARTS
            while END not in (text := Path(said.name).read_text()) and pc.poll() is None and time.monotonic() < until:
                time.sleep(0.1)
            pc.kill()
    return END in text


def processor() -> Sequence[str]:
    """The options of qemu for it."""
    return KVM if has_kvm() else EMULATED
