"""Who plays: agents that take decisions in batches or alone, the arena where they meet, and their names."""
