"""Features of The Covenant: what a network sees of what a seat knows."""

import numpy as np
import pytest

from handfast.envs.covenant.rules import TRICK
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    at_the_table,
    blank,
    cards,
    choose,
    luck_decides,
    names,
    play_round,
    position,
    random_steps,
    start,
)

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def features(game: Position, seat: int) -> dict[str, int]:
    """The features that are not zero, by name."""
    values = GAME.look(game.games, seat)[2][0]
    return {name: int(value) for name, value in zip(GAME.feature_names, values, strict=True) if value}


def named(game: Position, seat: int, *kinds: str) -> dict[str, int]:
    """The features of these kinds that are not zero."""
    return {name: value for name, value in features(game, seat).items() if name.startswith(kinds)}


def test_the_features_of_a_signer_tell_of_no_cards():
    game = luck_decides(blank(3), dealer=0)
    choose(game, "1: believe S")
    assert features(game, 1) == {
        "players 3": 1, "present own": 1, "present left 1": 1, "present left 2": 1, "to move left 1": 1,
        "dealer left 2": 1, "phase signer": 1, "round 1": 1, "signer S": 1, "ahead H": 1,
    }  # fmt: skip
    assert named(game, 2, "signer") == {}


def test_the_features_at_the_covenant_table_tell_nothing_of_this_rounds_choices():
    game = play_round(start(3, ["KH", "", "2C"], dealer=2), "KH", "-", "2C")
    luck_decides(game, hands=["4S"])
    choose(game, "1: abstain")
    seen = {name: value for name, value in features(game, 2).items() if not name.startswith(("hand", "unseen"))}
    captured = {name: value for name, value in seen.items() if name.startswith("captured")}
    assert sum(captured.values()) == sum(map(sum, game.captures))
    assert {name: value for name, value in seen.items() if name not in captured} == {
        "cards own": 16, "cards left 1": 16, "cards left 2": 16,
        "players 3": 1, "present own": 1, "present left 1": 1, "present left 2": 1, "to move own": 1,
        "dealer left 1": 1, "phase covenant": 1, "round 2": 1, "signer H": 1,
        "pile H": 1, "pile C": 1, "pile top H": 12, "pile top C": 1, "ahead H": 1,
        "subscribed own C": 1, "subscribed left 1 H": 1, "cubes left 2": 1, "table seal": 2,
    }  # fmt: skip


def test_the_features_tell_what_was_revealed_this_round():
    game = at_the_table(start(4, ["KH", "4S", "", "QH"], dealer=0), "KH", "4S", "-", "QH")
    assert named(game, 1, "fresh", "abstained", "trump", "pile", "cubes") == {
        "fresh own S": 1, "fresh rank own": 3, "fresh left 2 H": 1, "fresh rank left 2": 11,
        "fresh left 3 H": 1, "fresh rank left 3": 12, "abstained left 1": 1, "cubes left 1": 1,
        "trump H": 1, "pile H": 2, "pile S": 1, "pile top H": 12, "pile top S": 3,
    }  # fmt: skip


def test_a_seats_own_choice_and_seal_are_among_its_features():
    game = start(4, ["", "KH"], dealer=0)
    choose(game, "1: subscribe KH", "2: abstain")
    assert [set(named(game, seat, "choice")) for seat in (1, 2, 3)] == [{"choice H", "choice K"}, {"choice -"}, set()]
    at_the_table(game)
    assert [len(named(game, seat, "choice")) for seat in range(4)] == [0] * 4
    seals = [names(cards) for cards in game.sealed[:4]]
    assert [set(named(game, seat, "seal")) for seat in range(4)] == [
        {f"seal {seal[1]}", f"seal {seal[0]}"} if seal else set() for seal in seals
    ]


def test_an_unsettled_round_is_none_of_the_suits():
    game = start(3, dealer=2)
    assert named(game, 0, "trump") == {}
    choose(game, "abstain", "abstain", "abstain")
    assert named(game, 0, "trump", "phase", "abstained") == {
        "trump none": 1, "phase sealing": 1, "abstained own": 1, "abstained left 1": 1, "abstained left 2": 1,
    }  # fmt: skip


def test_the_features_of_a_trick_are_seen_from_the_seat():
    game = position(["5H 2C", "2S 3D", "AD 4C", "6H 6C"], trump="S", dealer=1)
    choose(game, "0: play 5H", "1: play 2S", "2: play AD")
    assert named(game, 3, "trick", "led", "highest", "lowest", "void", "to move", "dealer", "cards", "phase") == {
        "trick suit left 1 H": 1, "trick rank left 1 5": 1, "trick suit left 2 S": 1, "trick rank left 2 2": 1,
        "trick suit left 3 D": 1, "trick rank left 3 A": 1, "led H": 1, "highest left 2": 1, "lowest left 3": 1,
        "void left 2 H": 1, "void left 3 H": 1, "to move own": 1, "dealer left 2": 1, "phase trick": 1,
        "cards own": 2, "cards left 1": 1, "cards left 2": 1, "cards left 3": 1,
    }  # fmt: skip
    choose(game, "3: play 6H")
    assert named(game, 3, "trick", "led", "highest", "lowest") == {}


