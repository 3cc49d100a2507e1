"""The Covenant in words: choices, luck, what others see, why not, the table as text."""

import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch, IllegalAction
from handfast.envs.core.records import RecordError, match, transcript
from handfast.envs.core.table import CHANCE
from handfast.envs.covenant.rules import COVENANT, SEALING, SIGNER, TRICK
from tests.rulings import many, ruling

from .table import (
    ALL_CARDS,
    GAME,
    Position,
    at_the_table,
    blank,
    choose,
    end,
    legal,
    luck_decides,
    names,
    play_round,
    position,
    random_steps,
    start,
)

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


# --- Choices --------------------------------------------------------------------------------------------------


@PLAYERS
def test_the_words_of_every_action_parse_back_to_it(players):
    for seat in range(players):
        for action in range(GAME.actions):
            assert GAME.action(GAME.choice(action, seat, players), seat, players) == action


def test_the_choices_are_those_of_the_rules():
    expected = {f"believe {suit}" for suit in "HSDC"} | {"abstain"}
    expected |= {f"{verb} {card}" for verb in ("subscribe", "seal", "play") for card in ALL_CARDS}
    assert {GAME.choice(action, 0, 4) for action in range(GAME.actions)} == expected


@pytest.mark.parametrize(
    "words", ["", "play", "play 4h", "believe", "believe X", "subscribe ??", "Abstain", "play 10H"]
)
def test_other_words_are_no_choice(words):
    assert GAME.action(words, 0, 4) is None


# --- Luck -----------------------------------------------------------------------------------------------------


def at_chance(players: int, seed: int, round_no: int, rolled: bool) -> Position:
    """A game that waits for the dealer (round 0) or for the deal of a round; luck has decided where `rolled`."""
    game = blank(players, seed)
    if round_no:
        luck_decides(game)
        while game.seat != CHANCE:
            choose(game, "believe H")
        for _ in range(round_no - 1):
            play_round(luck_decides(game, hands=["KH", "KS"][:round_no]))
    if rolled:
        GAME.move(game.games, kernels.ROLL)
    return game


@pytest.mark.parametrize("round_no", [0, 1, 2])
@PLAYERS
def test_what_luck_decided_can_be_written_down_and_filled_in(players, round_no):
    for seed in range(many(10, 2)):
        rolled = at_chance(players, seed, round_no, True)
        event = GAME.words.chance(rolled.record)
        waiting = at_chance(players, seed, round_no, False)
        match(GAME.words.chance_form(waiting.record), event, 1)
        GAME.words.fill_chance(waiting.record, event)
        assert waiting.games.tobytes() == rolled.games.tobytes()


def test_a_deal_names_its_round_every_hand_and_the_table_seal():
    game = at_chance(5, 3, 1, True)
    event = GAME.words.chance(game.record)
    assert (event["chance"], event["round"]) == ("deal", 1)
    assert [len(hand) for hand in event["hands"]] == [10] * 5
    assert sorted(itertools.chain(*event["hands"], event["seal"])) == sorted(ALL_CARDS)
    with pytest.raises(RecordError, match="round must be 1 here, not 2"):
        match(GAME.words.chance_form(game.record), {**event, "round": 2}, 1)
    with pytest.raises(RecordError, match="hands is a list of 5"):
        match(GAME.words.chance_form(game.record), {**event, "hands": event["hands"][:4]}, 1)


@pytest.mark.parametrize("seat", [-1, 3, 4, -3])
def test_a_dealer_who_does_not_take_part_is_refused(seat):
    game = at_chance(3, 0, 0, False)
    with pytest.raises(ValueError, match=f"the dealer must be a seat from 0 to 2, not {seat}"):
        GAME.words.fill_chance(game.record, {"chance": "dealer", "seat": seat})


def refused(change, players: int = 5, game: Position | None = None) -> str:
    """Why a deal that was changed is refused."""
    event = GAME.words.chance(at_chance(players, 3, 1, True).record)
    hands, seal = change(event["hands"], event["seal"])
    game = game or at_chance(players, 3, 1, False)
    with pytest.raises(ValueError, match=r".") as refusal:
        GAME.words.fill_chance(game.record, {**event, "hands": hands, "seal": seal})
    return str(refusal.value)


