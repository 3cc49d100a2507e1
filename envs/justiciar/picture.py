"""The Justiciar as a picture: the table as one seat knows it, or with every hand open."""

import math
from typing import Any

import numpy as np

from handfast.envs.core import drawing
from handfast.envs.core.cards import RANKS, SUIT_WORDS, SUITS, card_names
from handfast.envs.core.drawing import (
    GOLD,
    GREY,
    INK,
    IVORY,
    MIDDLE,
    OBSERVER,
    OWN_SPAN,
    PARCHMENT,
    RED,
    SUIT_SIGNS,
    Point,
    name,
)
from handfast.envs.core.table import ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.justiciar.rules import (
    ACCEPT,
    ACCUSE,
    ACCUSED,
    ANY_PASS,
    COMMISSION_SUITS,
    FROZEN_ACE,
    ROUNDS,
    RUN,
    TABLE,
)
from handfast.envs.justiciar.words import YEARS

ROUND_NAMES = ("The Covenant", "Atholl and Angus", "Huntly and Montrose", "Gylen and Dunaverty")
KINDS = ("Single {}", "Pair of {}s", "Three {}s", "Four {}s")
RANK_WORDS = (*RANKS[:8], "10", "Jack", "Queen", "King")


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it, with the observer at the bottom."""
    places = drawing.seat_places(view.players, observer(view))
    parts = [drawing.table_top(drawing.WIDTH, drawing.HEIGHT), header(view)]
    parts.append(final_standing(view) if view.seat == FINISHED else middle(view))
    parts += [seat_panel(view, seat, places[seat]) for seat in range(view.players)]
    if view.phase == ACCUSED and view.seat >= 0:
        parts.append(accusation(view, places))
    return drawing.document(drawing.WIDTH, drawing.HEIGHT, "The Justiciar", *parts)


def known_cards(view: Any, seat: int) -> int:
    """The cards that the view knows to be in a hand."""
    return int(view.hands[seat]) | int(view.shown[seat])


def observer(view: Any) -> int:
    """Whose view this is."""
    return drawing.observer(TABLE, view, [seat for seat in range(view.players) if not view.counts[seat]])


def round_suit(view: Any) -> int:
    """The suit of the round's Commission."""
    return COMMISSION_SUITS[view.round_no - 1]


def header(view: Any) -> str:
    """The game, the round with its Commission, and the turn."""
    number, suit = int(view.round_no), round_suit(view)
    title = f"Round {number} of {ROUNDS} · {YEARS[number - 1]} {ROUND_NAMES[number - 1]} ·"
    turns = f"{view.turns} turns" if view.seat == FINISHED else f"Turn {view.turns + 1}"
    return drawing.header("The Justiciar", f"{title} {SUIT_SIGNS[SUITS[suit]]} {SUIT_WORDS[suit]}", turns)


# --- A seat ---------------------------------------------------------------------------------------------------


def seat_panel(view: Any, seat: int, place: Point) -> str:
    """A seat's hand over its name plate."""
    known = card_names(known_cards(view, seat))
    hand = [None] * (int(view.counts[seat]) - len(known)) + known
    chosen = set(card_names(view.run_cards)) if view.phase == RUN and view.seat == seat else set()
    raised = {i for i, card in enumerate(hand) if card in chosen}
    return drawing.hand_panel(hand, place, view.players, raised) + plate(view, seat, place)


def plate(view: Any, seat: int, place: Point) -> str:
    """A seat's name, cards, points and Aces, with a badge for what it is about."""
    x, y = drawing.plate_place(place)
    left, right = x - drawing.PLATE[0] / 2, x + drawing.PLATE[0] / 2
    frozen = [ace for ace in range(ROUNDS) if view.frozen_by[ace] == seat]
    held, (*_, score) = int(view.counts[seat]), tally(view)[seat]
    holds = view.holder == seat and view.seat != FINISHED
    start = left + (46 if holds else 14)
    parts = [
        commission(int(view.round_no) - 1, left + 16, y - 10, 44, -8) if holds else "",
        drawing.text(start, y - 4, name(seat), 16, IVORY, "start"),
        drawing.text(start, y + 15, f"{held or 'no'} card{'s' * (held != 1)}", 13, GREY, "start"),
        drawing.text(right - 27, y + 4, str(score), 21, GOLD),
        drawing.text(right - 27, y + 18, "points" if score != 1 else "point", 11, GREY),
        *(frozen_ace(ace, right - 66 - 27 * i, y) for i, ace in enumerate(reversed(frozen))),
    ]
    won = view.seat == FINISHED and seat in victors(view)
    return drawing.plate(place, *parts, to_move=view.seat == seat, won=won, status=status(view, seat))


