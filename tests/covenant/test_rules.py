"""The rules of The Covenant, sentence by sentence."""

import numpy as np
import pytest

from handfast.envs.core.table import CHANCE, ENDED, FINISHED, NONE
from handfast.envs.covenant import rules
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    at_the_table,
    blank,
    choose,
    end,
    is_sound,
    legal,
    luck_decides,
    names,
    number,
    play_round,
    play_tricks,
    position,
    random_steps,
    scores,
    signed,
    start,
    winners,
)

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def believed(words: str) -> set[str]:
    """`HSDC` as choices."""
    return {f"believe {suit}" for suit in words}


# --- Dealer and Signers ---------------------------------------------------------------------------------------


@PLAYERS
def test_every_seat_may_be_drawn_as_first_dealer(players):
    assert {luck_decides(blank(players, seed)).dealer for seed in range(60)} == set(range(players))


@PLAYERS
def test_the_dealer_is_drawn_and_signers_are_chosen_before_a_card_is_dealt(players):
    game = luck_decides(blank(players, seed=3), dealer=1)
    for steps in range(players):
        assert (game.phase, game.seat) == (rules.SIGNER, (2 + steps) % players)
        assert legal(game) == believed("HSDC")
        assert game.hands == [0] * 5
        choose(game, "believe D")
    assert (game.seat, game.phase) == (CHANCE, rules.DEAL)
    assert game.signers[:players] == [3] * players


def test_a_signer_is_locked_for_the_whole_game():
    game = start(3, signers="SDC", dealer=2)
    for _ in range(3):
        play_round(game, "-", "-", "-")
        assert game.signers[:3] == [2, 3, 4]
        luck_decides(game)


# --- The deal -------------------------------------------------------------------------------------------------


def everything(game: Position) -> list[str]:
    """Every card on the Covenant Table, in hands, sealed, played, and in the Table Seal, repeated where it is there twice."""
    places = [*game.hands, *game.sealed, *game.played, *game.subscribed, game.table_seal]
    return sorted(card for place in places for card in names(place).split())


@pytest.mark.parametrize(("players", "each", "seal"), [(3, 17, 1), (4, 13, 0), (5, 10, 2)])
def test_the_deck_is_dealt_evenly_and_the_rest_is_the_table_seal(players, each, seal):
    game = start(players, seed=4)
    assert game.counts[:players] == [len(game.hand(seat).split()) for seat in range(players)] == [each] * players
    assert len(names(game.table_seal).split()) == seal
    assert everything(game) == sorted(ALL_CARDS)


@pytest.mark.parametrize(
    ("players", "choices", "each", "seal"),
    [
        (3, ["KH", "-", "-"], 17, 0),
        (3, ["KH", "QH", "2C"], 16, 1),
        (4, ["KH", "QH", "2C", "-"], 12, 1),
        (4, ["KH", "-", "-", "-"], 12, 3),
        (5, ["KH", "QH", "2C", "-", "-"], 9, 4),
    ],
)
def test_later_rounds_deal_what_is_not_on_the_covenant_table(players, choices, each, seal):
    game = play_round(start(players, seed=2, hands=[choice.replace("-", "") for choice in choices]), *choices)
    luck_decides(game)
    assert game.round_no == 2
    assert game.counts[:players] == [each] * players
    assert len(names(game.table_seal).split()) == seal
    assert everything(game) == sorted(ALL_CARDS)
    dealt = "".join(game.hand(seat) for seat in range(players)) + names(game.table_seal)
    assert not any(choice in dealt for choice in choices if choice != "-")


@PLAYERS
def test_the_dealers_marker_passes_left_after_each_round(players):
    game = start(players, dealer=players - 1)
    dealers = []
    for _ in range(4):
        dealers.append(game.dealer)
        play_round(game)
        if game.seat == CHANCE:
            luck_decides(game)
    assert dealers == [(players - 1 + steps) % players for steps in range(4)]


def test_four_rounds_are_played():
    game = start(4)
    for round_no in (1, 2, 3, 4):
        assert (game.round_no, game.ended) == (round_no, 0)
        play_round(game)
        if round_no < 4:
            assert (game.seat, game.phase) == (CHANCE, rules.DEAL)
            luck_decides(game)
    assert (game.seat, game.ended) == (FINISHED, ENDED)


