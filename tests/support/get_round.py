"""An example of an operator's command: prints the beacon's round whose number is its last argument."""

import sys
from urllib.request import urlopen

with urlopen(f"{sys.argv[1]}/public/{sys.argv[2]}", timeout=5) as found:
    sys.stdout.buffer.write(found.read())
