"""For Northwood! as a picture: the fiefs, the characters in play, the piles and the hand."""

from typing import Any

import numpy as np

from handfast.envs.core import drawing
from handfast.envs.core.cards import card_names, members
from handfast.envs.core.drawing import GOLD, GREY, INK, IVORY, PARCHMENT, RED
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.northwood.cards import (
    BE,
    CALL,
    CARDS,
    CHARACTERS,
    DEAL,
    DRAW_ON,
    EXCHANGE,
    FIEFS,
    KC,
    KL,
    LE,
    MOVE,
    NAME,
    NAMES,
    REFRESH,
    REPLACE,
    RESPOND,
    SETUP,
    SHUFFLE,
    SUITS,
    USE,
    VALUE,
    VISIT,
)
from handfast.envs.northwood.words import SUIT_WORDS, choice, holds, statement

MIDDLE = drawing.WIDTH / 2

# Claws, flowers, leaves and eyes, as `drawing.shape` takes them.
GLYPHS = {
    "C": "M-3.6 -9C0 -2.5 -1.6 2.5 -9 8.5C-7.4 3 -7.6 -3 -3.6 -9ZM2.6 -10.5C6.4 -4 4.8 4 -3 10.5C-1.2 4 -1.8 -4 2.6 -10.5Z"
    "M8.8 -9C12.4 -2.5 10.8 2.5 3.4 8.5C5 3 4.8 -3 8.8 -9Z",
    "F": "M0 -3.4C-7.5 -5 -5 -10.6 0 -10.3C5 -10.6 7.5 -5 0 -3.4ZM3.2 -1.1C2.4 -8.7 8.5 -8 9.8 -3.2C11.6 1.5 7.1 5.6 3.2 -1.1Z"
    "M2 2.8C9 -0.4 10.3 5.6 6.1 8.3C2.2 11.5 -3.1 8.5 2 2.8ZM-2 2.8C3.1 8.5 -2.2 11.5 -6.1 8.3C-10.3 5.6 -9 -0.4 -2 2.8Z"
    "M-3.2 -1.1C-7.1 5.6 -11.6 1.5 -9.8 -3.2C-8.5 -8 -2.4 -8.7 -3.2 -1.1ZM2.6 0C2.6 1.4 1.4 2.6 0 2.6C-1.4 2.6 -2.6 1.4 -2.6 0"
    "C-2.6 -1.4 -1.4 -2.6 0 -2.6C1.4 -2.6 2.6 -1.4 2.6 0Z",
    "L": "M5.1 -8.2C-3.8 -8.3 -8.1 -1.2 -4.1 5ZM6.1 -7.5C9 0.7 3.9 7.2 -3.1 5.7ZM-3.6 4.2C-4.7 5.7 -6 7.1 -7.3 7.8"
    "C-6.8 8.7 -6 9.3 -5.3 9.2C-4.7 8 -3.6 6.5 -2.6 4.9Z",
    "E": "M-10 0C-6 -8.5 6 -8.5 10 0C6 8.5 -6 8.5 -10 0ZM4.6 0C4.6 -2.5 2.5 -4.6 0 -4.6C-2.5 -4.6 -4.6 -2.5 -4.6 0"
    "C-4.6 2.5 -2.5 4.6 0 4.6C2.5 4.6 4.6 2.5 4.6 0ZM2.5 0C2.5 1.4 1.4 2.5 0 2.5C-1.4 2.5 -2.5 1.4 -2.5 0"
    "C-2.5 -1.4 -1.4 -2.5 0 -2.5C1.4 -2.5 2.5 -1.4 2.5 0Z",
}
COLOURS = {"C": "#a3301c", "F": "#9c2f86", "L": "#24713a", "E": "#23509e"}
TINTS = {"C": "#f4d9cb", "F": "#f0d8ea", "L": "#d9eacf", "E": "#d6e2f3"}
STAR = "M0 -10L2.5 -3.4L9.5 -3.1L4 1.3L5.9 8.1L0 4.2L-5.9 8.1L-4 1.3L-9.5 -3.1L-2.5 -3.4Z"