def test_each_round_is_shuffled_anew():
    game = start(4, seed=1)
    first = game.hands
    luck_decides(play_round(game))
    assert game.hands != first


# --- The Covenant Table ---------------------------------------------------------------------------------------


@PLAYERS
def test_each_seat_from_the_dealers_left_may_subscribe_any_card_or_abstain(players):
    game = start(players, dealer=0, seed=5)
    for steps in range(1, players + 1):
        seat = steps % players
        assert game.seat == seat
        assert legal(game) == {f"subscribe {card}" for card in game.hand(seat).split()} | {"abstain"}
        choose(game, "abstain")


@ruling("R3")
def test_nothing_changes_before_the_last_choice_and_then_all_are_revealed_together():
    game = start(4, ["KH", "4S", "", "7D"], dealer=0)
    before = game.copy()
    choose(game, "1: subscribe 4S", "2: abstain", "3: subscribe 7D")
    for field in ("hands", "counts", "subscribed", "fresh", "tops", "cubes", "trump"):
        assert getattr(game, field) == getattr(before, field)
    choose(game, "0: subscribe KH")
    assert [names(cards) for cards in game.subscribed] == ["KH", "4S", "", "7D", ""]
    assert game.cubes == [0, 0, 1, 0, 0]
    assert game.choices == [0] * 5


def test_a_subscribed_card_leaves_the_hand_for_its_pile_and_never_comes_back():
    game = at_the_table(start(3, ["KH", "4H", "2C"]), "KH", "4H", "2C")
    assert (game.pile("H"), game.pile("C"), game.pile("S")) == ("4H KH", "2C", "")
    assert "KH" not in game.hand(0)
    play_tricks(game)
    for _ in range(3):
        luck_decides(game)
        assert not any(card in game.hand(seat) for seat in range(3) for card in ("KH", "4H", "2C"))
        assert (game.pile("H"), game.pile("C")) == ("4H KH", "2C")
        play_round(game)


def test_an_abstainer_takes_a_cube_for_good():
    game = start(3, ["KH", "", ""])
    play_round(game, "KH", "-", "-")
    assert game.cubes == [0, 1, 1, 0, 0]
    luck_decides(game, hands=["", "7S"])
    play_round(game, "-", "7S", "-")
    assert game.cubes == [1, 1, 2, 0, 0]


@pytest.mark.parametrize("top_card", ["last", "highest"])
@ruling("R1")
def test_cards_revealed_together_are_laid_from_the_dealers_left_on(top_card):
    for dealer, last in ((0, "KH"), (1, "4H"), (2, "9H"), (3, "9H")):
        choices = ["KH", "4H", "9H", "2C"]
        game = at_the_table(start(4, choices, dealer=dealer, top_card=top_card), *choices)
        assert game.top("H") == (last if top_card == "last" else "KH")
        assert game.top("C") == "2C"


@ruling("R1")
def test_with_the_highest_on_top_a_later_rounds_card_still_lies_on_the_earlier_ones():
    game = play_round(start(3, ["KH", "4H", "2C"], top_card="highest"), "KH", "4H", "2C")
    assert game.top("H") == "KH"
    luck_decides(game, hands=["5H", "3H"])
    at_the_table(game, "5H", "3H", "-")
    assert game.top("H") == "5H"


def test_hands_are_equal_after_subscriptions_and_seals():
    for players, each in ((3, 16), (4, 12), (5, 9)):
        for choices in (["KH"], ["KH", "2C", "-"], ["-"] * players):
            hands = [choice.replace("-", "") for choice in choices]
            game = at_the_table(start(players, hands), *choices)
            assert game.counts[:players] == [each] * players


# --- Trump ----------------------------------------------------------------------------------------------------


def trump(*choices: str, dealer: int = 0, **options: object) -> str:
    """The Trump of a first round with these choices, by seat; every other seat abstains."""
    hands = [choice.replace("-", "") for choice in choices]
    game = at_the_table(start(5, hands, dealer=dealer, **options), *choices)
    return "none" if game.trump == NONE else "HSDC"[game.trump]


@pytest.mark.parametrize("suit", "HSDC")
def test_a_single_subscription_makes_its_suit_trump(suit):
    assert trump(f"2{suit}") == suit


