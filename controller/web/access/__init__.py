"""Sign-on over the network: identify callers, give them a role, and keep and end their sessions."""
