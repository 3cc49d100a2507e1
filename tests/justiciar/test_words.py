"""The Justiciar in words: choices, luck, what others see, why not, the table as text."""

import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch, IllegalAction
from handfast.envs.core.records import RecordError, match, transcript
from handfast.envs.core.table import CHANCE
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    RANK_NAMES,
    Position,
    choose,
    deal_on,
    every_play,
    legal,
    names,
    position,
    random_steps,
    start,
)

QUEENS = ["QH", "QS", "QD"]
SEATS = [(players, seat) for players in (3, 4, 5) for seat in range(players)]


# --- Choices --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seat"), SEATS)
def test_the_words_of_every_action_parse_back_to_it(players, seat):
    seen = set()
    for action in range(GAME.actions):
        words = GAME.choice(action, seat, players)
        if words != "accuse nobody":
            assert GAME.action(words, seat, players) == action
            seen.add(words)
    assert len(seen) == GAME.actions - (5 - players)


@pytest.mark.parametrize(("players", "seat"), SEATS)
def test_the_choices_are_those_of_the_rules_page(players, seat):
    words = {GAME.choice(action, seat, players) for action in range(GAME.actions)} - {"accuse nobody"}
    others = {f"accuse {other}" for other in range(players) if other != seat}
    single = {f"{verb} {card}" for verb in ("card", "refute") for card in ALL_CARDS}
    assert words == set(every_play(" ".join(ALL_CARDS))) | single | others | {"pass", "accept"}


@pytest.mark.parametrize(
    "words",
    ["", "play", "play 7S 7H", "play AS", "run 5-6", "run 8-5", "accuse 0", "accuse 4", "Pass", "play 7h", "pass "],
)
def test_other_words_are_no_choice(words):
    assert GAME.action(words, 0, 4) is None


def test_an_accused_seat_is_named_absolutely():
    for seat, left in itertools.product(range(4), range(1, 4)):
        other = (seat + left) % 4
        hands = ["4H KH", "5H KS", "6H KD", "7H KC"]
        game = position(hands, to_move=seat, holder=seat)
        assert choose(game, f"accuse {other}").seat == other


# --- Luck -----------------------------------------------------------------------------------------------------


def at_chance(players: int, seed: int, deal: bool, rolled: bool, **options) -> Position:
    """A game that waits for the leader, or for the deal; luck has decided where `rolled`."""
    game = Position(GAME.blank(players, options))
    GAME.move(game.games, kernels.DEAL, seeds=seed)
    if deal:
        GAME.move(game.games, kernels.ROLL)
        GAME.move(game.games, kernels.RESUME)
    if rolled:
        GAME.move(game.games, kernels.ROLL)
    return game


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("deal", [False, True])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_what_luck_decided_can_be_written_down_and_filled_in(players, deal, uneven):
    for seed in range(10):
        rolled = at_chance(players, seed, deal, True, uneven_deal=uneven)
        event = GAME.words.chance(rolled.record)
        waiting = at_chance(players, seed, deal, False, uneven_deal=uneven)
        match(GAME.words.chance_form(waiting.record), event, 1)
        GAME.words.fill_chance(waiting.record, event)
        assert waiting.games.tobytes() == rolled.games.tobytes()


def test_a_deal_names_its_round_every_hand_and_the_cards_set_aside():
    game = at_chance(5, 3, True, True)
    event = GAME.words.chance(game.record)
    assert event["chance"] == "deal"
    assert event["round"] == 1
    assert [len(hand) for hand in event["hands"]] == [9] * 5
    assert sorted(itertools.chain(*event["hands"], event["aside"])) == sorted(ALL_CARDS)
    with pytest.raises(RecordError, match="round must be 1 here, not 2"):
        match(GAME.words.chance_form(game.record), {**event, "round": 2}, 1)
    with pytest.raises(RecordError, match="hands is a list of 5"):
        match(GAME.words.chance_form(game.record), {**event, "hands": event["hands"][:4]}, 1)


@pytest.mark.parametrize("seat", [-1, 3, 4, -3])
def test_a_leader_who_does_not_take_part_is_refused(seat):
    game = at_chance(3, 0, False, False)
    with pytest.raises(ValueError, match=f"the leader must be a seat from 0 to 2, not {seat}"):
        GAME.words.fill_chance(game.record, {"chance": "lead", "seat": seat})


