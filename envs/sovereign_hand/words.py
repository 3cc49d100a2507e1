"""The Sovereign Hand in words: choices, luck, what others see of a choice, why a choice is not legal, the table as text."""

from typing import Any

from handfast.envs.core.cards import STANDARD, SUIT_WORDS, card_names, parse_cards
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.core.wording import check_seat, hands_seen, parse_hands
from handfast.envs.sovereign_hand.rules import (
    ANSWER,
    CALL,
    CLAIM,
    CLAIMS,
    CLEAR,
    CLEARING,
    DEAL,
    DEALER,
    DEBT,
    DECK,
    HOUSE,
    HOUSES,
    KEEP,
    PLAY,
    ROUNDS,
    SACRIFICE,
    TRICK,
    claimed,
    hand_size,
    outside_houses,
)

NAMES = STANDARD
VISIBLE = ()  # everything that all see happen follows from the choices


def choice(action: int, seat: int, players: int) -> str:
    """An action of `seat` in the notation of game records."""
    if action < PLAY:
        return f"claim {action - CLAIMS}"
    if action < CALL:
        return f"play {NAMES[action - PLAY]}"
    if action < ANSWER:
        return f"call {NAMES[action - CALL]}"
    if action < SACRIFICE:
        return f"answer {NAMES[action - ANSWER]}"
    if action < CLEAR:
        left = action - SACRIFICE + 1
        return f"sacrifice {(seat + left) % players}" if left < players else "sacrifice nobody"
    return f"clear {NAMES[action - CLEAR]}" if action < KEEP else "keep"


# --- Luck -----------------------------------------------------------------------------------------------------


def chance(game: Any) -> dict[str, Any]:
    """The chance event of a position between `roll` and `after_chance`."""
    if game.phase == DEALER:
        return {"chance": "dealer", "seat": int(game.dealer)}
    if game.phase == HOUSES:
        return {"chance": "houses", "houses": [card_names(game.houses[seat]) for seat in range(game.players)]}
    hands = [card_names(game.hands[seat, game.round_no - 1]) for seat in range(game.players)]
    return {"chance": "deal", "round": int(game.round_no), "hands": hands, "sign": NAMES[game.sign]}


def chance_form(game: Any) -> dict[str, Any]:
    """The form of the chance event that this position waits for, as `records.match` takes it."""
    if game.phase == DEALER:
        return {"chance": "dealer", "seat": int}
    each = ([str],) * int(game.players)
    if game.phase == HOUSES:
        return {"chance": "houses", "houses": each}
    return {"chance": "deal", "round": int(game.round_no), "hands": each, "sign": str}


def fill_chance(game: Any, event: dict[str, Any]) -> None:
    """Write into the position what `roll` would have; ValueError where luck could not have decided so."""
    players = int(game.players)
    if game.phase == DEALER:
        game.dealer = check_seat("dealer", event["seat"], game.players)
    elif game.phase == HOUSES:
        dealt, _ = parse_hands(event["houses"], [HOUSE] * players, DECK)
        game.houses[:players] = dealt
    else:
        dealt, left = parse_hands(event["hands"], [hand_size(game)] * players, int(outside_houses(game)))
        sign = parse_cards([event["sign"]], left)
        game.hands[:players, game.round_no - 1] = dealt
        game.sign = sign.bit_length() - 1