def test_the_suit_with_most_new_subscriptions_is_trump():
    assert trump("2C", "3C", "AH", "AS", "AD") == "C"
    assert trump("2D", "AH", "3D", "AS", "4D") == "D"


def test_a_tie_goes_to_the_higher_top_card():
    assert trump("2H", "3S", "-") == "S"
    assert trump("2H", "3C", "-") == "C"
    assert trump("QH", "KS", "JD", "TC") == "S"
    assert trump("5H", "6H", "4C", "7C", "AD") == "C"  # a single ace is no match for two


@ruling("R1")
def test_in_a_tie_the_top_card_of_several_is_the_last_one_laid():
    assert trump("AH", "5S", "3H", "4S", dealer=3) == "S"  # 3H on AH, 4S on 5S
    assert trump("AH", "5S", "3H", "4S", dealer=3, top_card="highest") == "H"
    assert trump("AH", "5S", "3H", "4S", dealer=1) == "H"  # now AH is laid after 3H, and 5S after 4S


def test_a_tie_of_top_cards_too_goes_by_the_suit_order():
    assert trump("9H", "9S", "9D", "9C") == "H"
    assert trump("9C", "9D", "9S") == "S"
    assert trump("9C", "9D") == "D"
    assert trump("2C", "9C", "9D", "3D", dealer=4) == "C"  # 9C lies on 2C, 3D on 9D


def test_nobody_subscribes_and_there_is_no_trump():
    assert trump("-") == "none"


def test_trump_looks_at_new_subscriptions_alone():
    game = play_round(start(4, ["KH", "QH", "JH", "TH"]), "KH", "QH", "JH", "TH")
    luck_decides(game, hands=["2C"])
    at_the_table(game, "2C")
    assert (game.trump, game.ratified) == (3, 0)
    luck_decides(play_tricks(game))
    at_the_table(game, "-")
    assert game.trump == NONE


# --- Hand Seals -----------------------------------------------------------------------------------------------


@ruling("R4")
def test_abstainers_seal_after_the_reveal_from_the_dealers_left_on():
    game = start(5, ["", "KS", "", "", "QS"], dealer=2, seed=3)
    while game.phase == rules.COVENANT:
        choose(game, {1: "subscribe KS", 4: "subscribe QS"}.get(game.seat, "abstain"))
    order = []
    while game.phase == rules.SEALING:
        assert game.seen_by(game.seat).trump == 1  # it knows the Trump
        order.append(game.seat)
        hand = game.hand(game.seat).split()
        assert legal(game) == {f"seal {card}" for card in hand}
        choose(game, f"seal {hand[3]}")
        assert names(game.sealed[order[-1]]) == hand[3]
        assert hand[3] not in game.hand(order[-1])
    assert order == [3, 0, 2]
    assert game.seals == [1, 0, 1, 1, 0]


def test_where_all_subscribe_nobody_seals():
    game = at_the_table(start(3, ["KH", "4H", "2C"]), "KH", "4H", "2C")
    assert (game.phase, game.sealed) == (rules.TRICK, [0] * 5)


def test_sealed_cards_and_the_table_seal_are_shuffled_in_again():
    game = at_the_table(start(3, seed=6), "-", "-", "-")
    hidden = names(game.sealed[0] | game.sealed[1] | game.sealed[2] | game.table_seal).split()
    luck_decides(play_tricks(game))
    assert set(hidden) <= set(everything(game))
    assert game.sealed == [0] * 5
    assert any(card in game.hand(seat) for card in hidden for seat in range(3))


# --- Leading and following ------------------------------------------------------------------------------------


@PLAYERS
@ruling("R5")
def test_left_of_the_dealer_leads_the_first_trick_of_every_round(players):
    game = start(players, dealer=1)
    for round_no in range(4):
        at_the_table(game)
        assert game.seat == (2 + round_no) % players
        play_tricks(game)
        if round_no < 3:
            luck_decides(game)


