"""A person in the terminal, who sees only what their seat knows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from handfast.envs.core.batch import Batch, why_not
from handfast.envs.core.decisions import Agent
from handfast.envs.core.game import Game
from handfast.envs.core.records import ending
from handfast.messages import shown

HELP = """\
Type a choice in words, or its number in the list. Besides:
  ?        this help                  why WORDS  why a choice is not legal
  choices  the choices again          hint       what the rule-based expert would do
  table    the table again            quit       leave the game"""


class Left(Exception):
    """The person has left the game."""


def play(
    game: Game,
    players: int,
    seat: int,
    others: Sequence[Agent],
    seed: int,
    options: Mapping[str, Any],
    read: Callable[[str], str] = input,
    write: Callable[[str], Any] = print,
    made: Sequence[str] = (),
    keep: Callable[[str], Any] = lambda words: None,
) -> dict[str, Any] | None:
    """Play one game from `seat` against `others`, one for each other seat in seat order.

    Returns the game's end as a record has it, None where the person leaves. `made` are choices made before, taken
    again without asking; `keep` is told each new one.
    """
    batch = Batch(game, 1, players, [seed], restart=False, **options)
    agents = dict(zip((other for other in range(players) if other != seat), others, strict=True))
    write(f"{game.title}, seed {seed}. You sit in seat {seat}. Type ? for help.")
    waiting = list(made)
    try:
        while batch.seats[0] >= 0:
            mover = int(batch.seats[0])
            before = batch.games.copy()
            if mover == seat and waiting:
                batch.step(np.array([again(game, batch, waiting.pop(0))]))
                continue
            if mover == seat:
                action = ask(game, batch, read, write)
                batch.step(np.array([action]))
                keep(game.choice(action, seat, players))
                continue
            batch.step(agents[mover](batch.decisions()))
            tell(game, before, int(batch.actions[0]), batch.games, seat, write)
    except (Left, EOFError):
        write("You have left the game.")
        return None
    write(table(game, batch, seat))
    end = ending(game, batch.games)
    victors = ", ".join("you" if one == seat else f"seat {one}" for one in end["winners"]) or "nobody"
    write(f"The game is {end['end']}. Points by seat: {end['scores']}. Victory: {victors}.")
    return end


def again(game: Game, batch: Batch, words: str) -> int:
    """The action of a choice made before; ValueError where it is not legal here."""
    action = game.action(words, int(batch.seats[0]), int(batch.games["players"][0]))
    if action is None or not batch.masks[0, action]:
        raise ValueError(f"the choice `{words}` made before is not legal in this game")
    return action


def table(game: Game, batch: Batch, seat: int) -> str:
    """The table as the seat knows it."""
    return game.words.describe(game.unchecked.look(batch.games, seat)[0].view(np.recarray)[0])


def tell(
    game: Game, before: np.ndarray, action: int, after: np.ndarray, seat: int, write: Callable[[str], Any]
) -> None:
    """Say what the seat sees of another's choice."""
    positions = before.view(np.recarray)[0], after.view(np.recarray)[0]
    for mover, words in game.words.witnessed_choice(positions[0], action, positions[1], seat):
        write(f"  seat {mover}: {words}")


def ask(game: Game, batch: Batch, read: Callable[[str], str], write: Callable[[str], Any]) -> int:
    """Ask for a choice until a legal one is given."""
    seat, players = int(batch.seats[0]), int(batch.games["players"][0])
    legal = [int(action) for action in np.flatnonzero(batch.masks[0])]
    words = [game.choice(action, seat, players) for action in legal]
    numbers, verb, listing = numbered(words)
    write("\n" + table(game, batch, seat) + "\n" + listing)
    while True:
        answer = " ".join(read("your choice: ").split())
        command, _, rest = answer.partition(" ")
        command = command.lower()
        if answer in numbers:
            return legal[numbers.index(answer)]
        written = as_written(game, batch, answer)
        if written in words:
            return legal[words.index(written)]
        if command == "quit":
            raise Left
        if command in ("?", "help"):
            write(HELP)
        elif command == "choices":
            write(listing)
        elif command == "table":
            write(table(game, batch, seat))
        elif command == "hint":
            write(hint(game, batch))
        else:
            about = rest if command == "why" else answer
            write(explain(game, batch, f"{verb} {about}" if verb and is_number(about) else about))


def numbered(words: Sequence[str]) -> tuple[list[str], str, str]:
    """The number that stands for each of these choices, the verb that they share, and the list that shows them.

    Where all are one verb and a number (`claim 0`, `claim 2`), the number is that one; else there is no such verb, and
    the number is the place in the list.
    """
    verbs, ends = {one.partition(" ")[0] for one in words}, [one.partition(" ")[2] for one in words]
    if len(verbs) == 1 and all(map(is_number, ends)):
        verb = verbs.pop()
        return ends, verb, f"{verb}: " + "  ".join(ends)
    places = [str(place) for place in range(1, len(words) + 1)]
    return places, "", "  ".join(f"{place}) {one}" for place, one in zip(places, words, strict=True))


def is_number(text: str) -> bool:
    """Whether a text is digits and nothing else."""
    return text.isascii() and text.isdigit()


def as_written(game: Game, batch: Batch, words: str) -> str:
    """A choice as the game writes it, in whatever letters it was typed; other words as they are."""
    seat, players = int(batch.seats[0]), int(batch.games["players"][0])
    written = (game.choice(action, seat, players) for action in range(game.actions))
    return next((one for one in written if one.casefold() == words.casefold()), words)


def hint(game: Game, batch: Batch) -> str:
    """What the rule-based expert would choose here."""
    from handfast.agents.names import built_in, find

    if "expert" not in built_in(game):
        return f"There is no expert for {game.title} to ask."
    action = int(find("expert", game)(batch.decisions())[0])
    return f"The expert would choose: {game.choice(action, int(batch.seats[0]), int(batch.games['players'][0]))}"


def explain(game: Game, batch: Batch, words: str) -> str:
    """Why these words are not a legal choice."""
    seat, players = int(batch.seats[0]), int(batch.games["players"][0])
    action = game.action(as_written(game, batch, words), seat, players)
    if action is None:
        return f"{shown(words)} is no choice of this game. Type ? for help, or a choice as the list shows it."
    if batch.masks[0, action]:
        return f"`{words}` is legal."
    return why_not(game, batch.views, seat, action) + "."
