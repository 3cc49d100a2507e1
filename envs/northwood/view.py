"""What the player knows of For Northwood!: secrets, guesses and features."""

import numpy as np

from handfast.envs.core.cards import bit, count, has, mark
from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets
from handfast.envs.core.luck import shuffle
from handfast.envs.core.table import NONE
from handfast.envs.northwood.abilities import open_cards
from handfast.envs.northwood.cards import (
    ALL_CARDS,
    CARDS,
    CHARACTER_COUNT,
    CHARACTERS,
    FIEFS,
    MOST_VALUE,
    NAMES,
    RESPOND,
    SUITS,
    VISIT,
    suit_of_character,
)
from handfast.envs.northwood.rules import PLAYER, stars_won, statement
from handfast.envs.northwood.soundness import check as check  # of the game's contract

FIEF_NAMES = range(FIEFS)
NUMBERS = range(9)
PLACES = 8  # cards from the top of the deck that the features tell one by one
PHASES = (
    "visit", "call", "replace", "use", "respond", "pick", "exchange", "move", "value", "name", "refresh", "draw on",
)  # fmt: skip
PLACE_LABELS = (*SUITS, *range(1, MOST_VALUE + 1))
PLACE_WIDTH = len(PLACE_LABELS)

FEATURES_VERSION = 1  # raised by any change in what the features or actions mean: networks for another are refused
FEATURES = {
    "hand": block(NAMES, "cards in hand"),
    "unseen": block(NAMES, "cards of the deck of which no place is known"),
    "known": block(NAMES, "cards of the deck that are known to lie in some place"),
    "next": block([f"{place} {label}" for place in range(1, PLACES + 1) for label in PLACE_LABELS], "suit and value of the card in this place from the top of the deck, where it is known"),
    "discards": block(NAMES, "cards of the discard pile"),
    "discards top": block(NAMES, "the top card of the discard pile"),
    "scored": block(NAMES, "cards of the score pile"),
    "scored top": block(NAMES, "the top card of the score pile"),
    "statement": block(NAMES, "the statement that waits for a response"),
    "in hand": block((), "how many cards are in hand", CARDS),
    "in deck": block((), "how many cards are in the deck", CARDS),
    "tricks": block((), "cards in the score pile", CARDS),
    "to win": block(NUMBERS, "how many more cards the score pile must have; none where it has too many"),
    "too many": block((), "the score pile has more cards than the fief's number"),
    "trump": block(SUITS, "the suit of the current ruler"),
    "phase": block(PHASES, "what is to be decided"),
    "ability": block(CHARACTERS, "whose ability is being carried out"),
    "to go": block((), "how much of that ability is to come: cards, repeats, piles, or LE's sum", CARDS),
    "copied": block((), "it is the ruler's, and QL acts"),
    "delayed": block((), "BE will act after the next response"),
    "fief": block(FIEF_NAMES, "the fief that is visited"),
    "number": block(FIEF_NAMES, "tricks to win there", 8),
    "stars": block(FIEF_NAMES, "stars there", 9),
    "visited": block(FIEF_NAMES, "fiefs whose visit is over"),
    "won": block(FIEF_NAMES, "fiefs won"),
    "turn": block(FIEF_NAMES, "in a fixed order of visits: when the fief's turn comes, from 1", FIEFS),
    "ruler": block([f"{fief} {name}" for fief in FIEF_NAMES for name in CHARACTERS], "the ruler of a fief whose visit is not over"),
    "current ruler": block(CHARACTERS, "the ruler of the fief that is visited"),
    "friendly": block(CHARACTERS, "friendly rulers that may still be called in"),
    "calling": block(CHARACTERS, "the ruler that is being called in"),
    "ally": block(CHARACTERS, "the allies, in play or replaced"),
    "active": block(CHARACTERS, "characters in play"),
    "exhausted": block(CHARACTERS, "characters in play whose ability is used"),
    "off": block(CHARACTERS, "characters whose ability is off"),
    "visits left": block((), "visits to come after this one", FIEFS),
    "stars won": block((), "stars of the fiefs won", 72),
    "stars lacking": block((), "stars still lacking to the goal", 40),
    "hand size": block((), "cards dealt to the hand", 16),
    "calls": block((), "friendly rulers may be called in"),
}  # fmt: skip
AT = offsets(FEATURES)

HIDDEN_FEATURES = {
    "deck": block([f"{place} {label}" for place in range(1, CARDS + 1) for label in PLACE_LABELS], "suit and value of the card in each place from the top of the deck"),
}  # fmt: skip

FOR_GUESS = np.int64(11)  # a purpose of luck


@rule
def conceal(view, seat):
    """The table of fields says it all: the deck alone is hidden."""


