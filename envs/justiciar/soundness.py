"""What holds in every game of The Justiciar that the rules can reach, between any two moves.

Every rule here takes any record whose fields are in their ranges. Before the first deal a record is as `deal` left it;
between two rounds the finished one still lies there, and with it the old hands or those that luck has just dealt.
"""

import numpy as np

from handfast.envs.core.cards import count, has, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON, NONE, TRUNCATED
from handfast.envs.core.tricks import of_suit
from handfast.envs.justiciar.passes import passes_fit, size_run_rank
from handfast.envs.justiciar.rules import (
    ACCUSED,
    CARDS,
    COMMISSION_SUITS,
    DEAL,
    DECK,
    FORCED,
    LEAD,
    MOST_HELD,
    ROUNDS,
    RUN,
    SEATS,
    TURN,
    cards_of_rank,
    dealt_evenly,
)


@rule
def check(game):
    """Whether the rules can reach this game: phase and seats, standing, cards in one place each, plays, table, and what passing told."""
    if not (mover_fits(game) and seats_exist(game) and absent_seats_are_blank(game)):
        return False
    if rounds_begun(game) == 0:
        return is_blank(game) and (nothing_is_dealt(game) or (game.phase == DEAL and is_fresh_deal(game)))
    if not (turns_fit(game) and points_fit(game) and aces_fit(game)):
        return False
    if not (known_cards_fit(game) and plays_fit(game) and table_fits(game) and run_fits(game) and knowledge_fits(game)):
        return False
    return (game.phase == DEAL and is_fresh_deal(game)) or (hands_fit(game) and passes_fit(game))


# --- Which moment this is -------------------------------------------------------------------------------------


@rule
def rounds_begun(game):
    """Rounds whose cards have been dealt: between two rounds the next one has not begun."""
    return game.round_no - 1 if game.seat == CHANCE else game.round_no


@rule
def empty_hands(game):
    """How many hands were empty when the counts were taken last."""
    empty = 0
    for seat in range(game.players):
        empty += game.counts[seat] == 0
    return empty


@rule
def is_round_over(game):
    """Whether the round that was begun last has ended, a hand being empty."""
    return game.seat == CHANCE or (game.seat == FINISHED and empty_hands(game) > 0)


@rule
def rounds_over(game):
    """How many rounds have ended."""
    return rounds_begun(game) - (0 if is_round_over(game) else 1)


# --- Seats ----------------------------------------------------------------------------------------------------


@rule
def is_seat(game, seat):
    """Whether this is a seat of the game."""
    return 0 <= seat < game.players


@rule
def is_seat_or_none(game, seat):
    """Whether this is a seat of the game, or NONE."""
    return seat == NONE or is_seat(game, seat)


@rule
def mover_fits(game):
    """Luck leads and deals, seats have turns, lay runs and answer; a game is over after a turn or an answer."""
    if game.seat == CHANCE:
        return game.ended == GOING_ON and (game.phase == LEAD or game.phase == DEAL)
    if game.seat == FINISHED:
        return game.ended != GOING_ON and (game.phase == TURN or game.phase == ACCUSED)
    return is_seat(game, game.seat) and game.ended == GOING_ON and game.phase >= TURN


@rule
def seats_exist(game):
    """Whoever is named takes part."""
    for ace in range(ROUNDS):
        if not is_seat_or_none(game, game.frozen_by[ace]):
            return False
    return (
        is_seat(game, game.leader)
        and is_seat_or_none(game, game.holder)
        and is_seat_or_none(game, game.play_owner)
        and is_seat_or_none(game, game.accuser)
        and is_seat_or_none(game, game.drew_seat)
    )


@rule
def absent_seats_are_blank(game):
    """Seats that do not take part have no cards and no points."""
    for seat in range(game.players, SEATS):
        if game.points[seat] != 0 or game.counts[seat] != 0 or game.hands[seat] != 0:
            return False
        if game.shown[seat] != 0 or game.played[seat] != 0 or game.origin[seat] != 0:
            return False
    return True


