"""What all tests rely on: Ctrl-C is heard. A shell has its background jobs ignore it, and they whatever they start."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
