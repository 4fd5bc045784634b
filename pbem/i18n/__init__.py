"""The languages of letters."""