RANK_WORDS = {"J": "Jack", "Q": "Queen", "K": "King", "P": "Prince", "L": "Lady", "B": "Baron"}
ABILITIES = {
    "JC": "Fill your hand to {} cards",
    "QC": "Take the top of deck, discards and score pile",
    "KC": "Score every card of your highest value",
    "PC": "Draw card by card until you stop or draw a trump",
    "LC": "Discard a lowest card, draw as many as its value",
    "BC": "Take all cards of a value you hold from the deck; shuffle it",
    "JF": "Discard all trumps",
    "QF": "Put the top of the score pile on the deck",
    "KF": "Discard two cards that make 9",
    "PF": "Discard until you hold each value once",
    "LF": "Discard a card whose value is your number of cards",
    "BF": "Discard every 1, 2 and 3",
    "JL": "Exchange the ruler with one at most two fiefs away",
    "QL": "Do as the ruler's ability says",
    "KL": "Look at the top of the deck and exchange it",
    "PL": "Move the visit to the nearest fief above or below",
    "LL": "Draw a card, then refresh another",
    "BL": "You may exchange cards with the tops of both piles where values are equal",
    "JE": "Draw two cards, then discard two",
    "QE": "Look at the top three of the deck",
    "KE": "Name a suit, draw two, discard all of the suit",
    "PE": "Discard, draw; again for each other one exhausted",
    "LE": "Draw two, then discard cards of just their sum",
    "BE": "After the response: draw if it is even, discard if odd",
}

# Where things are: centres and sizes.
FIEF = (120, 236)
FIEF_Y, FIEF_STEP = 168, 125.5
CHARACTER = (108, 148)
ALLY_X, ALLY_STEP, ALLY_Y = 76, 118, 404
MAT = (759, 402, 526, 206)
PILE_WIDTH, PILE_LEFT, PILE_SPAN, PILE_STEP = 44, 606, 404, 67
SHEETS = (106, 934)
SHEET_Y, SHEET = 608, (180, 188)
HAND_Y, HAND_SPAN = 580, 610
TASK = (MIDDLE, 676, 600, 52)

PANEL, PANEL_EDGE, PANEL_WON, GLOW, FAINT = "#143d2f", "#4d6a4a", "#3d4f22", "#6b7a48", "#75653f"


def draw(view: Any) -> str:
    """The table as an SVG picture, as far as the view knows it."""
    may = choices(view)
    return drawing.document(
        drawing.WIDTH,
        drawing.HEIGHT,
        "For Northwood!",
        drawing.table_top(drawing.WIDTH, drawing.HEIGHT),
        drawing.header("For Northwood!", header_words(view), f"goal: {view.goal} stars"),
        *(fief_panel(view, fief, may) for fief in range(FIEFS)),
        in_play(view, may),
        result(view) if view.seat == FINISHED else piles(view),
        "" if view.seat == FINISHED else trick_sheet(view),
        star_sheet(view),
        hand(view, may),
        task(view),
    )


def choices(view: Any) -> set[str]:
    """What may be chosen, as game records have it."""
    if view.seat < 0:
        return set()
    from handfast.envs.northwood import GAME  # which is made of this module

    mask = GAME.unchecked.look(np.frombuffer(view.tobytes(), GAME.dtype), 0)[1][0]
    return {choice(int(action), 0, 1) for action in np.flatnonzero(mask)}


def is_dealt(view: Any) -> bool:
    """Whether this visit's cards have been dealt."""
    return view.phase not in (SETUP, DEAL)


def stars(view: Any) -> int:
    """The stars of the fiefs won."""
    return sum(int(view.stars[fief]) for fief in members(view.won))


def header_words(view: Any) -> str:
    """The visit, the fief and its trump."""
    words = f"Visit {max(view.visit_no, 1)} of {view.visits}"
    if view.seat == FINISHED:
        return f"After {view.visits} visits"
    return words if view.fief == NONE else f"{words} · fief {view.fief} · {SUIT_WORDS[trump(view)]} are trump"