# --- Before the first deal, and the deal ----------------------------------------------------------------------


@rule
def is_blank(game):
    """Whether all but the leader and the hands is as it was when the game began."""
    for seat in range(game.players):
        if game.points[seat] != 0 or game.counts[seat] != 0:
            return False
        if game.shown[seat] != 0 or game.played[seat] != 0 or game.origin[seat] != 0:
            return False
    for ace in range(ROUNDS):
        if game.frozen_by[ace] != NONE:
            return False
    for card in range(CARDS):
        if game.order[card] != 0:
            return False
    for play in range(CARDS + 1):
        if game.could_beat[play] != 0:
            return False
    return (
        game.turns == 0
        and game.holder == NONE
        and game.plays == 0
        and game.drew_seat == 0
        and game.drew_play == 0
        and game.accuser == 0
        and game.play_owner == 0
        and is_table_empty(game)
        and is_no_run(game)
    )


@rule
def nothing_is_dealt(game):
    """Whether all cards are still in the deck."""
    cards = game.aside
    for seat in range(game.players):
        cards |= game.hands[seat]
    return cards == 0


@rule
def is_fresh_deal(game):
    """Whether the hands and the cards set aside are a deal of this round (R1)."""
    cards, total = game.aside, count(game.aside)
    for seat in range(game.players):
        if count(game.hands[seat]) != dealt_to(game, seat):
            return False
        cards |= game.hands[seat]
        total += count(game.hands[seat])
    return cards == np.int64(DECK) and total == CARDS


@rule
def dealt_to(game, seat):
    """How many cards a seat is dealt; with `uneven_deal` one more each to the seats from the leader on."""
    each = dealt_evenly(game)
    extra = game.uneven_deal and steps_left(game.leader, seat, game.players) < CARDS - each * game.players
    return each + 1 if extra else each


# --- The standing ---------------------------------------------------------------------------------------------


@rule
def turns_fit(game):
    """A turn for every play and at least one a round; the game ends after the last round, or is truncated at the limit (R8)."""
    least = max(game.plays, 1 if is_round_over(game) else 0)
    if game.turns < rounds_begun(game) - 1 + least or game.turns > game.max_turns:
        return False
    empty = empty_hands(game)
    if empty > 1 or (game.seat == CHANCE and empty == 0) or (game.seat >= 0 and empty > 0):
        return False
    last_is_over = game.round_no == ROUNDS and empty > 0
    if game.ended == ENDED:
        return last_is_over
    if game.ended == TRUNCATED:
        return game.turns == game.max_turns and not last_is_over
    return game.turns < game.max_turns


@rule
def points_fit(game):
    """Points are the cards left over in the rounds that are over; in a truncated game the hands count too."""
    earlier = rounds_begun(game) - 1
    counted = game.seat < 0
    total = 0
    for seat in range(game.players):
        before = game.points[seat] - (game.counts[seat] if counted else 0)
        if before < 0 or before > MOST_HELD * earlier:
            return False
        total += before
    return total <= CARDS * earlier


@rule
def aces_fit(game):
    """Each finished round's Ace is with who held it then; a Commission once drawn is always held, and its holder leads the next round (R6)."""
    over = rounds_over(game)
    for ace in range(ROUNDS):
        if ace >= over and game.frozen_by[ace] != NONE:
            return False
        if 0 < ace < over and game.frozen_by[ace] == NONE and game.frozen_by[ace - 1] != NONE:
            return False
    if over > 0 and game.frozen_by[over - 1] != NONE and game.holder == NONE:
        return False
    if is_round_over(game) and game.frozen_by[over - 1] != game.holder:
        return False
    if game.seat == CHANCE:
        return game.holder == NONE or (game.phase == DEAL and game.leader == game.holder)
    return not is_begun_with_holder(game) or game.leader == game.frozen_by[game.round_no - 2]


@rule
def is_begun_with_holder(game):
    """Whether somebody held the Commission from the beginning of the round on."""
    begun = rounds_begun(game)
    return begun > 1 and game.frozen_by[begun - 2] != NONE


