"""What the player knows of For Northwood!: views, guesses, features."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from handfast.envs.northwood.cards import CALL, CHARACTERS, NAMES, VISIT
from tests.rulings import many, ruling

from .table import (
    GAME,
    Position,
    characters,
    choose,
    in_order,
    legal,
    luck,
    position,
    random_steps,
    split,
    start,
)


def guesses(game: Position, n: int, first_seed: int = 0) -> list[Position]:
    """Full games that this could be, as far as the player knows."""
    games = GAME.guess(np.repeat(game.view().games, n), 0, np.arange(first_seed, first_seed + n))
    return [Position(games[i : i + 1]) for i in range(n)]


def known(game: Position) -> dict[int, str]:
    """The cards of the deck that are known, by place from the top."""
    return {place: card for place, card in enumerate(split(game.shown)) if card != "??"}


# --- Views ----------------------------------------------------------------------------------------------------


def test_the_deck_alone_is_hidden():
    game = position("1C 2F", "8E 7E", discards="3F", scored="4L")
    view = game.view()
    assert (view.held, view.discarded, view.trophies, view.deck_count) == ("1C 2F", "3F", "4L", 28)
    assert view.deck == [0] * 32
    assert view.seed == 0
    assert (view.reign, view.ready) == (game.reign, game.ready)


@ruling("R10")
def test_cards_that_qe_looked_at_stay_known_until_they_move():
    game = position("1C 2C 3C", "8E 7E 6E 5E", in_play="QE JC", ruler="KF")
    choose(game, "use QE")
    assert known(game) == {0: "7E", 1: "6E"}  # the first was the statement
    choose(game, "play 1C", "listen", "play 2C")
    assert known(game) == {0: "6E"}
    choose(game, "use JC")
    assert known(game) == {}
    assert "6E" in split(game.held)


@ruling("R10")
def test_a_card_that_kl_put_on_the_deck_is_the_statement_that_it_was():
    game = position("1C 2C 3C", "8E 7E", in_play="KL", ruler="KF", known=2)
    choose(game, "use KL", "pick 2C")
    assert (game.discarded, known(game)) == ("2C", {0: "7E"})


@ruling("R10")
def test_a_card_that_qf_put_on_the_deck_covers_those_that_are_known():
    game = position("1C 2C 3C", "8E 7E", in_play="QF", ruler="KE", known=2, scored="5F")
    choose(game, "use QF")
    assert (game.discarded, known(game)) == ("5F", {0: "8E", 1: "7E"})


@ruling("R10")
def test_looking_again_adds_to_what_is_known():
    game = position("1C 2C 3C", "8E 7E 6E 5E 4E", in_play="QE", ruler="KF", known=1)
    choose(game, "use QE")
    assert known(game) == {0: "7E", 1: "6E"}


@ruling("R8", "R10")
def test_what_was_known_of_the_order_is_void_after_bc():
    game = position("1C 2C 3C", "8E 7E 6E 5E 4E", in_play="BC", ruler="KF", known=3)
    choose(game, "use BC", "value 1")
    luck(game)
    assert known(game) == {}
    assert len({guess.stock for guess in guesses(game, 10)}) == 10


def test_nothing_is_known_of_the_next_visits_deck():
    game = position("1C", "8E 7E 6E 5E 4E", in_play="QE", ruler="KF")
    choose(game, "use QE", "play 1C")
    luck(game)
    assert known(game) == {}


# --- Guesses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"setup": "introductory"}, {"hand_size": 3}])
def test_a_guess_is_a_sound_game_that_looks_the_same(options):
    random = np.random.default_rng(3)
    for batch in random_steps(many(100, 3), many(100, 25), seed=2, **options):
        views = GAME.look(batch.games, 0)[0]
        kept = views.tobytes()
        guessed = GAME.guess(views, 0, random.integers(2**63, size=batch.n))
        assert views.tobytes() == kept
        assert GAME.judge(guessed)[2].all()
        assert GAME.look(guessed, 0)[0].tobytes() == kept


def test_a_guess_follows_from_the_view_and_the_seed():
    game = start(9)
    one, two = guesses(game, 2)
    assert one.stock != two.stock
    assert guesses(game, 1)[0].games.tobytes() == one.games.tobytes()
    other = guesses(one, 1)[0]  # the hidden deck is another now
    assert other.games.tobytes() == one.games.tobytes()


def test_a_guess_does_not_know_the_luck_to_come():
    game = start(999)
    assert [guess.seed for guess in guesses(game, 20)] == list(range(20))


@ruling("R10")
def test_known_cards_keep_their_places_in_every_guess():
    game = position("1C 2C", "8E 7E 6E 5E", in_play="QE", ruler="KF", rest="deck")
    choose(game, "use QE", "play 1C")
    for guess in guesses(game, 20):
        assert guess.stock.split()[0] == game.stock.split()[0] == "6E"
        assert in_order(guess.stock) == in_order(game.stock)


@pytest.mark.parametrize(("deck", "looked"), [("8E 7E 6E 5E", 0), ("8E 7E 6E 5E", 2), ("8E 7E 6E", 3), ("8E 7E", 0)])
@ruling("R10")
def test_guesses_are_all_orders_of_a_small_deck_that_fit_each_as_likely(deck, looked):
    game = position("1C 2C", deck, rest="discards", known=looked)
    top, rest = deck.split()[:looked], deck.split()[looked:]
    fit = {" ".join([*top, *order]) for order in itertools.permutations(rest)}
    n = many(200, 40) * len(fit)
    found = Counter(guess.stock for guess in guesses(game, n))
    assert set(found) == fit
    assert max(found.values()) - min(found.values()) < 8 * math.sqrt(n / len(fit))


def test_the_cards_of_the_deck_are_known_by_elimination():
    game = position("1C 2C", "8E 7E 6E", discards="5F 6F", scored="3L", rest="discards")
    assert named(game, "unseen") == {"8E", "7E", "6E"}
    assert all(in_order(guess.stock) == in_order("8E 7E 6E") for guess in guesses(game, 5))


def test_with_any_guess_the_same_choices_can_be_made_until_a_card_tells():
    """The choices at hand never depend on what is hidden."""
    for seed in range(many(30, 4)):
        game = start(seed)
        random = np.random.default_rng(seed)
        for _ in range(int(random.integers(1, 40))):
            if game.seat != 0:
                break
            luck(choose(game, str(random.choice(sorted(legal(game))))))
        if game.seat == 0:
            assert all(legal(guess) == legal(game) for guess in guesses(game, 5))


# --- Features -------------------------------------------------------------------------------------------------


def features(game: Position) -> dict[str, int]:
    """The features that are not zero, by name."""
    values = GAME.look(game.games, 0)[2][0]
    return {name: int(value) for name, value in zip(GAME.feature_names, values, strict=True) if value}


def named(game: Position, kind: str) -> set[str]:
    """The labels of the features of this kind that are not zero."""
    blocks = GAME.view.FEATURES
    labels = {f"{kind} {label}".strip(): label for label in blocks[kind].labels}
    return {labels[name] for name in features(game) if name in labels}


def test_the_features_of_cards():
    game = position(
        "1C 2F", "8E 7E 6E", discards="3F 4F", scored="4L 5L 6L", known=2, rest="discards", in_play="JC"
    )  # fmt: skip
    assert named(game, "hand") == {"1C", "2F"}
    assert named(game, "unseen") == {"6E"}
    assert named(game, "known") == {"8E", "7E"}
    assert named(game, "next") == {"1 E", "1 8", "2 E", "2 7"}
    assert named(game, "scored") == {"4L", "5L", "6L"}
    assert named(game, "scored top") == {"4L"}
    assert named(game, "discards top") == {"3F"}
    assert named(game, "discards") == set(NAMES) - {"1C", "2F", "8E", "7E", "6E", "4L", "5L", "6L"}
    assert named(game, "statement") == set()
    assert [features(game)[name] for name in ("in hand", "in deck", "tricks")] == [2, 3, 3]
    assert named(game, "phase") == {"use"}
    choose(game, "listen")
    assert named(game, "statement") == {"8E"}
    assert named(game, "next") == {"1 E", "1 7"}
    assert named(game, "phase") == {"respond"}


def test_the_features_of_empty_piles():
    game = position("1C 2F", "8E")
    for kind in ("discards", "discards top", "scored", "scored top", "known", "next"):
        assert named(game, kind) == set()
    assert "tricks" not in features(game)


def test_known_cards_far_down_are_told_without_their_place():
    game = position("1C 2F", "8E 7E 6E 5E 4E 3E 2E 1E 8C 7C", known=10)
    assert "9 C" not in named(game, "next")
    assert len(named(game, "next")) == 16
    assert len(named(game, "known")) == 10


def test_the_features_of_fiefs():
    game = position(
        "1C 2F", "8E", ruler="KF", rulers={2: "BE"}, won=[0, 7], visited=[1], scored="4L 5L", goal=18, visits=7,
        order=[0, 7, 1, 4, 2, 3, 5, 6],
    )  # fmt: skip
    assert named(game, "fief") == {"4"}
    assert named(game, "visited") == {"0", "1", "7"}
    assert named(game, "won") == {"0", "7"}
    assert named(game, "current ruler") == {"KF"}
    assert named(game, "trump") == {"F"}
    assert {label for label in named(game, "ruler") if label[0] in "24"} == {"2 BE", "4 KF"}
    assert {label[0] for label in named(game, "ruler")} == set("23456")
    assert named(game, "to win") == {"2"}
    seen = features(game)
    assert [seen.get(f"number {fief}", 0) for fief in range(8)] == list(range(8))
    assert [seen.get(f"stars {fief}", 0) for fief in range(8)] == [4, 3, 2, 1, 1, 2, 3, 4]
    assert [seen[f"turn {fief}"] for fief in range(8)] == [1, 3, 5, 6, 4, 7, 8, 2]
    assert (seen["stars won"], seen["stars lacking"], seen["visits left"]) == (8, 10, 3)
    assert (seen["hand size"], seen["calls"]) == (8, 1)


def test_the_features_of_too_many_tricks_and_a_goal_that_is_met():
    game = position("1C 2F", "8E", scored="4L 5L 6L 7L 8L", won=[0], goal=3)
    assert named(game, "to win") == set()
    assert features(game)["too many"] == 1
    assert "stars lacking" not in features(game)


def test_the_features_of_characters():
    game = position(
        "1C 2F", "8E", in_play="JC QE", called="KF", exhausted="QE", won=[0, 1], rulers={0: "KF", 1: "BE"},
        friendly="BE", off=["PC"],
    )  # fmt: skip
    assert named(game, "active") == {"JC", "QE", "KF"}
    assert {"JC", "QE"} < named(game, "ally")
    assert "KF" not in named(game, "ally")
    assert named(game, "exhausted") == {"QE"}
    assert named(game, "friendly") == {"BE"}
    game.record.barred = characters("PC")
    assert named(game, "off") == {"PC"}


def test_the_features_of_a_ruler_being_called_in():
    game = position("1C", "8E", in_play="JC QE", won=[0], rulers={0: "KF"}, friendly="KF", phase=CALL)
    choose(game, "call KF")
    assert (named(game, "phase"), named(game, "calling")) == ({"replace"}, {"KF"})


def test_the_features_of_an_ability():
    game = position("1C 2F", "8E 7E 6E", in_play="QL", ruler="JE")
    choose(game, "use QL")
    assert (named(game, "phase"), named(game, "ability")) == ({"pick"}, {"JE"})
    assert (features(game)["to go"], features(game)["copied"]) == (2, 1)
    choose(game, "pick 1C")
    assert features(game)["to go"] == 1
    game = position("1C 2F", "8E 7E 6E", in_play="JE", ruler="KE")
    choose(game, "use JE")
    assert "copied" not in features(game)


def test_the_features_of_be_which_acts_later():
    game = position("1C 3F 5F", "8E 7E 6E", in_play="BE", ruler="KE")
    choose(game, "use BE")
    assert features(game)["delayed"] == 1
    choose(game, "play 3F")
    assert (named(game, "ability"), named(game, "phase")) == ({"BE"}, {"pick"})
    assert "delayed" not in features(game)
    assert "copied" not in features(game)


def test_before_a_fief_is_chosen_the_features_name_none():
    game = position("1C 3F", "8E", phase=VISIT, fief=-3)
    for kind in ("fief", "current ruler", "trump", "to win", "ability"):
        assert named(game, kind) == set()
    assert named(game, "phase") == {"visit"}


def test_the_features_of_a_finished_game_name_no_phase():
    game = position("1C", "8C", visited=[0, 1, 2, 3, 5, 6, 7])
    choose(game, "listen", "play 1C")
    assert named(game, "phase") == named(game, "ruler") == set()


def test_hidden_features_are_the_deck_from_the_top():
    game = position("1C 2F", "8E 7F 1L", rest="discards")
    hidden = GAME.reveal(game.games, 0)[0]
    marked = {name for name, value in zip(GAME.hidden_feature_names, hidden, strict=True) if value}
    assert marked == {"deck 1 E", "deck 1 8", "deck 2 F", "deck 2 7", "deck 3 L", "deck 3 1"}


def test_features_keep_within_their_bounds():
    highs = np.array(GAME.feature_highs)
    for options in ({}, {"hand_size": 16}, {"stars": [9] * 8, "numbers": [0] * 8}, {"off": list(CHARACTERS)}):
        for batch in random_steps(many(100, 3), many(200, 40), seed=1, **options):
            assert (batch.features >= 0).all()
            assert (batch.features <= highs).all()
