"""Manrent in words: choices, luck, what others see of a choice, why a choice is not legal, the table as text."""

from typing import Any

from handfast.envs.core.cards import STANDARD, SUIT_WORDS, card_names, members, parse_cards, parse_order
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.core.wording import check_seat, hands_seen, hidden, parse_hands
from handfast.envs.manrent.cards import (
    ACES,
    ACTING,
    COMMON_COUNT,
    COMMONS,
    COURT_SCORE,
    DEAL,
    DISCARD,
    DISCARDING,
    DONE,
    DRAWING,
    ENTICE,
    FIRST,
    FIRST_ROYAL,
    HAND,
    HOUSED_SCORE,
    INVITE,
    INVITE_COST,
    OCCUPIED,
    PASS,
    PAY,
    PAYING,
    PAYING_TRIBUTE,
    PLACES,
    PROTECT,
    ROUNDS,
    ROW,
    SEATS,
    SECURE,
    SECURE_COST,
    STOCK,
    TRIBUTE,
    YIELD,
)

NAMES = STANDARD
# What a seat sees happen beside the choices: the Row is filled, an Ace is met, a card is drawn into its own hand.
VISIBLE = ("row", "out", "hands", "aces")

# The first number, the verb and the first card of each run of actions by card.
BY_CARD = (
    (TRIBUTE, "tribute", 0),
    (YIELD, "yield", FIRST_ROYAL),
    (PROTECT, "protect", FIRST_ROYAL),
    (DISCARD, "discard", 0),
    (PAY, "pay", 0),
    (ENTICE, "entice", FIRST_ROYAL),
    (SECURE, "secure", FIRST_ROYAL),
    (INVITE, "invite", FIRST_ROYAL),
    (ROW, "row", 0),
)
ALONE = {STOCK: "stock", PASS: "pass", DONE: "done"}


def parts(action: int) -> tuple[str, int]:
    """The verb of an action and its card, NONE where it names none."""
    if action in ALONE:
        return ALONE[action], NONE
    first, verb, card = next(run for run in BY_CARD if action >= run[0])
    return verb, card + action - first


def choice(action: int, seat: int, players: int) -> str:
    """An action of `seat` in the notation of game records."""
    verb, card = parts(action)
    return verb if card == NONE else f"{verb} {NAMES[card]}"


# --- Luck -----------------------------------------------------------------------------------------------------


def stock_names(game: Any, size: int) -> list[str]:
    """The Stock from its top on."""
    return [NAMES[card] for card in game.stock[:size][::-1]]


def stock_size(game: Any) -> int:
    """How many cards the Stock has right after a deal: its Commons and the round's Aces."""
    return COMMON_COUNT - SEATS * HAND - PLACES + int(game.round_no)


def chance(game: Any) -> dict[str, Any]:
    """The chance event of a position between `roll` and `after_chance`."""
    if game.phase == FIRST:
        return {"chance": "first", "seat": int(game.first_player)}
    if game.phase == DEAL:
        return {
            "chance": "deal",
            "round": int(game.round_no),
            "hands": [card_names(hand) for hand in game.hands],
            "row": [NAMES[card] for card in game.row],
            "shown": card_names(game.shown),
            "stock": stock_names(game, stock_size(game)),
        }
    return {"chance": "reshuffle", "stock": stock_names(game, int(game.discard).bit_count())}


def chance_form(game: Any) -> dict[str, Any]:
    """The form of the chance event that this position waits for, as `records.match` takes it."""
    if game.phase == FIRST:
        return {"chance": "first", "seat": int}
    if game.phase == DEAL:
        hands, row = ([str],) * SEATS, (str,) * PLACES
        return {
            "chance": "deal",
            "round": int(game.round_no),
            "hands": hands,
            "row": row,
            "shown": [str],
            "stock": [str],
        }
    return {"chance": "reshuffle", "stock": [str]}


def fill_chance(game: Any, event: dict[str, Any]) -> None:
    """Write into the position what `roll` would have; ValueError where luck could not have decided so."""
    if game.phase == FIRST:
        game.first_player = check_seat("first player", event["seat"], SEATS)
    elif game.phase == DEAL:
        fill_deal(game, event)
    else:
        fill_stock(game, event["stock"], int(game.discard))


