"""Rule-based agents, one file a game. They see views only."""