def status(view: Any, seat: int) -> tuple[str, str, str]:
    """What a seat is about, in a word, with the colours of its badge."""
    if view.seat == FINISHED:
        return ("winner", GOLD, INK) if seat in victors(view) else drawing.NO_BADGE
    if view.seat == seat:
        return ("accused", RED, IVORY) if view.phase == ACCUSED else ("to move", GOLD, INK)
    if view.phase == ACCUSED and view.accuser == seat:
        return "accuses", RED, IVORY
    return ("passed", GREY, INK) if int(view.passed) >> seat & 1 else drawing.NO_BADGE


def frozen_ace(ace: int, x: float, y: float) -> str:
    """A small Ace that a seat keeps, with its year."""
    letter = SUITS[COMMISSION_SUITS[ace]]
    return (
        drawing.box(x, y, 25, 37, PARCHMENT, 3)
        + drawing.text(x - 6, y - 5, "A", 12, drawing.SUIT_COLOURS[letter])
        + drawing.suit(letter, x + 5.5, y - 9, 9)
        + drawing.text(x, y + 13, str(YEARS[ace]), 10, INK)
    )


def commission(ace: int, x: float, y: float, width: float, angle: float = 0) -> str:
    """The sealed Ace of a round."""
    letter = SUITS[COMMISSION_SUITS[ace]]
    return drawing.placed(
        x,
        y,
        drawing.card_paper(PARCHMENT),
        drawing.box(0, 0, 90, 130, PARCHMENT, 5, drawing.SUIT_COLOURS[letter], 2.5),
        drawing.text(-22, -26, "A", 42, drawing.SUIT_COLOURS[letter]),
        drawing.suit(letter, 20, -40, 36),
        drawing.text(0, 16, str(YEARS[ace]), 36, INK),
        drawing.seal(0, 47, 48),
        angle=angle,
        scale=width / 100,
    )


# --- The middle of the table ----------------------------------------------------------------------------------


def middle(view: Any) -> str:
    """The current play, the run being laid, the Commission while nobody holds it, and what is to be decided."""
    x, y = MIDDLE
    parts = [drawing.mat(x, y, 442, 250)]
    laying = view.phase == RUN and view.seat >= 0
    if view.play_size:
        row, width, caption = (-86, 46, -36) if laying else (-24, 72, 48)
        parts.append(drawing.fan(card_names(view.play_cards), x, y + row, width, 380))
        parts.append(drawing.text(x, y + caption, f"{play_words(view)}  ·  {name(view.play_owner)}", 14, IVORY))
    if laying:
        parts.append(run_being_laid(view, x, y + 20 if view.play_size else y - 24))
    parts.append(drawing.text(x, y + 90, task(view), 15, GOLD))
    if view.holder == NONE:
        parts.append(commission(int(view.round_no) - 1, x - 190, y + 84, 44, -6))
        first = "first to pass" if view.first_commission == ANY_PASS else "first to be forced to pass"
        parts.append(drawing.text(x, y + 110, f"The {first} takes the Commission", 12, GREY))
    return "".join(parts)


def run_being_laid(view: Any, x: float, y: float) -> str:
    """The ranks of a run, those chosen as cards, the others as gaps."""
    chosen = {card[0]: card for card in card_names(view.run_cards)}
    ranks = RANKS[view.run_low : view.run_high + 1]
    width = min(54, 400 / len(ranks) - 6)
    parts = []
    for i, rank in enumerate(ranks):
        at = x + (i - (len(ranks) - 1) / 2) * (width + 6)
        if rank in chosen:
            parts.append(drawing.card_front(chosen[rank], at, y, width))
        else:
            parts.append(drawing.card_gap(at, y, width, "10" if rank == "T" else rank))
    return "".join(parts)


def play_words(view: Any) -> str:
    """The current play in words."""
    high = RANK_WORDS[view.play_rank]
    if view.play_run:
        return f"Run of {view.play_size}, {RANK_WORDS[view.play_rank - view.play_size + 1]} to {high}"
    return KINDS[view.play_size - 1].format(high)


