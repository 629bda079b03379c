"""Emulated devices: the product's own codecs in reverse, behind a pty or a pyusb backend.

An emulator behaves as its device does, so that demo, tests and training run the real link and the real
codec. It has no clock of its own and does nothing until it is called.
"""