def test_a_deal_of_too_few_or_too_many_cards_is_refused():
    assert refused(lambda hands, seal: ([hands[0][1:], *hands[1:]], seal)) == "seat 0 is dealt 10 cards, not 9"
    assert refused(lambda hands, seal: ([*hands[:4], hands[4] + seal[:1]], seal)) == "seat 4 is dealt 10 cards, not 11"
    assert refused(lambda hands, seal: (hands, seal[1:])) == "the Table Seal is 2 cards, not 1"
    assert refused(lambda hands, seal: (hands, hands[0][:1]), players=4) == "the Table Seal is 0 cards, not 1"


def test_a_card_that_is_none_or_there_twice_or_dealt_already_is_refused():
    def first_card(name):
        return lambda hands, seal: ([[name, *hands[0][1:]], *hands[1:]], seal)

    assert refused(first_card("1H")) == "'1H' is not a card"
    assert refused(first_card("??")) == "'??' is not a card"
    assert "is there twice" in refused(lambda hands, seal: ([[hands[0][1], *hands[0][1:]], *hands[1:]], seal))
    assert "cannot be here" in refused(lambda hands, seal: ([hands[0], [hands[0][0], *hands[1][1:]], *hands[2:]], seal))
    assert "cannot be here" in refused(lambda hands, seal: (hands, [hands[0][0], *seal[1:]]))


def test_a_card_of_the_covenant_table_is_not_dealt():
    game = play_round(start(3, ["KH"]), "KH")
    rolled = game.copy()
    GAME.move(rolled.games, kernels.ROLL)
    event = GAME.words.chance(rolled.record)
    event["hands"][0][0] = "KH"
    with pytest.raises(ValueError, match="KH cannot be here"):
        GAME.words.fill_chance(game.record, event)


@pytest.mark.parametrize("seat", range(5))
def test_a_seat_witnesses_its_own_hand_and_only_the_size_of_the_others(seat):
    event = GAME.words.chance(at_chance(5, 3, 1, True).record)
    before = repr(event)
    seen = GAME.words.witnessed_chance(event, seat)
    assert seen["hands"] == [hand if other == seat else ["??"] * 10 for other, hand in enumerate(event["hands"])]
    assert seen["seal"] == ["??", "??"]
    assert repr(event) == before
    assert GAME.words.witnessed_chance({"chance": "dealer", "seat": 2}, seat) == {"chance": "dealer", "seat": 2}


# --- Choices as others see them -------------------------------------------------------------------------------


def witnessed(game: Position, seat: int, *choices: str) -> list[list[tuple[int, str]]]:
    """What a seat sees of others' choices by each of these."""
    seen = []
    for choice in choices:
        before = game.copy()
        action = GAME.action(choice, game.seat, game.players)
        choose(game, choice)
        seen.append(GAME.words.witnessed_choice(before.record, action, game.record, seat))
    return seen


@ruling("R3")
def test_that_a_signer_is_chosen_is_seen_but_not_which():
    game = luck_decides(blank(3), dealer=0)
    assert witnessed(game, 0, "believe S", "believe C") == [[(1, "believe ??")], [(2, "believe ??")]]


@ruling("R3")
def test_the_choices_at_the_covenant_table_are_seen_together_when_the_dealer_has_chosen():
    choices = ["abstain", "subscribe 7C", "subscribe KH", "subscribe 4S"]
    everyone = [(2, "abstain"), (3, "subscribe 7C"), (0, "subscribe KH"), (1, "subscribe 4S")]
    for seat in range(4):
        game = start(4, ["KH", "4S", "", "7C"], dealer=1)
        seen = witnessed(game, seat, *choices)
        assert seen == [[], [], [], [one for one in everyone if one[0] != seat]]


@ruling("R3", "R4")
def test_that_a_card_is_sealed_is_seen_but_not_which():
    game = start(3, ["KH", "9C"], dealer=2)
    seen = witnessed(game, 0, "subscribe KH", "abstain", "abstain", "seal 9C")
    assert seen[2:] == [[(1, "abstain"), (2, "abstain")], [(1, "seal ??")]]


def test_cards_played_are_seen():
    assert witnessed(position(["9H KH", "4H 8D", "QH JC"]), 2, "play KH", "play 4H") == [
        [(0, "play KH")],
        [(1, "play 4H")],
    ]


