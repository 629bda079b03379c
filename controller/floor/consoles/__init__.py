"""Consoles of the tables at the floor: their screens, and requests to the tables over the bus."""
