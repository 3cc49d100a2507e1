"""Manrent as a picture: the table as one seat knows it, or with everything open."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from handfast.envs.core import drawing
from handfast.envs.core.cards import STANDARD, SUIT_WORDS, SUITS, card_names, members
from handfast.envs.core.drawing import CARD_HEIGHT, GOLD, GREY, INK, IVORY, OBSERVER, RED, SUIT_SIGNS, Point, name
from handfast.envs.core.table import ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.manrent.cards import (
    ACTING,
    COURT_SCORE,
    DEAL,
    DISCARDING,
    DRAWING,
    FIRST,
    FIRST_ACE,
    HAND,
    HOUSED_SCORE,
    INVITE_COST,
    OCCUPIED,
    PAYING,
    PAYING_TRIBUTE,
    RESHUFFLE,
    ROUND_GOAL,
    ROUNDS,
    SEATS,
    SECURE_COST,
)
from handfast.envs.manrent.rules import TABLE
from handfast.envs.manrent.words import choice, is_waiting, owner, price, worth

# Where things are: centres, and sizes where there is a second pair. Seats from the observer clockwise.
PLACES: tuple[Point, ...] = (OBSERVER, (147, 262), (520, 114), (893, 262))
COURTS = ((106, 608, 180, 188), (147, 377, 252, 68), (269, 119, 236, 84), (893, 377, 252, 68))
HOUSES = ((934, 608, 180, 188), (147, 453, 252, 68), (771, 119, 236, 84), (893, 453, 252, 68))
MAT = (520, 347, 460, 294)
LEFT, RIGHT = MAT[0] - MAT[2] / 2 + 16, MAT[0] + MAT[2] / 2 - 16
MARKET_Y, ROW_Y, STOCK_Y, TASK_Y = 241, 321, 406, 453
ROW_WIDTH, STOCK_WIDTH, ACE_WIDTH, MARKET_WIDTH = 54, 36, 26, 30
FRAME_FILL, FRAME_EDGE = "#143d2f", "#4d6a4a"

ACTS = {"invite": "Invites", "secure": "Secures", "entice": "Entices"}
COSTS = (
    " · ".join(f"{rank} {cost}" for rank, cost in zip("JQK", INVITE_COST, strict=True))
    + "; to Secure "
    + " · ".join(map(str, SECURE_COST))
)


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it, with the observer at the bottom."""
    first = observer(view)
    return drawing.document(
        drawing.WIDTH,
        drawing.HEIGHT,
        "Manrent",
        drawing.table_top(drawing.WIDTH, drawing.HEIGHT),
        drawing.header("Manrent", f"Round {view.round_no} of {ROUNDS}", turn_words(view)),
        final_standing(view) if view.seat == FINISHED else middle(view),
        *(seat_panel(view, seat, (seat - first) % SEATS) for seat in range(SEATS)),
    )


def observer(view: Any) -> int:
    """Whose view this is."""
    return drawing.observer(TABLE, view, [seat for seat in range(SEATS) if not view.counts[seat]])


def is_dealt(view: Any) -> bool:
    """Whether this round's cards have been dealt."""
    return view.phase not in (FIRST, DEAL)


def turn_words(view: Any) -> str:
    """The turn, or how many there were."""
    return f"{view.turns} turns" if view.seat == FINISHED else f"Turn {int(view.turns) + 1}"


def by_suit(cards: Any) -> list[str]:
    """The cards of a set as a hand is held."""
    return sorted(card_names(cards), key=lambda card: SUITS.index(card[1]))


def card_words(card: Any) -> str:
    """A card by its rank and its suit's sign, for a `line`."""
    rank, letter = STANDARD[card]
    return f"{rank} {SUIT_SIGNS[letter]}"


# --- What Royals cost -----------------------------------------------------------------------------------------


