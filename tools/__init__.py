"""What only developers run: catalogues of translations, generated docs, the picture in README.md."""
