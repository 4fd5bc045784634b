"""What tests share: desks and the people around them, servers, positions, and where things lie."""
