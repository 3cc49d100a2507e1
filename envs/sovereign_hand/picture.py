"""The Sovereign Hand as a picture: the table as one seat knows it, or with everything open."""

from collections.abc import Sequence
from typing import Any

from handfast.envs.core import drawing
from handfast.envs.core.cards import STANDARD, SUIT_WORDS, SUITS, card_names
from handfast.envs.core.drawing import GOLD, GREY, INK, IVORY, MIDDLE, OBSERVER, PARCHMENT, RED, SUIT_SIGNS, Point, name
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.sovereign_hand.rules import (
    BOLD,
    CLAIM,
    CROWN,
    DEAL,
    DEBT,
    HOUSE,
    MARK,
    MOST_TRICKS,
    ROUNDS,
    SEATS,
    TABLE,
    TRICK,
)

SHEET = (108, 606, 180, 196)  # the parchment of the Sign: centre and size
OWN_HOUSE: Point = (932, 625)
HOUSE_BESIDE = 106  # the room that another seat's House takes
HOUSE_FILL, HOUSE_EDGE = "#143d2f", "#4d6a4a"
FAINT, EXACT, MISSED = "#8b978f", "#9fd6a0", "#f08a8f"


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it, with the observer at the bottom."""
    first = observer(view)
    places = drawing.seat_places(view.players, first)
    return drawing.document(
        drawing.WIDTH,
        drawing.HEIGHT,
        "The Sovereign Hand",
        drawing.table_top(drawing.WIDTH, drawing.HEIGHT),
        drawing.header("The Sovereign Hand", header_words(view), stage(view)),
        sign_sheet(view) if is_dealt(view) else "",
        middle(view, first),
        *(seat_panel(view, seat, places[seat]) for seat in range(view.players)),
    )


def observer(view: Any) -> int:
    """Whose view this is."""
    held = [int(view.counts[:, seat].sum()) + int(view.house_counts[seat]) for seat in range(view.players)]
    return drawing.observer(TABLE, view, [seat for seat, cards in enumerate(held) if not cards])


def is_dealt(view: Any) -> bool:
    """Whether this round's cards have been dealt and its Sign turned up."""
    return view.phase > DEAL


def hand_size(view: Any) -> int:
    """Tricks in a round."""
    return MOST_TRICKS - 1 if view.players == SEATS else MOST_TRICKS


def claimed(view: Any) -> int:
    """The total of the claims so far."""
    return sum(int(claim) for claim in view.claims[: view.players] if claim != NONE)


def by_suit(cards: int) -> list[str]:
    """The cards of a set as a hand is held."""
    return sorted(card_names(cards), key=lambda card: SUITS.index(card[1]))


# --- The head of the picture, and the Sign --------------------------------------------------------------------


def header_words(view: Any) -> str:
    """The round and its Sovereign suit."""
    words = f"Round {view.round_no} of {ROUNDS}"
    suit = int(view.sign) % len(SUITS)
    return f"{words} · Sovereign {SUIT_SIGNS[SUITS[suit]]} {SUIT_WORDS[suit]}" if is_dealt(view) else words


def stage(view: Any) -> str:
    """Which part of the round this is."""
    if view.seat == FINISHED:
        return "The game is over"
    if view.phase == TRICK:
        return f"Trick {int(view.taken.sum()) + 1} of {hand_size(view)}"
    if view.phase == CLAIM:
        return "Claims"
    return "Reckoning" if view.phase > TRICK else "Deal"


def sign_sheet(view: Any) -> str:
    """The Sign on parchment, its suit, and how much has been claimed."""
    x, y, width, height = SHEET
    sign = STANDARD[view.sign]
    return (
        drawing.box(x + 2, y + 3, width + 3, height + 3, drawing.SHADE, 8)
        + drawing.box(x, y, width, height, PARCHMENT, 8, GOLD, 2)
        + drawing.text(x, y - 73, "The Sign", 15, INK)
        + drawing.card_front(sign, x - 40, y + 14, 74)
        + drawing.suit(sign[1], x + 47, y - 31, 34)
        + drawing.text(x + 47, y + 2, "Sovereign", 13, INK)
        + drawing.text(x + 47, y + 53, str(claimed(view)), 28, INK)
        + drawing.text(x + 47, y + 70, "claimed of", 12, "#75653f")
        + drawing.text(x + 47, y + 85, f"{hand_size(view)} tricks", 12, "#75653f")
    )


