"""What all tests rely on: Ctrl-C is heard. A shell has its background jobs ignore it, and they whatever they start.

And a property holds however long the machine takes: no example has a deadline.
"""

import platform
import signal

from hypothesis import settings

signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

collect_ignore = [] if platform.machine() == "x86_64" else ["rules/test_poker_peer.py"]  # eval7 has no wheels elsewhere
