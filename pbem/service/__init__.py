"""A run of the desk: letters are fetched, handled and answered, turns played, leagues driven on."""
