"""What holds in every game of The Covenant that the rules can reach, between any two moves.

Every rule here takes any record whose fields are in their ranges. Between two rounds the finished one still lies there,
under the hands that luck may just have dealt.
"""

import numpy as np

from handfast.envs.core.cards import count, has, highest
from handfast.envs.core.compiling import rule
from handfast.envs.core.seats import at_left, steps_left
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON, NONE
from handfast.envs.core.tricks import of_suit, suit_of
from handfast.envs.covenant.rules import (
    ABSTAIN,
    CARDS,
    COVENANT,
    DEAL,
    DEALER,
    DECK,
    HIGHEST,
    ROUNDS,
    SEALING,
    SEATS,
    SIGNER,
    SUBSCRIBE,
    SUIT_COUNT,
    TRICK,
    all_of,
    card_in_trick,
    foremost,
    left_of_dealer,
    signer_bonus,
    table_cards,
)

RANK_COUNT = CARDS // SUIT_COUNT


@rule
def check(game):
    """Whether the rules can reach this game: phase and seats, every card in one place, choices in turn, the table, the trick, the points."""
    if not (mover_fits(game) and absent_seats_are_blank(game) and piles_fit(game)):
        return False
    for seat in range(game.players):
        if not (signer_fits(game, seat) and choice_fits(game, seat) and seal_fits(game, seat)):
            return False
    if not (trump_fits(game) and captures_fit(game) and end_fits(game)):
        return False
    if rounds_dealt(game) == 0:
        return is_undealt(game) and (no_card_is_dealt(game) or (game.phase == DEAL and is_fresh_deal(game)))
    if not (sizes_fit(game) and trick_fits(game) and voids_fit(game)):
        return False
    return cards_fit(game) or (game.phase == DEAL and is_fresh_deal(game) and no_card_lies_twice(game))


# --- Which moment this is -------------------------------------------------------------------------------------


@rule
def rounds_dealt(game):
    """Rounds whose cards have been dealt: between two rounds the next one has not."""
    return game.round_no - 1 if game.phase <= DEAL else game.round_no


@rule
def rounds_revealed(game):
    """Rounds in which the choices at the Covenant Table have come to light."""
    return game.round_no if game.phase > COVENANT else game.round_no - 1


@rule
def is_after_reveal(game):
    """Whether this round's choices at the Covenant Table lie open, or between two rounds those of the last one."""
    return game.phase > COVENANT or (game.phase == DEAL and game.round_no > 1)


@rule
def dealer_of_choices(game):
    """The dealer of the round that was dealt last; between two rounds the marker has passed on (R1)."""
    if game.phase == DEAL and game.round_no > 1:
        return at_left(game.dealer, game.players - 1, game.players)
    return game.dealer


@rule
def comes_before_mover(game, seat):
    """Whether, from the dealer's left on, a seat is before the one that is to move."""
    first = left_of_dealer(game)
    return steps_left(first, seat, game.players) < steps_left(first, game.seat, game.players)


@rule
def has_signed(game, seat):
    """Whether a seat has chosen its Signer."""
    return game.phase > SIGNER or (game.phase == SIGNER and comes_before_mover(game, seat))


@rule
def has_secret_choice(game, seat):
    """Whether a seat has chosen at the Covenant Table and nobody else knows what."""
    return game.phase == COVENANT and comes_before_mover(game, seat)


# --- Seats ----------------------------------------------------------------------------------------------------


@rule
def mover_fits(game):
    """Luck draws the first dealer and deals, seats choose, seal and play; the game is over after the last trick, and never truncated."""
    if not 0 <= game.dealer < game.players:
        return False
    if (game.phase == DEALER or game.phase == SIGNER) and game.round_no != 1:
        return False
    if game.seat == CHANCE:
        return game.ended == GOING_ON and (game.phase == DEALER or game.phase == DEAL)
    if game.seat == FINISHED:
        return game.ended == ENDED and game.phase == TRICK and game.round_no == ROUNDS
    return 0 <= game.seat < game.players and game.ended == GOING_ON and game.phase != DEALER and game.phase != DEAL


@rule
def absent_seats_are_blank(game):
    """Seats that do not take part have no cards, no cubes, no points, and have chosen nothing."""
    for seat in range(game.players, SEATS):
        if game.hands[seat] | game.subscribed[seat] | game.sealed[seat] | game.played[seat] | game.lacks[seat]:
            return False
        if game.signers[seat] != 0 or game.revealed[seat] != 0 or game.counts[seat] != 0 or game.choices[seat] != 0:
            return False
        if game.cubes[seat] != 0 or game.seals[seat] != 0 or game.bonus[seat] != 0:
            return False
        for suit in range(SUIT_COUNT):
            if game.captures[seat, suit] != 0:
                return False
    return True


