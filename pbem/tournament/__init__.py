"""Who plays whom, who is how strong, who stands where."""
