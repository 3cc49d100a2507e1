"""The Justiciar in words: choices, luck, what others see of a choice, why a choice is not legal, the table as text."""

from typing import Any

from handfast.envs.core.cards import RANKS, SUIT_WORDS, card_names, deck, parse_cards
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.core.wording import check_seat, hands_seen, hidden, parse_hands
from handfast.envs.justiciar.rules import (
    ACCEPT,
    ACCUSE,
    ACCUSED,
    ANY_PASS,
    CARD,
    CARDS,
    COMMISSION_SUITS,
    DECK,
    FROZEN_ACE,
    LEAD,
    PASS,
    PLAY_RUN,
    REFUTE,
    ROUNDS,
    RUN,
    RUN_HIGH,
    RUN_LOW,
    TURN,
)

NAMES = deck(CARDS)
VISIBLE = ("holder",)  # what all see happen beside the choices: a forced pass draws the Commission
YEARS = (1638, 1640, 1644, 1647)


def choice(action: int, seat: int, players: int) -> str:
    """An action of `seat` in the notation of game records."""
    if action < PLAY_RUN:
        return "play " + " ".join(card_names((action % 15 + 1) << 4 * (action // 15)))
    if action < CARD:
        return f"run {RANKS[RUN_LOW[action - PLAY_RUN]]}-{RANKS[RUN_HIGH[action - PLAY_RUN]]}"
    if action < REFUTE:
        return f"card {NAMES[action - CARD]}"
    if action < ACCUSE:
        return f"refute {NAMES[action - REFUTE]}"
    if action < PASS:
        left = action - ACCUSE + 1
        return f"accuse {(seat + left) % players}" if left < players else "accuse nobody"
    return "pass" if action == PASS else "accept"


# --- Luck -----------------------------------------------------------------------------------------------------


def chance(game: Any) -> dict[str, Any]:
    """The chance event of a position between `roll` and `after_chance`."""
    if game.phase == LEAD:
        return {"chance": "lead", "seat": int(game.leader)}
    hands = [card_names(game.hands[seat]) for seat in range(game.players)]
    return {"chance": "deal", "round": int(game.round_no), "hands": hands, "aside": card_names(game.aside)}


def chance_form(game: Any) -> dict[str, Any]:
    """The form of the chance event that this position waits for, as `records.match` takes it."""
    if game.phase == LEAD:
        return {"chance": "lead", "seat": int}
    return {"chance": "deal", "round": int(game.round_no), "hands": ([str],) * int(game.players), "aside": [str]}


def fill_chance(game: Any, event: dict[str, Any]) -> None:
    """Write into the position what `roll` would have; ValueError where luck could not have decided so."""
    if game.phase == LEAD:
        game.leader = check_seat("leader", event["seat"], game.players)
        return
    players = int(game.players)
    each, over = divmod(CARDS, players)
    extra = [bool(game.uneven_deal) and (seat - game.leader) % players < over for seat in range(players)]
    dealt, left = parse_hands(event["hands"], [each + more for more in extra], DECK)
    game.hands[:players] = dealt
    if len(event["aside"]) != left.bit_count():
        raise ValueError(f"{left.bit_count()} cards are set aside, not {len(event['aside'])}")
    game.aside = parse_cards(event["aside"], left)


def witnessed_chance(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """A chance event as `seat` sees it: `??` for each card that it does not see."""
    if event["chance"] == "lead":
        return event
    return {**event, "hands": hands_seen(event["hands"], seat), "aside": hidden(event["aside"])}


# --- Choices as others see them -------------------------------------------------------------------------------


def witnessed_choice(before: Any, action: int, after: Any, seat: int) -> list[tuple[int, str]]:
    """What `seat` sees of another's choice: whose, and in words.

    A run is seen when it is laid, with all its cards: at which ranks its player had a choice tells of the hand.
    """
    mover, players = int(before.seat), int(before.players)
    if before.phase == RUN or PLAY_RUN <= action < CARD:
        if after.phase == RUN:
            return []
        ranks = [card // 4 for card in range(CARDS) if int(after.play_cards) >> card & 1]
        cards = [(mover, f"card {name}") for name in card_names(after.play_cards)]
        return [(mover, f"run {RANKS[ranks[0]]}-{RANKS[ranks[-1]]}"), *cards]
    return [(mover, choice(action, mover, players))]


# --- Why not --------------------------------------------------------------------------------------------------


def why_not(view: Any, action: int) -> str:
    """Why this action is not legal for the seat to move."""
    hand = int(view.hands[view.seat])
    if view.phase == ACCUSED:
        suit = COMMISSION_SUITS[view.round_no - 1]
        if not REFUTE <= action < ACCUSE:
            return f"it is accused by seat {view.accuser} and must refute or accept"
        if (action - REFUTE) % 4 != suit:
            return f"only {SUIT_WORDS[suit]} refute in round {view.round_no}"
        return f"{NAMES[action - REFUTE]} is not in its hand"
    if view.phase == RUN:
        rank = RANKS[view.run_rank]
        return (
            f"it is laying the run {RANKS[view.run_low]}-{RANKS[view.run_high]} and must choose a {rank} that it holds"
        )
    if CARD <= action < REFUTE:
        return "no run is being laid"
    if REFUTE <= action < ACCUSE or action == ACCEPT:
        return "it is not accused"
    if action == PASS:
        return "whoever leads an empty table may not pass"
    if action >= ACCUSE:
        if view.holder != view.seat:
            return "it does not hold the Commission"
        return f"there are only {view.players} players"
    return why_no_play(view, hand, action)


def why_no_play(view: Any, hand: int, action: int) -> str:
    """Why a set or a run may not be played."""
    if action < PLAY_RUN:
        cards = (action % 15 + 1) << 4 * (action // 15)
        missing = cards & ~hand
        if missing:
            return f"{card_names(missing)[0]} is not in its hand"
        size, rank, run = cards.bit_count(), action // 15, False
    else:
        low, high = int(RUN_LOW[action - PLAY_RUN]), int(RUN_HIGH[action - PLAY_RUN])
        for rank in range(low, high + 1):
            if not hand >> 4 * rank & 15:
                return f"it holds no {RANKS[rank]}"
        size, rank, run = high - low + 1, high, True
    if bool(view.play_run) != run or size != view.play_size:
        return f"the current play is {play_words(view)}, and only its type and size may beat it"
    return f"the current play is {play_words(view)}, and {RANKS[rank]} does not beat it"


# --- The table as text ----------------------------------------------------------------------------------------


def play_words(view: Any) -> str:
    """The current play in words."""
    if view.play_size == 0:
        return "nothing"
    kind = (
        f"a run of {view.play_size}"
        if view.play_run
        else ("a single", "a pair", "a triple", "four of a kind")[view.play_size - 1]
    )
    return f"{kind} ({' '.join(card_names(view.play_cards))})"


def hand_words(view: Any, seat: int) -> str:
    """A hand as far as the view knows it, with the cards that everyone knows to be there (R7)."""
    cards = card_names(int(view.hands[seat]) | int(view.shown[seat]))
    return " ".join(cards + ["??"] * (int(view.counts[seat]) - len(cards)))


def points_words(view: Any, seat: int) -> str:
    """A seat's points and what they are made of: cards left over, and 5 for each frozen Ace."""
    left, aces = int(view.points[seat]), sum(int(owner) == seat for owner in view.frozen_by)
    return f"{left + FROZEN_ACE * aces:3d} points ({left} left over, {aces} Ace{'s' * (aces != 1)})"


def describe(view: Any) -> str:
    """The table as text, as far as the view knows it."""
    suit = COMMISSION_SUITS[view.round_no - 1]
    lines = [
        f"The Justiciar, round {view.round_no} of {ROUNDS}: the Commission of {YEARS[view.round_no - 1]} ({SUIT_WORDS[suit]})"
    ]
    for seat in range(view.players):
        notes = []
        if view.seat == seat:
            notes.append(f"accused by {view.accuser}" if view.phase == ACCUSED else "to move")
        if view.holder == seat:
            notes.append("holds the Commission")
        if view.play_owner == seat:
            notes.append("made the current play")
        if view.passed >> seat & 1:
            notes.append("passed")
        lines.append(
            f"  seat {seat}  {int(view.counts[seat]):2d} cards  {points_words(view, seat)}  "
            f"{hand_words(view, seat)}" + (f"  [{', '.join(notes)}]" if notes else "")
        )
    lines.append(f"  On the table: {play_words(view)}" + ("" if view.play_size == 0 else f" by seat {view.play_owner}"))
    if view.holder == NONE and view.phase == TURN and view.seat != FINISHED:
        first = "the first seat to pass" if view.first_commission == ANY_PASS else "the first seat forced to pass"
        lines.append(f"  Nobody holds the Commission: {first} receives it.")
    if view.phase == RUN:
        lines.append(
            f"  A run {RANKS[view.run_low]}-{RANKS[view.run_high]} is being laid: choose a {RANKS[view.run_rank]}."
        )
    if view.seat == FINISHED:
        lines.append("  The game is over.")
    return "\n".join(lines)
