"""The table's file: its sections, its limits, and what is wrong with one."""