# --- A seat ---------------------------------------------------------------------------------------------------


def seat_panel(view: Any, seat: int, place: Point) -> str:
    """A seat's hand and House over its plate."""
    now = view.round_no - 1
    hand: list[str | None] = [*by_suit(view.hands[seat, now])]
    hand += [None] * (int(view.counts[now, seat]) - len(hand))
    rising = usurpers(view, seat)
    gilded = {i for i, card in enumerate(hand) if card in rising}
    aside = HOUSE_BESIDE if place != OBSERVER and view.house_counts[seat] else 0
    fan = drawing.hand_panel(hand, place, view.players, gilded=gilded, aside=aside)
    return fan + house(view, seat, place, rising) + plate(view, seat, place)


def usurpers(view: Any, seat: int) -> list[str]:
    """The 2s that a seat may answer the trick with, from its hand or its House, while their Ace lies there."""
    if view.phase != TRICK or view.led == NONE or view.trick[seat] != NONE:
        return []
    hand = card_names(view.hands[seat, view.round_no - 1])
    cards = hand if int(view.called) >> seat & 1 else hand + card_names(view.houses[seat])
    if any(card[1] == SUITS[view.led] for card in hand):  # R1
        cards = [card for card in cards if card[1] == SUITS[view.led]]
    return [card for card in cards if is_usurper(view, card)]


def is_usurper(view: Any, card: str) -> bool:
    """Whether a card is a 2 and its Ace lies in the trick."""
    return card[0] == "2" and "A" + card[1] in laid_cards(view).values()


def house(view: Any, seat: int, place: Point, rising: Sequence[str]) -> str:
    """A seat's House: face up where it is known."""
    held = int(view.house_counts[seat])
    if not held:
        return ""
    cards: list[str | None] = [*by_suit(view.houses[seat])] or [None] * held
    if place == OBSERVER:
        x, y, width = *OWN_HOUSE, 54
        called = " · called" if int(view.called) >> seat & 1 else ""
        caption = drawing.text(x, y - 48, f"House of {name(seat)}{called}", 13, GREY)
        frame = drawing.box(x, y - 9, 186, 116, HOUSE_FILL, 12, HOUSE_EDGE, 1.5) + caption
    else:
        (x, y), width = drawing.beside_hand(place, view.players, HOUSE_BESIDE), 27
        frame = drawing.box(x, y, 97, 48, HOUSE_FILL, 6, HOUSE_EDGE, 1.5)
    parts = [frame]
    for i, card in enumerate(cards):
        at = x + (i - (held - 1) / 2) * (width + 4)
        if card is None:
            parts.append(drawing.card_back(at, y, width))
        elif place == OBSERVER:
            parts.append(drawing.card_front(card, at, y, width, gilded=card in rising))
        else:
            parts.append(drawing.card_index(card, at, y, width))
    return "".join(parts)


def plate(view: Any, seat: int, place: Point) -> str:
    """A seat's name, claim and tricks, Seals and Marks, with a badge for what it is about."""
    x, y = drawing.plate_place(place)
    left, right = x - drawing.PLATE[0] / 2, x + drawing.PLATE[0] / 2
    seals, marks = int(view.seals[seat]), int(view.marks[seat])
    words, fill = claim_words(view, seat)
    parts = [
        drawing.text(left + 16, y - 5, name(seat), 16, IVORY, "start"),
        drawing.text(left + 16, y + 14, words, 13, fill, "start"),
        drawing.seal(right - 104, y - 1, 30),
        drawing.text(right - 84, y + 6, str(seals), 21, GOLD if seals else FAINT, "start"),
        mark(right - 48, y - 1, 26, bool(marks)),
        drawing.text(right - 31, y + 6, str(marks), 21, MISSED if marks else FAINT, "start"),
    ]
    if view.dealer == seat and view.phase >= DEAL and view.seat != FINISHED:
        parts.append(drawing.dealer_token(left + 101, y - 11))
    won = view.seat == FINISHED and seat in victors(view)
    return drawing.plate(place, *parts, to_move=view.seat == seat, won=won, status=status(view, seat))


