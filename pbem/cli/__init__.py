"""The commands of `pbem`, and the code behind those that need no desk."""
