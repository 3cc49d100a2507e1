"""Which records of The Sovereign Hand the rules can reach.

All that everyone can see is held against the rules, and the cards against what everyone can see. Whatever these rules
let pass can be played on: every choice and every luck leads to a record that they let pass again. They may be asked
about any record whose numbers are in the ranges of the table of fields.
"""

import numpy as np

from handfast.envs.core.cards import bit, count
from handfast.envs.core.compiling import rule
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON, NONE
from handfast.envs.core.tricks import of_suit, suit_of
from handfast.envs.sovereign_hand.rules import (
    BOLD,
    CLAIM,
    DEAL,
    DEALER,
    DEBT,
    HOUSE,
    HOUSES,
    PLAYER_COUNTS,
    ROUNDS,
    SEATS,
    TRICK,
    can_pay,
    claimed,
    hand_size,
    is_crowned,
    may_clear,
    tricks_left,
)


@rule
def check(game):
    """Whether the rules can reach this game; safe for all records whose fields are in their ranges."""
    return (
        seats_fit(game)
        and houses_fit(game)
        and hands_fit(game)
        and earlier_rounds_fit(game)
        and coming_deal_fits(game)
        and points_fit(game)
        and stage_fits(game)
    )


# --- Seats and cards ------------------------------------------------------------------------------------------


@rule
def seats_fit(game):
    """Whoever is named takes part, and a seat that does not has nothing."""
    players = game.players
    if players < PLAYER_COUNTS[0] or game.dealer >= players or game.leader >= players or game.seat >= players:
        return False
    if (game.called | game.owing | game.clearing) >> players != 0:
        return False
    for seat in range(players, SEATS):
        if game.claims[seat] != NONE or game.trick[seat] != NONE or game.taken[seat] != 0:
            return False
        if game.houses[seat] != 0 or game.house_counts[seat] != 0 or game.seals[seat] != 0 or game.marks[seat] != 0:
            return False
        for past in range(ROUNDS):
            if game.hands[seat, past] != 0 or game.counts[past, seat] != 0 or game.voids[past, seat] != 0:
                return False
    return True


@rule
def housed(game):
    """The cards in all Houses."""
    cards = np.int64(0)
    for seat in range(game.players):
        cards |= game.houses[seat]
    return cards


@rule
def houses_fit(game):
    """No card is in two Houses, and each House holds as many as everyone knows, or three that luck has just put there."""
    filled = game.phase == HOUSES and game.houses[0] != 0
    cards = 0
    for seat in range(game.players):
        if game.phase <= HOUSES and game.house_counts[seat] != 0:
            return False
        cards += HOUSE if filled else game.house_counts[seat]
        if count(game.houses[seat]) != (HOUSE if filled else game.house_counts[seat]):
            return False
    return count(housed(game)) == cards


@rule
def rounds_dealt(game):
    """The rounds whose hands all have."""
    return game.round_no if game.phase > DEAL else game.round_no - 1


@rule
def hands_fit(game):
    """In each round no card is in two places, hands have their sizes, and none holds a suit that it was seen not to hold."""
    for past in range(rounds_dealt(game)):
        elsewhere = housed(game) | game.seen[past]
        if count(elsewhere) != count(housed(game)) + count(game.seen[past]):
            return False
        for seat in range(game.players):
            hand = game.hands[seat, past]
            if hand & elsewhere != 0 or count(hand) != game.counts[past, seat]:
                return False
            for suit in range(4):
                if game.voids[past, seat] >> suit & 1 and of_suit(hand, suit) != 0:
                    return False
            elsewhere |= hand
    return True


@rule
def earlier_rounds_fit(game):
    """Of a round that is over everyone has seen the Sign and all cards played, and a seat that called has one spare card.

    Each call, also in this round, took another card of the seat's House.
    """
    for past in range(game.round_no - 1):
        if count(game.seen[past]) < 1 + game.players * hand_size(game):
            return False
    for seat in range(game.players):
        calls = game.called >> seat & 1
        for past in range(game.round_no - 1):
            if game.counts[past, seat] > 1:
                return False
            calls += game.counts[past, seat]
        if game.phase > HOUSES and calls > HOUSE - game.house_counts[seat]:
            return False
    return True