@ruling("R5")
def test_the_lowest_card_of_a_rounds_last_trick_gives_no_lead():
    game = position(["AH", "2H", "KH"], to_lead=0, dealer=2)
    choose(game, "0: play AH", "1: play 2H", "2: play KH")
    luck_decides(game)
    at_the_table(game)
    assert (game.dealer, game.seat) == (0, 1)
    game = position(["2H", "AH", "KH"], to_lead=0, dealer=2)
    luck_decides(choose(game, "0: play 2H", "1: play AH", "2: play KH"))
    assert at_the_table(game).seat == 1


def test_any_card_but_trump_may_be_led():
    game = position(["AH 3S 4S 5D", "2H 6S 7S 8D", "3H 8S 9S 9D"], trump="S")
    assert legal(game) == {"play AH", "play 5D"}


def test_trump_may_be_led_when_the_whole_hand_is_trump():
    assert legal(position(["3S 4S", "2H 6S", "3H 8S"], trump="S")) == {"play 3S", "play 4S"}


def test_without_a_trump_any_card_may_be_led():
    assert legal(position(["AH 3S 5D", "2H 6S 8D", "3H 8S 9D"])) == {"play AH", "play 3S", "play 5D"}


def test_whoever_is_able_follows_suit():
    game = position(["AH 3S 4S", "2H KH 6S", "3H 8S 9D"], trump="S")
    choose(game, "0: play AH")
    assert legal(game) == {"play 2H", "play KH"}
    choose(game, "1: play KH")
    assert legal(game) == {"play 3H"}


def test_whoever_is_unable_plays_anything_trump_included():
    game = position(["AH 3S 2D", "2C KD 6S", "3H 8S 9C"], trump="S")
    choose(game, "0: play AH")
    assert legal(game) == {"play 2C", "play KD", "play 6S"}


def test_a_trump_lead_is_followed_with_trump():
    game = position(["AS 3S", "2S KH", "3H 8C"], trump="S")
    choose(game, "0: play AS")
    assert legal(game) == {"play 2S"}
    choose(game, "1: play 2S")
    assert legal(game) == {"play 3H", "play 8C"}


@PLAYERS
def test_play_goes_clockwise(players):
    game = position(["2H", "3H", "4H", "5H", "6H"][:players], to_lead=1)
    for steps in range(players):
        assert game.seat == (1 + steps) % players
        choose(game, min(legal(game)))


# --- Winning, and leading the next trick ----------------------------------------------------------------------


def trick(*played: str, trump: str | None = None, to_lead: int = 0) -> tuple[int | None, int]:
    """Who wins a trick of these cards by seat, seen by its captures, None where it holds no Trump; and who leads the next."""
    led = played[to_lead][1]
    free = [card for card in ALL_CARDS if card not in played]
    spares = [card for card in free if card[1] != led]
    if led == trump:
        spares[to_lead] = next(card for card in free if card[1] == led)
    game = position([f"{card} {spare}" for card, spare in zip(played, spares, strict=False)], to_lead, trump)
    before = scores(game)
    for steps in range(len(played)):
        seat = (to_lead + steps) % len(played)
        choose(game, f"{seat}: play {played[seat]}")
    won = [seat for seat in range(len(played)) if scores(game)[seat] > before[seat]]
    return (won[0] if won else None), game.seat


@pytest.mark.parametrize(
    ("played", "trump", "winner", "leads_next"),
    [
        (["AH", "2S", "KH"], "S", 1, 2),
        (["AH", "2S", "3S"], "S", 2, 0),
        (["5H", "2S", "3S", "AS"], "S", 3, 0),
        (["5H", "4H", "3S", "AD"], "S", 2, 3),
        (["5H", "4H", "3S", "2D", "2C"], "S", 2, 4),
        (["5H", "4H", "3S", "2C", "2D"], "S", 2, 3),
        (["9S", "TS", "2H", "2D"], "S", 1, 3),
    ],
)
def test_the_highest_trump_wins_and_the_lowest_card_leads_next(played, trump, winner, leads_next):
    assert trick(*played, trump=trump) == (winner, leads_next)