@pytest.mark.slow
@PLAYERS
def test_a_record_as_seen_by_a_seat_tells_all_that_was_revealed_and_no_more(players):
    for seed in range(many(20, 1)):
        batch = Batch(GAME, 1, players=players, seed=[seed], restart=False)
        actions = []
        while batch.seats[0] >= 0:
            batch.step_at_random()
            actions.append(int(batch.actions[0]))
        whole = list(transcript(GAME, players, {}, seed, actions))
        for observer in range(players):
            events = list(transcript(GAME, players, {}, seed, actions, observer))
            assert choices_of(events, observer) == choices_of(whole, observer)
            assert events[-1] == whole[-1]
            assert all("legal" not in event for event in events if event.get("seat") != observer)


def choices_of(events: list[dict], observer: int) -> list[list[tuple[int, str]]]:
    """What was chosen, phase by phase, with `??` for what this observer is not shown; in a phase in order of the seats."""
    phases: list[list[tuple[int, str]]] = []
    verb = ""
    for event in events:
        if "action" not in event:
            continue
        words = event["action"]
        now = {"abstain": "subscribe"}.get(words.split()[0], words.split()[0])
        if now in ("believe", "seal") and event["seat"] != observer:
            words = f"{now} ??"
        if now != verb:
            phases.append([])
        phases[-1].append((event["seat"], words))
        verb = now
    return [phase if phase[0][1].startswith("play") else sorted(phase) for phase in phases]


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(game: Position, choice: str) -> str:
    """Why the seat to move may not choose so."""
    assert choice not in legal(game)
    action = GAME.action(choice, game.seat, game.players)
    return GAME.words.why_not(game.seen_by(game.seat).record, action)


def test_why_nothing_but_a_signer_is_chosen_first():
    game = luck_decides(blank(3), dealer=0)
    for choice in ("subscribe 2H", "abstain", "seal 2H", "play 2H"):
        assert why_not(game, choice) == "it chooses the suit it believes in before it sees a card"


def test_why_a_choice_is_none_at_the_covenant_table():
    game = start(3, ["KH", "4S"], dealer=2)
    assert why_not(game, "subscribe 4S") == "4S is not in its hand"
    assert why_not(game, "believe H") == "its Signer is locked for the whole game"
    for choice in ("seal KH", "play KH"):
        assert why_not(game, choice) == "it must subscribe a card or abstain"


def test_why_an_abstainer_must_seal_a_card_of_its_hand():
    game = choose(start(3, ["KH", "4S"], dealer=2), "abstain", "abstain", "abstain")
    assert why_not(game, "seal 4S") == "4S is not in its hand"
    assert why_not(game, "believe H") == "its Signer is locked for the whole game"
    for choice in ("subscribe KH", "abstain", "play KH"):
        assert why_not(game, choice) == "it has abstained and must seal a card"


def test_why_a_card_is_not_played():
    game = position(["AH 3S 5H", "2H 6S 7H", "3H 8S 9H"], trump="S")
    assert why_not(game, "play 3S") == "spades are Trump and may be led only when the whole hand is Trump"
    assert why_not(game, "play 2H") == "2H is not in its hand"
    assert why_not(game, "believe H") == "its Signer is locked for the whole game"
    for choice in ("subscribe AH", "abstain", "seal AH"):
        assert why_not(game, choice) == "the tricks have begun"
    choose(game, "play AH")
    assert why_not(game, "play 6S") == "hearts were led, and it holds 2H"
    assert why_not(game, "play 8S") == "8S is not in its hand"


REASONS = (
    "before it sees a card",
    "its Signer is locked",
    "must subscribe a card or abstain",
    "must seal a card",
    "the tricks have begun",
    "is not in its hand",
    "are Trump and may be led only when",
    "were led, and it holds",
)


def quick(record: np.void) -> SimpleNamespace:
    """A record whose fields are read faster."""
    return SimpleNamespace(**{field: record[field].tolist() for field in record.dtype.names})


def test_every_illegal_action_in_random_positions_has_a_reason():
    reasons = set()
    for players in (3, 4, 5):
        for batch in random_steps(many(20, 1), many(60, 40), players, seed=players):
            for i in range(batch.n):
                view, seat = quick(batch.views[i]), int(batch.seats[i])
                hand = names(view.hands[seat])
                for action in np.flatnonzero(batch.masks[i] == 0):
                    reason = GAME.words.why_not(view, int(action))
                    card = GAME.choice(int(action), seat, players)[-2:]
                    assert reason.endswith("is not in its hand") <= (card not in hand)
                    if "it holds" in reason:
                        assert reason[-2:] in hand
                        assert card in hand
                    reasons.add(reason)
    for words in REASONS:
        assert any(re.search(words, reason) for reason in reasons), words


