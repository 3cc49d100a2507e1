"""The expert of The Justiciar: what it does in positions where the right move is plain, and how well it plays."""

import numpy as np

from handfast.agents.experts.justiciar import expert
from handfast.envs.core.cards import parse_cards
from handfast.envs.core.decisions import Decisions
from handfast.envs.core.table import NONE
from handfast.envs.justiciar.rules import ACCUSED, DECK, TURN
from handfast.envs.registry import get

GAME = get("justiciar")
FORMATION = 2  # round 2: the Commission's suit is clubs


def cards(names: str) -> int:
    return parse_cards(names.split(), DECK)


def choice(
    hand: str,
    counts: tuple[int, ...],
    table: str = "",
    owner: int = 1,
    holder: int = 1,
    accuser: int = NONE,
    shown: dict[int, str] | None = None,
    played: str = "",
) -> str:
    """What the expert in seat 0 does with this hand; `counts` are the other hands, the suit is clubs."""
    games = GAME.blank(len(counts) + 1)
    game = games.view(np.recarray)[0]
    game.round_no = FORMATION
    game.frozen_by[:] = NONE
    game.frozen_by[0] = 2
    game.holder, game.leader, game.drew_seat, game.accuser = holder, 1, NONE, accuser
    game.hands[0] = cards(hand)
    game.counts[: len(counts) + 1] = (len(hand.split()), *counts)
    game.played[2] = cards(played)
    for seat, names in (shown or {}).items():
        game.shown[seat] = cards(names)
        game.hands[seat] = cards(names)
    game.play_owner = NONE
    if table:
        laid = cards(table)
        ranks = sorted({"23456789TJQK".index(card[0]) for card in table.split()})
        game.play_size, game.play_run, game.play_rank = len(table.split()), len(ranks) > 1, ranks[-1]
        game.play_owner, game.play_cards = owner, laid
        game.played[owner] |= laid
    game.seat, game.phase = 0, ACCUSED if accuser != NONE else TURN
    views, masks, features = GAME.unchecked.look(games, 0)
    action = int(expert(Decisions(GAME, views, np.zeros(1, np.int32), masks, features, np.zeros(1, np.uint64)))[0])
    assert masks[0, action] == 1
    return GAME.choice(action, 0, len(counts) + 1)


# --- Turns ----------------------------------------------------------------------------------------------------


def test_it_goes_out_with_a_set_that_beats_the_table():
    assert choice("9H 9S", (6, 6, 6), table="5H 5D") == "play 9H 9S"


def test_it_goes_out_by_leading_a_run():
    assert choice("4H 5S 6D 7H", (6, 6, 6)) == "run 4-7"


def test_it_never_passes_when_it_can_go_out():
    for others in ((1, 1, 1), (5, 2, 9), (11, 11, 11)):
        for holder in range(4):
            assert choice("KH", others, table="QH", holder=holder) != "pass"
            assert choice("8H 9H TH", others, table="2S 3S 4S", holder=holder) != "pass"


def test_a_holder_rids_itself_of_the_commission_before_it_goes_out():
    assert choice("KH", (2, 2, 2), table="QH", holder=0).startswith("accuse")


def test_it_does_not_wait_to_go_out_where_all_others_can_refute():
    shown = {1: "2C", 2: "3C", 3: "4C"}
    assert choice("KH", (9, 9, 9), table="QH", holder=0, shown=shown) == "play KH"


def test_it_leads_its_longest_play_from_a_hand_of_low_cards():
    assert choice("2H 3S 4D 5H 6S 9D QH", (5, 5, 5)) == "run 2-6"


def test_it_leads_the_card_that_nobody_can_beat_and_then_goes_out():
    assert choice("2H KS", (3, 3, 3)) == "play KS"


def test_it_beats_a_seat_that_has_one_card_left():
    assert choice("3H 8S QD QH", (1, 5, 5), table="7H") != "pass"


def test_it_keeps_the_commissions_suit_to_refute_with():
    assert choice("8C 8H 2S 4D 5D", (1, 5, 5), table="7H") == "play 8H"


def test_it_does_not_accuse_a_seat_that_would_refute_with_its_last_card():
    for shown in range(1, 4):
        others = [2, 2, 2]
        others[shown - 1] = 1
        assert choice("4H 6S 9S", tuple(others), table="KH", holder=0, shown={shown: "2C"}) != f"accuse {shown}"


# --- Answers --------------------------------------------------------------------------------------------------


def test_it_refutes_with_a_useless_card_rather_than_take_the_commission_at_the_end():
    assert choice("2C TC JH QS KC", (1, 3, 3), table="9H", accuser=2, holder=2) == "refute 2C"


def test_it_refutes_with_its_last_card():
    assert choice("KC", (5, 5, 5), accuser=2, holder=2) == "refute KC"


def test_it_accepts_where_nothing_else_is_left():
    assert choice("2H KH", (5, 5, 5), accuser=2, holder=2) == "accept"