def trump(view: Any) -> int:
    """The suit of the current ruler."""
    return int(view.ruler[view.fief]) // 6


def called(character: int) -> str:
    """A character in words."""
    name = CHARACTERS[character]
    return f"{RANK_WORDS[name[0]]} of {SUIT_WORDS[SUITS.index(name[1])]}"


def faded(part: str) -> str:
    """A part of the picture that is out of the game, or used."""
    return f'<g opacity="0.5">{part}</g>'


def face(name: str) -> str:
    """The face of a card by its name in records."""
    return drawing.card_face(name[0], GLYPHS[name[1]], COLOURS[name[1]])


# --- Fiefs and characters -------------------------------------------------------------------------------------


def fief_panel(view: Any, fief: int, may: set[str]) -> str:
    """A fief: its number and stars, its ruler, and how it stands; golden where it is visited or may be chosen."""
    x, y, (width, height) = MIDDLE + (fief - (FIEFS - 1) / 2) * FIEF_STEP, FIEF_Y, FIEF
    top = y - height / 2
    won, here = holds(view.won, fief), view.fief == fief
    choosable = f"visit {fief}" in may or f"fief {fief}" in may
    number, worth = int(view.numbers[fief]), int(view.stars[fief])
    fill = PANEL_WON if won else PANEL
    return "".join(
        (
            drawing.box(x, y, width + 10, height + 10, GLOW, 15) if here else "",
            drawing.box(x, y, width, height, fill, 10, *((GOLD, 3) if here or choosable else (PANEL_EDGE, 1.5))),
            drawing.text(x - 50, top + 20, f"fief {fief}", 12, GREY, "start"),
            drawing.text(x + 33, top + 21, str(worth), 15, GOLD, "end"),
            drawing.shape(STAR, x + 43, top + 16, 15, GOLD),
            drawing.text(x, top + 50, str(number), 30, IVORY),
            drawing.text(x, top + 65, "trick" if number == 1 else "tricks", 12, GREY),
            ruler(view, fief, x, top + 148, may),
            standing(view, fief, x, y + height / 2 - 1),
        )
    )


def standing(view: Any, fief: int, x: float, y: float) -> str:
    """How a fief stands, on the lower edge of its panel."""
    character = int(view.ruler[fief])
    if view.fief == fief:
        return drawing.badge(x, y, "visited now", 12)
    if holds(view.won, fief):
        friendly = view.calls and holds(view.friendly, character) and view.seat != FINISHED
        return drawing.badge(x, y, "won, friendly" if friendly else "won", 12, "#9fd6a0")
    if holds(view.visited, fief):
        return drawing.badge(x, y, "lost", 12, GREY)
    turn = [int(one) - 1 for one in view.order].index(fief) + 1 if view.order[0] else 0
    return drawing.badge(x, y, f"visit {turn}", 12, PANEL_EDGE, IVORY) if 0 < turn <= view.visits else ""


def ruler(view: Any, fief: int, x: float, y: float, may: set[str]) -> str:
    """The ruler of a fief; faded where it is out of the game, or in play among the allies."""
    if view.phase == SETUP:
        return drawing.box(x, y, *CHARACTER, "#1c5543", 6)
    character = int(view.ruler[fief])
    chosen = f"call {CHARACTERS[character]}" in may or view.calling == character
    drawn = character_card(view, character, x, y, chosen)
    friendly = holds(view.friendly, character) and (view.calls or view.seat == FINISHED)
    stays = not holds(view.visited, fief) or friendly
    return drawn if stays else faded(drawn)


