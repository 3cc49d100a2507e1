"""The Covenant as a picture: the table as one seat knows it, or with everything open."""

from collections.abc import Sequence
from typing import Any

from handfast.envs.core import drawing
from handfast.envs.core.cards import STANDARD, SUIT_WORDS, SUITS, card_names
from handfast.envs.core.drawing import GOLD, GREY, INK, IVORY, MIDDLE, OBSERVER, PARCHMENT, RED, SUIT_SIGNS, Point, name
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.covenant.rules import (
    ABSTAIN,
    CARDS,
    COVENANT,
    CUBE_COST,
    DEAL,
    DEALER,
    ROUNDS,
    SEALING,
    SIGNER,
    SUBSCRIBE,
    SUIT_COUNT,
    TABLE,
    TRICK,
)
from handfast.envs.covenant.words import table_cards

SHEET = (108, 606, 180, 196)  # the parchment of the Covenant Table: centre and size
ASIDE: Point = (932, 606)  # where the Table Seal lies, and under it the observer's seal
SEAL_BESIDE = 46  # the room for another seat's sealed card
LIGHT_SUITS = {"H": "#ea5d68", "S": IVORY, "D": "#ea5d68", "C": IVORY}
FAINT = "#56665d"
LEADS_NEXT = (RED, IVORY)


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it, with the observer at the bottom."""
    first = observer(view)
    places = drawing.seat_places(view.players, first)
    over = view.seat == FINISHED
    return drawing.document(
        drawing.WIDTH,
        drawing.HEIGHT,
        "The Covenant",
        drawing.table_top(drawing.WIDTH, drawing.HEIGHT),
        drawing.header("The Covenant", header_words(view), stage(view)),
        final_standing(view) if over else middle(view, first),
        covenant_table(view),
        table_seal(view),
        *(seat_panel(view, seat, places[seat]) for seat in range(view.players)),
    )


def observer(view: Any) -> int:
    """Whose view this is; before it has signed, the seat to move."""
    return drawing.observer(TABLE, view, [seat for seat in range(view.players) if not view.counts[seat]])


def of(suit: int) -> str:
    """A suit by its sign and its name."""
    return f"{SUIT_SIGNS[SUITS[suit]]} {SUIT_WORDS[suit]}"


def by_suit(cards: int) -> list[str]:
    """The cards of a set as a hand is held."""
    return sorted(card_names(cards), key=lambda card: SUITS.index(card[1]))


# --- The head of the picture ----------------------------------------------------------------------------------


def header_words(view: Any) -> str:
    """The round and its Trump, or what is Ratified."""
    if view.seat == FINISHED:
        return f"Ratified {of(view.ratified)}"
    if view.phase < SEALING:
        trump = "Trump not determined yet"
    else:
        trump = "Unsettled: no Trump" if view.trump == NONE else f"Trump {of(view.trump)}"
    return f"Round {view.round_no} of {ROUNDS} · {trump}"


def stage(view: Any) -> str:
    """Which part of the round this is."""
    if view.seat == FINISHED:
        return f"{ROUNDS} rounds"
    if view.phase == TRICK:
        done = sum(int(cards).bit_count() for cards in view.played) // int(view.players)
        left = max(int(count) for count in view.counts[: view.players])
        return f"Trick {done + 1} of {done + left}"
    return {SIGNER: "Signers", COVENANT: "Covenant Table", SEALING: "Hand Seals"}.get(int(view.phase), "Deal")


# --- The Covenant Table and the Table Seal --------------------------------------------------------------------


def covenant_table(view: Any) -> str:
    """The four piles on parchment: top card, how many cards, how many of them new; Trump golden, the Ratified crowned."""
    x, y, width, height = SHEET
    top = y - height / 2
    everything = table_cards(view)
    parts = [
        drawing.box(x + 2, y + 3, width + 3, height + 3, drawing.SHADE, 8),
        drawing.box(x, y, width, height, PARCHMENT, 8, GOLD, 2),
        drawing.text(x, top + 23, "The Covenant Table", 15, INK),
    ]
    for suit in range(SUIT_COUNT):
        row = top + 52 + 38 * suit
        size, new = pile_size(everything, suit), pile_size(view.fresh, suit) if view.phase >= SEALING else 0
        if view.phase >= SEALING and view.trump == suit:
            parts.append(drawing.box(x, row, width - 12, 36, "#ecd488", 6))
        parts.append(drawing.suit(SUITS[suit], x - 66, row, 22))
        if size:
            parts.append(drawing.card_index(STANDARD[view.tops[suit]], x - 32, row, 24))
        parts.append(drawing.text(x - 6, row + 7, str(size), 20, INK if size else "#a5946a"))
        if new:
            parts.append(drawing.text(x + 26, row + 5, f"+{new}", 14, drawing.GREEN))
        if everything and view.ratified == suit:
            parts.append(drawing.crown(x + 62, row, 24, "#a8741a"))
    return "".join(parts)


def pile_size(cards: int, suit: int) -> int:
    """How many of these cards are of a suit."""
    return sum(card[1] == SUITS[suit] for card in card_names(cards))


def table_seal(view: Any) -> str:
    """The cards left over from the deal, sealed."""
    located = [
        *view.counts,
        *view.seals,
        *(int(cards).bit_count() for cards in view.played),
        table_cards(view).bit_count(),
    ]
    left = CARDS - sum(map(int, located))
    if view.phase <= DEAL or not left:
        return ""
    x, y = ASIDE[0], ASIDE[1] - 42
    cards: list[str | None] = [*card_names(view.table_seal)] or [None] * left
    wax = "" if view.table_seal else drawing.seal(x, y + 14, 22)
    return drawing.text(x, y - 38, "Table Seal", 13, GREY) + drawing.fan(cards, x, y, 44, 120) + wax


# --- A seat ---------------------------------------------------------------------------------------------------


def seat_panel(view: Any, seat: int, place: Point) -> str:
    """A seat's hand, and the card that it sealed, over its plate."""
    hand: list[str | None] = [*by_suit(view.hands[seat])] or [None] * int(view.counts[seat])
    chosen = int(view.choices[seat]) - SUBSCRIBE
    raised = {i for i, card in enumerate(hand) if 0 <= chosen < CARDS and card == STANDARD[chosen]}
    sealed = bool(view.seals[seat])
    aside = SEAL_BESIDE if sealed and place != OBSERVER else 0
    parts = [drawing.hand_panel(hand, place, view.players, raised, aside=aside)]
    if sealed:
        parts.append(sealed_card(view, seat, place))
    return "".join(parts) + plate(view, seat, place)


