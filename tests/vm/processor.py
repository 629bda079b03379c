"""Choice of the software PC's processor: KVM if a kernel starts with it, else an emulated one."""

import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

KVM = ("-accel", "kvm", "-cpu", "host")
EMULATED = ("-accel", "tcg,thread=multi", "-cpu", "max")
STARTS = 20.0  # seconds to wait for a kernel's first output; with KVM it takes less than one
FIRST_WORDS = "Linux version"


@cache
def has_kvm(kernel: Path) -> bool:
    """Return True if this kernel prints its first line under KVM; on some PCs KVM exists but hangs."""
    if not Path("/dev/kvm").exists():
        return False
    with tempfile.NamedTemporaryFile(mode="r") as output:
        command = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-machine", "q35", *KVM]
        boot = ["-kernel", str(kernel), "-append", "console=ttyS0 earlyprintk=ttyS0", "-serial", f"file:{output.name}"]
        with subprocess.Popen([*command, *boot], stderr=subprocess.DEVNULL) as pc:
            until = time.monotonic() + STARTS
            while FIRST_WORDS not in (text := Path(output.name).read_text(errors="replace")):
                if pc.poll() is not None or time.monotonic() > until:
                    break
                time.sleep(0.1)
            pc.kill()
    return FIRST_WORDS in text


def processor(kernel: Path) -> Sequence[str]:
    """Return qemu's options for the processor that this kernel can use here."""
    return KVM if has_kvm(kernel) else EMULATED
