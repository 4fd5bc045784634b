"""Tools for games. Games may import from this package, but not from each other; the service does not use it."""
