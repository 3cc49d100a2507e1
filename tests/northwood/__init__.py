"""Tests of For Northwood!: rules, abilities, words, and what the player knows."""
