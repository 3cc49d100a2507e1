"""The Sovereign Hand in words: choices, luck, what others see, why not, the table as text."""

import itertools
import re

import numpy as np
import pytest

from handfast.envs.core import kernels, records
from handfast.envs.core.batch import Batch, IllegalAction
from handfast.envs.core.table import CHANCE
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    choose,
    legal,
    position,
    random_steps,
    random_story,
    reckoning,
    size,
    start,
)

SEATS = [(players, seat) for players in (3, 4, 5) for seat in range(players)]


# --- Choices --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seat"), SEATS)
def test_the_choices_are_those_of_the_rules_page_and_parse_back(players, seat):
    words = [GAME.choice(action, seat, players) for action in range(GAME.actions)]
    cards = {f"{verb} {card}" for verb in ("play", "call", "answer", "clear") for card in ALL_CARDS}
    others = {f"sacrifice {other}" for other in range(players) if other != seat}
    claims = {f"claim {tricks}" for tricks in range(9)}
    assert set(words) - {"sacrifice nobody"} == cards | others | claims | {"keep"}
    assert words.count("sacrifice nobody") == 5 - players
    for action, one in enumerate(words):
        assert one == "sacrifice nobody" or GAME.action(one, seat, players) == action


@pytest.mark.parametrize(
    "words", ["", "play", "play 1H", "play ah", "claim 9", "claim -1", "call", "sacrifice 0", "sacrifice 4", "keep "]
)
def test_other_words_are_no_choice(words):
    assert GAME.action(words, 0, 4) is None


# --- Luck -----------------------------------------------------------------------------------------------------


def at_chance(players: int, seed: int, kind: str, rolled: bool) -> Position:
    """A game that waits for this chance event; luck has decided where `rolled`."""
    game = Position(GAME.blank(players))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    while GAME.words.chance_form(game.record)["chance"] != kind:
        GAME.move(game.games, kernels.ROLL)
        GAME.move(game.games, kernels.RESUME)
    if rolled:
        GAME.move(game.games, kernels.ROLL)
    return game


