"""The games, as environments."""
