"""What a seat knows of The Justiciar: secrets, guesses and features."""

import numpy as np

from handfast.envs.core.cards import RANKS, bit, count, deck, has
from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block, offsets, relative
from handfast.envs.core.luck import below, luck, shuffle
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import NONE
from handfast.envs.justiciar.passes import (
    breaks_forced_pass,
    can_be_had,
    give_to_forced,
    hand_after_play,
    passes_fit,
    room,
    search_witnesses,
    size_run_rank,
)
from handfast.envs.justiciar.rules import (
    ACCUSED,
    CARDS,
    DEAL,
    DECK,
    PLAYER_COUNTS,
    RANK_COUNT,
    ROUNDS,
    RUN,
    SEATS,
    TURN,
    aces,
    can_beat,
    cards_of_rank,
    commission_suit,
    roll,
)
from handfast.envs.justiciar.soundness import check

__all__ = ["AT", "FEATURES", "HIDDEN_FEATURES", "check", "conceal", "encode", "encode_hidden", "guess", "hidden_cards"]

RELATIVE = relative(SEATS)
RANK_NAMES = RANKS[:RANK_COUNT]
MOST = 127

FEATURES_VERSION = 1  # raised by any change in what the features or actions mean: networks for another are refused
FEATURES = {
    "hand": block(deck(CARDS), "cards in hand, less those already chosen for a run being laid"),
    "held": block(RANK_NAMES, "how many cards of the rank are in hand", 4),
    "players": block(PLAYER_COUNTS, "how many players"),
    "present": block(RELATIVE, "whether the seat takes part"),
    "to move": block(RELATIVE, "who is to move"),
    "phase": block(("turn", "run", "accused"), "what is to be decided"),
    "round": block(range(1, ROUNDS + 1), "the round; it fixes the Commission's suit"),
    "cards": block(RELATIVE, "cards in each hand", CARDS),
    "passed": block(RELATIVE, "who passed since the current play"),
    "play size": block(range(1, RANK_COUNT + 1), "cards in the current play; none on an empty table"),
    "play run": block((), "the current play is a run"),
    "play rank": block(RANK_NAMES, "the current play's rank, a run's highest"),
    "play owner": block(RELATIVE, "who made the current play"),
    "holder": block(RELATIVE, "who holds the Commission; none before it is drawn"),
    "accuser": block(RELATIVE, "who accuses the seat to move"),
    "run next": block(RANK_NAMES, "own run being laid: the rank to choose a card of"),
    "run high": block(RANK_NAMES, "own run being laid: its highest rank"),
    "points": block(RELATIVE, "cards left over in finished rounds, at most 127 shown", MOST),
    "aces": block(RELATIVE, "frozen Aces", ROUNDS),
    "out": block([f"{seat} {rank}" for seat in RELATIVE for rank in RANK_NAMES], "cards of the rank that the seat played this round", 4),
    "out of suit": block([f"{seat} {rank}" for seat in RELATIVE for rank in RANK_NAMES], "the seat played the rank's card of the Commission's suit this round"),
    "shown": block([f"{seat} {rank}" for seat in RELATIVE for rank in RANK_NAMES], "the rank's card of the Commission's suit is known to be in the seat's hand"),
    "turns left": block((), "turns until the game is truncated, at most 127 shown", MOST),
}  # fmt: skip
AT = offsets(FEATURES)

HIDDEN_FEATURES = {
    "hand": block([f"{seat} {card}" for seat in RELATIVE[1:] for card in deck(CARDS)], "cards in the other hands"),
}

# Purposes of luck in a guess.
FOR_GUESS, FOR_WITNESS = 11, 12

PLAIN_TRIES = 16
WITNESS_TRIES = 1000


