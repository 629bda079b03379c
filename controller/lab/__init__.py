"""Demo, emulated devices, returns to player and test kit. A running table imports nothing of this."""
