"""Tests that carry the rulings they hold, and random tests that plain Python can afford."""

from collections.abc import Callable

from handfast.envs.core.compiling import JIT


def ruling(*names: str) -> Callable:
    """Decorator: this test holds these rulings, named as at the head of the game's rules."""

    def tagged(test: Callable) -> Callable:
        test.rulings = names  # type: ignore[attr-defined]
        return test

    return tagged


def many(compiled: int, plain: int) -> int:
    """How often to repeat a random test: plain Python is a few hundred times slower."""
    return compiled if JIT else plain