def in_question(view: Any) -> set[str]:
    """The Royals that it is about: paid for, to be protected, or within the means of a hand that the view knows."""
    if view.seat < 0:
        return set()
    if view.phase == PAYING:
        return {STANDARD[view.target]}
    if view.phase in (OCCUPIED, PAYING_TRIBUTE):
        return set(card_names(view.pending)[:1])
    hand = view.hands[view.seat]
    if view.phase != ACTING or len(members(hand)) < view.counts[view.seat]:
        return set()
    for_sale = members(view.market) + [royal for court in view.courts for royal in members(court)]
    return {STANDARD[royal] for royal in for_sale if worth(hand, royal) >= price(view, view.seat, royal)}


# --- A seat ---------------------------------------------------------------------------------------------------


def seat_panel(view: Any, seat: int, steps: int) -> str:
    """A seat's hand over its plate, its Court and its House."""
    place = PLACES[steps]
    upright, question = set(card_names(view.upright)), in_question(view)
    court, house = by_rank(view.courts[seat]), by_rank(view.houses[seat])
    sideways = {card for card in house if card not in upright}
    secured = f"House · {len(house) - len(sideways)} of {ROUND_GOAL} this round"
    return (
        holding("Court", court, COURTS[steps], set(), question)
        + holding(secured if view.seat != FINISHED else "House", house, HOUSES[steps], sideways, set())
        + seat_hand(view, seat, place)
        + plate(view, seat, place)
    )


