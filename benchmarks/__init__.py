"""The numbers we promise, each beside a yardstick of the same run: `python -m benchmarks [NAME ...]`."""