def sealed_card(view: Any, seat: int, place: Point) -> str:
    """The card that a seat sealed: face up where it is known."""
    known = card_names(view.sealed[seat])
    if place == OBSERVER:
        x, y, width = ASIDE[0], ASIDE[1] + 56, 44
        caption = drawing.text(x, y - 38, f"{name(seat)}'s seal", 13, GREY)
    else:
        (x, y), width = drawing.beside_hand(place, view.players, SEAL_BESIDE), 36
        caption = ""
    if known:  # the wax at a corner, where it hides neither rank nor suit
        card = drawing.card_index(known[0], x, y, width)
        return caption + card + drawing.seal(x + width * 0.45, y + width * 0.62, width * 0.45)
    return caption + drawing.card_back(x, y, width) + drawing.seal(x, y + width / 2, width / 2)


def plate(view: Any, seat: int, place: Point) -> str:
    """A seat's Signer, name, cubes, captures by suit and points, with a badge for what it is about."""
    x, y = drawing.plate_place(place)
    left, right = x - drawing.PLATE[0] / 2, x + drawing.PLATE[0] / 2
    start, points = left + 50, score(view, seat)
    parts = [signer(view, seat, left + 27, y), drawing.text(start, y - 6, name(seat), 16, IVORY, "start")]
    if view.dealer == seat and view.seat != FINISHED and view.phase != DEALER:
        parts.append(drawing.dealer_token(start + 84, y - 12))
    parts += choices_so_far(view, seat, start + 106, y - 12)
    for suit, captured in enumerate(map(int, view.captures[seat])):
        at, fill = start + 6 + 35 * suit, LIGHT_SUITS[SUITS[suit]]
        parts.append(drawing.suit(SUITS[suit], at, y + 7, 12, fill if captured else FAINT))
        parts.append(drawing.text(at + 9, y + 11.5, str(captured), 13, IVORY if captured else FAINT, "start"))
    parts.append(drawing.text(right - 24, y + 4, str(points), 21, GOLD))
    parts.append(drawing.text(right - 24, y + 18, "point" if points == 1 else "points", 11, GREY))
    won = view.seat == FINISHED and seat in victors(view)
    return drawing.plate(place, *parts, to_move=view.seat == seat, won=won, status=status(view, seat))


