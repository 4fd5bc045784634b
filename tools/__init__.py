"""Tools for developers: translation catalogues, generated docs, the picture in README.md, and the training of
models."""
