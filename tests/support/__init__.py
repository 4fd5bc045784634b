"""Code that tests share: desks and the people around them, servers, positions, and the paths of files."""