def refused(change, players: int = 5, **options) -> str:
    """Why a deal that was changed is refused."""
    event = GAME.words.chance(at_chance(players, 3, True, True, **options).record)
    hands, aside = change(event["hands"], event["aside"])
    game = at_chance(players, 3, True, False, **options)
    with pytest.raises(ValueError, match=r".") as refusal:
        GAME.words.fill_chance(game.record, {**event, "hands": hands, "aside": aside})
    return str(refusal.value)


def test_a_deal_of_too_few_or_too_many_cards_is_refused():
    assert refused(lambda hands, aside: ([hands[0][1:], *hands[1:]], aside)) == "seat 0 is dealt 9 cards, not 8"
    assert (
        refused(lambda hands, aside: ([*hands[:4], hands[4] + aside[:1]], aside[1:]))
        == "seat 4 is dealt 9 cards, not 10"
    )


def test_a_wrong_number_of_cards_set_aside_is_refused():
    assert refused(lambda hands, aside: (hands, aside[1:])) == "3 cards are set aside, not 2"
    assert refused(lambda hands, aside: (hands, [hands[0][0]]), players=4) == "0 cards are set aside, not 1"


@ruling("R1")
def test_an_uneven_deal_is_expected_from_the_leader_on():
    game = at_chance(5, 3, True, True, uneven_deal=True)
    leader, after = game.leader, (game.leader + 3) % 5

    def swapped(hands, aside):
        hands[after].append(hands[leader].pop())
        return hands, aside

    assert refused(swapped, uneven_deal=True) in (
        f"seat {leader} is dealt 10 cards, not 9",
        f"seat {after} is dealt 9 cards, not 10",
    )


def test_a_card_that_is_none_or_there_twice_or_dealt_already_is_refused():
    def first_card(name):
        return lambda hands, aside: ([[name, *hands[0][1:]], *hands[1:]], aside)

    assert refused(first_card("1H")) == "'1H' is not a card"
    assert refused(first_card("")) == "'' is not a card"
    assert refused(first_card("??")) == "'??' is not a card"
    assert refused(first_card("AS")) == "AS cannot be here"
    assert "is there twice" in refused(lambda hands, aside: ([[hands[0][1], *hands[0][1:]], *hands[1:]], aside))
    assert "cannot be here" in refused(
        lambda hands, aside: ([hands[0], [hands[0][0], *hands[1][1:]], *hands[2:]], aside)
    )
    assert "cannot be here" in refused(lambda hands, aside: (hands, [hands[0][0], *aside[1:]]))


@pytest.mark.parametrize("seat", range(5))
def test_a_seat_witnesses_its_own_hand_and_only_the_size_of_the_others(seat):
    event = GAME.words.chance(at_chance(5, 3, True, True).record)
    before = repr(event)
    seen = GAME.words.witnessed_chance(event, seat)
    assert seen["hands"][seat] == event["hands"][seat]
    assert all(seen["hands"][other] == ["??"] * 9 for other in range(5) if other != seat)
    assert seen["aside"] == ["??"] * 3
    assert (seen["chance"], seen["round"]) == ("deal", 1)
    assert repr(event) == before


def test_everyone_witnesses_who_leads():
    event = {"chance": "lead", "seat": 2}
    assert GAME.words.witnessed_chance(event, 0) == event


# --- Choices as others see them -------------------------------------------------------------------------------


def witnessed(game: Position, *choices: str, seat: int = 3) -> list[list[tuple[int, str]]]:
    """What a seat sees of each of these choices."""
    seen = []
    for choice in choices:
        before = game.copy()
        action = GAME.action(choice, game.seat, game.players)
        choose(game, choice)
        seen.append(GAME.words.witnessed_choice(before.record, action, game.record, seat))
    return seen


def test_sets_passes_and_accusations_are_seen_as_they_are():
    game = position(["9H 9S KH", "TS KC 4S", "6S KS", "7S QD"], holder=2)
    assert witnessed(game, "play 9H 9S", "pass", "accuse 1", "refute 4S", "pass") == [
        [(0, "play 9H 9S")],
        [(1, "pass")],
        [(2, "accuse 1")],
        [(1, "refute 4S")],
        [(3, "pass")],
    ]
    assert witnessed(position(["9H KH", *QUEENS], holder=0), "accuse 1", "accept")[1] == [(1, "accept")]


def test_a_run_is_seen_at_once_when_its_last_card_is_chosen():
    game = position(["5H 5S 6D 7H 7D 9H", *QUEENS])
    laid = [(0, "run 5-7"), (0, "card 5S"), (0, "card 6D"), (0, "card 7H")]
    assert witnessed(game, "run 5-7", "card 5S", "card 7H") == [[], [], laid]


