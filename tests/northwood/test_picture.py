"""For Northwood!'s picture: what lies open, what may be chosen, and what became of characters and fiefs."""

import pytest

from handfast.envs.core import drawing
from handfast.envs.core.cards import card_names
from handfast.envs.core.table import FINISHED
from handfast.envs.northwood import picture
from handfast.envs.northwood.cards import CARDS, CHARACTERS, NAMES
from tests.northwood.table import GAME, Position, choose, position, split
from tests.pictures import backs, faces, gilded, moments, words_of


def drawn(game: Position) -> str:
    """The picture that the player sees."""
    return picture.draw(game.view().record)


def said(svg: str) -> list[str]:
    """Its words."""
    return [words.words for words in words_of(svg)]


# --- Cards ----------------------------------------------------------------------------------------------------


def test_hand_piles_and_the_known_of_the_deck_lie_open_and_the_rest_is_backs() -> None:
    for moment in moments(GAME, 1):
        game = Position(moment.games)
        if game.seat == 0:
            known = [card for card in split(game.shown) if card != "??"]
            cards = split(game.held) + split(game.discarded) + split(game.trophies) + known
            assert sorted(faces(moment.pictures[0])) == sorted(cards)
            assert backs(moment.pictures[0]) == CARDS - len(cards)
            assert sorted(faces(moment.pictures[None])) == sorted(NAMES)


def test_the_top_of_the_deck_is_shown_once_it_is_known() -> None:
    game = position("1C 2C 3F", "8L 7E 6F 5C", in_play="QE")
    assert not {"8L", "7E", "6F", "5C"} & set(faces(drawn(game)))
    shown = faces(drawn(choose(game, "use QE")))
    assert {"8L", "7E", "6F"} <= set(shown)
    assert "5C" not in shown


def test_cards_that_may_answer_are_golden_like_the_statement() -> None:
    game = choose(position("1C 2C 3F", "8C", ruler="KE"), "listen")
    assert sorted(gilded(drawn(game))) == ["1C", "2C", "8C"]


def test_cards_that_an_ability_can_take_are_golden() -> None:
    game = choose(position("1C 8C 3F 6L 2E", in_play="KF"), "use KF")
    assert sorted(gilded(drawn(game))) == sorted(["1C", "8C", "3F", "6L"])


# --- Fiefs and characters -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHARACTERS)
def test_an_ability_fits_its_card(name: str) -> None:
    card = picture.character_card(position("1C").record, CHARACTERS.index(name), 200, 200, False)
    bottom = 200 + picture.CHARACTER[1] / 2
    words = words_of(drawing.document(400, 400, name, drawing.table_top(400, 400), card))
    assert all(one.at.bottom <= bottom - 3 for one in words)
    assert all(abs(one.at.left + one.at.right - 400) <= 1 for one in words[2:])


def test_used_and_barred_characters_are_marked() -> None:
    game = position("1C 2C", in_play="JC QF KL", exhausted="QF", off=["KL"])
    assert "used" in said(drawn(game))
    game.record.barred = 1 << CHARACTERS.index("KL")  # as the deal has it
    assert "off" in said(drawn(game))


def test_fiefs_are_marked_as_they_stand() -> None:
    game = position("1C 2C", fief=4, visited=[1], won=[2], rulers={2: "PL"}, friendly="PL")
    words = said(drawn(game))
    assert [words.count(one) for one in ("visited now", "lost", "won, friendly")] == [1, 1, 1]


def test_a_fixed_order_is_written_on_the_fiefs_that_will_be_visited() -> None:
    words = said(drawn(position("1C 2C", fief=0, order=[0, 7, 6, 5, 4, 3, 2, 1], visits=3)))
    assert {word for word in words if word.startswith("visit ")} == {"visit 2", "visit 3"}


# --- The end --------------------------------------------------------------------------------------------------


def test_the_result_is_that_of_the_rules() -> None:
    found = set()
    for moment in moments(GAME, 1):
        if moment.games["seat"][0] == FINISHED:
            scores, winners, _ = GAME.judge(moment.games)
            words = said(moment.pictures[0])
            assert f"{scores[0, 0]} stars, {moment.games['goal'][0]} were asked for" in words
            assert ("Northwood is yours" in words) == bool(winners[0, 0])
            found.add(len(card_names(moment.games["won"][0])))
    assert found
