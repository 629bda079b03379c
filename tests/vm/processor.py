"""The processor of a PC in software: this PC's own through KVM, where a kernel starts with it, else an emulated one."""

import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

KVM = ("-accel", "kvm", "-cpu", "host")
EMULATED = ("-accel", "tcg,thread=multi", "-cpu", "max")
STARTS = 20.0  # seconds for a kernel's first words; with KVM it takes a part of one
FIRST_WORDS = "Linux version"


@cache
def has_kvm(kernel: Path) -> bool:
    """Whether this kernel gets to its first words with KVM: some PCs have the device, and their machines hang in it."""
    if not Path("/dev/kvm").exists():
        return False
    with tempfile.NamedTemporaryFile(mode="r") as said:
        command = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-machine", "q35", *KVM]
        boot = ["-kernel", str(kernel), "-append", "console=ttyS0 earlyprintk=ttyS0", "-serial", f"file:{said.name}"]
        with subprocess.Popen([*command, *boot], stderr=subprocess.DEVNULL) as pc:
            until = time.monotonic() + STARTS
            while FIRST_WORDS not in (text := Path(said.name).read_text(errors="replace")):
                if pc.poll() is not None or time.monotonic() > until:
                    break
                time.sleep(0.1)
            pc.kill()
    return FIRST_WORDS in text


def processor(kernel: Path) -> Sequence[str]:
    """The options of qemu for it."""
    return KVM if has_kvm(kernel) else EMULATED
