"""Run a program and print its wall-clock and CPU seconds, its peak memory in MB and its exit status: launch.py PROGRAM
ARGUMENT ...

This is a program of its own, because Linux counts the memory of the parent as a new process's own peak.
"""

import os
import sys
import time

start = time.perf_counter()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
seconds = time.perf_counter() - start
print(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status))
