"""Games as text: records, exports, and reading both back."""