def choices_so_far(view: Any, seat: int, x: float, y: float) -> list[str]:
    """The suits that a seat has subscribed to, and its cubes."""
    suits = [card[1] for card in by_suit(view.subscribed[seat])]
    papers = [
        drawing.box(x + 15 * i, y, 13, 18, PARCHMENT, 2) + drawing.suit(letter, x + 15 * i, y, 10)
        for i, letter in enumerate(suits)
    ]
    return papers + [cube(x + 15 * (len(suits) + i), y, 13) for i in range(view.cubes[seat])]


def signer(view: Any, seat: int, x: float, y: float) -> str:
    """The suit that a seat believes in where that is known, else its seal; an empty place until it has chosen."""
    suit = int(view.signers[seat]) or int(view.revealed[seat])
    if suit:
        return drawing.box(x, y, 36, 36, PARCHMENT, 18, GOLD, 2) + drawing.suit(SUITS[suit - 1], x, y, 20)
    return drawing.seal(x, y, 36) if has_signed(view, seat) else drawing.box(x, y, 36, 36, "#1d3a2e", 18)


def cube(x: float, y: float, size: float) -> str:
    """A Marked cube."""
    half, up = size / 2, size / 4
    faces = (
        (0, -2 * up, half, -up, 0, 0, -half, -up),
        (-half, -up, 0, 0, 0, 2 * up, -half, up),
        (half, -up, 0, 0, 0, 2 * up, half, up),
    )
    return "".join(
        f'<path d="M{"L".join(f"{x + face[i]:.1f} {y + face[i + 1]:.1f}" for i in range(0, 8, 2))}Z" fill="{fill}"/>'
        for face, fill in zip(faces, ("#e0707a", "#b22b39", "#7f1522"), strict=True)
    )


def status(view: Any, seat: int) -> tuple[str, str, str]:
    """What a seat is about, in a word, with the colours of its badge."""
    if view.seat == FINISHED:
        return ("winner", GOLD, INK) if seat in victors(view) else drawing.NO_BADGE
    if view.seat == seat:
        return "to move", GOLD, INK
    if view.phase == SIGNER and has_signed(view, seat):
        return "has signed", GREY, INK
    if view.phase == COVENANT and comes_before_mover(view, seat):
        return "has chosen", GREY, INK
    return drawing.NO_BADGE


def comes_before_mover(view: Any, seat: int) -> bool:
    """Whether, from the dealer's left on, a seat is before the one that is to move."""
    first = int(view.dealer) + 1
    return view.seat >= 0 and (seat - first) % view.players < (int(view.seat) - first) % view.players


def has_signed(view: Any, seat: int) -> bool:
    """Whether a seat has chosen its Signer."""
    return view.phase > SIGNER or (view.phase == SIGNER and comes_before_mover(view, seat))


# --- The middle of the table ----------------------------------------------------------------------------------


def middle(view: Any, first: int) -> str:
    """What the seats have laid before themselves, and what is to be decided."""
    x, y = MIDDLE
    places = drawing.laid_places(view.players, first)
    drawn, hint = "", ""
    if view.seat >= 0 and view.phase == SIGNER:
        drawn = four_suits(x, y - 15)
        hint = "Its Signer stays hidden until the game is over"
    elif view.phase == COVENANT:
        drawn = "".join(slip(view, seat, place) for seat, place in enumerate(places))
        hint = "All choices are revealed together"
    elif view.phase == SEALING:
        drawn = "".join(revealed(view, seat, place) for seat, place in enumerate(places))
        hint = "Who abstained takes a cube and seals a card"
    elif view.phase == TRICK:
        drawn = trick(view, places)
        hint = ("", "Gold takes the trick as it lies", "Gold takes the trick, red leads the next")[
            min(int(view.trick).bit_count(), 2)
        ]
    task_words = drawing.text(x, y + 115, task(view), 15, GOLD) + drawing.text(x, y + 132, hint, 12, GREY)
    return drawing.mat(x, y + 6, 442, 264) + drawn + task_words


