"""API and pages of a running table, on its Unix socket and on the network."""
