"""What passing told of the hands, before a Commission was held: who passed by choice could beat the play, who was forced could not."""

import numpy as np

from handfast.envs.core.cards import bit, count, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.justiciar.rules import CARDS, RANK_COUNT, SEATS, can_beat, cards_of_rank

SEARCH_STEPS = 20_000  # more than 1,000 were never needed in 1.5 million views of random games


@rule
def dealt_hand(game, seat):
    """The cards dealt to a seat this round: what it holds less what it was given, and what it played or gave of its own."""
    return (game.hands[seat] & ~game.shown[seat]) | game.origin[seat]


@rule
def hand_after_play(game, seat, play):
    """The hand of a seat right after a play of this round, before any Commission was held."""
    hand = dealt_hand(game, seat)
    for card in range(CARDS):
        if game.order[card] != 0 and game.order[card] <= play:
            hand &= ~bit(card)
    return hand


@rule
def size_run_rank(game, play):
    """The round's play of this number: how many cards, whether it is a run, and its (highest) rank."""
    size, rank, ranks = 0, 0, 0
    for card in range(CARDS):
        if game.order[card] == play:
            ranks += 1 if size == 0 or card // 4 != rank else 0
            size += 1
            rank = card // 4
    return size, ranks > 1, rank


@rule
def hand_could_beat(game, hand, play):
    """Whether a hand holds a play that beats the round's play of this number."""
    size, run, rank = size_run_rank(game, play)
    return can_beat(hand, size, run, rank)


@rule
def breaks_forced_pass(game, seat):
    """Whether a seat that drew the Commission holds what it could not have held."""
    if seat != game.drew_seat:
        return False
    return hand_could_beat(game, hand_after_play(game, seat, game.drew_play), game.drew_play)


@rule
def passes_fit(game):
    """Whether every pass before a Commission was held tells the truth (R3): by choice with a better play in hand, forced without."""
    if game.drew_seat >= 0 and breaks_forced_pass(game, game.drew_seat):
        return False
    for play in range(1, game.plays + 1):
        passers = game.could_beat[play]
        for seat in range(game.players if passers else 0):
            if passers >> seat & 1 and not hand_could_beat(game, hand_after_play(game, seat, play), play):
                return False
    return True


# --- Hands built around the passes ----------------------------------------------------------------------------


@rule
def room(game, seat):
    """How many more cards belong in a hand."""
    return game.counts[seat] - count(game.hands[seat])


@rule
def can_be_had(cards, high, span, each):
    """Whether these cards hold `each` of all `span` ranks up to `high`."""
    had = high - span + 1 >= 0
    for rank in range(max(0, high - span + 1), high + 1):
        if count(cards_of_rank(cards, rank)) < each:
            had = False
    return had


@rule
def give_to_forced(view, card):
    """Give a card to the seat that drew the Commission if it has room for it and can have held it; returns whether it did."""
    drew = view.drew_seat
    if room(view, drew) <= 0:
        return False
    view.hands[drew] |= bit(card)
    if breaks_forced_pass(view, drew):
        view.hands[drew] &= ~bit(card)
        return False
    return True


@rule
def search_witnesses(view, seat, cards):
    """Give the other hands what the passes ask of them, from these free cards, by trying every way in turn.

    Returns the cards that are still free: they may lie anywhere. Where no way fits, nothing is given and all are.
    Suits do not matter, nor do more cards than needed but to the seat that was forced to pass: so each way is a rank
    for each pass by choice, and then as many cards as can be for that seat.
    """
    passers = np.empty(CARDS * SEATS, np.int64)
    plays = np.empty(CARDS * SEATS, np.int64)
    n = list_passes(view, seat, passers, plays)
    hands = np.zeros((n + 1, SEATS), np.int64)  # before each pass's better play is given, and at last
    free = np.full(n + 1, cards)
    tried = np.full(n + 1, -1)  # the rank given last
    at = 0
    hands[0, :] = view.hands
    for _ in range(SEARCH_STEPS):
        view.hands[:] = hands[at]
        if at == n:
            return fill_forced(view, seat, free[n])
        tried[at], left = give_next_better(view, seat, passers[at], plays[at], tried[at], free[at])
        if left >= 0:
            at += 1
            hands[at, :] = view.hands
            free[at] = left
            tried[at] = -1
        elif at > 0:
            at -= 1
        else:
            break
    view.hands[:] = hands[0]
    return cards


