"""Tools for games, unknown to the service. Games may import from here, but not from each other."""