@rule
def known_cards(view):
    """The cards that are known to lie somewhere in the deck (R10)."""
    cards = np.int64(0)
    for place in range(view.deck_count):
        if view.known[place] > 0:
            cards |= bit(view.known[place] - 1)
    return cards


@rule
def guess(view, seat, seed):
    """Complete a view to one full game that it could be: each order of the unknown cards in the unknown places is as likely."""
    view.seed = seed
    order = np.zeros(CARDS, np.int64)  # a view that nobody can have may leave too few cards
    shuffle(np.int64(ALL_CARDS) & ~open_cards(view) & ~known_cards(view), seed, FOR_GUESS, np.int64(0), order)
    unknown = 0
    for place in range(view.deck_count):
        if view.known[place] > 0:
            view.deck[place] = view.known[place] - 1
        else:
            view.deck[place] = order[unknown]
            unknown += 1


# --- Features -------------------------------------------------------------------------------------------------


@rule
def mark_place(features, at, place, card):
    """The card in a place from the top of the deck, 0 for the top: its suit and its value."""
    features[at + PLACE_WIDTH * place + (card & 3)] = 1
    features[at + PLACE_WIDTH * place + 4 + (card >> 2)] = 1


@rule
def encode(view, seat, features):
    """Features of what the player knows, by the table FEATURES."""
    encode_cards(view, features)
    encode_fiefs(view, features)
    encode_characters(view, features)
    if view.seat == PLAYER:
        features[AT.phase + view.phase - VISIT] = 1
        if view.phase == RESPOND:
            features[AT.statement + statement(view)] = 1
    if view.ability != NONE:
        features[AT.ability + view.ability] = 1
        features[AT.to_go] = view.to_go
        features[AT.copied] = view.acting != NONE and view.acting != view.ability
    features[AT.delayed] = view.delayed
    features[AT.visits_left] = view.visits - view.visit_no
    features[AT.hand_size] = view.hand_size
    features[AT.calls] = view.calls


@rule
def encode_cards(view, features):
    """Hand, deck and piles."""
    known = known_cards(view)
    mark(features, AT.hand, view.hand)
    mark(features, AT.unseen, np.int64(ALL_CARDS) & ~open_cards(view) & ~known)
    if known != 0:
        mark(features, AT.known, known)
        for place in range(min(PLACES, view.deck_count)):
            card = view.known[view.deck_count - 1 - place]
            if card > 0:
                mark_place(features, AT.next, place, card - 1)
    for place in range(view.discard_count):
        features[AT.discards + view.discards[place]] = 1
    if view.discard_count > 0:
        features[AT.discards_top + view.discards[view.discard_count - 1]] = 1
    for place in range(view.score_count):
        features[AT.scored + view.scored[place]] = 1
    if view.score_count > 0:
        features[AT.scored_top + view.scored[view.score_count - 1]] = 1
    features[AT.in_hand] = count(view.hand)
    features[AT.in_deck] = view.deck_count
    features[AT.tricks] = view.score_count


@rule
def encode_fiefs(view, features):
    """The fiefs, their rulers, and how the current visit stands."""
    for fief in range(FIEFS):
        features[AT.number + fief] = view.numbers[fief]
        features[AT.stars + fief] = view.stars[fief]
        if view.order[fief] > 0:
            features[AT.turn + view.order[fief] - 1] = fief + 1
        if not has(view.visited, fief):
            features[AT.ruler + CHARACTER_COUNT * fief + view.ruler[fief]] = 1
    mark(features, AT.visited, view.visited)
    mark(features, AT.won, view.won)
    if view.fief != NONE:
        ruler = view.ruler[view.fief]
        features[AT.fief + view.fief] = 1
        features[AT.current_ruler + ruler] = 1
        features[AT.trump + suit_of_character(ruler)] = 1
        lacking = view.numbers[view.fief] - view.score_count
        if lacking >= 0:
            features[AT.to_win + lacking] = 1
        else:
            features[AT.too_many] = 1
    stars = stars_won(view)
    features[AT.stars_won] = stars
    features[AT.stars_lacking] = max(view.goal - stars, 0)


@rule
def encode_characters(view, features):
    """Allies, friendly rulers, and who is in play."""
    mark(features, AT.friendly, view.friendly)
    mark(features, AT.ally, view.own)
    mark(features, AT.active, view.active)
    mark(features, AT.exhausted, view.exhausted)
    mark(features, AT.off, view.barred)
    if view.calling != NONE:
        features[AT.calling + view.calling] = 1


@rule
def encode_hidden(game, seat, features):
    """The deck, from the top."""
    for place in range(game.deck_count):
        mark_place(features, 0, place, game.deck[game.deck_count - 1 - place])
