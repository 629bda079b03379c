"""Reports, statistics, replays and exports computed from a table's record."""
