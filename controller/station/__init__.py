"""Surroundings of a running table on its PC: devices, service, logs, custody of the record."""
