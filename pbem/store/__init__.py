"""All of the project's SQL: functions that store what the desk knows as rows, and read the rows back as values."""
