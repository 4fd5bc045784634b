"""All of the project's SQL, which stores what the desk knows as rows and reads the rows back as values."""
