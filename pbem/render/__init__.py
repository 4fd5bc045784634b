"""Values to letters: sections of a letter to text and HTML."""