@rule
def conceal(view, seat):
    """A run being laid is its player's own affair until the last card is chosen: which ranks offered a choice tells of the hand.

    While the cards are dealt nobody has a hand.
    """
    if view.phase == DEAL:
        view.hands[seat] = 0
    if view.phase == RUN and view.seat != seat:
        view.phase = TURN
        view.run_low = 0
        view.run_high = 0
        view.run_rank = 0
        view.run_cards = 0


# --- Guesses --------------------------------------------------------------------------------------------------


@rule
def hidden_cards(view, seat):
    """The cards that this seat has not located: in other hands or set aside."""
    cards = np.int64(DECK) & ~view.hands[seat]
    for other in range(view.players):
        cards &= ~(view.played[other] | view.shown[other])
    return cards


@rule
def empty_hidden(view, seat):
    """Leave in the other hands only what everyone knows to be there."""
    for other in range(view.players):
        if other != seat:
            view.hands[other] = view.shown[other]
    view.aside = 0


@rule
def fill_hands(view, seat, cards, key):
    """Deal these cards at random to whatever room the other hands have; the rest is set aside."""
    order = np.empty(CARDS, np.int64)
    n = shuffle(cards, key, FOR_GUESS, 0, order)
    at = 0
    for other in range(view.players):
        if other != seat:
            for _ in range(min(room(view, other), n - at)):
                view.hands[other] |= bit(order[at])
                at += 1
    for i in range(at, n):
        view.aside |= bit(order[i])


@rule
def place_witness(view, seat, play, free, key):
    """Give `seat` a random better play than `play`, from `free` cards where it lacks them; returns the cards still free, -1 if it has no room."""
    size, run, rank = size_run_rank(view, play)
    hand = hand_after_play(view, seat, play)
    if can_beat(hand, size, run, rank):
        return free
    span = size if run else 1  # ranks that the play covers
    each = 1 if run else size  # cards needed of each
    chosen, better = -1, 0
    for high in range(rank + 1, RANK_COUNT):
        if can_be_had(hand | free, high, span, each):
            better += 1
            if below(luck(key, FOR_WITNESS, high, 60), better) == 0:
                chosen = high
    if chosen < 0:
        return np.int64(-1)
    order = np.empty(CARDS, np.int64)
    n = shuffle(free, key, FOR_WITNESS, 0, order)
    for one in range(chosen - span + 1, chosen + 1):
        lacking = each - count(cards_of_rank(hand, one))
        for i in range(n):
            if lacking > 0 and order[i] // 4 == one:
                if room(view, seat) <= 0:
                    return np.int64(-1)
                view.hands[seat] |= bit(order[i])
                free &= ~bit(order[i])
                lacking -= 1
    return np.int64(-1) if breaks_forced_pass(view, seat) else free


@rule
def fill_with_witnesses(view, seat, cards, key):
    """Deal so that the passes fit: first a better play for whoever passed by choice, then the forced seat's hand, then the rest."""
    free = cards
    for play in range(1, view.plays + 1):
        for other in range(view.players):
            if other != seat and view.could_beat[play] >> other & 1:
                free = place_witness(view, other, play, free, luck(key, FOR_WITNESS, play, other))
                if free < 0:
                    return False
    drew = view.drew_seat
    if drew >= 0 and drew != seat:
        order = np.empty(CARDS, np.int64)
        n = shuffle(free, key, FOR_WITNESS, 99, order)
        for i in range(n):
            if give_to_forced(view, order[i]):
                free &= ~bit(order[i])
        if room(view, drew) > 0:
            return False
    fill_hands(view, seat, free, key)
    return True


@rule
def guess(view, seat, seed):
    """Complete a view to one full game that it could be.

    The hidden cards are dealt at random, up to 16 times, until the passes before a Commission fit: uniform over all
    games that fit. Where none of these does, hands are built around the passes: every game that fits has a chance,
    not an equal one. After 1,000 failures (1 view in more than a million) every way is tried in turn, always in the
    same order, up to SEARCH_STEPS steps. A view that no game fits is completed without regard to the passes.

    While the cards are dealt none is in a hand, and luck deals as the seed has it; before the first deal none is needed.
    """
    view.seed = seed
    if view.phase == DEAL:
        roll(view)
    elif view.phase > DEAL or view.round_no > 1:
        deal_hidden(view, seat, seed)