# --- The cards ------------------------------------------------------------------------------------------------


@rule
def known_cards_fit(game):
    """Whoever played or gave a card was dealt it, or was given it before; only cards of the Commission's suit are given, by its holder's accusation."""
    suit = of_suit(np.int64(DECK), COMMISSION_SUITS[rounds_begun(game) - 1])
    seen, times_seen, dealt, times_dealt, given = np.int64(0), 0, np.int64(0), 0, np.int64(0)
    for seat in range(game.players):
        played, shown, origin = game.played[seat], game.shown[seat], game.origin[seat]
        seen |= played | shown
        times_seen += count(played) + count(shown)
        dealt |= origin
        times_dealt += count(origin)
        given |= shown | (origin & ~played)
        if not was_dealt(game, seat, game.counts[seat] - count(shown) + count(origin)):
            return False
    if given & ~suit or (given != 0 and game.holder == NONE):
        return False
    return seen == dealt and times_seen == count(seen) and times_dealt == count(dealt)


@rule
def was_dealt(game, seat, cards):
    """Whether a seat can have been dealt so many cards; who led a round that is over is forgotten."""
    if game.seat != CHANCE:
        return cards == dealt_to(game, seat)
    each = dealt_evenly(game)
    return cards == each or (game.uneven_deal and each * game.players < CARDS and cards == each + 1)


@rule
def hands_fit(game):
    """Every card is in exactly one place, and hands agree with their counts and with what everyone knows of them."""
    everywhere, cards = game.aside, count(game.aside)
    for seat in range(game.players):
        hand = game.hands[seat]
        everywhere |= hand | game.played[seat]
        cards += count(hand) + count(game.played[seat])
        if count(hand) != game.counts[seat] or game.shown[seat] & ~hand or game.origin[seat] & hand & ~game.shown[seat]:
            return False
    left_over = 0 if game.uneven_deal else CARDS - dealt_evenly(game) * game.players
    return everywhere == np.int64(DECK) and cards == CARDS and count(game.aside) == left_over


# --- Plays and the table --------------------------------------------------------------------------------------


@rule
def cards_of_play(game, play):
    """The cards of the round's play of this number."""
    cards = np.int64(0)
    for card in range(CARDS):
        if game.order[card] == play:
            cards |= np.int64(1) << np.int64(card)
    return cards


@rule
def is_play(cards):
    """Whether these cards are one or more of one rank, or one each of three or more ranks in a row."""
    if cards == 0:
        return False
    low, ranks = lowest(cards) // 4, 0
    while low + ranks < CARDS // 4 and cards_of_rank(cards, low + ranks) != 0:
        ranks += 1
    in_row = cards & ~((np.int64(1) << np.int64(4 * (low + ranks))) - np.int64(1)) == 0
    return in_row and (ranks == 1 or (ranks >= 3 and count(cards) == ranks))


@rule
def owner_of_play(game, cards):
    """The seat that played all these cards, NONE where there is none."""
    for seat in range(game.players):
        if cards & ~game.played[seat] == 0:
            return seat
    return NONE


@rule
def plays_fit(game):
    """The cards played are numbered by plays, each of one seat and of one of the kinds that there are."""
    played = np.int64(0)
    for seat in range(game.players):
        played |= game.played[seat]
    for card in range(CARDS):
        if (game.order[card] != 0) != has(played, card) or game.order[card] > game.plays:
            return False
    for play in range(1, game.plays + 1):
        cards = cards_of_play(game, play)
        if not is_play(cards) or owner_of_play(game, cards) == NONE:
            return False
    return is_begun_with_holder(game) or is_led_by_leader(game)


@rule
def is_led_by_leader(game):
    """Whether the leader made the first play of a round, or is to make it: it may not pass (R2), and nobody can accuse."""
    if game.plays == 0:
        return game.holder == NONE and (game.seat < 0 or game.seat == game.leader)
    return game.seat == CHANCE or owner_of_play(game, cards_of_play(game, 1)) == game.leader