# --- Choices --------------------------------------------------------------------------------------------------


@rule
def signer_fits(game, seat):
    """Signers are chosen in turn, and come to light when the game is over."""
    if (game.signers[seat] != 0) != has_signed(game, seat):
        return False
    return game.revealed[seat] == (game.signers[seat] if game.seat == FINISHED else 0)


@rule
def choice_fits(game, seat):
    """At the Covenant Table a choice is made in turn, of a card in hand or to abstain; each that is revealed is a card signed away or a cube."""
    subscribed = count(game.subscribed[seat])
    new = count(game.subscribed[seat] & game.fresh)
    if game.cubes[seat] + subscribed != rounds_revealed(game) or new > (1 if is_after_reveal(game) else 0):
        return False
    choice = game.choices[seat]
    if not has_secret_choice(game, seat):
        return choice == 0
    return choice == ABSTAIN or (choice >= SUBSCRIBE and has(game.hands[seat], choice - SUBSCRIBE))


@rule
def seal_fits(game, seat):
    """Exactly those who abstained seal one card each, from the dealer's left on (R4)."""
    if count(game.sealed[seat]) != game.seals[seat]:
        return False
    abstained = is_after_reveal(game) and game.subscribed[seat] & game.fresh == 0
    if game.phase != SEALING:
        return (game.seals[seat] != 0) == abstained
    if seat == game.seat:
        return abstained and game.seals[seat] == 0
    return (game.seals[seat] != 0) == (abstained and comes_before_mover(game, seat))


# --- The Covenant Table ---------------------------------------------------------------------------------------


@rule
def piles_fit(game):
    """A pile has a top card, one of those laid last, the others have none; new cards lie on the piles."""
    table = table_cards(game)
    if game.fresh & ~table:
        return False
    for suit in range(SUIT_COUNT):
        pile, top = of_suit(table, suit), game.tops[suit]
        if (top != NONE) != (pile != 0) or (pile != 0 and (top < 0 or not has(pile, top))):
            return False
        if of_suit(game.fresh, suit) != 0 and top != new_top(game, suit):
            return False
    return True


@rule
def new_top(game, suit):
    """The top card of a pile to which cards were subscribed this round (R1)."""
    if game.top_card == HIGHEST:
        return highest(of_suit(game.fresh, suit))
    top = NONE
    for steps in range(1, game.players + 1):
        cards = of_suit(game.fresh & game.subscribed[at_left(dealer_of_choices(game), steps, game.players)], suit)
        if cards != 0:
            top = highest(cards)
    return top


@rule
def trump_fits(game):
    """The suit signed most this round is Trump, Unsettled without any; the one signed most so far would be Ratified (R2)."""
    if game.ratified != foremost(table_cards(game), game.tops):
        return False
    return game.trump == (NONE if game.fresh == 0 else foremost(game.fresh, game.tops))


# --- The cards of the round -----------------------------------------------------------------------------------


@rule
def is_undealt(game):
    """Whether, before the first deal, nothing of a round lies there."""
    for seat in range(game.players):
        if game.counts[seat] != 0 or game.played[seat] != 0 or game.lacks[seat] != 0:
            return False
    return game.trick == 0 and game.led == NONE


@rule
def no_card_is_dealt(game):
    """Whether all cards are still in the deck."""
    cards = game.table_seal
    for seat in range(game.players):
        cards |= game.hands[seat]
    return cards == 0


@rule
def is_fresh_deal(game):
    """Whether the hands and the Table Seal are a deal of all cards that are not on the Covenant Table."""
    deck = np.int64(DECK) & ~table_cards(game)
    cards, total = game.table_seal, count(game.table_seal)
    for seat in range(game.players):
        if count(game.hands[seat]) != count(deck) // game.players:
            return False
        cards |= game.hands[seat]
        total += count(game.hands[seat])
    return cards == deck and total == count(deck)


@rule
def no_card_lies_twice(game):
    """Whether what still lies there of the finished round, under a fresh deal, is in one place each."""
    everywhere, cards = np.int64(0), 0
    for seat in range(game.players):
        everywhere |= game.played[seat] | game.sealed[seat] | game.subscribed[seat]
        cards += count(game.played[seat]) + count(game.sealed[seat]) + count(game.subscribed[seat])
    return count(everywhere) == cards


