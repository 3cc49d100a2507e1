"""The rule-based agents of The Sovereign Hand: what they do in positions where the right move is plain, and their characters."""

from collections.abc import Sequence

import numpy as np
import pytest

from handfast.agents.names import built_in, find
from handfast.envs.core.batch import Batch
from handfast.envs.core.cards import parse_cards
from handfast.envs.core.decisions import Decisions
from handfast.envs.core.table import NONE
from handfast.envs.sovereign_hand import GAME
from handfast.envs.sovereign_hand.rules import CLAIM, CLEARING, DEBT, DECK, HOUSE, SACRIFICE, TRICK
from handfast.envs.sovereign_hand.words import NAMES

RIVALS = ("archivist", "gambler", "heir", "masked_guest")
SIZE = 8


def cards(names: str) -> int:
    return parse_cards(names.split(), DECK)


def position(
    phase: int,
    hand: str = "",
    house: str = "",
    sign: str = "6C",
    seals: Sequence[int] = (0, 0, 0, 0),
    marks: Sequence[int] = (0, 0, 0, 0),
    claims: Sequence[int] = (NONE,) * 4,
    taken: Sequence[int] = (0, 0, 0, 0),
    table: str = "",
    called: bool = False,
    round_no: int = 1,
) -> np.ndarray:
    """Four players, seat 0 to move; `table`, the trick so far, was laid by the seats to its right, the last by seat 3.

    As far as seat 0 sees it: the others' cards and what was played before are left out.
    """
    games = GAME.blank(4)
    game = games.view(np.recarray)[0]
    now, laid = round_no - 1, table.split()
    game.round_no, game.sign, game.dealer, game.phase, game.seat = round_no, NAMES.index(sign), 3, phase, 0
    game.hands[0, now], game.houses[0] = cards(hand), cards(house)
    game.house_counts[:4] = HOUSE
    game.house_counts[0] = len(house.split())
    game.seen[now] = cards(sign) | cards(table)
    game.seals[:4], game.marks[:4], game.taken[:4] = seals, marks, taken
    game.claims[:], game.trick[:], game.led = NONE, NONE, NONE
    game.claims[:4] = claims
    game.called = int(called)
    game.leader = -len(laid) % 4
    left = SIZE - sum(taken)
    for seat in range(4):
        game.counts[now, seat] = left
    for seat, card in zip(range(4 - len(laid), 4), laid, strict=True):
        game.trick[seat] = NAMES.index(card)
        game.counts[now, seat] -= 1
    game.counts[now, 0] = len(hand.split())
    if laid:
        game.led = NAMES.index(laid[0]) % 4
    game.owing = 1 if phase == DEBT else 0
    game.clearing = 1 if phase == CLEARING else 0
    return games


def choice(games: np.ndarray, agent: str = "expert", key: int = 0) -> str:
    """What an agent in seat 0 does."""
    views, masks, features = GAME.unchecked.look(games, 0)
    asked = Decisions(GAME, views, np.zeros(1, np.int32), masks, features, np.array([key], np.uint64))
    action = int(find(agent, GAME)(asked)[0])
    assert masks[0, action] == 1
    return GAME.choice(action, 0, 4)


def choices(agent: str, phase: int, n: int = 400, steps: int = 120) -> list[tuple[np.ndarray, int]]:
    """The decisions (mask and action) of one phase, of tables where all play as `agent`."""
    found = []
    batch, player = Batch(GAME, n, 4, 5), find(agent, GAME)
    for _ in range(steps):
        asked = batch.decisions()
        actions = player(asked)
        found += [(asked.masks[i].copy(), int(actions[i])) for i in np.flatnonzero(asked.views["phase"] == phase)]
        batch.step(actions)
    return found


# --- Tricks ---------------------------------------------------------------------------------------------------


def test_it_ducks_with_the_highest_card_that_stays_below_once_it_has_its_claim():
    games = position(TRICK, "3H 9H KH", claims=(1, 2, 3, 1), taken=(1, 2, 1, 1), table="5H 7H JH")
    assert choice(games) == "play 9H"


def test_it_takes_the_last_trick_that_it_needs():
    games = position(TRICK, "3H KH", claims=(1, 2, 3, 1), taken=(0, 2, 3, 1), table="5H 7H JH")
    assert choice(games) == "play KH"


def test_it_ruffs_for_a_trick_that_it_needs_and_throws_off_otherwise():
    table = {"taken": (0, 2, 3, 1), "table": "5H 7H JH"}
    assert choice(position(TRICK, "3C 3S", claims=(1, 2, 3, 2), **table)) == "play 3C"
    assert choice(position(TRICK, "3C 3S", claims=(0, 2, 3, 2), **table)) == "play 3S"


def test_it_takes_an_ace_with_the_usurper_when_it_needs_the_trick():
    games = position(TRICK, "2H KH", claims=(1, 2, 3, 1), taken=(0, 2, 3, 1), table="5H 7H AH")
    assert choice(games) == "play 2H"