@rule
def list_passes(view, seat, passers, plays):
    """Write into `passers` and `plays` who but `seat` passed which play by choice; returns how many.

    The largest plays first, which are hardest to beat; then the last, whose passers have the fewest known cards.
    """
    sizes = np.zeros(CARDS + 1, np.int64)
    for card in range(CARDS):
        sizes[view.order[card]] += 1
    n = 0
    for size in range(CARDS, -1, -1):
        for play in range(view.plays, 0, -1):
            if sizes[play] == size and view.could_beat[play] != 0:
                for other in range(view.players):
                    if other != seat and view.could_beat[play] >> other & 1:
                        passers[n] = other
                        plays[n] = play
                        n += 1
    return n


@rule
def give_next_better(view, seat, other, play, after, free):
    """Give a hand the next better play than `play` above the rank `after`, if the forced pass still fits then.

    Returns its rank and the cards still free, RANK_COUNT and -1 where there is none. A hand that has one needs nothing.
    """
    size, run, rank = size_run_rank(view, play)
    hand = hand_after_play(view, other, play)
    if can_beat(hand, size, run, rank):
        return RANK_COUNT, free if after < 0 else np.int64(-1)
    span = size if run else 1
    each = 1 if run else size
    before = view.hands[other]
    for high in range(max(after, rank) + 1, RANK_COUNT):
        if can_be_had(hand | free, high, span, each):
            left = free
            for one in range(high - span + 1, high + 1):
                for _ in range(each - count(cards_of_rank(hand, one))):
                    card = lowest(left & (np.int64(15) << np.int64(4 * one)))
                    view.hands[other] |= bit(card)
                    left &= ~bit(card)
            if room(view, other) >= 0 and forced_can_be_filled(view, seat, left):
                return high, left
            view.hands[other] = before
    return RANK_COUNT, np.int64(-1)


@rule
def forced_can_be_filled(view, seat, free):
    """Whether the seat that drew the Commission can have its hand filled from the `free` cards."""
    drew = view.drew_seat
    if drew < 0 or drew == seat:
        return True
    before = view.hands[drew]
    fill_forced(view, seat, free)
    filled = room(view, drew) == 0 and not breaks_forced_pass(view, drew)
    view.hands[drew] = before
    return filled


@rule
def fill_forced(view, seat, free):
    """Give the seat that drew the Commission as many of the `free` cards as it can have held, up to its room; returns those still free."""
    drew = view.drew_seat
    if drew < 0 or drew == seat:
        return free
    size, run, rank = size_run_rank(view, view.drew_play)
    open_ranks = free
    if run:
        open_ranks &= ~ranks_left_out(hand_after_play(view, drew, view.drew_play), free, size, rank)
    for card in range(CARDS):
        if open_ranks >> np.int64(card) & 1 and give_to_forced(view, card):
            free &= ~bit(card)
    return free


@rule
def ranks_left_out(hand, free, size, rank):
    """The ranks, as a set of cards, of which a hand gets none, so that it holds no run of `size` above `rank`.

    Those with the fewest `free` cards. Between two ranks left out, one after the other, there must be no such run:
    place 0 is below all ranks, place 1 the lowest, the last one above all.
    """
    least = np.full(RANK_COUNT + 2, CARDS + 1)  # by place left out: the fewest cards left out up to it
    earlier = np.zeros(RANK_COUNT + 2, np.int64)  # and the place left out before it
    least[0] = 0
    for place in range(1, RANK_COUNT + 2):
        is_rank = place <= RANK_COUNT
        if is_rank and cards_of_rank(hand, place - 1) != 0:
            continue
        cost = count(cards_of_rank(free, place - 1)) if is_rank else 0
        for before in range(place):
            is_run = place - 1 - before >= size and place - 2 > rank
            if not is_run and least[before] + cost < least[place]:
                least[place] = least[before] + cost
                earlier[place] = before
    left_out = np.int64(0)
    place = earlier[RANK_COUNT + 1]
    while place > 0:
        left_out |= np.int64(15) << np.int64(4 * (place - 1))
        place = earlier[place]
    return left_out