@rule
def sizes_fit(game):
    """The hands were dealt alike: each card of them is counted in it, played, sealed or signed away; between two rounds and at the end none is left."""
    each = count(np.int64(DECK) & ~(table_cards(game) & ~game.fresh)) // game.players
    for seat in range(game.players):
        gone = count(game.played[seat]) + game.seals[seat] + count(game.subscribed[seat] & game.fresh)
        if game.counts[seat] + gone != each or (game.seat < 0 and game.counts[seat] != 0):
            return False
        if game.phase == TRICK and game.seat >= 0 and game.counts[seat] == 0 and not game.played[seat] & game.trick:
            return False
        if (game.phase == COVENANT or game.phase == SEALING) and game.played[seat] != 0:
            return False
    return True


@rule
def cards_fit(game):
    """Every card is in exactly one place, and the hands are as large as their counts."""
    everywhere, cards = game.table_seal, count(game.table_seal)
    for seat in range(game.players):
        hand, elsewhere = game.hands[seat], game.played[seat] | game.sealed[seat] | game.subscribed[seat]
        everywhere |= hand | elsewhere
        cards += count(hand) + count(game.played[seat]) + count(game.sealed[seat]) + count(game.subscribed[seat])
        if count(hand) != game.counts[seat]:
            return False
    return everywhere == np.int64(DECK) and cards == CARDS


# --- Tricks ---------------------------------------------------------------------------------------------------


@rule
def trick_fits(game):
    """The trick holds a card of each seat from its leader's up to the right of the mover's; all have played as often before."""
    before = count(game.played[0] & ~game.trick)  # tricks that are over
    in_trick = 0
    for seat in range(game.players):
        cards = count(game.played[seat] & game.trick)
        if cards > 1 or count(game.played[seat] & ~game.trick) != before:
            return False
        in_trick += cards
    if in_trick != count(game.trick) or in_trick >= game.players:
        return False
    if in_trick == 0:
        first = before == 0 and game.phase == TRICK  # R5
        return game.led == NONE and (not first or game.seat == left_of_dealer(game))
    if game.phase != TRICK or game.seat < 0:
        return False
    for steps in range(1, in_trick + 1):
        if game.played[at_right(game, steps)] & game.trick == 0:
            return False
    leader = at_right(game, in_trick)
    if before == 0 and leader != left_of_dealer(game):
        return False
    return game.led == suit_of(card_in_trick(game, leader)) and follows(game, leader)


@rule
def at_right(game, steps):
    """The seat `steps` to the right of the one to move."""
    return at_left(game.seat, game.players - steps, game.players)


@rule
def follows(game, leader):
    """Whether the cards of a trick have told what they must: who leads Trump has nothing else, who does not follow has none of the suit."""
    for seat in range(game.players):
        if game.played[seat] & game.trick:
            suit = suit_of(card_in_trick(game, seat))
            lacking = np.int64(0)
            if seat == leader and suit == game.trump:
                lacking = np.int64(DECK) & ~all_of(suit)
            elif suit != game.led:
                lacking = all_of(game.led)
            if lacking & ~game.lacks[seat]:
                return False
    return True


@rule
def voids_fit(game):
    """A hand that is known to lack suits has shown it by a card that it played, and holds none of them."""
    for seat in range(game.players):
        lacks = game.lacks[seat]
        for suit in range(SUIT_COUNT):
            if of_suit(lacks, suit) != 0 and of_suit(lacks, suit) != all_of(suit):
                return False
        if lacks != 0 and (game.played[seat] == 0 or (game.phase == TRICK and game.hands[seat] & lacks)):
            return False
    return True


# --- Points ---------------------------------------------------------------------------------------------------


@rule
def captures_fit(game):
    """The Trump cards of this round's tricks are captured, and of earlier rounds no more than can have been.

    A suit that was Trump k times has lost at least k cards to its pile, one before each time.
    """
    tricks = np.int64(0)  # the cards of the tricks that are over, in the round that was dealt last
    for seat in range(game.players):
        tricks |= game.played[seat] & ~game.trick
    rounds = max(0, rounds_dealt(game) - 1)
    earlier = 0
    for suit in range(SUIT_COUNT):
        captured = -count(of_suit(tricks, suit)) if suit == game.trump else 0
        for seat in range(game.players):
            captured += game.captures[seat, suit]
        most = 0
        for time in range(1, min(rounds, count(of_suit(table_cards(game) & ~game.fresh, suit))) + 1):
            most += RANK_COUNT - time
        if captured < 0 or captured > most:
            return False
        earlier += captured
    return earlier <= (RANK_COUNT - 1) * rounds


@rule
def end_fits(game):
    """The Signers of the Ratified suit score at the end, and nobody before."""
    for seat in range(game.players):
        scores = game.seat == FINISHED and game.signers[seat] == game.ratified + 1
        if game.bonus[seat] != (signer_bonus(game) if scores else 0):
            return False
    return True
