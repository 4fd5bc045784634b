"""The commands of `pbem`, and what runs without a desk."""
