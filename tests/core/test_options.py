"""Options: words, switches, ranges and lists of them, in the record and on the command line."""

import numpy as np
import pytest

from handfast.envs.core.table import Option, table

SWITCH = Option(False, bool, "a switch")
WORD = Option("low", ("low", "high"), "a word")
NUMBER = Option(7, range(1, 10), "a number")
SOME = Option([], ("J", "Q", "K"), "up to two", length=(0, 2))
EIGHT = Option([3, 2, 1], range(10), "three numbers", length=(3, 3))
OPTIONS = {"switch": SWITCH, "word": WORD, "number": NUMBER, "some": SOME, "eight": EIGHT}


@pytest.mark.parametrize(
    ("name", "value", "stored", "text"),
    [
        ("switch", True, 1, "true"),
        ("word", "high", 1, "high"),
        ("number", 9, 9, "9"),
        ("some", [], [0, 0], ""),
        ("some", ["K"], [3, 0], "K"),
        ("some", ["K", "J"], [3, 1], "K,J"),
        ("eight", [0, 9, 0], [0, 9, 0], "0,9,0"),
    ],
)
def test_a_value_goes_into_the_record_and_comes_back(name: str, value: object, stored: object, text: str) -> None:
    option = OPTIONS[name]
    games = np.zeros(1, table(1, OPTIONS, phases=1).dtype)
    games[name] = option.stored(name, value)
    assert games[name][0].tolist() == stored
    assert option.value(games[name][0]) == value
    assert option.parse(name, text) == value


def test_lists_may_be_arrays() -> None:
    assert EIGHT.stored("eight", np.array([0, 9, 0])) == [0, 9, 0]
    with pytest.raises(ValueError, match="a list of 3"):
        EIGHT.stored("eight", np.array(5))


@pytest.mark.parametrize(
    ("name", "wrong", "right"),
    [
        ("switch", 1, "true or false"),
        ("word", "middle", "'low' or 'high'"),
        ("number", 10, "a whole number from 1 to 9"),
        ("number", True, "a whole number from 1 to 9"),
        ("some", ["J", "Q", "K"], "a list of 0 to 2, each 'J' or 'Q' or 'K'"),
        ("some", "J", "a list of 0 to 2"),
        ("some", ["X"], "a list of 0 to 2"),
        ("eight", [1, 2], "a list of 3, each a whole number from 0 to 9"),
        ("eight", [1, 2, 10], "a list of 3"),
        ("eight", 5, "a list of 3"),
    ],
)
def test_a_wrong_value_is_refused_with_the_right_ones(name: str, wrong: object, right: str) -> None:
    with pytest.raises(ValueError, match=f"option '{name}' must be {right}"):
        OPTIONS[name].stored(name, wrong)


def test_a_wrong_text_is_refused_when_it_is_stored() -> None:
    for name, text in (("number", "x"), ("some", "J,X"), ("eight", "1,2,x"), ("switch", "yes")):
        with pytest.raises(ValueError, match=f"option '{name}' must be"):
            OPTIONS[name].stored(name, OPTIONS[name].parse(name, text))
