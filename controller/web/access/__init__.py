"""Who is let in over the network, as what, and for how long."""