@rule
def is_table_empty(game):
    """Whether there is no current play, and nobody who passed it."""
    return (
        game.play_size == 0 and game.play_run == 0 and game.play_rank == 0 and game.play_cards == 0 and game.passed == 0
    )


@rule
def table_fits(game):
    """The current play is the last one made, and exactly those between its owner and whose turn it is have passed it (R4, R10)."""
    if game.seat >= 0 and game.phase == ACCUSED:
        if game.accuser != game.holder or game.accuser == NONE or game.accuser == game.seat:
            return False
    elif game.accuser != NONE:
        return False
    if game.play_size == 0:
        return is_table_empty(game) and game.play_owner == NONE
    if game.play_owner == NONE or game.plays == 0:
        return False
    size, run, rank = size_run_rank(game, game.plays)
    if game.play_size != size or (game.play_run != 0) != run or game.play_rank != rank:
        return False
    cards = cards_of_play(game, game.plays)
    if game.play_cards != cards or owner_of_play(game, cards) != game.play_owner:
        return False
    if game.seat >= 0:
        turn = game.accuser if game.phase == ACCUSED else game.seat
        return turn != game.play_owner and game.passed == seats_between(game, game.play_owner, turn)
    fits = False  # whose turn it was is forgotten
    for turn in range(game.players):
        fits = fits or game.passed == seats_between(game, game.play_owner, turn)
    return fits


@rule
def seats_between(game, owner, turn):
    """The seats to the left of `owner` up to, but not including, `turn`, a bit a seat; all others where both are one."""
    seats = 0
    other = at_left(owner, 1, game.players)
    while other != turn and other != owner:
        seats |= 1 << other
        other = at_left(other, 1, game.players)
    return seats


@rule
def is_no_run(game):
    """Whether no run is being laid."""
    return game.run_low == 0 and game.run_high == 0 and game.run_rank == 0 and game.run_cards == 0


@rule
def run_fits(game):
    """A run being laid could be played: a card is chosen of each lower rank, a choice waits at the next, and the others are held."""
    if game.phase != RUN:
        return is_no_run(game)
    hand = game.hands[game.seat]
    low, high, rank = game.run_low, game.run_high, game.run_rank
    if high < low + 2 or not low <= rank <= high or game.run_cards & ~hand:
        return False
    if game.play_size != 0 and (game.play_run == 0 or high - low + 1 != game.play_size or high <= game.play_rank):
        return False
    for one in range(CARDS // 4):
        chosen = count(cards_of_rank(game.run_cards, one))
        if chosen != (1 if low <= one < rank else 0):
            return False
        if low <= one <= high and cards_of_rank(hand, one) == 0:
            return False
    return count(cards_of_rank(hand, rank)) > 1


# --- What passing told ----------------------------------------------------------------------------------------


@rule
def knowledge_fits(game):
    """Passes tell of hands only while nobody holds a Commission that the first forced pass draws (R3), and never of a play's owner."""
    tells = game.first_commission == FORCED and not is_begun_with_holder(game)
    drew, last = game.drew_seat, game.plays
    if game.holder == NONE and game.passed != (game.could_beat[last] if tells and game.play_size != 0 else 0):
        return False
    if drew == NONE:
        if game.drew_play != 0:
            return False
    else:
        last = game.drew_play
        if not tells or game.holder == NONE or not 1 <= last <= game.plays or game.could_beat[last] >> drew & 1:
            return False
        if drew == owner_of_play(game, cards_of_play(game, last)):
            return False
        if last == game.plays and game.play_size != 0 and not game.passed >> drew & 1:
            return False
    for play in range(CARDS + 1):
        passers = game.could_beat[play]
        if passers != 0:
            if not tells or not 1 <= play <= last or passers >> game.players:
                return False
            if passers >> owner_of_play(game, cards_of_play(game, play)) & 1:
                return False
            if play == game.plays and game.play_size != 0 and passers & ~game.passed:
                return False
    return True
