"""Interpreters: programs that suggest how to read letters of which the desk itself is not sure (docs/interpreter.md).

`program` runs the program that the operator has configured. `python -m pbem.interpreter` is such a program; it asks a
language model on a server.
"""
