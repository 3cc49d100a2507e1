"""The table as text and as a picture: both show the same numbers, and the text every card that the picture shows."""

import re

import pytest

from handfast.envs import GAMES
from handfast.envs.core.game import Game
from tests.pictures import Moment, faces, moments, seen

POINTS = r"(-?\d+) points", r"\|(-?\d+)\|points?(?=\|)"
CARDS = r"(\d+) cards ", r"\|player_\d\|(\d+|no) cards?(?=\|)"

# What text and picture both tell: a pattern of the text, and one of the picture's words with | between them.
TOLD = {
    "covenant": {
        "points": POINTS,
        "round": (r"round (\d+) of", r"\|Round (\d+) of"),
    },
    "justiciar": {"points": POINTS, "cards": CARDS, "round": (r"round (\d+) of", r"\|Round (\d+) of")},
    "manrent": {
        "points": POINTS,
        "cards": CARDS,
        "turns": (r"(?:turn (\d+)\n|, (\d+) turns)", r"\|(?:Turn (\d+)|(\d+) turns)\|"),
        "Stock": (r"Stock: (\d+) ", r"\|Stock (\d+)\|"),
        "payment": (r"pays (\d+) for", r"offers \d+ of (\d+)"),
        "offered": (r"which count (\d+)", r"offers (\d+) of \d+"),
    },
    "sovereign_hand": {
        "round": (r"round (\d+) of", r"\|Round (\d+) of"),
        "Seals": (r"(\d+) Seals", r"\|player_\d\|(?:claims \d+|no claim yet|won \d+ of \d+)\|(\d+)\|\d+(?=\|)"),
        "Marks": (r"(\d+) Marks", r"\|player_\d\|(?:claims \d+|no claim yet|won \d+ of \d+)\|\d+\|(\d+)(?=\|)"),
        "claims": (r"\d+ of (\d+) tricks", r"\|(?:claims|won \d+ of) (\d+)\|"),
    },
    "northwood": {
        "stars": (r": (\d+) stars of", r"\|Stars\|(\d+)\|"),
        "goal": (r"stars of (\d+)", r"\|goal: (\d+) stars"),
        "deck": (r"Deck, (\d+)", r"\|Deck\|(\d+)\|"),
        "discards": (r"Discard pile, (\d+)", r"\|Discard pile\|(\d+)\|"),
        "scored": (r"Score pile, (\d+)", r"\|Score pile\|(\d+)"),
        "tricks": (r"fief \d  (\d+) tricks", r"\|fief \d\|\d+\|(\d+)\|tricks?(?=\|)"),
        "worth": (r"tricks  (\d+) stars", r"\|fief \d\|(\d+)\|\d+\|tricks?(?=\|)"),
    },
}


def words_of(svg: str) -> str:
    """The words of a picture outside its cards, each between two |."""
    without_cards = re.sub(r"<g data-card.*?</g>", "", svg, flags=re.S)
    return "|" + "|".join(re.findall(r"<text[^>]*>([^<]*)</text>", without_cards)) + "|"


def found(pattern: str, words: str) -> list[str]:
    return ["".join(one).replace("no", "0") for one in re.findall(pattern, words)]


def described(game: Game, moment: Moment, seat: int) -> str:
    return game.words.describe(seen(game, moment.games, seat))


@pytest.mark.parametrize("name", GAMES)
def test_text_and_picture_show_the_same_numbers(name: str) -> None:
    game, compared = GAMES[name], dict.fromkeys(TOLD[name], 0)
    for players in game.player_counts:
        for moment in moments(game, players):
            for seat in range(players):
                text, picture = described(game, moment, seat), words_of(moment.pictures[seat])
                for what, patterns in TOLD[name].items():
                    drawn = found(patterns[1], picture)
                    if drawn:  # some are not drawn once the game is over
                        assert found(patterns[0], text) == drawn, (what, text)
                        compared[what] += 1
    assert min(compared.values()) > 0, compared


@pytest.mark.parametrize("name", GAMES)
def test_the_text_names_every_card_that_the_picture_shows(name: str) -> None:
    game = GAMES[name]
    for players in game.player_counts:
        for moment in moments(game, players):
            for seat in range(players):
                text = described(game, moment, seat)
                assert set(faces(moment.pictures[seat])) <= set(re.findall(r"\b\w\w\b", text)), text