@rule
def deal_hidden(view, seat, seed):
    """Deal the cards that a seat has not located so that the passes fit."""
    cards = hidden_cards(view, seat)
    for attempt in range(PLAIN_TRIES):
        empty_hidden(view, seat)
        fill_hands(view, seat, cards, luck(seed, FOR_GUESS, attempt, 1))
        if passes_fit(view):
            return
    for attempt in range(WITNESS_TRIES):
        empty_hidden(view, seat)
        if fill_with_witnesses(view, seat, cards, luck(seed, FOR_GUESS, attempt, 2)):
            return
    empty_hidden(view, seat)
    cards = search_witnesses(view, seat, cards)
    fill_hands(view, seat, cards, luck(seed, FOR_GUESS, 0, 3))


# --- Features -------------------------------------------------------------------------------------------------


@rule
def encode(view, seat, features):
    """Features of what `seat` knows, by the table FEATURES; seats are relative to it."""
    hand = view.hands[seat] & ~view.run_cards
    for rank in range(RANK_COUNT):
        held = cards_of_rank(hand, rank)
        if held:
            features[AT.held + rank] = count(held)
            for suit in range(4):
                features[AT.hand + 4 * rank + suit] = (held >> np.int64(suit)) & 1
    features[AT.players + view.players - 3] = 1
    if view.seat >= 0:
        features[AT.to_move + steps_left(seat, view.seat, view.players)] = 1
        features[AT.phase + view.phase - TURN] = 1
    features[AT.round + view.round_no - 1] = 1
    if view.play_size > 0:
        features[AT.play_size + view.play_size - 1] = 1
        features[AT.play_run] = view.play_run
        features[AT.play_rank + view.play_rank] = 1
        features[AT.play_owner + steps_left(seat, view.play_owner, view.players)] = 1
    if view.holder != NONE:
        features[AT.holder + steps_left(seat, view.holder, view.players)] = 1
    if view.phase == ACCUSED and view.accuser != NONE:
        features[AT.accuser + steps_left(seat, view.accuser, view.players)] = 1
    if view.phase == RUN:
        features[AT.run_next + view.run_rank] = 1
        features[AT.run_high + view.run_high] = 1
    suit = commission_suit(view)
    for left in range(view.players):
        other = at_left(seat, left, view.players)
        features[AT.present + left] = 1
        features[AT.cards + left] = view.counts[other]
        features[AT.passed + left] = view.passed >> other & 1
        features[AT.points + left] = min(view.points[other], MOST)
        features[AT.aces + left] = aces(view, other)
        encode_cards(view.played[other], view.shown[other], suit, left, features)
    features[AT.turns_left] = min(view.max_turns - view.turns, MOST)


@rule
def encode_cards(played, shown, suit, left, features):
    """By rank: how many cards the seat has played, and where the Commission's suit is known to be."""
    at = left * RANK_COUNT
    while played:
        rank = count((played & -played) - np.int64(1)) // 4
        held = cards_of_rank(played, rank)
        features[AT.out + at + rank] = count(held)
        features[AT.out_of_suit + at + rank] = held >> suit & 1
        played &= ~(np.int64(15) << np.int64(4 * rank))
    while shown:
        low = shown & -shown
        features[AT.shown + at + count(low - np.int64(1)) // 4] = 1
        shown ^= low


@rule
def encode_hidden(game, seat, features):
    """The other hands, in the order in which they sit to the left of `seat`."""
    for left in range(1, game.players):
        hand = game.hands[at_left(seat, left, game.players)]
        for card in range(CARDS):
            features[(left - 1) * CARDS + card] = has(hand, card)
