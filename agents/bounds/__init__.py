"""Bounds: what could be reached on a deal by a player who knew all of its luck. Such players cheat; none is an agent."""