def test_a_run_without_a_choice_is_seen_with_all_its_cards():
    game = position(["5H 6D 7C 9H", *QUEENS])
    assert witnessed(game, "run 5-7") == [[(0, "run 5-7"), (0, "card 5H"), (0, "card 6D"), (0, "card 7C")]]


def test_what_is_seen_of_a_run_does_not_tell_where_there_was_a_choice():
    chosen = witnessed(position(["5H 5S 6D 7H 9H", *QUEENS]), "run 5-7", "card 5H")
    automatic = witnessed(position(["5H 8S 6D 7H 9H", *QUEENS]), "run 5-7")
    assert chosen == [[], *automatic]


@pytest.mark.parametrize("round_no", [1, 4])
def test_a_run_that_ends_the_round_or_the_game_is_seen(round_no):
    run = [(0, "run 5-7"), (0, "card 5H"), (0, "card 6D"), (0, "card 7C")]
    game = position(["5H 6D 7C", "QH QS", "KH"], holder=1, round_no=round_no)
    assert witnessed(game, "run 5-7", seat=2) == [run]
    assert game.points[:3] == [0, 2, 1]


@pytest.mark.parametrize(
    ("hand", "choices"), [("5H 6D 7C 9H", ["run 5-7"]), ("5H 5S 6D 7C 9H", ["run 5-7", "card 5H"])]
)
def test_a_run_after_which_the_game_is_truncated_is_seen(hand, choices):
    run = [(0, "run 5-7"), (0, "card 5H"), (0, "card 6D"), (0, "card 7C")]
    game = position([hand, *QUEENS], turns=99, max_turns=100)
    assert witnessed(game, *choices)[-1] == run


LIMIT = many(100, 40)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_record_as_seen_by_a_seat_shows_every_card_that_left_a_hand(players):
    for seed in range(many(20, 2)):
        batch = Batch(GAME, 1, players=players, seed=[seed], restart=False, max_turns=LIMIT)
        actions = []
        while batch.seats[0] >= 0:
            batch.step_at_random()
            actions.append(int(batch.actions[0]))
        events = {
            observer: list(transcript(GAME, players, {"max_turns": LIMIT}, seed, actions, observer))
            for observer in (None, *range(players))
        }
        for observer in range(players):
            assert plays_of(events[observer]) == plays_of(events[None]), f"seed {seed}, seen by {observer}"
            assert events[observer][-1] == events[None][-1]
            assert all("legal" not in event for event in events[observer] if event.get("seat") != observer)


def plays_of(events: list[dict]) -> list[tuple[int, str]]:
    """Who did what, without the cards of runs."""
    return [(e["seat"], e["action"]) for e in events if "action" in e and not e["action"].startswith("card")]


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(game: Position, choice: str) -> str:
    """Why the seat to move may not choose so."""
    assert choice not in legal(game)
    action = GAME.action(choice, game.seat, game.players)
    return GAME.words.why_not(game.seen_by(game.seat).record, action)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("play 9S", "9S is not in its hand"),
        ("play 9H 9S 9D", "9S is not in its hand"),
        ("run 7-J", "it holds no T"),
        ("run 4-6", "it holds no 4"),
        ("play 5D", "the current play is a pair (8H 8S), and only its type and size may beat it"),
        ("play 9H 9D 9C", "the current play is a pair (8H 8S), and only its type and size may beat it"),
        ("run 5-7", "the current play is a pair (8H 8S), and only its type and size may beat it"),
        ("play 7S 7D", "the current play is a pair (8H 8S), and 7 does not beat it"),
        ("play 8D 8C", "the current play is a pair (8H 8S), and 8 does not beat it"),
        ("card 9H", "no run is being laid"),
        ("refute KS", "it is not accused"),
        ("accept", "it is not accused"),
        ("accuse 1", "it does not hold the Commission"),
    ],
)
def test_why_a_choice_does_not_answer_a_pair(choice, reason):
    game = position(["5D 6D 7S 7D 8D 8C 9H 9D 9C", *QUEENS], play="8H 8S", holder=2)
    assert why_not(game, choice) == reason


