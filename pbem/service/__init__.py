"""Runs of a desk, which handle letters, play turns and advance leagues, and the operator's other tasks."""
