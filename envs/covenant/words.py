"""The Covenant in words: choices, luck, what others see of a choice, why a choice is not legal, the table as text."""

import functools
import operator
from typing import Any

from handfast.envs.core.cards import STANDARD, SUIT_WORDS, SUITS, card_names, parse_cards
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.core.wording import check_seat, hands_seen, hidden, parse_hands
from handfast.envs.covenant.rules import (
    ABSTAIN,
    BELIEVE,
    COVENANT,
    CUBE_COST,
    DEALER,
    DECK,
    PLAY,
    ROUNDS,
    SEAL,
    SEALING,
    SIGNER,
    SUBSCRIBE,
    SUIT_COUNT,
    TRICK,
)

NAMES = STANDARD
VISIBLE = ()  # nothing happens that the choices don't tell


def choice(action: int, seat: int, players: int) -> str:
    """An action of `seat` in the notation of game records."""
    if action < SUBSCRIBE:
        return f"believe {SUITS[action - BELIEVE]}"
    if action < ABSTAIN:
        return f"subscribe {NAMES[action - SUBSCRIBE]}"
    if action == ABSTAIN:
        return "abstain"
    if action < PLAY:
        return f"seal {NAMES[action - SEAL]}"
    return f"play {NAMES[action - PLAY]}"


# --- Luck -----------------------------------------------------------------------------------------------------


def chance(game: Any) -> dict[str, Any]:
    """The chance event of a position between `roll` and `after_chance`."""
    if game.phase == DEALER:
        return {"chance": "dealer", "seat": int(game.dealer)}
    hands = [card_names(game.hands[seat]) for seat in range(game.players)]
    return {"chance": "deal", "round": int(game.round_no), "hands": hands, "seal": card_names(game.table_seal)}


def chance_form(game: Any) -> dict[str, Any]:
    """The form of the chance event that this position waits for, as `records.match` takes it."""
    if game.phase == DEALER:
        return {"chance": "dealer", "seat": int}
    return {"chance": "deal", "round": int(game.round_no), "hands": ([str],) * int(game.players), "seal": [str]}