@pytest.mark.parametrize(
    ("play", "choice", "reason"),
    [
        ("8H", "play 9H 9S", "the current play is a single (8H), and only its type and size may beat it"),
        ("8H 8D 8C", "play 9H", "the current play is a triple (8H 8D 8C), and only its type and size may beat it"),
        (
            "8H 8S 8D 8C",
            "play 9H",
            "the current play is four of a kind (8H 8S 8D 8C), and only its type and size may beat it",
        ),
        ("run 7-9", "play 9H 9S", "the current play is a run of 3 (7H 8H 9D), and only its type and size may beat it"),
        ("run 7-9", "run 9-Q", "the current play is a run of 3 (7H 8H 9D), and only its type and size may beat it"),
        ("run T-Q", "run 9-J", "the current play is a run of 3 (TS JS QS), and J does not beat it"),
    ],
)
def test_why_a_choice_does_not_beat_the_play(play, choice, reason):
    assert why_not(position(["9H 9S TH JH QH", "QD", "KH", "KS"], play=play), choice) == reason


@ruling("R2")
def test_why_a_leader_may_not_pass():
    assert why_not(position(["9H KH", *QUEENS]), "pass") == "whoever leads an empty table may not pass"


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("play 9S", "9S is not in its hand"),
        ("run 9-J", "it holds no T"),
        ("accuse 2", "it does not hold the Commission"),
    ],
)
def test_why_a_leader_may_not_choose_so(choice, reason):
    assert why_not(position(["9H KH", *QUEENS]), choice) == reason


def test_why_nobody_outside_the_game_is_accused():
    game = position(["9H KH", "QH", "QS"], holder=0)
    assert why_not(game, "accuse nobody") == "there are only 3 players"
    game = position(["9H KH", *QUEENS], holder=0)
    assert why_not(game, "accuse nobody") == "there are only 4 players"


@ruling("R12")
@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("refute 4H", "only spades refute in round 1"),
        ("refute 5S", "5S is not in its hand"),
        ("pass", "it is accused by seat 3 and must refute or accept"),
        ("play 4S", "it is accused by seat 3 and must refute or accept"),
        ("run 4-6", "it is accused by seat 3 and must refute or accept"),
        ("card 4S", "it is accused by seat 3 and must refute or accept"),
        ("accuse 3", "it is accused by seat 3 and must refute or accept"),
    ],
)
def test_why_a_choice_does_not_answer_an_accusation(choice, reason):
    game = position(["4H 4S KH", *QUEENS], to_move=3, holder=3)
    choose(game, "accuse 0")
    assert why_not(game, choice) == reason


@pytest.mark.parametrize(("round_no", "suit"), [(1, "spades"), (2, "clubs"), (3, "hearts"), (4, "diamonds")])
def test_why_another_suit_does_not_refute(round_no, suit):
    game = position(["4H 4S 4D 4C", *QUEENS], to_move=3, holder=3, round_no=round_no)
    choose(game, "accuse 0")
    other = "4S" if round_no != 1 else "4D"
    assert why_not(game, f"refute {other}") == f"only {suit} refute in round {round_no}"


@pytest.mark.parametrize(
    "choice", ["card 6D", "card 8H", "card 7S", "play 7H", "pass", "accept", "run 5-7", "accuse 1", "refute 7H"]
)
def test_why_a_choice_does_not_go_on_with_a_run(choice):
    game = position(["5H 6D 7H 7D 8H", *QUEENS], holder=0)
    choose(game, "run 5-7")
    assert why_not(game, choice) == "it is laying the run 5-7 and must choose a 7 that it holds"


REASONS = (
    "it is accused by seat . and must refute or accept",
    "only spades refute in round 1",
    "is not in its hand",
    "it is laying the run ...",
    "no run is being laid",
    "it is not accused",
    "whoever leads an empty table may not pass",
    "it does not hold the Commission",
    "there are only 3 players",
    "it holds no .",
    "only its type and size may beat it",
    "does not beat it",
)


def quick(record: np.void) -> SimpleNamespace:
    """A record whose fields are read faster."""
    return SimpleNamespace(**{field: record[field].tolist() for field in record.dtype.names})


@pytest.mark.slow
def test_every_illegal_action_in_random_positions_has_a_reason():
    reasons = set()
    for players in (3, 4, 5):
        for batch in random_steps(many(20, 1), many(40, 20), players, seed=players):
            for i in range(batch.n):
                view, seat = quick(batch.views[i]), int(batch.seats[i])
                hand = names(view.hands[seat])
                for action in np.flatnonzero(batch.masks[i] == 0):
                    reason = GAME.words.why_not(view, int(action))
                    assert isinstance(reason, str)
                    assert reason
                    if reason.endswith("is not in its hand"):
                        assert reason[:2] not in hand
                        assert reason[:2] in GAME.choice(int(action), seat, players)
                    if reason.startswith("it holds no"):
                        assert reason[-1] not in hand
                        assert GAME.choice(int(action), seat, players).startswith("run")
                    reasons.add(reason)
    for words in REASONS:
        assert any(re.search(words, reason) for reason in reasons), words


