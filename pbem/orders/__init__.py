"""A person's own words to orders and commands."""