def fill_chance(game: Any, event: dict[str, Any]) -> None:
    """Write into the position what `roll` would have; ValueError where luck could not have decided so."""
    if game.phase == DEALER:
        game.dealer = check_seat("dealer", event["seat"], game.players)
        return
    players, left = int(game.players), DECK & ~table_cards(game)
    dealt, left = parse_hands(event["hands"], [left.bit_count() // players] * players, left)
    game.hands[:players] = dealt
    if len(event["seal"]) != left.bit_count():
        raise ValueError(f"the Table Seal is {left.bit_count()} cards, not {len(event['seal'])}")
    game.table_seal = parse_cards(event["seal"], left)


def witnessed_chance(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """A chance event as `seat` sees it: `??` for each card that it does not see."""
    if event["chance"] == "dealer":
        return event
    return {**event, "hands": hands_seen(event["hands"], seat), "seal": hidden(event["seal"])}


# --- Choices as others see them -------------------------------------------------------------------------------


def witnessed_choice(before: Any, action: int, after: Any, seat: int) -> list[tuple[int, str]]:
    """What `seat` sees by the choice of the seat to move: whose choices, and in words.

    That a Signer is chosen and a card sealed is seen, but not which. The last choice at the Covenant Table, the
    dealer's, reveals those of all seats, from the dealer's left on.
    """
    mover, players = int(before.seat), int(before.players)
    if before.phase == SIGNER:
        return [(mover, "believe ??")]
    if before.phase == COVENANT:
        if mover != before.dealer:
            return []
        others = [(mover + steps) % players for steps in range(1, players)]
        revealed = [(other, choice(int(before.choices[other]), other, players)) for other in others]
        return [one for one in [*revealed, (mover, choice(action, mover, players))] if one[0] != seat]
    if before.phase == SEALING:
        return [(mover, "seal ??")]
    return [(mover, choice(action, mover, players))]


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(view: Any, action: int) -> str:
    """Why this action is not legal for the seat to move."""
    hand = int(view.hands[view.seat])
    if view.phase == SIGNER:
        return "it chooses the suit it believes in before it sees a card"
    if action < SUBSCRIBE:
        return "its Signer is locked for the whole game"
    if view.phase == COVENANT and not SUBSCRIBE <= action <= ABSTAIN:
        return "it must subscribe a card or abstain"
    if view.phase == SEALING and not SEAL <= action < PLAY:
        return "it has abstained and must seal a card"
    if view.phase == TRICK and action < PLAY:
        return "the tricks have begun"
    first = {COVENANT: SUBSCRIBE, SEALING: SEAL, TRICK: PLAY}[int(view.phase)]
    card = NAMES[action - first]
    if not hand >> (action - first) & 1:
        return f"{card} is not in its hand"
    if view.trick == 0:
        return f"{SUIT_WORDS[view.trump]} are Trump and may be led only when the whole hand is Trump"
    return f"{SUIT_WORDS[view.led]} were led, and it holds {first_of_suit(hand, view.led)}"


def first_of_suit(hand: int, suit: int) -> str:
    """The lowest card of a suit that a hand holds, in writing."""
    return next(name for name in card_names(hand) if name[1] == SUITS[suit])


# --- The table as text ----------------------------------------------------------------------------------------


def trump_words(view: Any) -> str:
    """What this round's Trump is, as far as it has been determined."""
    if view.phase < SEALING:
        return "the Trump is not determined yet"
    return "Unsettled, no Trump" if view.trump == NONE else f"{SUIT_WORDS[view.trump]} are Trump"


def hand_words(view: Any, seat: int) -> str:
    """A hand as far as the view knows it, and a sealed card."""
    cards = card_names(view.hands[seat])
    cards += ["??"] * (int(view.counts[seat]) - len(cards))
    if view.seals[seat]:
        cards += [f"| sealed {' '.join(card_names(view.sealed[seat])) or '??'}"]
    return " ".join(cards)


def signer_words(view: Any, seat: int) -> str:
    """The suit that a seat believes in, as far as the view knows it."""
    signer = int(view.signers[seat]) or int(view.revealed[seat])
    return f"believes in {SUIT_WORDS[signer - 1]}" if signer else ""


def table_cards(view: Any) -> int:
    """All cards on the Covenant Table."""
    return functools.reduce(operator.or_, (int(cards) for cards in view.subscribed))


def pile_words(view: Any, suit: int) -> str:
    """One pile of the Covenant Table: `3 hearts (KH on top)`."""
    size = sum(name[1] == SUITS[suit] for name in card_names(table_cards(view)))
    return f"{size} {SUIT_WORDS[suit]}" + (f" ({NAMES[view.tops[suit]]} on top)" if size else "")


def describe(view: Any) -> str:
    """The table as text, as far as the view knows it."""
    lines = [f"The Covenant, round {view.round_no} of {ROUNDS}: {trump_words(view)}"]
    for seat in range(view.players):
        captured = int(sum(view.captures[seat]))
        score = captured - CUBE_COST * int(view.cubes[seat]) + int(view.bonus[seat])
        notes = []
        if view.seat == seat:
            notes.append("to move")
        if view.dealer == seat:
            notes.append("dealer")
        notes.append(signer_words(view, seat))
        notes.append(f"+{view.bonus[seat]} for its Signer" if view.bonus[seat] else "")
        notes.append(choice_words(view, seat))
        known = ", ".join(note for note in notes if note)
        lines.append(
            f"  seat {seat}  {score:3d} points  {captured:2d} captured  {int(view.cubes[seat])} cubes  {hand_words(view, seat)}"
            + (f"  [{known}]" if known else "")
        )
    lines.append("  On the Covenant Table: " + ", ".join(pile_words(view, suit) for suit in range(SUIT_COUNT)))
    if view.trick:
        cards = ", ".join(f"{card} by seat {seat}" for seat, card in trick_cards(view))
        lines.append(f"  The trick, {SUIT_WORDS[view.led]} led: {cards}")
    if view.seat == FINISHED:
        lines.append(f"  The game is over: {SUIT_WORDS[view.ratified]} are Ratified.")
    return "\n".join(lines)


def trick_cards(view: Any) -> list[tuple[int, str]]:
    """The cards of the trick so far with their seats, in the order in which they were played."""
    laid = int(view.trick).bit_count()
    order = [(int(view.seat) - steps) % int(view.players) for steps in range(laid, 0, -1)]
    return [(seat, card_names(view.trick & view.played[seat])[0]) for seat in order]


def choice_words(view: Any, seat: int) -> str:
    """What a seat has chosen at the Covenant Table this round, as far as the view knows it."""
    if view.phase < SEALING:
        return choice(int(view.choices[seat]), seat, int(view.players)) if view.choices[seat] else ""
    fresh = card_names(view.subscribed[seat] & view.fresh)
    return f"subscribed {fresh[0]}" if fresh else "abstained"
