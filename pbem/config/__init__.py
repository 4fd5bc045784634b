"""The configuration of a desk, its key and its passwords."""
