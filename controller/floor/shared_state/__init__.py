"""Documents that all floors of a studio share on the bus: claims, assignments and alarms."""
