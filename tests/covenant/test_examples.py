"""The worked examples and the questions of the published rules."""

import pytest

from handfast.envs.core.table import CHANCE, NONE
from tests.rulings import ruling

from .table import (
    ALL_CARDS,
    Position,
    at_the_table,
    choose,
    end,
    legal,
    luck_decides,
    names,
    play_round,
    play_tricks,
    position,
    scores,
    signed,
    start,
)

# New subscriptions to hearts, spades, diamonds and clubs, by round.
FIRST_EXAMPLE = [(3, 1, 0, 1), (0, 4, 0, 1), (2, 0, 0, 1), (0, 0, 3, 1)]
CLUBS_AHEAD = [(3, 0, 0, 2), (0, 3, 0, 2), (2, 0, 0, 1), (0, 0, 3, 1)]  # two subscriptions shifted
SECOND_EXAMPLE = [(4, 0, 0, 0), (3, 1, 0, 0), (2, 2, 0, 0), (1, 0, 0, 0)]


def choices_for(subscriptions: tuple[int, ...], used: set[str], players: int) -> list[str]:
    """Choices at the Covenant Table, by seat, that subscribe so many cards to each suit, low cards first; the rest abstain."""
    chosen = []
    for suit, wanted in zip("HSDC", subscriptions, strict=True):
        chosen += [card for card in ALL_CARDS if card[1] == suit and card not in used][:wanted]
    used |= set(chosen)
    return chosen + ["-"] * (players - len(chosen))


def example(table: list[tuple[int, ...]], players: int, signers: str = "H") -> tuple[Position, list[str]]:
    """A game with these subscriptions, every trick played with the lowest cards; and its Trump by round."""
    game = signed(players, signers=signers)
    used: set[str] = set()
    trumps = []
    for subscriptions in table:
        choices = choices_for(subscriptions, used, players)
        luck_decides(game, hands=[choice.replace("-", "") for choice in choices])
        at_the_table(game, *choices)
        trumps.append("none" if game.trump == NONE else "HSDC"[game.trump])
        play_tricks(game)
    return game, trumps


def sizes(game: Position) -> list[int]:
    return [len(game.pile(suit).split()) for suit in "HSDC"]


# --- Worked examples ------------------------------------------------------------------------------------------


def test_first_example_clubs_are_never_trump_and_end_close_behind():
    game, trumps = example(FIRST_EXAMPLE, players=5)
    assert trumps == ["H", "S", "H", "D"]
    assert sizes(game) == [5, 5, 3, 4]
    assert game.ratified in (0, 1)  # by the top card


def test_first_example_with_two_subscriptions_shifted_clubs_are_ratified():
    game, trumps = example(CLUBS_AHEAD, players=5)
    assert trumps == ["H", "S", "H", "D"]
    assert sizes(game) == [5, 3, 3, 6]
    assert game.ratified == 3


def test_second_example_hearts_are_trump_in_every_round_and_ratified():
    game, trumps = example(SECOND_EXAMPLE, players=4)
    assert trumps == ["H", "H", "H", "H"]
    assert sizes(game) == [10, 3, 0, 0]
    assert game.ratified == 0
    assert game.bonus[:4] == [2] * 4
    assert sum(row[0] for row in game.captures) == sum(map(sum, game.captures)) > 0


@pytest.mark.parametrize(
    ("hearts", "spades", "trump"),
    [
        ("2H 9H", "3S 9S", "H"),  # top cards of one rank: the suit order
        ("2H 9H", "3S TS", "S"),
        ("AH 9H", "3S TS", "S"),
        ("2H TH", "AS 9S", "H"),
    ],
)
@ruling("R6")
def test_second_example_round_3_goes_by_the_suit_order_only_where_the_top_cards_have_one_rank(hearts, spades, trump):
    choices = [*hearts.split(), *spades.split()]
    game = at_the_table(start(4, choices, dealer=3), *choices)
    assert "HSDC"[game.trump] == trump


# --- Questions ------------------------------------------------------------------------------------------------


def test_can_i_change_my_signer_card_later_in_the_game():
    game = start(3, signers="SDC", dealer=2)
    while game.seat >= 0:
        assert not any(words.startswith("believe") for words in legal(game))
        choose(game, min(legal(game)))
        if game.seat == CHANCE:
            luck_decides(game)
    assert game.revealed[:3] == game.signers[:3] == [2, 3, 4]