def test_it_knows_that_its_ace_falls_to_the_usurper():
    games = position(TRICK, "AH TH", claims=(1, 2, 3, 1), taken=(1, 2, 3, 0), table="2H 7H JH")
    assert choice(games) == "play AH"


def test_it_leads_low_when_it_wants_no_more_tricks():
    games = position(TRICK, "3H AC KS", claims=(0, 3, 3, 2), taken=(0, 2, 2, 1))
    assert choice(games) == "play 3H"


def test_it_leads_the_highest_sovereign_card_when_it_needs_every_trick():
    games = position(TRICK, "AC KC", claims=(2, 2, 3, 1), taken=(0, 2, 3, 1))
    assert choice(games) in ("play AC", "play KC")


# --- The House ------------------------------------------------------------------------------------------------


def test_it_calls_on_the_house_where_no_hand_card_makes_the_claim():
    games = position(TRICK, "4H", "AH 3S 5D", claims=(1, 2, 3, 1), taken=(0, 2, 3, 2), table="5H 7H JH")
    assert choice(games) == "call AH"


def test_it_keeps_the_house_where_a_hand_card_does_as_well():
    games = position(TRICK, "AH", "KH 3S 5D", claims=(1, 2, 3, 1), taken=(0, 2, 3, 2), table="5H 7H JH")
    assert choice(games) == "play AH"


def test_it_ducks_under_with_a_house_card():
    games = position(TRICK, "KH", "3H 8S 5D", claims=(1, 2, 3, 1), taken=(1, 2, 3, 1), table="5H 7H JH")
    assert choice(games) == "call 3H"


def test_it_does_not_call_for_a_claim_that_is_lost():
    games = position(TRICK, "4H 5H", "AH 3S 5D", claims=(5, 2, 3, 1), taken=(0, 2, 3, 1), table="6H 7H JH")
    assert choice(games).startswith("play")


# --- Claims ---------------------------------------------------------------------------------------------------


def test_it_claims_nothing_with_nothing():
    assert choice(position(CLAIM, "3H 4H 5S 6S 7D 3D 4D 5D", "3S 7H 8D")) == "claim 0"


@pytest.mark.parametrize("agent", ["expert", "archivist", "gambler", "heir"])
def test_all_claim_boldly_with_the_highest_sovereign_cards(agent):
    games = position(CLAIM, "AC KC QC JC TC 9C AH KH", "3S 7H 8D")
    assert int(choice(games, agent).split()[1]) >= 4


# --- The Reckoning --------------------------------------------------------------------------------------------


def test_a_debtor_sacrifices_the_seat_nearest_to_the_crown():
    assert choice(position(DEBT, house="3S 7H 8D", seals=(4, 1, 3, 2))) == "sacrifice 2"


def test_it_clears_its_marks_for_the_crown_and_at_the_end_but_not_before():
    assert choice(position(CLEARING, house="3S AH", seals=(5, 1, 3, 2), marks=(1, 0, 0, 0))).startswith("clear")
    assert choice(position(CLEARING, house="3S AH", seals=(2, 1, 3, 2), marks=(1, 0, 0, 0), round_no=10)) != "keep"
    assert choice(position(CLEARING, house="3S AH", seals=(2, 1, 3, 2), marks=(1, 0, 0, 0))) == "keep"


def test_it_gives_up_a_middling_house_card_first():
    assert choice(position(DEBT, house="2S 8H AD")) == "answer 8H"


# --- Characters -----------------------------------------------------------------------------------------------


def test_the_rivals_of_the_rules_are_found_by_name():
    assert built_in(GAME) == ["random", "expert", *RIVALS]


def test_the_gambler_claims_half_a_trick_more_than_the_archivist():
    gambler, archivist = (
        np.mean([action for _, action in choices(agent, CLAIM)]) for agent in ("gambler", "archivist")
    )
    assert gambler > archivist + 0.5


def test_the_archivist_never_sacrifices_while_it_has_a_house_card():
    made = choices("archivist", DEBT)
    could = [action < SACRIFICE for mask, action in made if mask[:SACRIFICE].any() and mask[SACRIFICE:].any()]
    assert len(could) > 20
    assert all(could)


def test_the_heir_sacrifices_whenever_it_may():
    made = choices("heir", DEBT)
    could = [action >= SACRIFICE for mask, action in made if mask[SACRIFICE:].any()]
    assert len(could) > 20
    assert all(could)


def test_the_archivist_clears_its_marks_at_once_and_the_heir_lets_them_lie():
    games = position(CLEARING, house="3S AH", seals=(2, 1, 3, 2), marks=(1, 0, 0, 0))
    assert choice(games, "archivist") == "clear 3S"
    assert choice(games, "heir") == "keep"


def test_the_masked_guest_chooses_by_its_key():
    games = position(DEBT, house="3S 7H 8D", seals=(4, 1, 3, 2))
    made = {choice(games, "masked_guest", key) for key in range(1 << 60, 1 << 64, 1 << 60)}
    assert made == {"answer 8D", "sacrifice 2"}
    assert len({choice(games, "expert", key) for key in range(1 << 60, 1 << 64, 1 << 60)}) == 1