@pytest.mark.parametrize("kind", ["dealer", "houses", "deal"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_luck_decided_can_be_written_down_and_filled_in(players, kind):
    for seed in range(10):
        rolled = at_chance(players, seed, kind, True)
        event = GAME.words.chance(rolled.record)
        assert event["chance"] == kind
        waiting = at_chance(players, seed, kind, False)
        records.match(GAME.words.chance_form(waiting.record), event, 1)
        GAME.words.fill_chance(waiting.record, event)
        assert waiting.games.tobytes() == rolled.games.tobytes()


def test_a_deal_names_its_round_every_hand_and_the_sign():
    game = at_chance(5, 3, "deal", True)
    event = GAME.words.chance(game.record)
    assert list(event) == ["chance", "round", "hands", "sign"]
    assert event["round"] == 1
    assert [len(hand) for hand in event["hands"]] == [7] * 5
    assert event["sign"] in ALL_CARDS
    with pytest.raises(records.RecordError, match="round must be 1 here, not 2"):
        records.match(GAME.words.chance_form(game.record), {**event, "round": 2}, 1)


@pytest.mark.parametrize("seat", [-1, 3, 4, -3])
def test_a_dealer_who_does_not_take_part_is_refused(seat):
    game = at_chance(3, 0, "dealer", False)
    with pytest.raises(ValueError, match=f"the dealer must be a seat from 0 to 2, not {seat}"):
        GAME.words.fill_chance(game.record, {"chance": "dealer", "seat": seat})


def refused(kind: str, **changes: object) -> str:
    """Why a chance event with these changes is refused: values, or functions of what was there."""
    event = GAME.words.chance(at_chance(4, 3, kind, True).record)
    houses = GAME.words.chance(at_chance(4, 3, "houses", True).record)["houses"]
    for key, change in changes.items():
        event[key] = change(event[key], houses) if callable(change) else change
    game = at_chance(4, 3, kind, False)
    with pytest.raises(ValueError, match=r".") as refusal:
        GAME.words.fill_chance(game.record, event)
    return str(refusal.value)


def test_houses_and_hands_of_a_wrong_size_are_refused():
    assert refused("houses", houses=lambda houses, _: [houses[0][1:], *houses[1:]]) == "seat 0 is dealt 3 cards, not 2"
    assert refused("deal", hands=lambda hands, _: [*hands[:3], [*hands[3], "2H"]]) == "seat 3 is dealt 8 cards, not 9"


def test_cards_that_are_none_or_there_twice_or_in_a_house_are_refused():
    def with_card(card):
        return lambda hands, houses: [hands[0], [card or houses[2][0], *hands[1][1:]], *hands[2:]]

    assert refused("deal", hands=with_card("1H")) == "'1H' is not a card"
    assert refused("deal", hands=with_card("??")) == "'??' is not a card"
    assert "cannot be here" in refused("deal", hands=with_card(None))
    assert "is there twice" in refused("deal", hands=lambda hands, _: [[hands[0][1], *hands[0][1:]], *hands[1:]])
    assert "cannot be here" in refused(
        "deal", hands=lambda hands, _: [hands[0], [hands[0][0], *hands[1][1:]], *hands[2:]]
    )
    assert "cannot be here" in refused("houses", houses=lambda houses, _: [houses[0], houses[0], *houses[2:]])


@ruling("R2")
def test_a_sign_that_lies_in_a_house_or_a_hand_is_refused():
    hands = GAME.words.chance(at_chance(4, 3, "deal", True).record)["hands"]
    assert "cannot be here" in refused("deal", sign=lambda _, houses: houses[1][1])
    assert "cannot be here" in refused("deal", sign=hands[2][0])
    assert refused("deal", sign="") == "'' is not a card"


@pytest.mark.parametrize("seat", range(5))
def test_a_seat_witnesses_its_own_house_and_hand_and_the_sign(seat):
    for kind, key, each in (("houses", "houses", 3), ("deal", "hands", 7)):
        event = GAME.words.chance(at_chance(5, 3, kind, True).record)
        before = repr(event)
        seen = GAME.words.witnessed_chance(event, seat)
        assert seen[key][seat] == event[key][seat]
        assert all(seen[key][other] == ["??"] * each for other in range(5) if other != seat)
        assert {k: v for k, v in seen.items() if k != key} == {k: v for k, v in event.items() if k != key}
        assert repr(event) == before
    event = {"chance": "dealer", "seat": 2}
    assert GAME.words.witnessed_chance(event, seat) == event


# --- Choices as others see them -------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_choice_is_made_openly(players):
    events = random_story(players, 1, many(400, 30))
    actions = [GAME.action(event["action"], event["seat"], players) for event in events if "action" in event]
    for seat in range(players):
        seen = list(records.transcript(GAME, players, {}, 1, actions, seat))[1:]
        assert [(one["seat"], one["action"]) for one in seen if "action" in one] == [
            (one["seat"], one["action"]) for one in events if "action" in one
        ]


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(game: Position, choice: str) -> str:
    """Why the seat to move may not choose so."""
    assert choice not in legal(game)
    action = GAME.action(choice, game.seat, game.players)
    return GAME.words.why_not(game.seen_by(game.seat).record, action)


@ruling("R4")
def test_why_a_claim_is_not_legal():
    game = choose(start(3, seed=1, dealer=2), "claim 3", "claim 1")
    assert why_not(game, "claim 4") == "the others claim 4, and the dealer may not bring the total to 8"
    assert why_not(game, "keep") == "claims are being made"
    game = start(5, seed=1, dealer=2)
    assert why_not(game, "claim 8") == "there are only 7 tricks"


@ruling("R1")
def test_why_a_card_may_not_be_played_or_called():
    game = choose(position(["AH 3C", "KH 4D", "QH 5C"], ["", "TD 8H", ""]), "play AH")
    assert why_not(game, "play 4D") == "its hand can follow hearts"
    assert why_not(game, "call TD") == "its hand can follow hearts"
    assert why_not(game, "play 9H") == "9H is not in its hand"
    assert why_not(game, "play 8H") == "8H is not in its hand"
    assert why_not(game, "call KH") == "KH is not in its House"
    assert why_not(game, "claim 1") == "a trick is being played"
    assert why_not(game, "keep") == "a trick is being played"
    choose(game, "1: call 8H", "2: play QH", "0: play 3C")
    assert why_not(game, "call TD") == "it has called on its House this round"


@ruling("R8")
def test_why_a_debt_may_not_be_paid_so():
    game = reckoning([0, 1, 1, 1], [8, 0, 0, 0], ["6H", "", "", ""], seals=[2, 0, 2, 1])
    assert why_not(game, "sacrifice 1") == "seat 1 has no Seal to lose"
    assert why_not(game, "sacrifice 2") == "seat 2 has 2 of its own 2 Seals: only fewer will do"
    assert why_not(game, "sacrifice nobody") == "there are only 4 players"
    assert why_not(game, "answer 7H") == "7H is not in its House"
    assert why_not(game, "keep") == "it owes a Debt, and must let its House answer or sacrifice a seat"
    assert why_not(game, "clear 6H") == "it owes a Debt, and must let its House answer or sacrifice a seat"


def test_why_a_mark_may_not_be_cleared_so():
    game = reckoning([8, 0, 0], [8, 0, 0], ["6H", "", ""], marks=[1])
    assert why_not(game, "clear 7H") == "7H is not in its House"
    for choice in ("answer 6H", "play 6H", "sacrifice 1"):
        assert why_not(game, choice) == "it may clear a Mark with a House card, or keep its Marks"


REASONS = [
    "claims are being made", "there are only . tricks", "the others claim", "a trick is being played", "has called on its House",
    "is not in its House", "is not in its hand", "can follow", "owes a Debt", "no Seal to lose", "only fewer will do", "there are only . players",
]  # fmt: skip


@pytest.mark.slow
def test_every_illegal_action_in_random_positions_has_a_reason():
    reasons = set()
    for players in (3, 4, 5):
        for batch in random_steps(many(4, 1), many(120, 60), players, seed=players):
            for i in range(batch.n):
                view = batch.views[i : i + 1].view(np.recarray)[0]
                for action in np.flatnonzero(batch.masks[i] == 0):
                    reason = GAME.words.why_not(view, int(action))
                    assert isinstance(reason, str)
                    assert reason
                    reasons.add(reason)
    for words in REASONS:
        assert any(re.search(words, reason) for reason in reasons), words


def test_a_batch_names_the_game_the_seat_the_choice_and_the_reason():
    batch = Batch(GAME, 2, players=5, seed=5)
    actions = np.array([np.flatnonzero(mask)[0] for mask in batch.masks])
    actions[1] = GAME.action("claim 8", 0, 5)
    reason = f"game 1: player_{batch.seats[1]} may not choose `claim 8`: there are only 7 tricks"
    with pytest.raises(IllegalAction, match=reason):
        batch.step(actions)


# --- The table as text ----------------------------------------------------------------------------------------


def test_the_table_as_text_shows_what_a_seat_knows():
    game = position(
        ["AH 3C", "KH 4D", "QS 5C"], ["TD", "8H 9H", ""], "5S", claims=[2, 0, 3], taken=[2, 1, 3], seals=[1, 4, 0],
        marks=[0, 2, 0], round_no=3,
    )  # fmt: skip
    choose(game, "0: play AH")
    assert GAME.words.describe(game.seen_by(0).record).split("\n") == [
        "The Sovereign Hand, round 3 of 10: the Sign is 5S, spades are Sovereign",
        "  seat 0   1 Seals  0 Marks  2 of 2 tricks  House TD  hand 3C",
        "  seat 1   4 Seals  2 Marks  1 of 0 tricks  House ?? ??  hand ?? ??  [to move]",
        "  seat 2   0 Seals  0 Marks  3 of 3 tricks  House -  hand ?? ??  [dealer]",
        "  The trick, hearts led: AH by seat 0",
    ]
    choose(game, "1: call 9H")
    text = GAME.words.describe(game.seen_by(2).record)
    assert text.endswith("The trick, hearts led: AH by seat 0, 9H by seat 1")
    assert "House ??  hand ?? ??  [called on its House]" in text


def test_the_table_as_text_shows_a_reckoning():
    game = reckoning([0, 1, 1], [8, 0, 0], ["6H 7H", "6D", ""], marks=[1, 0, 0])
    lines = GAME.words.describe(game.seen_by(1).record).split("\n")
    assert lines[1].endswith("[to pay a Debt]")
    assert lines[2].endswith("House 6D  hand -  [owes a Debt]")
    choose(game, "0: answer 6H", "1: answer 6D")
    assert "[may clear a Mark]" in GAME.words.describe(game.seen_by(0).record)


def test_the_table_as_text_can_be_given_at_any_time():
    for kind, rolled in itertools.product(("dealer", "houses", "deal"), (False, True)):
        text = GAME.words.describe(at_chance(3, 1, kind, rolled).record)
        assert text.startswith("The Sovereign Hand, round 1 of 10\n")
        assert "to move" not in text
        assert "are Sovereign" not in text
    game = reckoning([8, 0, 0], [8, 0, 0], ["", "", ""])
    assert game.seat == CHANCE
    assert "round 2 of 10\n" in GAME.words.describe(game.record)
    finished = reckoning([8, 0, 1], [8, 0, 0], ["", "", ""], seals=[3, 0, 0])
    for seat in range(3):
        text = GAME.words.describe(finished.seen_by(seat).record)
        assert text.endswith("The game is over.")
        assert "to move" not in text
        assert "may clear" not in text
    for players in (3, 4, 5):
        assert GAME.words.describe(start(players, seed=1).record).count("no claim") == players
        assert f"{' '.join(['??'] * size(players))}" in GAME.words.describe(start(players, seed=1).seen_by(0).record)
