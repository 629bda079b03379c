"""Demo, emulated devices, returns to player and test kit: what a running table never imports."""
