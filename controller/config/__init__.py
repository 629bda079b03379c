"""Config of a table or a floor: sections, limits and errors of the TOML file."""
