"""A display of games that go on in step."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tqdm import tqdm


@contextmanager
def display(games: int, about: str | None = None, quiet: bool = False, delay: float = 2) -> Iterator[Callable]:
    """Show how many of `games` have ended and how many decisions were made, on a terminal, after `delay` seconds.

    Gives the function that is to be told of both, as `play` tells its `progress`.
    """
    made = 0
    # Each call may draw, also one between two ends of games (miniters=0).
    with tqdm(
        total=games, unit=" games", desc=about, delay=delay, leave=False, disable=quiet or None, miniters=0
    ) as bar:

        def tell(ended: int, decisions: int) -> None:
            nonlocal made
            made += decisions
            bar.set_postfix_str(f"{made:,} decisions", refresh=False)
            bar.update(ended)

        yield tell