def character_card(view: Any, character: int, x: float, y: float, gilded: bool) -> str:
    """A character: suit, rank and what it can do."""
    name = CHARACTERS[character]
    rank, suit = name[0], name[1]
    (width, height), colour = CHARACTER, COLOURS[suit]
    top = y - height / 2
    art = drawing.COURT_PATHS.get(rank, drawing.CROWN)
    words = ABILITIES[name].format(view.hand_size)
    parts = [
        drawing.box(x, y, width + 8, height + 8, GOLD, 9) if gilded else "",
        drawing.box(x + 1, y + 2, width + 2, height + 2, drawing.SHADE, 7),
        drawing.box(x, y, width, height, TINTS[suit], 6, colour, 2.5),
        drawing.shape(GLYPHS[suit], x - 40, top + 17, 17, colour),
        drawing.text(x - 27, top + 22, RANK_WORDS[rank], 15, colour, "start"),
        drawing.text(x + 48, top + 21, name, 11, FAINT, "end"),
        drawing.shape(GLYPHS[suit], x, top + 56, 32, colour),
        drawing.shape(art, x - 34, top + 54, 21, "#c8922a"),
        drawing.shape(art, x + 34, top + 54, 21, "#c8922a"),
    ]
    for row, line in enumerate(drawing.wrapped(words, width - 14, 10.5)):
        parts.append(drawing.text(x, top + 88 + 12.5 * row, line, 10.5, INK))
    return "".join(parts)


def in_play(view: Any, may: set[str]) -> str:
    """The characters in play, those whose ability is used faded."""
    parts = [drawing.text(ALLY_X - CHARACTER[0] / 2, 314, "In play", 15, GREY, "start")]
    active = members(int(view.active if is_dealt(view) else view.own)) if view.phase != SETUP else []
    if not active and view.phase != SETUP:
        parts.append(drawing.text(ALLY_X + 1.5 * ALLY_STEP, ALLY_Y, "nobody", 15, GREY))
    for place, character in enumerate(active):
        x = ALLY_X + ALLY_STEP * place
        name = CHARACTERS[character]
        barred, acting = holds(view.barred, character), view.acting == character
        used = holds(view.exhausted, character) and is_dealt(view)
        chosen = acting or any(f"{verb} {name}" in may for verb in ("use", "replace", "refresh"))
        drawn = character_card(view, character, x, ALLY_Y, chosen)
        parts.append(faded(drawn) if barred or (used and not acting and not chosen) else drawn)
        words = "acts" if acting else "off" if barred else "used" if used else ""
        if words:
            parts.append(drawing.badge(x, ALLY_Y + 80, words, 12, *((GOLD, INK) if acting else (GREY, INK))))
    return "".join(parts)


# --- Piles and the hand ---------------------------------------------------------------------------------------


def piles(view: Any) -> str:
    """Deck, discard pile and score pile, each from its bottom on the left to its top."""
    x, y, width, height = MAT
    dealt = is_dealt(view)
    discards = [NAMES[card] for card in view.discards[: view.discard_count]] if dealt else []
    scored = [NAMES[card] for card in view.scored[: view.score_count]] if dealt else []
    rows = (("Deck", deck(view)), ("Discard pile", discards), ("Score pile", scored))
    parts = [drawing.mat(x, y, width, height)]
    for row, (title, cards) in enumerate(rows):
        at = y + PILE_STEP * (row - 1)
        parts.append(drawing.text(x - width / 2 + 12, at - 4, title, 13, IVORY, "start"))
        parts.append(drawing.text(x - width / 2 + 12, at + 18, pile_size(view, title, len(cards)), 19, GOLD, "start"))
        parts.append(ribbon(cards, at, view.phase == RESPOND and title == "Discard pile"))
    return "".join(parts)


def pile_size(view: Any, title: str, cards: int) -> str:
    """How many cards a pile has; the score pile's against the number of the fief."""
    return f"{cards} of {view.numbers[view.fief]}" if title == "Score pile" and view.fief != NONE else str(cards)


def deck(view: Any) -> list[str | None]:
    """The deck from its bottom up, as far as the view knows it."""
    if not is_dealt(view):
        return [None] * CARDS
    if view.deck.any():  # nobody sees this: all is open
        return [NAMES[card] for card in view.deck[: view.deck_count]]
    return [NAMES[card - 1] if card else None for card in view.known[: view.deck_count]]