@pytest.mark.parametrize(
    ("played", "leads_next"),
    [
        (["5H", "4H", "AH"], 1),
        (["5H", "AS", "AH"], 1),  # off-suit cards are the lowest tier, whatever their rank
        (["5H", "3S", "3D", "3C"], 3),
        (["5H", "3C", "3D", "3S"], 1),
        (["5H", "3S", "3D", "4C"], 2),
        (["2C", "3C", "4C", "5C", "6C"], 0),
    ],
)
def test_in_a_tier_ranks_count_and_equal_ranks_go_by_the_suit_order(played, leads_next):
    assert trick(*played)[1] == leads_next


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_leader_may_sit_anywhere(players):
    for lead in range(players):
        played = [f"{rank}H" for rank in "56789"[:players]]
        played[(lead + 1) % players] = "2H"
        assert trick(*played, to_lead=lead)[1] == (lead + 1) % players


def test_a_leader_may_lead_again():
    assert trick("2H", "3H", "4H")[1] == 0


@PLAYERS
def test_winner_and_lowest_are_never_the_same_seat(players):
    for batch in random_steps(many(100, 3), many(200, 60), players, seed=2):
        before = batch.games.copy()
        batch.step_at_random()
        gained = (batch.games["captures"] - before["captures"]).sum(2)
        same = batch.games["round_no"] == before["round_no"]
        for i in np.flatnonzero(gained.any(1) & same & (batch.seats >= 0)):
            assert gained[i].argmax() != batch.seats[i]


# --- Scoring --------------------------------------------------------------------------------------------------


def test_the_winner_scores_one_for_each_trump_card_in_the_trick_kept_by_suit():
    game = position(["AH 9D", "2S 9C", "3S 8C", "KH 8D"], trump="S")
    before = scores(game)
    assert before[1:] == [-2, -2, -2]  # cubes of this round
    choose(game, "play AH", "play 2S", "play 3S", "play KH")
    assert game.captures[2] == [0, 2, 0, 0]
    assert [after - then for after, then in zip(scores(game), before, strict=True)] == [0, 0, 2, 0]


def test_a_trick_without_trump_cards_scores_nothing():
    for trump in (None, "S"):
        game = position(["AH 9D", "2H 9C", "3H 8C"], trump=trump)
        before = game.captures
        choose(game, "play AH", "play 2H", "play 3H")
        assert game.captures == before


def test_captures_add_up_over_the_rounds():
    game = start(3, ["KS", "KD", "QS"])
    play_round(game, "KS", "KD", "QS")
    first = [row[:] for row in game.captures]
    assert sum(map(sum, first)) == sum(row[1] for row in first) > 0
    luck_decides(game, hands=["2D"])
    play_round(game, "2D")
    assert [row[1] for row in game.captures] == [row[1] for row in first]
    assert sum(row[2] for row in game.captures) > 0


@pytest.mark.parametrize(("signers", "bonus"), [("HHH", [2, 2, 2]), ("SHC", [0, 2, 0]), ("SSD", [0, 0, 0])])
def test_a_signer_of_the_ratified_suit_scores_two(signers, bonus):
    game = last_trick(signers=signers, earlier=["0:AH", "", ""])
    assert game.bonus[:3] == bonus
    assert game.revealed[:3] == ["-HSDC".index(suit) for suit in signers]


def last_trick(**arguments: object) -> Position:
    """The game after a last trick without Trump, in which seat 2 wins over 0 and 1."""
    hands = ["2D", "3D", "4D", "5C", "6C"][: int(arguments.pop("players", 3))]
    game = position(hands, **arguments)
    while game.seat >= 0:
        choose(game, min(legal(game)))
    return game


def test_a_cube_costs_two():
    game = last_trick(earlier=["0:AH", "0:KH 1:QH", "0:JH"], captures=[5, 9, 7], signers="CCC", trump="H")
    assert game.cubes[:3] == [0, 3, 4]
    assert scores(game) == [5, 9 - 6, 7 - 8]
    assert end(game) == {"end": "finished", "scores": [5, 3, -1], "winners": [0]}


@ruling("R2")
def test_with_nothing_subscribed_all_game_hearts_are_ratified():
    for landslide, bonus in ((False, 2), (True, 1)):
        game = last_trick(earlier=["", "", ""], signers="HSC", landslide=landslide)
        assert (game.ratified, game.bonus[:3]) == (0, [bonus, 0, 0])


