"""Tests of The Justiciar: rules, words, and what a seat knows."""
