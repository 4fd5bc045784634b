"""What games make use of, and the service does not ask of them: a game imports it, and no other game."""
