"""Reading a person's own words as orders and commands."""