def test_do_subscribed_cards_ever_come_back_into_the_deck():
    game = start(3, ["KH", "4S", "2C"])
    play_round(game, "KH", "4S", "2C")
    for round_no in (2, 3, 4):
        luck_decides(game)
        in_play = " ".join([*(game.hand(seat) for seat in range(3)), names(game.table_seal)]).split()
        assert sorted(in_play) == sorted(card for card in ALL_CARDS if card not in ("KH", "4S", "2C"))
        assert game.round_no == round_no
        play_round(game)


def test_do_i_have_to_hand_seal_a_card_when_i_abstained():
    game = start(3, dealer=2)
    choose(game, "0: abstain", "1: abstain", "2: abstain")
    for seat in range(3):
        hand = game.hand(seat).split()
        assert legal(game) == {f"seal {card}" for card in hand}
        choose(game, f"{seat}: seal {hand[5]}")
        for other in range(3):
            seen = game.seen_by(other).sealed[seat]
            assert names(seen) == (hand[5] if other == seat else "")


def test_what_if_nobody_subscribes_in_a_round():
    game = position(["5H 2C", "AS 3C", "KH 4C"])
    assert game.trump == NONE
    choose(game, "play 5H", "play AS", "play KH")
    assert game.captures == [[0] * 4] * 5
    assert game.seat == 1  # the ace of spades is the lowest card: it is not of the suit led


def test_how_do_i_find_the_lowest_card_of_different_suits():
    game = position(["5H 2C", "2S 3D", "AD 4C", "KC 6C"], trump="S")
    before = scores(game)
    choose(game, "play 5H", "play 2S", "play AD", "play KC")
    assert [after - then for after, then in zip(scores(game), before, strict=True)] == [0, 1, 0, 0]
    assert game.seat == 3  # spades are Trump and hearts were led: the king of clubs is below the ace of diamonds


def test_does_the_player_who_leads_next_get_any_points_for_it():
    game = position(["5H 2C", "2S 3D", "AH 4C"], trump="S")
    before = scores(game)
    choose(game, "play 5H", "play 2S", "play AH")
    assert game.seat == 0
    assert [after - then for after, then in zip(scores(game), before, strict=True)] == [0, 1, 0]


def test_can_a_suit_that_never_wins_trump_win_ratification():
    game, trumps = example(CLUBS_AHEAD, players=5)
    assert "C" not in trumps
    assert game.ratified == 3


def test_a_hollow_victory_a_signer_of_a_suit_that_was_never_trump_gets_two_points_and_nothing_more():
    game, _ = example(CLUBS_AHEAD, players=5, signers="CHSDC")
    assert game.bonus == [2, 0, 0, 0, 2]
    assert all(row[3] == 0 for row in game.captures)
    expected = [
        sum(row) - 2 * cubes + two for row, cubes, two in zip(game.captures, game.cubes, [2, 0, 0, 0, 2], strict=True)
    ]
    assert end(game)["scores"] == expected


def test_what_stops_a_suit_from_running_away_with_trump_once_its_pile_is_huge():
    game = position(["2D", "3D", "4D"], earlier=["0:AH 1:KH 2:QH", "0:JH 1:TH 2:9H"], dealer=2)
    choose(game, "play 2D", "play 3D", "play 4D")
    luck_decides(game, hands=["2C"])
    at_the_table(game, "2C")
    assert game.trump == 3
    assert game.ratified == 0


@pytest.mark.parametrize(("landslide", "bonus"), [(False, 2), (True, 5)])
def test_a_bigger_ratified_pile_earns_a_bigger_bonus_in_the_variant_alone(landslide, bonus):
    earlier = ["0:AH 1:KH 2:QH 3:JH", "0:TH 1:9H 2:8H", "0:7H 1:6H 2:5H"]
    game = position(["2D", "3D", "4D", "5D"], earlier=earlier, signers="HS", landslide=landslide)
    choose(game, "play 2D", "play 3D", "play 4D", "play 5D")
    assert game.bonus == [bonus, 0, 0, 0, 0]