def by_rank(cards: Any) -> list[str]:
    """Royals, the highest first."""
    return [STANDARD[card] for card in sorted(members(cards), key=lambda card: (-(card // 4), card))]


def seat_hand(view: Any, seat: int, place: Point) -> str:
    """A hand, the cards offered as payment pulled out and those that pay tribute golden."""
    if not is_dealt(view):
        return ""
    known: list[str | None] = [*by_suit(int(view.hands[seat]) | int(view.known[seat]))]
    cards = [None] * (int(view.counts[seat]) - len(known)) + known
    moves = view.seat == seat
    offered = set(card_names(view.offered)) if moves and view.phase == PAYING else set()
    raised = {i for i, card in enumerate(cards) if card in offered}
    pays = moves and view.phase in (OCCUPIED, PAYING_TRIBUTE)
    gilded = {i for i, card in enumerate(cards) if pays and card and card[1] == SUITS[tribute_suit(view)]}
    return drawing.hand_panel(cards, place, SEATS, raised, gilded)


def holding(
    title: str,
    cards: Sequence[str],
    frame: tuple[float, float, float, float],
    sideways: Collection[str],
    gilded: Collection[str],
) -> str:
    """Royals in a frame, as large as fit; those in `sideways` lie so."""
    x, y, width, height = frame
    parts = [
        drawing.box(x, y, width, height, FRAME_FILL, 10, FRAME_EDGE, 1.5),
        drawing.text(x - width / 2 + 12, y - height / 2 + 18, title, 12, GREY, "start"),
    ]
    inner, room = width - 20, height - 34
    size, rows = next(
        (size, rows)
        for size in range(50, 5, -1)
        if len(rows := in_rows(cards, sideways, size, inner)) * (size * CARD_HEIGHT + 6) <= room + 6
    )
    tall = size * CARD_HEIGHT + 6
    for number, row in enumerate(rows):
        at = x - inner / 2
        base = y - height / 2 + 26 + tall * (number + 0.5)
        for card in row:
            wide = across(card, sideways, size)
            angle = 90 if card in sideways else 0
            parts.append(drawing.card_index(card, at + wide / 2, base, size, angle, card in gilded))
            at += wide + 6
    return "".join(parts)


def across(card: str, sideways: Collection[str], size: float) -> float:
    """How much of a row a card takes."""
    return size * CARD_HEIGHT if card in sideways else size


def in_rows(cards: Sequence[str], sideways: Collection[str], size: float, width: float) -> list[list[str]]:
    """Cards of this size in rows of this width."""
    rows: list[list[str]] = [[]]
    left = width
    for card in cards:
        wide = across(card, sideways, size)
        if wide > left:
            rows.append([])
            left = width
        rows[-1].append(card)
        left -= wide + 6
    return rows


def plate(view: Any, seat: int, place: Point) -> str:
    """A seat's name, cards and points, with a badge for what it is about."""
    x, y = drawing.plate_place(place)
    left, right = x - drawing.PLATE[0] / 2, x + drawing.PLATE[0] / 2
    held, points = int(view.counts[seat]) if is_dealt(view) else 0, score(view, seat)
    parts = [
        drawing.text(left + 16, y - 4, name(seat), 16, IVORY, "start"),
        drawing.text(left + 16, y + 15, f"{held or 'no'} card{'s' * (held != 1)}", 13, GREY, "start"),
        drawing.text(right - 27, y + 4, str(points), 21, GOLD),
        drawing.text(right - 27, y + 18, "point" if points == 1 else "points", 11, GREY),
    ]
    if view.first_player == seat and view.phase != FIRST and view.seat != FINISHED:
        parts.append(drawing.badge(x + 26, y - 10, "First Player", 11, "#3d4f22", IVORY))
    won = view.seat == FINISHED and seat in victors(view)
    return drawing.plate(place, *parts, to_move=view.seat == seat, won=won, status=status(view, seat))


def status(view: Any, seat: int) -> tuple[str, str, str]:
    """What a seat is about, in a word, with the colours of its badge."""
    if view.seat == FINISHED:
        return ("winner", GOLD, INK) if seat in victors(view) else drawing.NO_BADGE
    if view.seat == seat:
        return ("occupied", RED, IVORY) if view.phase in (OCCUPIED, PAYING_TRIBUTE) else ("to move", GOLD, INK)
    if view.phase == PAYING and owner(view, view.target) == seat:
        return "to be paid", GREY, INK
    return ("active", GREY, INK) if is_dealt(view) and view.active == seat else drawing.NO_BADGE


# --- The market -----------------------------------------------------------------------------------------------


def middle(view: Any) -> str:
    """Royal Market, Row, Aces, Stock and Market Discard, and what is to be decided."""
    return (
        drawing.mat(*MAT)
        + royal_market(view)
        + (row(view) + aces(view) + stock_and_discard(view) if is_dealt(view) else "")
        + task(view)
    )


def royal_market(view: Any) -> str:
    """The Royals to Invite."""
    cards, question = by_rank(view.market), in_question(view)
    step = MARKET_WIDTH + 6
    parts = [drawing.text(LEFT, MARKET_Y - 27, "Royal Market", 12, GREY, "start")]
    for i, card in enumerate(cards):
        x = LEFT + MARKET_WIDTH / 2 + step * i
        parts.append(drawing.card_index(card, x, MARKET_Y, MARKET_WIDTH, gilded=card in question))
    return "".join(parts)


def row(view: Any) -> str:
    """The Row, golden where a card is to be drawn."""
    parts = [drawing.text(LEFT, ROW_Y - 43, "Row", 12, GREY, "start")]
    for i, card in enumerate(map(int, view.row)):
        x = LEFT + ROW_WIDTH / 2 + (ROW_WIDTH + 10) * i
        if card == NONE:
            parts.append(drawing.card_gap(x, ROW_Y, ROW_WIDTH))
        else:
            parts.append(drawing.card_front(STANDARD[card], x, ROW_Y, ROW_WIDTH, gilded=view.phase == DRAWING))
    return "".join(parts)


def aces(view: Any) -> str:
    """The Aces of the round: those met, the one that occupies golden, and places of those that wait in the Stock."""
    met = card_names(view.out)
    waiting = [card for card in range(FIRST_ACE, FIRST_ACE + 4) if is_waiting(view, card)]
    unknown = int(view.round_no) - len(met) - len(waiting)
    occupying = STANDARD[view.aces[view.depth]] if view.depth else ""
    left = RIGHT - 4 * (ACE_WIDTH + 8) + 8
    caption = f"{len(met)} of {view.round_no} Aces met" if view.round_no > 1 else f"{len(met)} of 1 Ace met"
    parts = [drawing.text(left, ROW_Y - 24, caption, 12, GREY, "start")]
    for i, ace in enumerate([*met, *waiting, *[None] * unknown]):
        x = left + ACE_WIDTH / 2 + (ACE_WIDTH + 8) * i
        if isinstance(ace, str):
            parts.append(drawing.card_index(ace, x, ROW_Y, ACE_WIDTH, gilded=ace == occupying))
        else:
            parts.append(drawing.card_gap(x, ROW_Y, ACE_WIDTH, "?" if ace is None else ""))
            if ace is not None:
                parts.append(drawing.suit(SUITS[ace % 4], x, ROW_Y, 15, "#8fa597"))
    return "".join(parts)


def stock_and_discard(view: Any) -> str:
    """Stock and Market Discard spread towards each other."""
    held, discard = int(view.stock_left), by_suit(view.discard)
    stock: list[str | None] = [None] * held
    if view.stock.any():  # nobody sees this: all is open
        stock = [STANDARD[card] for card in view.stock[:held]]
    y, gaps = STOCK_Y, max(held - 1, 0) + max(len(discard) - 1, 0)
    step = min(STOCK_WIDTH / 2, (RIGHT - LEFT - 24 - 2 * STOCK_WIDTH) / max(gaps, 1))
    parts = [
        drawing.text(LEFT, y - 33, f"Stock {held}", 12, GREY, "start"),
        drawing.text(RIGHT, y - 33, f"Market Discard {len(discard)}", 12, GREY, "end"),
    ]
    for cards, at, way in ((stock, LEFT, 1), (discard, RIGHT, -1)):
        span = STOCK_WIDTH + step * max(len(cards) - 1, 0)
        if cards:
            parts.append(drawing.fan(cards, at + way * span / 2, y, STOCK_WIDTH, span))
        else:
            parts.append(drawing.card_gap(at + way * span / 2, y, STOCK_WIDTH))
    return "".join(parts)


# --- What is to be decided ------------------------------------------------------------------------------------


def task(view: Any) -> str:
    """What is to be decided, and what to know for it."""
    x = MAT[0]
    words, hint = decision(view)
    parts = [drawing.line(x, TASK_Y, words, 15, GOLD), drawing.line(x, TASK_Y + 20, hint, 12, GREY)]
    if view.phase == PAYING and view.seat >= 0:
        part = min(1.0, worth(view.offered, view.target) / price(view, view.seat, view.target))
        parts.append(drawing.box(x, TASK_Y + 29, 200, 6, FRAME_FILL, 3))
        if part:
            parts.append(drawing.box(x - 100 + 100 * part, TASK_Y + 29, 200 * part, 6, GOLD, 3))
    return "".join(parts)


def decision(view: Any) -> tuple[str, str]:
    """The decision in words, and what to know for it."""
    if view.seat < 0:
        return {FIRST: "The first player is drawn", RESHUFFLE: "The Market Discard becomes the Stock"}.get(
            int(view.phase), "The cards are dealt"
        ), ""
    who, verbs = name(view.seat), known_verbs(view)
    if view.phase == DRAWING:
        return f"{who} draws from {piles_words(view)}", "An Ace begins an Occupation"
    if view.phase == ACTING:
        return f"{who} {act_words(verbs)}", f"To Invite or Entice {COSTS}"
    if view.phase == PAYING:
        return bargain(view)
    if view.phase == DISCARDING:
        return f"{who} discards down to {HAND} cards", f"{int(view.counts[view.seat]) - HAND} to go"
    suit = tribute_suit(view)
    of = f"{SUIT_SIGNS[SUITS[suit]]} {SUIT_WORDS[suit]}"
    royal = card_words(members(view.pending)[0])
    if view.phase == OCCUPIED:
        more = f", {view.depth} under way" if view.depth > 1 else ": two of them protect a Royal"
        answer = "must yield" if verbs == ["yield"] else "protects or yields"
        return f"{who} {answer} {royal}", f"Occupation of {of}{more}"
    return f"{who} pays tribute for {royal}", f"{view.tributes_left} of {of} to go"


def known_verbs(view: Any) -> list[str]:
    """What the seat to move may do, in the order of the actions; nothing where the view doesn't know its hand."""
    if int(view.hands[view.seat]).bit_count() < view.counts[view.seat]:
        return []
    from handfast.envs.manrent import GAME  # which is made of this module

    mask = GAME.unchecked.look(np.frombuffer(view.tobytes(), GAME.dtype), int(view.seat))[1][0]
    return list(dict.fromkeys(choice(int(action), 0, SEATS).split()[0] for action in np.flatnonzero(mask)))


def piles_words(view: Any) -> str:
    """What there is to draw from."""
    row, stock = any(int(card) != NONE for card in view.row), bool(view.stock_left or view.discard)
    return " or ".join(["the Row"] * row + ["the Stock"] * stock)


def act_words(verbs: list[str]) -> str:
    """Which acts are open; of a hand that the view doesn't know, none is said."""
    if not verbs:
        return "acts or passes"
    acts = [words for verb, words in ACTS.items() if verb in verbs]
    return f"{', '.join(acts)} or passes" if acts else "must pass"


def bargain(view: Any) -> tuple[str, str]:
    """Who pays for which Royal, how much, and to whom."""
    court = owner(view, view.target)
    verb = "Invites" if court == NONE else "Secures" if court == view.seat else "Entices"
    payee = "" if court in (NONE, view.seat) else f" to {name(court)}"
    paid, cost = worth(view.offered, view.target), price(view, view.seat, view.target)
    return f"{name(view.seat)} {verb} {card_words(view.target)}", f"offers {paid} of {cost}{payee}"


def tribute_suit(view: Any) -> int:
    """The Tribute Suit of the last Occupation."""
    return int(view.aces[view.depth]) % 4


# --- The end --------------------------------------------------------------------------------------------------


def housed(view: Any, seat: int) -> list[int]:
    """How many Jacks, Queens and Kings a House holds."""
    names = card_names(view.houses[seat])
    return [sum(card[0] == rank for card in names) for rank in "JQK"]


def score(view: Any, seat: int) -> int:
    """A seat's points so far."""
    in_house = sum(each * many for each, many in zip(HOUSED_SCORE, housed(view, seat), strict=True))
    return in_house + COURT_SCORE * int(view.courts[seat]).bit_count()


def ranking(view: Any, seat: int) -> tuple[int, ...]:
    """What decides the victory: points, then Housed Kings, Queens and Jacks."""
    return score(view, seat), *housed(view, seat)[::-1]


def victors(view: Any) -> set[int]:
    """Who has won; nobody where the game was cut short."""
    if view.ended != ENDED:
        return set()
    best = max(ranking(view, seat) for seat in range(SEATS))
    return {seat for seat in range(SEATS) if ranking(view, seat) == best}


def final_standing(view: Any) -> str:
    """Royals by rank and points of all seats, the best first."""
    cells = [(*housed(view, seat)[::-1], score(view, seat)) for seat in range(SEATS)]
    order = sorted(range(SEATS), key=lambda seat: ranking(view, seat), reverse=True)
    heading = f"Stopped after {view.turns} turns" if view.ended == TRUNCATED else "Final standing"
    return drawing.final_standing(heading, ("Kings", "Queens", "Jacks", "points"), cells, order, victors(view))