def four_suits(x: float, y: float) -> str:
    """The suits that a seat may believe in."""
    return "".join(
        drawing.placed(at, y, drawing.card_paper(PARCHMENT), drawing.suit(letter, 0, 0, 60), scale=0.72)
        for at, letter in zip((x - 141, x - 47, x + 47, x + 141), SUITS, strict=True)
    )


def slip(view: Any, seat: int, place: Point) -> str:
    """A seat's secret choice at the Covenant Table: sealed, open where it is known, a gap until it is made."""
    if not comes_before_mover(view, seat) and not view.choices[seat]:
        return drawing.laid_gap(place)
    x, y = place
    choice = int(view.choices[seat])
    if not choice:
        content = drawing.seal(x, y - 4, 40)
    elif choice == ABSTAIN:
        content = cube(x, y - 12, 26) + drawing.text(x, y + 22, "abstain", 13, INK)
    else:
        content = drawing.card_index(STANDARD[choice - SUBSCRIBE], x, y - 5, 40)
    return drawing.box(x, y, *drawing.LAID, PARCHMENT, 5, "#cdb678", 1.5) + content + drawing.laid_name(place, seat)


def revealed(view: Any, seat: int, place: Point) -> str:
    """What a seat has chosen: the card that it subscribed, or a cube."""
    fresh = card_names(view.subscribed[seat] & view.fresh)
    if fresh:
        return drawing.card_front(fresh[0], *place, drawing.LAID[0]) + drawing.laid_name(place, seat)
    return drawing.laid_gap(place) + cube(place[0], place[1] - 4, 34) + drawing.laid_name(place, seat)


def trick(view: Any, places: Sequence[Point]) -> str:
    """The trick, with who takes it as it lies and who would lead the next."""
    cards = {}
    for seat in range(view.players):
        for card in card_names(view.trick & view.played[seat]):
            cards[seat] = card
    order = sorted(cards, key=lambda seat: strength(view, cards[seat]))
    notes = {order[0]: LEADS_NEXT} if len(order) > 1 else {}
    return drawing.trick(cards, places, order[-1] if order else None, notes=notes)


def strength(view: Any, card: str) -> tuple[bool, bool, int, int]:
    """Orders the cards of a trick: Trump over the suit led over the rest, then rank, then suit."""
    number = STANDARD.index(card)
    suit = number % SUIT_COUNT
    return suit == view.trump, suit == view.led, number // SUIT_COUNT, -suit


def task(view: Any) -> str:
    """What is to be decided."""
    if view.seat < 0:
        return "The dealer is drawn" if view.phase < SIGNER else "The cards are dealt"
    who = name(view.seat)
    if view.phase == SIGNER:
        return f"{who} chooses the suit it believes in"
    if view.phase == COVENANT:
        return f"{who} subscribes a card or abstains"
    if view.phase == SEALING:
        return f"{who} abstained and seals a card"
    return f"{who} plays" if view.trick else f"{who} leads"


# --- The end --------------------------------------------------------------------------------------------------


def score(view: Any, seat: int) -> int:
    """A seat's points so far."""
    return sum(map(int, view.captures[seat])) - CUBE_COST * int(view.cubes[seat]) + int(view.bonus[seat])


def ranking(view: Any, seat: int) -> tuple[int, int]:
    """What decides the victory: points, then own cards on the Ratified pile."""
    return score(view, seat), pile_size(view.subscribed[seat], int(view.ratified))


def victors(view: Any) -> set[int]:
    """Who has won."""
    best = max(ranking(view, seat) for seat in range(view.players))
    return {seat for seat in range(view.players) if ranking(view, seat) == best}


def final_standing(view: Any) -> str:
    """What each seat's points are made of, the best first."""
    cells = []
    for seat in range(view.players):
        bonus = f"+{view.bonus[seat]}" if view.bonus[seat] else "0"
        signed = SUIT_SIGNS[SUITS[int(view.revealed[seat]) - 1]] + bonus
        costs = -CUBE_COST * int(view.cubes[seat])
        cells.append((sum(map(int, view.captures[seat])), signed, costs, score(view, seat)))
    order = sorted(range(view.players), key=lambda seat: ranking(view, seat), reverse=True)
    columns = ("captured", "Signer", "cubes", "points")
    return drawing.final_standing("Final standing", columns, cells, order, victors(view))
