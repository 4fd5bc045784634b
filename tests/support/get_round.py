"""What an operator's command may be: prints the round of a beacon whose number is its last argument."""

import sys
from urllib.request import urlopen

with urlopen(f"{sys.argv[1]}/public/{sys.argv[2]}", timeout=5) as found:
    sys.stdout.buffer.write(found.read())
