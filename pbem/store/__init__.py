"""All SQL of the project: stores what the desk knows as rows, and reads the rows back as values."""