def claim_words(view: Any, seat: int) -> tuple[str, str]:
    """A seat's claim and the tricks that it has won, and the colour of these words."""
    claim, won = int(view.claims[seat]), int(view.taken[seat])
    if claim == NONE:
        return "no claim yet", FAINT
    if view.phase == CLAIM:
        return f"claims {claim}", IVORY
    return f"won {won} of {claim}", EXACT if won == claim else MISSED if won > claim or view.phase > TRICK else IVORY


def mark(x: float, y: float, size: float, borne: bool) -> str:
    """A Mark, faint where a seat bears none."""
    arm = size * 0.2
    cross = f"M{x - arm:.1f} {y - arm:.1f}L{x + arm:.1f} {y + arm:.1f}M{x + arm:.1f} {y - arm:.1f}L{x - arm:.1f} {y + arm:.1f}"
    edge, fill = (RED, "#3a0d14") if borne else ("#3d4a43", "#16302a")
    return drawing.box(x, y, size, size, fill, size / 2, edge, 2) + (
        f'<path d="{cross}" stroke="{MISSED if borne else "#56665d"}" stroke-width="3" stroke-linecap="round"/>'
    )


def status(view: Any, seat: int) -> tuple[str, str, str]:
    """What a seat is about, in a word, with the colours of its badge."""
    if view.seat == FINISHED:
        won = "crowned" if is_crowned(view, seat) else "winner"
        return (won, GOLD, INK) if seat in victors(view) else drawing.NO_BADGE
    if view.seat == seat:
        return "to move", GOLD, INK
    if int(view.owing) >> seat & 1:
        return "owes a Debt", RED, IVORY
    if view.phase == TRICK and int(view.called) >> seat & 1:
        return "House called", GREY, INK
    return drawing.NO_BADGE


# --- The middle of the table ----------------------------------------------------------------------------------


def middle(view: Any, first: int) -> str:
    """Claims, the trick, the Reckoning or the final standing, and what is to be decided."""
    if view.seat == FINISHED:
        return final_standing(view)
    if view.phase > TRICK:
        return reckoning(view)
    x, y = MIDDLE
    places = drawing.laid_places(view.players, first)
    drawn, task, hint = "", "The cards are dealt", ""
    if view.phase == CLAIM:
        drawn = "".join(claim_slip(view, seat, place) for seat, place in enumerate(places))
        task, hint = f"{name(view.seat)} makes its claim", bar_words(view)
    elif view.phase == TRICK:
        drawn = trick(view, places)
        task = f"{name(view.seat)} {'leads' if view.led == NONE else 'plays'}"
        hint = usurper_words(view)
    words = drawing.text(x, y + 115, task, 15, GOLD) + drawing.text(x, y + 132, hint, 12, GREY)
    return drawing.mat(x, y + 6, 442, 264) + drawn + words


def claim_slip(view: Any, seat: int, place: Point) -> str:
    """A seat's claim on parchment; a gap until it is made."""
    if view.claims[seat] == NONE:
        return drawing.laid_gap(place)
    paper = drawing.box(*place, *drawing.LAID, PARCHMENT, 5, "#cdb678", 1.5)
    return (
        paper + drawing.text(place[0], place[1] + 9, str(view.claims[seat]), 36, INK) + drawing.laid_name(place, seat)
    )


def bar_words(view: Any) -> str:
    """What is left to claim, and what the dealer may not."""
    barred = hand_size(view) - claimed(view)
    if view.seat == view.dealer and barred >= 0:
        return f"As the dealer it may not claim {barred}: that would make {hand_size(view)}"
    return f"Claimed so far: {claimed(view)} of {hand_size(view)} tricks"


