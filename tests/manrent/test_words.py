"""Manrent in words: choices, luck, what a seat sees of both, reasons, the table as text."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels, records
from handfast.envs.core.batch import Batch
from handfast.envs.core.table import CHANCE
from handfast.envs.manrent.cards import DEAL, KINGS
from handfast.envs.manrent.rules import ACTIONS
from tests.rulings import many, ruling

from .table import (
    GAME,
    HANDS,
    Position,
    choose,
    deal_event,
    legal,
    luck_decides,
    position,
    random_steps,
    reshuffle,
    start,
)

FOUR = ("2H", "2S", "2D", "2C")


# --- Choices --------------------------------------------------------------------------------------------------


def test_choices_are_written_as_the_page_lists_them():
    verbs = Counter(GAME.choice(action, 0, 4).split()[0] for action in range(ACTIONS))
    assert verbs == {
        "row": 36, "stock": 1, "invite": 12, "secure": 12, "entice": 12, "pass": 1, "pay": 36, "done": 1,
        "discard": 36, "protect": 12, "yield": 12, "tribute": 36,
    }  # fmt: skip
    assert {GAME.choice(GAME.action(words, 2, 4), 1, 4) for words in ("row TH", "invite QH", "tribute 2C")} == {
        "row TH", "invite QH", "tribute 2C",
    }  # fmt: skip


def test_every_choice_has_words_of_its_own():
    words = [GAME.choice(action, 3, 4) for action in range(ACTIONS)]
    assert len(set(words)) == ACTIONS
    assert [GAME.action(one, 0, 4) for one in words] == list(range(ACTIONS))


# --- Luck -----------------------------------------------------------------------------------------------------


def at_deal(round_no: int = 1) -> Position:
    """A position that waits for the deal of a round."""
    game = Position(GAME.blank(4, {}))
    GAME.move(game.games, kernels.DEAL, seeds=3)
    luck_decides(game)
    game.record.round_no = game.record.turns = round_no
    game.record.market |= sum(1 << king for king in KINGS[:round_no])
    return game


def deal(round_no: int = 1, **changes: Any) -> dict[str, Any]:
    return {"chance": "deal", "round": round_no, **deal_event(), **changes}


def refused(event: dict[str, Any], game: Position | None = None) -> str:
    """Why luck could not have decided so, the position being left as it was."""
    game = game or at_deal(event.get("round", 1))
    before = game.games.tobytes()
    with pytest.raises(ValueError, match=r".") as caught:
        GAME.words.fill_chance(game.record, event)
    assert game.games.tobytes() == before
    return str(caught.value)


def test_luck_is_written_down_as_the_page_says():
    game = Position(GAME.blank(4, {}))
    GAME.move(game.games, kernels.DEAL, seeds=3)
    GAME.move(game.games, kernels.ROLL)
    assert GAME.words.chance(game.record) == {"chance": "first", "seat": game.first_player}
    GAME.move(game.games, kernels.RESUME)
    GAME.move(game.games, kernels.ROLL)
    event = GAME.words.chance(game.record)
    assert list(event) == ["chance", "round", "hands", "row", "shown", "stock"]
    assert [len(event[key]) for key in ("hands", "row", "stock")] == [4, 4, 5]
    GAME.move(game.games, kernels.RESUME)
    assert [" ".join(hand) for hand in event["hands"]] == [game.hand(seat) for seat in range(4)]
    assert (" ".join(event["row"]), " ".join(event["stock"])) == (game.places(), game.stock_cards())


@ruling("R10")
def test_a_reshuffle_is_written_down_from_the_top_on():
    game = choose(position(HANDS), "0: stock")
    GAME.move(game.games, kernels.ROLL)
    event = GAME.words.chance(game.record)
    assert list(event) == ["chance", "stock"]
    assert event["chance"] == "reshuffle"
    GAME.move(game.games, kernels.RESUME)
    assert event["stock"][0] in game.hand(0)
    assert " ".join(event["stock"][1:]) == game.stock_cards()


@pytest.mark.parametrize("round_no", [1, 2, 3, 4])
def test_a_deal_that_is_written_down_can_be_filled_in_again(round_no):
    game = at_deal(round_no)
    GAME.move(game.games, kernels.ROLL)
    event = GAME.words.chance(game.record)
    other = at_deal(round_no)
    records.match(GAME.words.chance_form(other.record), event, 1)
    GAME.words.fill_chance(other.record, event)
    for one in (game, other):
        GAME.move(one.games, kernels.RESUME)
    assert game.games.tobytes() == other.games.tobytes()


def test_events_of_a_wrong_form_do_not_match():
    form = GAME.words.chance_form(at_deal().record)
    for wrong in ({"round": 2}, {"hands": HANDS}, {"row": ["9H"]}, {"shown": "AH"}, {"chance": "reshuffle"}):
        with pytest.raises(records.RecordError):
            records.match(form, deal() | wrong, 1)
    form = GAME.words.chance_form(choose(position(HANDS), "0: stock").record)
    assert form == {"chance": "reshuffle", "stock": [str]}


def test_the_first_player_is_a_seat():
    game = Position(GAME.blank(4, {}))
    GAME.move(game.games, kernels.DEAL)
    assert GAME.words.chance_form(game.record) == {"chance": "first", "seat": int}
    assert "seat from 0 to 3" in refused({"chance": "first", "seat": 4}, game)
    assert "seat from 0 to 3" in refused({"chance": "first", "seat": -1}, game)


def test_deals_that_luck_could_not_give_are_refused():
    assert refused(deal(hands=[["2H"], *deal()["hands"][1:]])) == "seat 0 is dealt 7 cards, not 1"
    twice = [deal()["hands"][0], ["2H", *deal()["hands"][1][1:]], *deal()["hands"][2:]]
    assert refused(deal(hands=twice)) == "2H cannot be here"
    assert refused(deal(hands=[["JH", *HANDS[0].split()[1:]], *deal()["hands"][1:]])) == "JH cannot be here"
    assert refused(deal(row=["9H", "9H", "9D", "9C"])) == "9H is there twice"
    assert refused(deal(row=["AH", "9S", "9D", "9C"])) == "AH cannot be here"
    assert refused(deal(stock=["TH", "TS", "TD", "TC"])) == "round 1 has 1 Aces in the Stock, not 0"
    assert refused(deal(stock=["TH", "TS", "TD", "TC", "AH", "AS"])) == "round 1 has 1 Aces in the Stock, not 2"
    assert refused(deal(2)) == "round 2 has 2 Aces in the Stock, not 1"
    assert refused(deal(stock=["TH", "TS", "TD", "AH"])) == "TC is missing"
    assert refused(deal(stock=["TH", "TS", "TD", "9C", "AH"])) == "9C cannot be here"
    assert refused(deal(stock=["TH", "TS", "TD", "??", "AH"])) == "'??' is not a card"


@ruling("R12")
def test_aces_shown_must_be_in_the_stock():
    assert refused(deal(shown=["AS"])) == "AS cannot be here"
    assert refused(deal(shown=["AH", "AH"])) == "AH is there twice"
    game = at_deal()
    GAME.words.fill_chance(game.record, deal(shown=["AH"]))
    assert game.shown == 1 << 48


def test_a_reshuffle_is_of_the_market_discard():
    game = position(["2H", "", "", ""], rest=3, act=True)
    game.record.discard, game.record.hands[0], game.record.counts[0], game.record.hidden[0, 0] = 1, 0, 0, 0
    choose(game, "0: pass", "1: stock")
    assert refused({"chance": "reshuffle", "stock": ["3H"]}, game) == "3H cannot be here"
    assert refused({"chance": "reshuffle", "stock": []}, game) == "2H is missing"
    assert reshuffle(game, "2H").hand(1) == "2H"


@pytest.mark.parametrize("seat", range(4))
def test_a_seat_witnesses_its_own_hand_the_row_and_the_aces_shown(seat):
    event = deal(shown=["AH"])
    before = repr(event)
    seen = GAME.words.witnessed_chance(event, seat)
    assert seen["hands"] == [event["hands"][i] if i == seat else ["??"] * 7 for i in range(4)]
    assert (seen["row"], seen["shown"], seen["stock"]) == (event["row"], ["AH"], ["??"] * 5)
    assert repr(event) == before


def test_nobody_witnesses_the_order_of_a_reshuffle_and_everyone_who_is_first():
    event = {"chance": "reshuffle", "stock": ["2H", "3H"]}
    assert GAME.words.witnessed_chance(event, 0) == {"chance": "reshuffle", "stock": ["??", "??"]}
    assert GAME.words.witnessed_chance({"chance": "first", "seat": 2}, 0) == {"chance": "first", "seat": 2}


def test_choices_are_seen_as_they_are_made():
    for batch in random_steps(many(20, 1), many(60, 20), seed=2):
        record = batch.games[:1].copy().view(np.recarray)[0]
        action = int(np.flatnonzero(batch.masks[0])[-1])
        seen = GAME.words.witnessed_choice(record, action, record, (int(record.seat) + 1) % 4)
        assert seen == [(int(record.seat), GAME.choice(action, 0, 4))]


def test_a_record_seen_by_a_seat_names_no_stock_and_every_choice():
    batch = Batch(GAME, 1, seed=[4], restart=False, max_turns=12)
    actions = []
    while batch.seats[0] >= 0:
        batch.step_at_random()
        actions.append(int(batch.actions[0]))
    whole = list(records.transcript(GAME, 4, {"max_turns": 12}, 4, actions))
    for seat in range(4):
        own = list(records.transcript(GAME, 4, {"max_turns": 12}, 4, actions, seat))
        assert [(e["seat"], e["action"]) for e in own if "action" in e] == [
            (e["seat"], e["action"]) for e in whole if "action" in e
        ]
        assert all(set(e["stock"]) <= {"??"} for e in own if "stock" in e)


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(game: Position, choice: str) -> str:
    """Why the seat to move may not choose so."""
    assert choice not in legal(game)
    return GAME.words.why_not(game.seen_by(game.seat).record, GAME.action(choice, game.seat, 4))


def reasons(game: Position, expected: dict[str, str]) -> None:
    assert {choice: why_not(game, choice) for choice in expected} == expected


def test_why_a_draw_is_not_possible():
    game = position(FOUR, row="TH TS -- --", rest=3)
    reasons(game, {
        "row TD": "TD is not in the Row",
        "stock": "neither the Stock nor the Market Discard has a card",
        "pass": "it must draw first",
        "discard 2H": "it must draw first",
    })  # fmt: skip


def test_why_an_action_is_not_possible():
    game = position(["9H 5S", *FOUR[1:]], act=True, courts=["QH", "KH", "", ""], houses=["", "", "JD", ""])
    reasons(game, {
        "invite KH": "KH is not in the Royal Market",
        "invite JD": "JD is not in the Royal Market",
        "invite KD": "KD is not in the Royal Market",
        "invite QS": "its hand counts 15 toward QS, which costs 20",
        "secure KH": "KH is not in its Court",
        "entice KH": "its hand counts 15 toward KH, which costs 25",
        "entice QH": "QH is in no other Court",
        "entice JH": "JH is in no other Court",
        "row TH": "it has drawn and must act",
        "done": "it has drawn and must act",
    })  # fmt: skip
    game = position(["2S", *FOUR[2:], "3S"], act=True, courts=["QH", "", "", ""])
    reasons(game, {"secure QH": "its hand counts 2 toward QH, which costs 10"})


def test_why_a_payment_does_not_go_on_so():
    game = choose(position(["9H 5S", *FOUR[1:]], act=True), "0: invite JH", "pay 9H")
    reasons(game, {
        "done": "the cards offered count 10 and JH costs 15",
        "pay 9H": "9H is offered already",
        "pay 2H": "2H is not in its hand",
        "pass": "it is paying for a Royal and must go on until `done`",
    })  # fmt: skip


def test_why_a_discard_is_not_possible():
    game = choose(position([HANDS[0] + " 9H", *FOUR[1:]], act=True), "0: pass")
    reasons(game, {"discard 2S": "2S is not in its hand", "pass": "it must discard down to seven"})


def test_why_an_occupation_is_not_answered_so():
    game = choose(position(["2H 3H 2S", "", *FOUR[2:]], stock="AS 9S", courts=["JH JS", "", "", ""]), "0: stock")
    reasons(game, {
        "protect JH": "it does not hold two cards of spades",
        "yield JS": "JH is to be protected or yielded",
        "protect JS": "JH is to be protected or yielded",
        "tribute 2S": "it is asked to protect a Royal or to yield it",
    })  # fmt: skip


def test_why_tribute_is_not_paid_so():
    game = choose(
        position(["2H 3H 2S", "", *FOUR[2:]], stock="AH 9S", courts=["JH", "", "", ""]), "0: stock", "protect JH"
    )
    reasons(game, {
        "tribute 2S": "tribute is paid in hearts",
        "tribute 4H": "4H is not in its hand",
        "yield JH": "it must discard cards of the Tribute Suit for the Royal that it protects",
    })  # fmt: skip


def test_every_illegal_action_in_random_positions_has_a_reason():
    found = set()
    for batch in random_steps(many(30, 1), many(60, 15), seed=3):
        for i in range(0, batch.n, 5):
            view = batch.views[i : i + 1].view(np.recarray)[0]
            for action in np.flatnonzero(batch.masks[i] == 0):
                reason = GAME.words.why_not(view, int(action))
                assert isinstance(reason, str)
                assert reason
                found.add(re.sub(r"\b[2-9TJQKA][HSDC]\b|\d+", ".", reason))
    assert len(found) >= many(8, 2)


# --- The table as text ----------------------------------------------------------------------------------------


def test_the_table_as_text_shows_what_a_seat_knows():
    game = position(
        ["9H 5S 2D", "2S 3S", "2C", "3C"], active=0, act=True, row="9S -- TD TC", stock="4C AH AS", round_no=2, turns=6,
        first=1, courts=["", "QH", "JH", ""], houses=["JD KH", "", "", "QS"], upright="JD", known=["", "3S", "", ""],
        rest=3, reached=False,
    )  # fmt: skip
    choose(game, "0: entice JH", "pay 9H")
    lines = GAME.words.describe(game.seen_by(0).record).split("\n")
    assert lines == [
        "Manrent: Sworn & Sold, round 2 of 4, turn 7",
        "  Row: 9S -- TD TC   Stock: 3   Aces met: -   still in the Stock: ?? ??",
        "  Market Discard: -",
        "  Royal Market: JS JC QD QC KD",
        "  seat 0   40 points  Court: -  House: JD (KH)  [to move, active]",
        "            3 cards   2D 5S 9H",
        "  seat 1    5 points  Court: QH  House: -  [First Player]",
        "            2 cards   3S ??",
        "  seat 2    5 points  Court: JH  House: -",
        "            1 cards   ??",
        "  seat 3   20 points  Court: -  House: (QS)",
        "           26 cards   " + " ".join(["??"] * 26),
        "  Seat 0 pays 15 for JH and offers 9H, which count 10.",
    ]
    assert "9H ?? ??" in GAME.words.describe(game.seen_by(1).record)


def test_the_table_as_text_shows_occupations():
    game = position(FOUR, courts=["JH", "JS", "", ""], round_no=2, stock="AH AS 9C 8C 9D 8D TS")
    choose(game, "0: stock", "0: yield JH")
    text = GAME.words.describe(game.seen_by(3).record)
    assert text.split("\n")[-3:] == [
        "  Occupation of spades.", "  Occupation of hearts, interrupted.", "  Seat 1 is asked about JS.",
    ]  # fmt: skip


def test_the_table_as_text_shows_tribute_and_aces_that_everyone_knows_to_be_in_the_stock():
    game = position(
        ["2H 3H", "2S", "2D 3D", "3C"], courts=["JH", "", "", ""], round_no=4, stock="AH 9C 8C AS AD AC 9D 8D"
    )
    choose(game, "0: stock", "0: protect JH")
    text = GAME.words.describe(game.seen_by(3).record)
    assert "  Seat 0 pays tribute for JH: 2 of hearts to go." in text
    assert "Aces met: AH   still in the Stock: AS AD AC" in text


def test_the_table_as_text_says_that_the_game_is_over():
    game = choose(position(HANDS, act=True, turns=9, max_turns=10), "0: pass")
    text = GAME.words.describe(game.seen_by(2).record)
    assert text.endswith("The game is over.")
    assert "to move" not in text


@pytest.mark.slow
def test_the_table_can_be_described_and_drawn_at_every_step_for_every_seat():
    for batch in random_steps(many(10, 1), many(120, 10), seed=5):
        for i in range(0, batch.n, 3):
            for seat in range(4):
                view = Position(batch.games[i : i + 1].copy()).seen_by(seat).record
                assert GAME.words.describe(view).startswith("Manrent: Sworn & Sold")
                assert GAME.picture.draw(view).startswith("<svg")


def test_an_empty_table_before_the_deal_can_be_described():
    game = at_deal()
    assert (game.seat, game.phase) == (CHANCE, DEAL)
    assert "round 1" in GAME.words.describe(game.record)


def test_a_first_turn_in_words():
    text = GAME.words.describe(start().seen_by(0).record)
    assert "Row: 9H 9S 9D 9C   Stock: 5" in text
    assert HANDS[0] in text