def test_a_trump_lead_shows_three_voids():
    game = position(["3S 4S", "2S 3D", "AD 4C"], trump="S")
    choose(game, "0: play 3S")
    assert named(game, 1, "void") == {"void left 2 H": 1, "void left 2 D": 1, "void left 2 C": 1}


@PLAYERS
def test_unseen_cards_are_those_in_other_hands_or_face_down(players):
    for batch in random_steps(many(20, 2), many(240, 50), players, seed=5):
        for i in range(0, batch.n, 7):
            game = Position(batch.games[i : i + 1])
            if game.phase < TRICK:
                continue
            for seat in range(players):
                others = [other for other in range(players) if other != seat]
                unseen = game.table_seal
                for other in others:
                    unseen |= game.hands[other] | game.sealed[other]
                expected = {f"unseen {card}": 1 for card in names(unseen).split()}
                for suit in "HSDC":
                    if suit in names(unseen):
                        expected[f"unseen of {suit}"] = names(unseen).count(suit)
                assert named(game, seat, "unseen") == expected
                assert named(game, seat, "hand") == {f"hand {card}": 1 for card in game.hand(seat).split()}
                assert features(game, seat).get("table seal", 0) == len(names(game.table_seal).split())


@ruling("R1")
def test_the_options_are_features():
    assert named(start(3, landslide=True), 0, "landslide", "top card") == {"landslide": 1}
    assert named(start(3, top_card="highest"), 0, "landslide", "top card") == {"top card highest": 1}


def test_the_features_of_a_finished_game_name_nobody_to_move():
    game = position(["2D", "3D", "4D"], earlier=["0:AH", "", ""], signers="HSD", captures=[7])
    choose(game, "play 2D", "play 3D", "play 4D")
    for seat in range(3):
        assert named(game, seat, "phase", "to move", "hand", "trick", "led") == {}
    assert named(game, 1, "captured", "cubes", "ahead") == {
        "captured left 2": 7, "cubes own": 4, "cubes left 1": 4, "cubes left 2": 3, "ahead H": 1,
    }  # fmt: skip


@PLAYERS
def test_features_keep_within_their_bounds(players):
    highs = np.array(GAME.feature_highs)
    for batch in random_steps(many(100, 2), many(240, 40), players, seed=1):
        for seat in range(players):
            values = GAME.look(batch.games, seat)[2]
            assert (values >= 0).all()
            assert (values <= highs).all()


# --- Hidden features ------------------------------------------------------------------------------------------


def hidden(game: Position, seat: int) -> set[str]:
    """The hidden features that are not zero."""
    values = GAME.reveal(game.games, seat)[0]
    return {name for name, value in zip(GAME.hidden_feature_names, values, strict=True) if value}


def test_hidden_features_are_the_others_hands_signers_and_seals_from_the_left_on():
    game = position(["9H KH", "4H 8D", "QH JC"], trump="S", signers="HSD", subscribers=2)
    seal = names(game.sealed[2])
    assert hidden(game, 1) == {
        "hand left 1 JC", "hand left 1 QH", "hand left 2 9H", "hand left 2 KH",
        "signer left 1 D", "signer left 2 H", f"seal left 1 {seal[1]}", f"seal left 1 {seal[0]}",
    }  # fmt: skip


def test_hidden_features_tell_the_choices_pending_at_the_covenant_table():
    game = start(4, ["", "KH"], dealer=0)
    choose(game, "1: subscribe KH", "2: abstain")
    for seat, expected in (
        (0, {"choice left 1 H", "choice left 1 K", "choice left 2 -"}),
        (1, {"choice left 1 -"}),
        (2, {"choice left 3 H", "choice left 3 K"}),
    ):
        assert {name for name in hidden(game, seat) if name.startswith("choice")} == expected


def test_before_the_signers_nothing_is_hidden():
    game = luck_decides(blank(3), dealer=0)
    assert hidden(game, 1) == set()
    choose(game, "1: believe C")
    assert hidden(game, 1) == set()
    assert hidden(game, 0) == {"signer left 1 C"}


def test_labels_name_every_card():
    assert [name for name in GAME.feature_names if name.startswith("hand")] == [f"hand {card}" for card in ALL_CARDS]
    assert cards(ALL_CARDS) == 2**52 - 1