def witnessed_chance(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """A chance event as `seat` sees it: `??` for each card that it does not see."""
    seen = dict(event)
    for key in ("houses", "hands"):
        if key in event:
            seen[key] = hands_seen(event[key], seat)
    return seen


# --- Choices as others see them -------------------------------------------------------------------------------


def witnessed_choice(before: Any, action: int, after: Any, seat: int) -> list[tuple[int, str]]:
    """What `seat` sees of another's choice: whose, and in words. Everything is done face up."""
    return [(int(before.seat), choice(action, int(before.seat), int(before.players)))]


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(view: Any, action: int) -> str:
    """Why this action is not legal for the seat to move."""
    house = int(view.houses[view.seat])
    if view.phase == CLAIM:
        return why_no_claim(view, action)
    if view.phase == TRICK:
        return why_no_card(view, house, action)
    if view.phase == DEBT:
        if ANSWER <= action < SACRIFICE:
            return f"{NAMES[action - ANSWER]} is not in its House"
        if SACRIFICE <= action < CLEAR:
            return why_no_sacrifice(view, action - SACRIFICE + 1)
        return "it owes a Debt, and must let its House answer or sacrifice a seat"
    if CLEAR <= action < KEEP:
        return f"{NAMES[action - CLEAR]} is not in its House"
    return "it may clear a Mark with a House card, or keep its Marks"


def why_no_claim(view: Any, action: int) -> str:
    """Why a claim is not legal."""
    if action >= PLAY:
        return "claims are being made"
    tricks = action - CLAIMS
    if tricks > hand_size(view):
        return f"there are only {hand_size(view)} tricks"
    return f"the others claim {claimed(view)}, and the dealer may not bring the total to {hand_size(view)}"


def why_no_card(view: Any, house: int, action: int) -> str:
    """Why a card may not be played or called."""
    if not PLAY <= action < ANSWER:
        return "a trick is being played"
    hand = int(view.hands[view.seat, view.round_no - 1])
    called = action >= CALL
    card = action - CALL if called else action - PLAY
    if called and view.called >> view.seat & 1:
        return "it has called on its House this round"
    if not (house if called else hand) >> card & 1:
        return f"{NAMES[card]} is not in its {'House' if called else 'hand'}"
    return f"its hand can follow {SUIT_WORDS[view.led]}"


def why_no_sacrifice(view: Any, left: int) -> str:
    """Why a seat may not be sacrificed."""
    if left >= view.players:
        return f"there are only {view.players} players"
    other = (view.seat + left) % view.players
    if view.seals[other] == 0:
        return f"seat {other} has no Seal to lose"
    return f"seat {other} has {view.seals[other]} of its own {view.seals[view.seat]} Seals: only fewer will do"


# --- The table as text ----------------------------------------------------------------------------------------


def cards_words(cards: int, size: int) -> str:
    """A hand or a House as far as the view knows it."""
    known = card_names(cards)
    return " ".join(known + ["??"] * (int(size) - len(known))) or "-"


def describe(view: Any) -> str:
    """The table as text, as far as the view knows it."""
    now = view.round_no - 1
    dealt = view.phase not in (DEALER, HOUSES, DEAL)
    sign = f": the Sign is {NAMES[view.sign]}, {SUIT_WORDS[view.sign & 3]} are Sovereign" if dealt else ""
    lines = [f"The Sovereign Hand, round {view.round_no} of {ROUNDS}{sign}"]
    for seat in range(view.players):
        notes = [note for note, holds in notes_on(view, seat) if holds]
        claim = "no claim" if view.claims[seat] == NONE else f"{view.taken[seat]} of {view.claims[seat]} tricks"
        lines.append(
            f"  seat {seat}  {int(view.seals[seat]):2d} Seals {int(view.marks[seat]):2d} Marks  {claim}  "
            f"House {cards_words(view.houses[seat], view.house_counts[seat])}  "
            f"hand {cards_words(view.hands[seat, now], view.counts[now, seat])}"
            + (f"  [{', '.join(notes)}]" if notes else "")
        )
    if view.led != NONE:
        order = [(view.leader + left) % view.players for left in range(view.players)]
        cards = [f"{NAMES[view.trick[seat]]} by seat {seat}" for seat in order if view.trick[seat] != NONE]
        lines.append(f"  The trick, {SUIT_WORDS[view.led]} led: {', '.join(cards)}")
    if view.seat == FINISHED:
        lines.append("  The game is over.")
    return "\n".join(lines)


def notes_on(view: Any, seat: int) -> list[tuple[str, bool]]:
    """What may be said of a seat, and whether it holds."""
    to_do = {CLAIM: "to claim", TRICK: "to move", DEBT: "to pay a Debt", CLEARING: "may clear a Mark"}
    return [
        (to_do.get(int(view.phase), ""), view.seat == seat),
        ("dealer", view.dealer == seat),
        ("called on its House", bool(view.called >> seat & 1)),
        ("owes a Debt", bool(view.owing >> seat & 1) and view.seat != seat),
    ]