@rule
def sign_is_old(game):
    """Whether the Sign is that of the round before; in the first round there is none."""
    if game.round_no == 1:
        return game.sign == 0
    return game.seen[game.round_no - 2] & bit(game.sign) != 0


@rule
def coming_deal_fits(game):
    """Of rounds that are not dealt nothing is known; luck may just have dealt the next one: whole hands and a Sign."""
    dealt = game.phase == DEAL and game.hands[0, game.round_no - 1] != 0
    if game.phase == DEAL and not dealt and not sign_is_old(game):
        return False
    elsewhere = housed(game) | bit(game.sign)
    if dealt and housed(game) & bit(game.sign) != 0:
        return False
    for past in range(rounds_dealt(game), ROUNDS):
        if game.seen[past] != 0:
            return False
        for seat in range(game.players):
            hand = game.hands[seat, past]
            size = hand_size(game) if dealt and past == game.round_no - 1 else 0
            if count(hand) != size or hand & elsewhere != 0:
                return False
            if game.counts[past, seat] != 0 or game.voids[past, seat] != 0:
                return False
            elsewhere |= hand
    return True


# --- Points ---------------------------------------------------------------------------------------------------


@rule
def points_fit(game):
    """No seat has more Seals and Marks than its rounds can have brought, and a crown ended the game.

    A round brings at most two Seals, or one Mark that must have been owed.
    """
    past = game.round_no - 1
    reckoned = game.clearing != 0 or game.ended != GOING_ON
    for seat in range(game.players):
        exact = reckoned and game.claims[seat] == game.taken[seat]
        missed = reckoned and game.claims[seat] != game.taken[seat] and not game.owing >> seat & 1
        seals = 2 if exact and game.claims[seat] >= BOLD else (1 if exact else 0)
        if game.seals[seat] > 2 * past + seals or game.marks[seat] > past + (1 if missed else 0):
            return False
        if not reckoned and is_crowned(game, seat):
            return False
    return True


# --- Stages of a round ----------------------------------------------------------------------------------------


@rule
def stage_fits(game):
    """What stands on the table and who is to move fit the phase."""
    if game.ended != GOING_ON:
        return game_is_over(game)
    if game.phase <= DEAL:
        return luck_is_due(game)
    if game.phase == CLAIM:
        return claims_are_due(game)
    if game.phase == TRICK:
        return trick_is_due(game)
    return reckoning_is_due(game)


@rule
def reckoning_is_still(game):
    """Nobody owes a Debt or may clear Marks."""
    return game.owing == 0 and game.clearing == 0


@rule
def trick_is_clear(game):
    """No card lies on the table."""
    clear = game.led == NONE
    for seat in range(game.players):
        clear &= game.trick[seat] == NONE
    return clear


@rule
def luck_is_due(game):
    """Nobody has done anything in the round; before the Houses are filled, nobody ever has."""
    for seat in range(game.players):
        if game.claims[seat] != NONE or game.taken[seat] != 0:
            return False
    if game.phase <= HOUSES and (game.round_no != 1 or game.sign != 0 or game.leader != 0):
        return False
    if game.phase == DEALER and housed(game) != 0:
        return False
    return game.seat == CHANCE and game.called == 0 and trick_is_clear(game) and reckoning_is_still(game)


@rule
def claims_are_due(game):
    """From the dealer's left up to who is to claim all have claimed, with whole hands, and nobody else has."""
    now, size = game.round_no - 1, hand_size(game)
    if game.seat < 0 or game.leader != at_left(game.dealer, 1, game.players) or game.called != 0:
        return False
    made = steps_left(game.leader, game.seat, game.players)
    for seat in range(game.players):
        claim = game.claims[seat]
        if steps_left(game.leader, seat, game.players) < made:
            if not 0 <= claim <= size:
                return False
        elif claim != NONE:
            return False
        if game.taken[seat] != 0 or game.counts[now, seat] != size or game.voids[now, seat] != 0:
            return False
    return game.seen[now] == bit(game.sign) and trick_is_clear(game) and reckoning_is_still(game)