def laid_cards(view: Any) -> dict[int, str]:
    """The cards of the trick, by seat."""
    return {seat: STANDARD[view.trick[seat]] for seat in range(view.players) if view.trick[seat] != NONE}


def trick(view: Any, places: Sequence[Point]) -> str:
    """The trick, with who takes it as it lies."""
    cards = laid_cards(view)
    gilded = [card for card in cards.values() if is_usurper(view, card)]
    leading = max(cards, key=lambda seat: strength(view, cards[seat]), default=None)
    return drawing.trick(cards, places, leading, gilded)


def usurper_words(view: Any) -> str:
    """What an Ace in the trick means for the 2 of its suit."""
    cards, gone = laid_cards(view).values(), card_names(view.seen[view.round_no - 1])
    for suit, words in zip(SUITS, SUIT_WORDS, strict=True):
        if "A" + suit in cards and "2" + suit in cards:
            return f"The 2 of {words} is above its Ace"
        if "A" + suit in cards and "2" + suit not in gone:
            return f"The 2 of {words} would be above its Ace"
    return "Gold takes the trick as it lies" if cards else ""


def strength(view: Any, card: str) -> tuple[bool, bool, bool, int]:
    """Orders the cards of a trick: Sovereign over the suit led over the rest, a Usurper above its suit, then rank."""
    suit = SUITS.index(card[1])
    return suit == view.sign % len(SUITS), suit == view.led, is_usurper(view, card), STANDARD.index(card)


# --- The Reckoning and the end --------------------------------------------------------------------------------


def reckoning(view: Any) -> str:
    """What became of each claim, from the dealer's left on, and what is to be decided."""
    order = [(int(view.dealer) + steps) % int(view.players) for steps in range(1, view.players + 1)]
    rows = [[name(seat), str(view.claims[seat]), str(view.taken[seat]), outcome(view, seat)] for seat in order]
    task = "owes a Debt" if view.phase == DEBT else "may clear a Mark"
    heading = f"{name(view.seat)} {task}" if view.seat >= 0 else "The Reckoning"
    return drawing.standing(*MIDDLE, heading, ("claim", "won", "result"), rows, [])


def outcome(view: Any, seat: int) -> str:
    """What a claim has brought."""
    if view.claims[seat] == view.taken[seat]:
        return "2 Seals" if view.claims[seat] >= BOLD else "1 Seal"
    return "a Debt" if int(view.owing) >> seat & 1 else "settled"


def is_crowned(view: Any, seat: int) -> bool:
    """Five Seals and no Mark."""
    return view.seals[seat] >= CROWN and view.marks[seat] == 0


def score(view: Any, seat: int) -> int:
    """A seat's points so far."""
    return int(view.seals[seat]) - MARK * int(view.marks[seat])


def ranking(view: Any, seat: int) -> tuple[bool, int, int]:
    """What decides the victory: the crown, then points, then House cards."""
    return is_crowned(view, seat), score(view, seat), int(view.house_counts[seat])


def victors(view: Any) -> set[int]:
    """Who has won."""
    best = max(ranking(view, seat) for seat in range(view.players))
    return {seat for seat in range(view.players) if ranking(view, seat) == best}


def final_standing(view: Any) -> str:
    """Seals, Marks, House cards and points of all seats, the best first."""
    cells = [
        (int(view.seals[seat]), int(view.marks[seat]), f"{view.house_counts[seat]} of {HOUSE}", score(view, seat))
        for seat in range(view.players)
    ]
    order = sorted(range(view.players), key=lambda seat: ranking(view, seat), reverse=True)
    crowned = is_crowned(view, order[0])
    heading = f"A crown in round {view.round_no}" if crowned else f"No crown in {ROUNDS} rounds"
    return drawing.final_standing(heading, ("Seals", "Marks", "House", "points"), cells, order, victors(view))
