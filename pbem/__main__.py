"""`python -m pbem`: the same as the command `pbem`."""

from pbem.cli.poll import main

if __name__ == "__main__":
    main()