def fill_deal(game: Any, event: dict[str, Any]) -> None:
    """The deal of a round: hands, the Row, the Aces shown, the Stock."""
    hands, left = parse_hands(event["hands"], [HAND] * SEATS, COMMONS)
    row = parse_cards(event["row"], left)
    left &= ~row
    aces = parse_cards(event["stock"], left | ACES) & ACES
    if aces.bit_count() != game.round_no:
        raise ValueError(f"round {game.round_no} has {game.round_no} Aces in the Stock, not {aces.bit_count()}")
    shown = parse_cards(event["shown"], aces)
    fill_stock(game, event["stock"], left | aces)
    game.hands[:] = hands
    game.row[:] = [NAMES.index(name) for name in event["row"]]
    game.shown = shown


def fill_stock(game: Any, names: list[str], cards: int) -> None:
    """The Stock from its top on, exactly these cards."""
    game.stock[: len(names)] = parse_order(names, cards)[::-1]


def witnessed_chance(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """A chance event as `seat` sees it: `??` for each card that it does not see."""
    if event["chance"] == "first":
        return event
    seen = {**event, "stock": hidden(event["stock"])}
    if event["chance"] == "deal":
        seen["hands"] = hands_seen(event["hands"], seat)
    return seen


# --- Choices as others see them -------------------------------------------------------------------------------


def witnessed_choice(before: Any, action: int, after: Any, seat: int) -> list[tuple[int, str]]:
    """What `seat` sees of another's choice: whose, and in words. Every choice is made openly."""
    mover = int(before.seat)
    return [(mover, choice(action, mover, SEATS))]


# --- Values ---------------------------------------------------------------------------------------------------


def owner(view: Any, royal: int) -> int:
    """Whose Court this Royal is in, NONE where it is in none."""
    return next((seat for seat in range(SEATS) if int(view.courts[seat]) >> int(royal) & 1), NONE)


def price(view: Any, seat: int, royal: int) -> int:
    """What a seat pays for a Royal."""
    costs = SECURE_COST if owner(view, royal) == seat else INVITE_COST
    return costs[(royal - FIRST_ROYAL) // 4]


def worth(cards: int, royal: int) -> int:
    """What Commons count toward a Royal."""
    return sum(card // 4 + 2 + (card % 4 == royal % 4) for card in members(cards))


def score(view: Any, seat: int) -> int:
    """The points of a seat that the table shows."""
    housed = sum(HOUSED_SCORE[(royal - FIRST_ROYAL) // 4] for royal in members(view.houses[seat]))
    return housed + COURT_SCORE * int(view.courts[seat]).bit_count()


def tribute_word(view: Any) -> str:
    """The Tribute Suit in words."""
    return suit_word(view.aces[view.depth] % 4)


def suit_word(suit: int) -> str:
    """The suit of this number in words."""
    return SUIT_WORDS[suit]


# --- Why not --------------------------------------------------------------------------------------------------

# By phase: its verbs, and what else to tell who chooses another.
VERBS = {
    DRAWING: (("row", "stock"), "it must draw first"),
    ACTING: (("invite", "secure", "entice", "pass"), "it has drawn and must act"),
    PAYING: (("pay", "done"), "it is paying for a Royal and must go on until `done`"),
    DISCARDING: (("discard",), "it must discard down to seven"),
    OCCUPIED: (("protect", "yield"), "it is asked to protect a Royal or to yield it"),
    PAYING_TRIBUTE: (("tribute",), "it must discard cards of the Tribute Suit for the Royal that it protects"),
}


def why_not(view: Any, action: int) -> str:
    """Why this action is not legal for the seat to move."""
    verb, card = parts(action)
    verbs, otherwise = VERBS[int(view.phase)]
    if verb not in verbs:
        return otherwise
    if verb in ("invite", "secure", "entice"):
        return why_no_royal(view, verb, card)
    if verb == "stock":
        return "neither the Stock nor the Market Discard has a card"
    if verb == "row":
        return f"{NAMES[card]} is not in the Row"
    if verb == "done":
        paid, cost = worth(view.offered, view.target), price(view, view.seat, view.target)
        return f"the cards offered count {paid} and {NAMES[view.target]} costs {cost}"
    if verb in ("protect", "yield"):
        asked = members(view.pending)[0]
        if card != asked:
            return f"{NAMES[asked]} is to be protected or yielded"
        return f"it does not hold two cards of {tribute_word(view)}"
    if verb == "tribute" and card % 4 != view.aces[view.depth] % 4:
        return f"tribute is paid in {tribute_word(view)}"
    if verb == "pay" and int(view.offered) >> card & 1:
        return f"{NAMES[card]} is offered already"
    return f"{NAMES[card]} is not in its hand"


def why_no_royal(view: Any, verb: str, royal: int) -> str:
    """Why a Royal may not be Invited, Secured or Enticed."""
    seat, court = int(view.seat), owner(view, royal)
    if verb == "invite" and not int(view.market) >> royal & 1:
        return f"{NAMES[royal]} is not in the Royal Market"
    if verb == "secure" and court != seat:
        return f"{NAMES[royal]} is not in its Court"
    if verb == "entice" and court in (NONE, seat):
        return f"{NAMES[royal]} is in no other Court"
    paid, cost = worth(view.hands[seat], royal), price(view, seat, royal)
    return f"its hand counts {paid} toward {NAMES[royal]}, which costs {cost}"


# --- The table as text ----------------------------------------------------------------------------------------


def list_words(cards: int) -> str:
    """A set of cards, a dash where it is empty."""
    return " ".join(card_names(cards)) or "-"


def hand_words(view: Any, seat: int) -> str:
    """A hand as far as the view knows it."""
    cards = card_names(int(view.hands[seat]) | int(view.known[seat]))
    return " ".join(cards + ["??"] * (int(view.counts[seat]) - len(cards)))


def house_words(view: Any, seat: int) -> str:
    """A House: upright Royals, Secured this round, before those that lie sideways."""
    house, upright = int(view.houses[seat]), int(view.upright)
    sideways = card_names(house & ~upright)
    return " ".join(card_names(house & upright) + ([f"({' '.join(sideways)})"] if sideways else [])) or "-"


def is_waiting(view: Any, ace: int) -> bool:
    """Whether everyone knows this Ace to be in the Stock: it was shown at the deal (R12), or all take part."""
    return bool((int(view.shown) >> ace & 1 or view.round_no == ROUNDS) and not int(view.out) >> ace & 1)


def stock_aces_words(view: Any) -> str:
    """The round's Aces that are still to be met: `AS ??`, a dash where there is none."""
    waiting = [NAMES[ace] for ace in members(ACES) if is_waiting(view, ace)]
    unknown = int(view.round_no) - int(view.out).bit_count() - len(waiting)
    return " ".join(waiting + ["??"] * unknown) or "-"


def describe(view: Any) -> str:
    """The table as text, as far as the view knows it. Royals of earlier rounds stand in brackets."""
    row = " ".join("--" if card == NONE else NAMES[card] for card in view.row)
    turns = f"{view.turns} turns" if view.seat == FINISHED else f"turn {int(view.turns) + 1}"
    lines = [
        f"Manrent: Sworn & Sold, round {view.round_no} of {ROUNDS}, {turns}",
        f"  Row: {row}   Stock: {view.stock_left}   Aces met: {list_words(view.out)}   "
        f"still in the Stock: {stock_aces_words(view)}",
        f"  Market Discard: {list_words(view.discard)}",
        f"  Royal Market: {list_words(view.market)}",
    ]
    for seat in range(SEATS):
        notes = []
        if view.seat == seat:
            notes.append("to move")
        if view.active == seat:
            notes.append("active")
        if view.first_player == seat:
            notes.append("First Player")
        lines.append(
            f"  seat {seat}  {score(view, seat):3d} points  Court: {list_words(view.courts[seat])}  "
            f"House: {house_words(view, seat)}" + (f"  [{', '.join(notes)}]" if notes else "")
        )
        lines.append(f"          {int(view.counts[seat]):3d} cards   {hand_words(view, seat)}")
    if view.target != NONE:
        lines.append(
            f"  Seat {view.seat} pays {price(view, view.seat, view.target)} for {NAMES[view.target]} and offers "
            f"{list_words(view.offered)}, which count {worth(view.offered, view.target)}."
        )
    for level in range(int(view.depth), 0, -1):
        lines.append(
            f"  Occupation of {suit_word(view.aces[level] % 4)}" + (", interrupted." if level < view.depth else ".")
        )
    if view.phase == PAYING_TRIBUTE and view.seat >= 0:
        royal = NAMES[members(view.pending)[0]]
        lines.append(
            f"  Seat {view.seat} pays tribute for {royal}: {view.tributes_left} of {tribute_word(view)} to go."
        )
    elif view.pending:
        lines.append(f"  Seat {view.seat} is asked about {list_words(view.pending)}.")
    if view.seat == FINISHED:
        lines.append("  The game is over.")
    return "\n".join(lines)