@rule
def all_have_claimed(game):
    """Everyone has claimed what a hand may take, and the dealer not what would make the total the tricks there are."""
    for seat in range(game.players):
        if not 0 <= game.claims[seat] <= hand_size(game):
            return False
    return claimed(game) != hand_size(game)


@rule
def cards_played(game):
    """The cards that were played in the round, laid in this trick or in those that were taken; -1 where hands disagree.

    Each seat has played a card in each trick, from the hand but for a call.
    """
    tricks = hand_size(game) - tricks_left(game)
    played = 0
    for seat in range(game.players):
        own, calls = tricks + (1 if game.trick[seat] != NONE else 0), game.called >> seat & 1
        if calls > own or game.counts[game.round_no - 1, seat] != hand_size(game) - own + calls:
            return -1
        played += own
    return played


@rule
def leader_fits(game):
    """The first trick is led by the dealer's left, each other by who took the one before."""
    if tricks_left(game) == hand_size(game):
        return game.leader == at_left(game.dealer, 1, game.players)
    return game.taken[game.leader] > 0


@rule
def laid_cards_fit(game):
    """From the leader up to who is to play all have laid a card that everyone has seen, and nobody else has.

    The leader's tells the suit led; whoever laid another suit was seen not to hold it.
    """
    now, laid = game.round_no - 1, steps_left(game.leader, game.seat, game.players)
    cards = bit(game.sign)
    for seat in range(game.players):
        card = game.trick[seat]
        if steps_left(game.leader, seat, game.players) < laid:
            if card < 0 or game.led < 0 or cards & bit(card) != 0:
                return False
            if suit_of(card) != game.led and not game.voids[now, seat] >> game.led & 1:
                return False
            cards |= bit(card)
        elif card != NONE:
            return False
    if laid == 0:
        return game.led == NONE and cards & ~game.seen[now] == 0
    return game.led == suit_of(game.trick[game.leader]) and cards & ~game.seen[now] == 0


@rule
def trick_is_due(game):
    """All have claimed, a trick is left, and everyone has seen just the Sign and the cards played."""
    if game.seat < 0 or not all_have_claimed(game) or tricks_left(game) <= 0:
        return False
    played = cards_played(game)
    return (
        played >= 0
        and count(game.seen[game.round_no - 1]) == 1 + played
        and leader_fits(game)
        and laid_cards_fit(game)
        and reckoning_is_still(game)
    )


@rule
def round_was_played(game):
    """All tricks have been taken, and everyone has seen the Sign, the cards played, and what the Houses spent since."""
    if not all_have_claimed(game) or tricks_left(game) != 0 or not trick_is_clear(game):
        return False
    played, seen = cards_played(game), game.seen[game.round_no - 1]
    return played >= 0 and count(seen) > played and seen & bit(game.sign) != 0 and game.taken[game.leader] > 0


@rule
def reckoning_is_due(game):
    """Only who missed its claim owes; who is to move is the first from the dealer's left that has anything to choose."""
    if game.seat < 0 or not round_was_played(game):
        return False
    for seat in range(game.players):
        if game.owing >> seat & 1 and game.claims[seat] == game.taken[seat]:
            return False
    if game.phase == DEBT:
        if game.clearing != (1 << game.players) - 1 or not game.owing >> game.seat & 1 or not can_pay(game, game.seat):
            return False
    elif game.owing != 0 or not may_clear(game, game.seat):
        return False
    for left in range(1, game.players + 1):
        seat = at_left(game.dealer, left, game.players)
        if seat == game.seat:
            break
        if game.owing >> seat & 1 if game.phase == DEBT else may_clear(game, seat):
            return False
    return True


@rule
def game_is_over(game):
    """A Reckoning is over, and it brought a crown or was that of the tenth round; nothing truncates a game."""
    crowned = False
    for seat in range(game.players):
        crowned |= is_crowned(game, seat)
    return (
        game.ended == ENDED
        and game.seat == FINISHED
        and game.phase >= TRICK
        and (crowned or game.round_no == ROUNDS)
        and round_was_played(game)
        and reckoning_is_still(game)
    )
