"""The entry point of `python -m pbem`, which does the same as the command `pbem`."""

from pbem.cli.poll import main

if __name__ == "__main__":
    main()
