"""Moments, deadlines, dates as people write them, time zones and vacations."""
