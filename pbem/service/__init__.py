"""Runs of a desk, which handle letters, play turns and advance leagues; also the operator's other tasks."""