def test_a_batch_names_the_game_the_seat_the_choice_and_the_reason():
    batch = Batch(GAME, 3, players=4, seed=5)
    actions = batch.masks.argmax(1)
    actions[1] = GAME.action("abstain", 0, 4)
    with pytest.raises(
        IllegalAction,
        match=f"game 1: player_{batch.seats[1]} may not choose `abstain`: it chooses the suit it believes in",
    ):
        batch.step(actions)


# --- The table as text ----------------------------------------------------------------------------------------


def described(game: Position, seat: int) -> list[str]:
    """The table as text, as a seat sees it."""
    return GAME.words.describe(game.seen_by(seat).record).split("\n")


def test_the_trick_is_listed_in_the_order_in_which_it_was_played():
    game = position(["9H KH", "TS 8H", "QH JC"], dealer=1, to_lead=2)
    choose(game, "2: play QH", "0: play KH")
    for seat in range(3):
        assert "  The trick, hearts led: QH by seat 2, KH by seat 0" in described(game, seat)


def test_the_table_as_text_shows_what_a_seat_knows():
    game = position(
        ["9H KH", "TS 8H", "QH JC"], trump="S", earlier=["0:AH 1:KC"], captures=[1, 5, 0], signers="HDC", dealer=2
    )
    choose(game, "0: play KH", "1: play 8H")
    assert described(game, 0) == [
        "The Covenant, round 2 of 4: spades are Trump",
        "  seat 0   12 points  12 captured  0 cubes  9H  [believes in hearts, subscribed 2S]",
        "  seat 1    3 points   5 captured  1 cubes  ?? | sealed ??  [abstained]",
        "  seat 2   -4 points   0 captured  2 cubes  ?? ?? | sealed ??  [to move, dealer, abstained]",
        "  On the Covenant Table: 1 hearts (AH on top), 1 spades (2S on top), 0 diamonds, 1 clubs (KC on top)",
        "  The trick, hearts led: KH by seat 0, 8H by seat 1",
    ]
    assert f"?? | sealed {names(game.sealed[1])}" in GAME.words.describe(game.record).replace("TS |", "?? |")


def test_the_table_as_text_before_and_after_the_reveal():
    game = start(3, ["KH", "4S"], dealer=2)
    choose(game, "0: subscribe KH")
    assert described(game, 0)[0] == "The Covenant, round 1 of 4: the Trump is not determined yet"
    assert described(game, 0)[1].endswith("[believes in hearts, subscribe KH]")
    assert "[" not in described(game, 1)[1]
    choose(game, "1: abstain", "2: abstain")
    assert described(game, 1)[1].endswith("[subscribed KH]")
    assert "hearts are Trump" in described(game, 1)[0]
    game = at_the_table(start(3))
    assert "Unsettled, no Trump" in described(game, 0)[0]


def test_the_table_as_text_says_that_the_game_is_over_and_what_is_ratified():
    game = position(["2D", "3D", "4D"], earlier=["0:AH", "", ""], signers="HSD")
    choose(game, "play 2D", "play 3D", "play 4D")
    assert end(game)["scores"] == [-4, -8, -8]
    for seen in (game.record, game.seen_by(1).record):
        lines = GAME.words.describe(seen).split("\n")
        assert lines[-1] == "  The game is over: hearts are Ratified."
        assert lines[1].startswith("  seat 0   -4 points   0 captured  3 cubes")
        assert "believes in hearts" in lines[1]
        assert not any(words in line for line in lines for words in ("to move", "The trick"))


@pytest.mark.parametrize("phase", [SIGNER, COVENANT, SEALING, TRICK])
def test_the_table_as_text_can_be_given_in_every_phase(phase):
    for batch in random_steps(many(30, 3), many(60, 30), 5, seed=phase):
        for i in np.flatnonzero(batch.games["phase"] == phase)[:3]:
            for seat in range(5):
                text = GAME.words.describe(Position(batch.games[i : i + 1]).seen_by(seat).record)
                assert text.count("to move") == 1
