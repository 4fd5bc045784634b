"""The figures that we promise, each next to a yardstick from the same run: `python -m benchmarks [NAME ...]`."""