@pytest.mark.parametrize(
    ("earlier", "signer", "bonus"),
    [
        (["0:AS", "", ""], "S", 1),
        (["0:AS 1:KS", "", ""], "S", 1),
        (["0:AS 1:KS", "2:QS", ""], "S", 1),
        (["0:AS 1:KS 2:2S", "0:QS", ""], "S", 2),
        (["0:AC 1:KC 2:2C", "0:QC 1:JC 2:TC", "2:9C"], "C", 3),
    ],
)
def test_a_landslide_is_worth_half_the_ratified_pile_and_at_least_one(earlier, signer, bonus):
    assert last_trick(earlier=earlier, signers=signer, landslide=True).bonus[:3] == [bonus] * 3
    assert last_trick(earlier=earlier, signers=signer).bonus[:3] == [2] * 3


def test_the_suit_with_most_cards_of_all_rounds_is_ratified():
    game = last_trick(earlier=["0:AH 1:KH", "0:2C", "0:3C 1:4C"], signers="C")
    assert game.ratified == 3


@pytest.mark.parametrize(
    ("earlier", "suit"),
    [
        (["0:2H", "0:3S", ""], "S"),
        (["0:AH", "0:3H", "2:2S 1:4S"], "S"),  # the top card, not the highest
        (["0:AH 1:QS", "0:3S 1:2H", ""], "S"),
        (["0:9S 1:9H", "", ""], "H"),
        (["0:9C 1:9D", "", ""], "D"),
    ],
)
def test_a_tie_for_the_ratification_goes_by_the_top_card_and_then_by_the_suit_order(earlier, suit):
    assert "HSDC"[replayed(earlier).ratified] == suit


def replayed(rounds: list[str]) -> Position:
    """A game of three, dealt so that these cards are subscribed, `0:9S 1:9H`, in its first rounds, and nothing after."""
    game = signed(3, dealer=2)
    for choices in [*rounds, ""]:
        by_seat = dict(choice.split(":") for choice in choices.split())
        play_round(game, *(by_seat.get(str(seat), "-") for seat in range(3)))
    return game


def test_the_highest_score_wins():
    assert winners(last_trick(earlier=["0:AH", "1:KH", "2:QH"], captures=[4, 6, 5], signers="C")) == [1]


def test_a_tie_goes_to_most_own_cards_on_the_ratified_pile():
    arguments = {"earlier": ["0:AH 1:2S", "0:QS 1:KH", "1:JH 0:2C"], "signers": "C", "trump": None}
    assert winners(last_trick(captures=[5, 5, 0], **arguments)) == [1]  # two hearts against one
    assert winners(last_trick(captures=[6, 5, 0], **arguments)) == [0]


def test_those_still_tied_share_the_victory():
    game = last_trick(earlier=["0:AH 1:KH", "", ""], captures=[5, 5, 0], signers="S")
    assert winners(game) == [0, 1]
    game = last_trick(earlier=["", "", ""], players=5, signers="S")
    assert winners(game) == [0, 1, 2, 3, 4]


def test_points_before_the_end_are_without_the_signers():
    game = position(["2D", "3D", "4D"], earlier=["0:AH", "", ""], captures=[3, 1, 0], signers="H")
    assert scores(game) == [3 - 6, 1 - 8, -8]
    assert winners(game) == [0]
    choose(game, "play 2D", "play 3D", "play 4D")
    assert scores(game) == [3 - 6 + 2, 1 - 8 + 2, -8 + 2]


# --- At every moment ------------------------------------------------------------------------------------------


@PLAYERS
def test_all_52_cards_are_somewhere_and_hands_stay_equal(players):
    for batch in random_steps(many(60, 2), many(240, 60), players, seed=3):
        assert GAME.judge(batch.games)[2].all()
        for i in range(0, batch.n, 10):
            game = Position(batch.games[i : i + 1])
            if game.phase > rules.DEAL:
                assert everything(game) == sorted(ALL_CARDS)
            if game.phase == rules.TRICK and game.trick == 0:
                assert len(set(game.counts[:players])) == 1


def test_check_holds_on_a_finished_game():
    game = last_trick(earlier=["0:AH", "1:KH", "2:QH"], trump="S")
    assert is_sound(game)
    assert everything(game) == sorted(ALL_CARDS)


def test_numbers_of_cards_are_those_of_the_notation():
    assert [number(card) for card in ("2H", "2S", "2D", "2C", "3H", "AC")] == [0, 1, 2, 3, 4, 51]
