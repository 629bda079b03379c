"""The table's place on this PC: its devices, its service, its logs."""