def ribbon(cards: Any, y: float, gild_top: bool) -> str:
    """A pile spread to the right."""
    if not cards:
        return drawing.card_gap(PILE_LEFT + PILE_WIDTH / 2, y, PILE_WIDTH)
    gaps = len(cards) - 1
    step = min(PILE_WIDTH / 2, (PILE_SPAN - PILE_WIDTH) / max(gaps, 1))  # as `fan` has it
    x = PILE_LEFT + (step * gaps + PILE_WIDTH) / 2
    return drawing.fan(cards, x, y, PILE_WIDTH, PILE_SPAN, gilded={gaps} if gild_top else (), face=face)


def hand(view: Any, may: set[str]) -> str:
    """The hand by suits, the cards that may be chosen golden."""
    held = sorted(card_names(view.hand, NAMES), key=lambda card: SUITS.index(card[1])) if is_dealt(view) else []
    chosen = {i for i, card in enumerate(held) if f"play {card}" in may or f"pick {card}" in may}
    return drawing.fan(held, MIDDLE, HAND_Y, 76, HAND_SPAN, 14, gilded=chosen, face=face)


# --- The sheets at the sides ----------------------------------------------------------------------------------


def sheet(x: float, title: str) -> str:
    """A sheet of parchment with a title."""
    return (
        drawing.box(x + 2, SHEET_Y + 3, SHEET[0] + 3, SHEET[1] + 3, drawing.SHADE, 8)
        + drawing.box(x, SHEET_Y, *SHEET, PARCHMENT, 8, GOLD, 2)
        + drawing.text(x, SHEET_Y - 70, title, 15, INK)
    )


def trick_sheet(view: Any) -> str:
    """The statement that waits for a response, trump, and the tricks won."""
    x, y = SHEETS[0], SHEET_Y
    parts = [sheet(x, "The statement")]
    if view.phase == RESPOND:
        parts.append(drawing.placed(x - 40, y + 14, face(statement(view)), scale=0.76))  # it lies on the pile
    else:
        parts.append(drawing.box(x - 40, y + 14, 76, 106, "#e3d3a8", 6))
    if view.fief == NONE:
        return "".join((*parts, drawing.text(x + 47, y + 18, "no fief", 13, FAINT)))
    letter = SUITS[trump(view)]
    parts += [
        drawing.shape(GLYPHS[letter], x + 47, y - 29, 38, COLOURS[letter]),
        drawing.text(x + 47, y + 7, "trump", 13, INK),
        drawing.text(x + 47, y + 50, f"{view.score_count}/{view.numbers[view.fief]}", 26, trick_colour(view)),
        drawing.text(x + 47, y + 67, "tricks", 13, INK),
    ]
    return "".join(parts)


def trick_colour(view: Any) -> str:
    """Green with just the tricks that the fief asks for, red with more."""
    scored, number = int(view.score_count), int(view.numbers[view.fief])
    return drawing.GREEN if scored == number else RED if scored > number else INK


def star_sheet(view: Any) -> str:
    """The stars so far and the goal, and how the fiefs stand."""
    x, y = SHEETS[1], SHEET_Y
    won = int(view.won).bit_count()
    lost = int(view.visited).bit_count() - won
    left = int(view.visits) - won - lost
    parts = [
        sheet(x, "Stars"),
        drawing.shape(STAR, x, y - 12, 92, GOLD if stars(view) else "#dcc48a"),
        drawing.text(x, y - 1, str(stars(view)), 32, INK),
        drawing.text(x, y + 48, f"of {view.goal}", 17, INK),
        drawing.text(x, y + 74, f"{won} won · {lost} lost · {left} to go", 13, FAINT),
    ]
    return "".join(parts)


# --- What is to be decided ------------------------------------------------------------------------------------


def task(view: Any) -> str:
    """What is to be decided, and what to know for it."""
    x, y, width, height = TASK
    words, hint = decision(view)
    return (
        drawing.box(x, y, width, height, "#0c251c", 12, *((GOLD, 2) if view.seat >= 0 else (PANEL_EDGE, 1.5)))
        + drawing.text(x, y - 3 if hint else y + 6, words, 17, GOLD)
        + drawing.text(x, y + 16, hint, 13, IVORY)
    )


