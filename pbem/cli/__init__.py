"""The commands of `pbem`, and the code of those that need no desk."""