def test_a_batch_names_the_game_the_seat_the_choice_and_the_reason():
    batch = Batch(GAME, 3, players=4, seed=5)
    actions = np.array([np.flatnonzero(mask)[0] for mask in batch.masks])
    actions[1] = GAME.action("pass", 0, 4)
    with pytest.raises(
        IllegalAction,
        match=f"game 1: player_{batch.seats[1]} may not choose `pass`: whoever leads an empty table may not pass",
    ):
        batch.step(actions)


# --- The table as text ----------------------------------------------------------------------------------------


def test_the_table_as_text_shows_what_a_seat_knows():
    game = position(
        ["9H KH", "TS KC 4S", "6S KS", "7S QD"], to_move=0, holder=2, play="8H 8D", by=2, points=[1, 0, 12, 3],
        round_no=2, frozen=[1], given={"KC": (3, 1)},
    )  # fmt: skip
    lines = GAME.words.describe(game.seen_by(0).record).split("\n")
    assert lines == [
        "The Justiciar, round 2 of 4: the Commission of 1640 (clubs)",
        "  seat 0   2 cards    1 points (1 left over, 0 Aces)  9H KH  [to move]",
        "  seat 1   3 cards    5 points (0 left over, 1 Ace)  KC ?? ??",
        "  seat 2   2 cards   12 points (12 left over, 0 Aces)  ?? ??  [holds the Commission, made the current play]",
        "  seat 3   2 cards    3 points (3 left over, 0 Aces)  ?? ??  [passed]",
        "  On the table: a pair (8H 8D) by seat 2",
    ]


def test_cards_given_in_a_refutation_are_in_the_text_of_every_seat_until_they_are_played():
    game = position(["9H KH", "TS KD", "7S QD"], holder=0, round_no=1)
    choose(game, "accuse 1", "refute TS")
    assert "  seat 0   3 cards    0 points (0 left over, 0 Aces)  TS ?? ??" in GAME.words.describe(
        game.seen_by(2).record
    )
    assert "TS" in GAME.words.describe(game.seen_by(1).record)


def test_the_table_as_text_shows_an_accusation_a_run_and_that_nobody_holds_the_commission():
    game = position(["9H KH", "TS KD", "7S QD"], holder=0)
    choose(game, "accuse 1")
    assert "[accused by 0]" in GAME.words.describe(game.seen_by(2).record).split("\n")[2]
    game = position(["5H 6D 7H 7D 8H", *QUEENS])
    assert "Nobody holds the Commission: the first seat forced to pass" in GAME.words.describe(game.seen_by(1).record)
    any_pass = position(["5H 6D 7H 7D 8H", *QUEENS], first_commission="any_pass")
    assert "Nobody holds the Commission: the first seat to pass" in GAME.words.describe(any_pass.seen_by(1).record)
    choose(game, "run 5-7")
    assert "A run 5-7 is being laid: choose a 7." in GAME.words.describe(game.seen_by(0).record)
    assert "A run" not in GAME.words.describe(game.seen_by(1).record)


@pytest.mark.parametrize("hand", ["9H", "5H 6D 7H"])
def test_the_table_as_text_says_that_the_game_is_over_and_nothing_of_what_was_to_come(hand):
    game = position([hand, "TS KD", "7S QD"], round_no=4)
    choose(game, "play 9H" if hand == "9H" else "run 5-7")
    for seen in (game.record, game.seen_by(1).record):
        text = GAME.words.describe(seen)
        assert text.endswith("The game is over.")
        assert "is being laid" not in text
        assert "to move" not in text
        assert "receives it" not in text


def test_the_words_of_a_whole_deal_can_be_given():
    hands = [" ".join(card for card in ALL_CARDS if card[1] == suit) for suit in "HSDC"]
    game = start(4, lead=2, hands=hands)
    assert [game.hand(seat) for seat in range(4)] == hands
    assert game.seat == 2
    choose(game, f"run 2-{RANK_NAMES[-1]}")
    assert game.seat == CHANCE
    deal_on(game)
    assert game.round_no == 2