def task(view: Any) -> str:
    """What is to be decided."""
    if view.seat < 0:
        return "the cards are dealt"
    mover, accuses = name(view.seat), view.holder == view.seat
    if view.phase == ACCUSED:
        suit = SUIT_WORDS[round_suit(view)][:-1]
        if may(view, 0, ACCEPT) is False:
            return f"{mover} holds no {suit} and must accept"
        return f"a {suit}, or the Commission?"
    if view.phase == RUN:
        return f"{mover} lays a run: with which {RANK_WORDS[view.run_rank]}?"
    if view.play_size:
        beats = may(view, 0, ACCUSE)
        if beats is None:
            return f"{mover}'s turn"
        if beats:
            return f"{mover} may beat it, pass or accuse" if accuses else f"{mover} may beat it or pass"
        return f"{mover} may pass or accuse" if accuses else f"{mover} must pass"
    return f"{mover} leads or accuses" if accuses else f"{mover} leads"


def may(view: Any, first: int, end: int) -> bool | None:
    """Whether the seat to move has a choice from `first` on before `end`; None where the view doesn't know its hand."""
    if int(view.hands[view.seat]).bit_count() < view.counts[view.seat]:
        return None
    from handfast.envs.justiciar import GAME  # which is made of this module

    mask = GAME.unchecked.look(np.frombuffer(view.tobytes(), GAME.dtype), int(view.seat))[1][0]
    return bool(mask[first:end].any())


def accusation(view: Any, places: list[Point]) -> str:
    """An arrow from the accuser to the accused that passes the play by, with the suit in question."""
    accuser, accused = places[view.accuser], places[view.seat]
    steps = (int(view.seat) - int(view.accuser)) % view.players
    if steps in (1, view.players - 1):  # neighbours: along the rim
        first = (view.accuser if steps == 1 else view.seat) - observer(view)
        x, y = drawing.rim(view.players, 2 * view.players, 1.12)[(2 * first + 1) % (2 * view.players)]
        y = max(y, 90)
    else:
        dx, dy = (accuser[0] + accused[0]) / 2 - MIDDLE[0], (accuser[1] + accused[1]) / 2 - MIDDLE[1]
        if abs(dx) + abs(dy) < 60:  # opposite each other
            dx, dy = (0, -1) if abs(accuser[1] - accused[1]) < 1 else (-1, 0)
        far = math.hypot(dx, dy)
        x, y = MIDDLE[0] + 205 * dx / far, MIDDLE[1] + 105 * dy / far
    start, end = edge_of(view, view.accuser, places, (x, y)), edge_of(view, view.seat, places, (x, y))
    token = drawing.box(*start, 36, 36, PARCHMENT, 18, RED, 4) + drawing.suit(SUITS[round_suit(view)], *start, 17)
    return drawing.arrow(start, end, (x, y)) + token


def edge_of(view: Any, seat: int, places: list[Point], towards: Point) -> Point:
    """The point where the way from a seat's panel to another point leaves the panel."""
    (x, y), wide, high = places[seat], 190.0 if view.players == 3 else 144.0, 98.0
    if places[seat] == OBSERVER:
        wide, high = max(wide, min(OWN_SPAN, 37 * (int(view.counts[seat]) + 1)) / 2 + 20), 100.0
    dx, dy = towards[0] - x, towards[1] - y
    part = min(0.85, wide / max(abs(dx), 1), high / max(abs(dy), 1))
    return x + part * dx, y + part * dy


# --- The end --------------------------------------------------------------------------------------------------


def victors(view: Any) -> set[int]:
    """Who has won: the lowest score, then the fewest Aces; nobody where the game was cut short."""
    if view.ended != ENDED:
        return set()
    order = [(points, aces) for _, aces, points in tally(view)]
    return {seat for seat, one in enumerate(order) if one == min(order)}


def tally(view: Any) -> list[tuple[int, int, int]]:
    """Cards left over, frozen Aces and points of each seat."""
    cards = [int(view.points[seat]) for seat in range(view.players)]
    aces = [sum(int(owner) == seat for owner in view.frozen_by) for seat in range(view.players)]
    return [(left, kept, left + FROZEN_ACE * kept) for left, kept in zip(cards, aces, strict=True)]


def final_standing(view: Any) -> str:
    """Points of all seats, the best first."""
    lines = tally(view)
    order = sorted(range(view.players), key=lambda seat: (lines[seat][2], lines[seat][1], seat))
    heading = f"Stopped after {int(view.turns)} turns" if view.ended == TRUNCATED else "Final standing"
    return drawing.final_standing(heading, ("cards", "Aces", "points"), lines, order, victors(view))