def decision(view: Any) -> tuple[str, str]:
    """The decision in words, and what to know for it."""
    if view.seat == FINISHED:
        return "The game is over", ""
    if view.seat == CHANCE:
        return {SETUP: "Allies and rulers are drawn", SHUFFLE: "The deck is shuffled"}.get(
            int(view.phase), "The cards are shuffled and dealt"
        ), ""
    if view.phase == VISIT:
        return "Which fief do you visit?", "The suit of its ruler is trump"
    if view.phase == CALL:
        return "Call in a friendly ruler, or begin", "It acts in place of an ally this visit, then leaves the game"
    if view.phase == REPLACE:
        return f"Who makes way for the {called(view.calling)}?", "The ally is back with the next visit"
    if view.phase == USE:
        return "Use an ability, or listen to the statement", delayed_words(view) or "One ability before each statement"
    if view.phase == RESPOND:
        return f"Respond to the {value_and_suit(statement(view))}", delayed_words(view) or follow_words(view)
    return question(view), acting_words(view)


def value_and_suit(name: str) -> str:
    """A card in words."""
    return f"{name[0]} of {SUIT_WORDS[SUITS.index(name[1])]}"


def delayed_words(view: Any) -> str:
    """What waits for the response, where the Baron of eyes has acted."""
    return f"{called(BE)}: an even response draws a card, an odd one discards one" if view.delayed else ""


def follow_words(view: Any) -> str:
    """Whether the statement's suit is to be followed."""
    suit = SUIT_WORDS[SUITS.index(statement(view)[1])]
    holds_suit = any(name[1] == statement(view)[1] for name in card_names(view.hand, NAMES))
    return f"You must follow {suit}" if holds_suit else f"You hold no {suit}: any card goes"


def acting_words(view: Any) -> str:
    """Whose ability asks, and what it says."""
    text = ABILITIES[CHARACTERS[view.ability]].format(view.hand_size)
    return (
        text if view.acting in (NONE, view.ability) else f"{called(view.ability)}, by the {called(view.acting)}: {text}"
    )


def question(view: Any) -> str:
    """What an ability asks."""
    who = called(view.ability if view.acting == NONE else view.acting)
    asked = {
        MOVE: "which fief?",
        VALUE: "which value?",
        NAME: "which suit?",
        REFRESH: "whom to refresh?",
        DRAW_ON: "draw another card, or stop?",
    }
    if view.phase == EXCHANGE:
        pile = "discard pile" if view.to_go == 2 else "score pile"
        return f"{who}: exchange a card with the {pile}, or skip?"
    return f"{who}: {asked.get(int(view.phase)) or pick_words(view)}"


def pick_words(view: Any) -> str:
    """What the card to pick is for, and how much is to come."""
    left = int(view.to_go)
    if view.ability == KL:
        return "which card goes on the deck?"
    if view.ability == LE:
        return f"discard which card? A sum of {left} is to go"
    what = "score which card?" if view.ability == KC else "discard which card?"
    return f"{what} {left} to go" if left > 1 else what


# --- The end --------------------------------------------------------------------------------------------------


def result(view: Any) -> str:
    """How the game ended."""
    x, y, width, height = MAT
    total, won = stars(view), stars(view) >= view.goal
    parts = [
        drawing.box(x + 2, y + 4, width + 4, height + 4, drawing.SHADE, 14),
        drawing.box(x, y, width, height, PARCHMENT, 14, GOLD, 3),
        drawing.crown(x, y - 54, 64, "#c8922a") if won else drawing.seal(x, y - 52, 60),
        drawing.text(x, y + 18, "Northwood is yours" if won else "Northwood is lost", 28, INK),
        drawing.text(x, y + 54, f"{total} stars, {view.goal} were asked for", 18, INK),
        drawing.text(x, y + 82, f"{int(view.won).bit_count()} of {view.visits} fiefs won", 15, FAINT),
    ]
    return "".join(parts)
