"""Web routes and pages of a floor."""
