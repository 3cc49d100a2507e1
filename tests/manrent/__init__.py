"""Tests of Manrent: rules, words, and what a seat knows."""
