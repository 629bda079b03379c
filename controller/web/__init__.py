"""The API of a running table: over a Unix socket for the people at its PC, later over the network."""
