"""Games as texts: records, exports, and back."""
