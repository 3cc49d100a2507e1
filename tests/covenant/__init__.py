"""Tests of The Covenant: rules, worked examples, words, and what a seat knows."""
