"""Tests of The Sovereign Hand: rules, words, and what a seat knows."""
