"""The Covenant, by David McDougal. Trick-taking, 3-5 players, four rounds, the highest score wins.

Source: the designer's published rules overview. Where it leaves a point open, these rulings hold:
R1  cards revealed together are laid from the dealer's left on, the dealer's last: the last on a pile is its top card;
    option `top_card`: of the cards laid together on a pile the highest lies on top
R2  nothing subscribed in the whole game: the tie runs to its end, Hearts is Ratified
R3  Signers and choices at the Covenant Table are made seat by seat, and seen by nobody before they are revealed;
    seals are never seen by others, Signers not before the game is over
R4  seals come after the reveal, from the dealer's left on: an abstainer knows the Trump when it seals
R5  left of its dealer leads the first trick of every round, whoever played the last one's lowest card
R6  in the second worked example round 3 (2-2) goes by the suit order only where the two top cards have one rank:
    as the rule says, top cards are compared first
"""

import numpy as np

from handfast.envs.core.cards import bit, count, lowest, mark
from handfast.envs.core.compiling import rule
from handfast.envs.core.dealing import as_set, deal_hands
from handfast.envs.core.luck import below, luck, shuffle
from handfast.envs.core.seats import at_left
from handfast.envs.core.standing import mark_highest
from handfast.envs.core.table import (
    CHANCE,
    ENDED,
    EVERYONE,
    FINISHED,
    GOING_ON,
    ITS_SEAT,
    NOBODY,
    NONE,
    Field,
    Option,
    table,
)
from handfast.envs.core.tricks import answers, of_suit, rank_of, strength, suit_of

SEATS = 5
PLAYER_COUNTS = (3, 4, 5)
SCORE_SIGN = 1
ROUNDS = 4
CARDS = 52
DECK = (1 << CARDS) - 1
SUIT_COUNT = 4  # hearts, spades, diamonds, clubs: in this order they break every tie
MOST_DEALT = CARDS // 3
MOST_CAPTURED = 12 + 11 + 10 + 9  # of a suit that is Trump in all four rounds, a card of it signed away in each
MOST_BONUS = 13 // 2
SIGNER_BONUS = 2
CUBE_COST = 2

# Phases, in the order in which they come; the dealer and the deal are luck.
DEALER, SIGNER, DEAL, COVENANT, SEALING, TRICK = 0, 1, 2, 3, 4, 5

# Purposes of luck.
FOR_DEALER, FOR_DEAL = 1, 2

LAST, HIGHEST = 0, 1
OPTIONS = {
    "landslide": Option(False, bool, "the Signer's bonus is half the cards of the Ratified pile, at least 1"),
    "top_card": Option("last", ("last", "highest"), "which of the cards laid together on a pile lies on top"),
}

# Actions.
BELIEVE = 0
SUBSCRIBE = BELIEVE + SUIT_COUNT
ABSTAIN = SUBSCRIBE + CARDS
SEAL = ABSTAIN + 1
PLAY = SEAL + CARDS
ACTIONS = PLAY + CARDS

TABLE = table(
    SEATS,
    OPTIONS,
    Field("dealer", "i4", (), EVERYONE, "who deals this round", 0, SEATS - 1),
    Field("round_no", "i4", (), EVERYONE, "the round, from 1", 1, ROUNDS),
    Field("signers", "i4", (SEATS,), ITS_SEAT, "the suit that each seat believes in, 1 to 4; 0: not chosen yet", 0, SUIT_COUNT),
    Field("revealed", "i4", (SEATS,), EVERYONE, "the same, once the game is over", 0, SUIT_COUNT),
    Field("hands", "i8", (SEATS,), ITS_SEAT, "the cards in hand", 0, DECK),
    Field("counts", "i4", (SEATS,), EVERYONE, "how many cards each hand holds", 0, MOST_DEALT),
    Field("choices", "i4", (SEATS,), ITS_SEAT, "the action chosen at the Covenant Table, until all are revealed", 0, ABSTAIN),
    Field("subscribed", "i8", (SEATS,), EVERYONE, "the cards that each seat has subscribed, in all rounds", 0, DECK),
    Field("fresh", "i8", (), EVERYONE, "the cards subscribed this round", 0, DECK),
    Field("tops", "i4", (SUIT_COUNT,), EVERYONE, "the top card of each pile", NONE, CARDS - 1),
    Field("ratified", "i4", (), EVERYONE, "the suit that is Ratified, as the Covenant Table is now", 0, SUIT_COUNT - 1),
    Field("cubes", "i4", (SEATS,), EVERYONE, "Marked cubes", 0, ROUNDS),
    Field("sealed", "i8", (SEATS,), ITS_SEAT, "the card that each seat has sealed this round", 0, DECK),
    Field("seals", "i4", (SEATS,), EVERYONE, "whether a seat has sealed a card this round", 0, 1),
    Field("table_seal", "i8", (), NOBODY, "the cards left over from this round's deal", 0, DECK),
    Field("trump", "i4", (), EVERYONE, "this round's Trump suit", NONE, SUIT_COUNT - 1),
    Field("led", "i4", (), EVERYONE, "the suit led to the trick", NONE, SUIT_COUNT - 1),
    Field("trick", "i8", (), EVERYONE, "the cards of the trick so far", 0, DECK),
    Field("played", "i8", (SEATS,), EVERYONE, "the cards that each seat played this round, the trick's included", 0, DECK),
    Field("lacks", "i8", (SEATS,), EVERYONE, "the suits, as sets of cards, that a hand is known not to hold", 0, DECK),
    Field("captures", "i4", (SEATS, SUIT_COUNT), EVERYONE, "Trump cards that each seat captured, by suit", 0, MOST_CAPTURED),
    Field("bonus", "i4", (SEATS,), EVERYONE, "points for the Signer, once the game is over", 0, MOST_BONUS),
    phases=TRICK + 1,
)  # fmt: skip


# --- The course of play ---------------------------------------------------------------------------------------


@rule
def deal(game, seed):
    """Begin a game on a record of zeroes and options: the first dealer is drawn."""
    game.seed = seed
    game.ended = GOING_ON
    game.round_no = 1
    game.trump = NONE
    game.led = NONE
    for suit in range(SUIT_COUNT):
        game.tops[suit] = NONE
    game.seat = CHANCE
    game.phase = DEALER


@rule
def roll(game):
    """Fill in what luck decides in this phase, and nothing else."""
    if game.phase == DEALER:
        game.dealer = below(luck(game.seed, FOR_DEALER, 0, 0), game.players)
    else:
        order = np.empty(CARDS, np.int64)
        cards = shuffle(np.int64(DECK) & ~table_cards(game), game.seed, FOR_DEAL, game.round_no, order)
        dealt = deal_hands(order, cards // game.players, game.players, game.hands)
        game.table_seal = as_set(order, dealt, cards)


@rule
def table_cards(game):
    """All cards on the Covenant Table."""
    cards = np.int64(0)
    for seat in range(game.players):
        cards |= game.subscribed[seat]
    return cards


@rule
def after_chance(game):
    """Go on after luck: from the dealer to the Signers, from the deal to the Covenant Table."""
    if game.phase == DEALER:
        game.phase = SIGNER
    else:
        for seat in range(game.players):
            game.counts[seat] = count(game.hands[seat])
            game.sealed[seat] = 0
            game.seals[seat] = 0
            game.played[seat] = 0
            game.lacks[seat] = 0
        game.fresh = 0
        game.trump = NONE
        game.phase = COVENANT
    game.seat = left_of_dealer(game)


@rule
def left_of_dealer(game):
    """Who is first to choose a Signer, to choose at the Covenant Table, to seal, and to lead (R3, R4, R5)."""
    return at_left(game.dealer, 1, game.players)


@rule
def cleanup(game):
    """The round is over: the dealer's marker passes left for the next deal, or the game ends."""
    if game.round_no == ROUNDS:
        reveal_signers(game)
        game.ended = ENDED
        game.seat = FINISHED
    else:
        game.round_no += 1
        game.dealer = left_of_dealer(game)
        game.seat = CHANCE
        game.phase = DEAL


@rule
def reveal_signers(game):
    """The Signers come to light, and those of the Ratified suit score."""
    for seat in range(game.players):
        game.revealed[seat] = game.signers[seat]
        if game.signers[seat] == game.ratified + 1:
            game.bonus[seat] = signer_bonus(game)


@rule
def signer_bonus(game):
    """Points for each Signer of the Ratified suit."""
    if game.landslide:
        return max(1, count(of_suit(table_cards(game), game.ratified)) // 2)
    return SIGNER_BONUS


# --- Signers --------------------------------------------------------------------------------------------------


@rule
def legal_signer(view, mask):
    """Any suit, before a card is seen."""
    for suit in range(SUIT_COUNT):
        mask[BELIEVE + suit] = 1


@rule
def apply_signer(game, action):
    """The choice is locked for the whole game (R3: seen by nobody)."""
    seat = game.seat
    game.signers[seat] = action - BELIEVE + 1
    if seat == game.dealer:
        game.seat = CHANCE
        game.phase = DEAL
    else:
        game.seat = at_left(seat, 1, game.players)


# --- The Covenant Table ---------------------------------------------------------------------------------------


@rule
def legal_covenant(view, mask):
    """Subscribe any card of the hand, or abstain."""
    mark(mask, SUBSCRIBE, view.hands[view.seat])
    mask[ABSTAIN] = 1


@rule
def apply_covenant(game, action):
    """The choice stays secret until the last seat, the dealer, has made its own (R3)."""
    seat = game.seat
    game.choices[seat] = action
    if seat == game.dealer:
        reveal_choices(game)
    else:
        game.seat = at_left(seat, 1, game.players)


@rule
def reveal_choices(game):
    """All choices come to light: a subscribed card leaves the game on its suit's pile, an abstainer takes a cube."""
    for steps in range(1, game.players + 1):
        seat = at_left(game.dealer, steps, game.players)  # R1
        if game.choices[seat] == ABSTAIN:
            game.cubes[seat] += 1
        else:
            card = game.choices[seat] - SUBSCRIBE
            game.hands[seat] &= ~bit(card)
            game.counts[seat] -= 1
            game.subscribed[seat] |= bit(card)
            lay_on_pile(game, card)
        game.choices[seat] = 0
    if game.fresh != 0:  # Unsettled where nobody subscribed
        game.trump = foremost(game.fresh, game.tops)
        game.ratified = foremost(table_cards(game), game.tops)
    seal_or_lead(game)


@rule
def lay_on_pile(game, card):
    """A newly subscribed card becomes the top card of its pile (R1)."""
    suit = suit_of(card)
    below_another = of_suit(game.fresh, suit) != 0 and card < game.tops[suit]
    if game.top_card == LAST or not below_another:
        game.tops[suit] = card
    game.fresh |= bit(card)


@rule
def foremost(cards, tops):
    """The suit with most of these cards; a tie goes to the higher top card (R6), then to the earlier suit (R2)."""
    best = 0
    for suit in range(1, SUIT_COUNT):
        more = count(of_suit(cards, suit)) - count(of_suit(cards, best))
        if more > 0 or (more == 0 and rank_of(tops[suit]) > rank_of(tops[best])):
            best = suit
    return best


# --- Hand Seals -----------------------------------------------------------------------------------------------


@rule
def seal_or_lead(game):
    """The next abstainer from the dealer's left on seals a card (R4); when all have, the tricks begin (R5)."""
    for steps in range(1, game.players + 1):
        seat = at_left(game.dealer, steps, game.players)
        if game.seals[seat] == 0 and game.subscribed[seat] & game.fresh == 0:
            game.seat = seat
            game.phase = SEALING
            return
    game.seat = left_of_dealer(game)
    game.phase = TRICK


@rule
def legal_seal(view, mask):
    """Any card of the hand; to seal none is no choice."""
    mark(mask, SEAL, view.hands[view.seat])


@rule
def apply_seal(game, action):
    """The card lies face down, known to its seat alone, until cleanup."""
    seat = game.seat
    game.sealed[seat] = bit(action - SEAL)
    game.seals[seat] = 1
    game.hands[seat] &= ~game.sealed[seat]
    game.counts[seat] -= 1
    seal_or_lead(game)


# --- Trick Play -----------------------------------------------------------------------------------------------


@rule
def all_of(suit):
    """All thirteen cards of a suit."""
    return of_suit(np.int64(DECK), suit)


@rule
def leads(hand, trump):
    """The cards of a hand that may be led: Trump only where the whole hand is Trump."""
    if trump == NONE:
        return hand
    others = hand & ~all_of(trump)
    return others if others != 0 else hand


@rule
def legal_trick(view, mask):
    """Lead, or follow the suit led if able and else play anything."""
    hand = view.hands[view.seat]
    mark(mask, PLAY, leads(hand, view.trump) if view.trick == 0 else answers(hand, view.led))


@rule
def apply_trick(game, action):
    """A card is played to the trick; what it tells of its hand, everyone knows."""
    seat = game.seat
    card = action - PLAY
    suit = suit_of(card)
    if game.trick == 0:
        game.led = suit
        if suit == game.trump:  # the whole hand is Trump
            game.lacks[seat] |= np.int64(DECK) & ~all_of(suit)
    elif suit != game.led:  # unable to follow
        game.lacks[seat] |= all_of(game.led)
    game.hands[seat] &= ~bit(card)
    game.counts[seat] -= 1
    game.played[seat] |= bit(card)
    game.trick |= bit(card)
    if count(game.trick) < game.players:
        game.seat = at_left(seat, 1, game.players)
    else:
        end_trick(game)


@rule
def card_in_trick(game, seat):
    """The card that a seat has played to the trick."""
    return lowest(game.trick & game.played[seat])


@rule
def end_trick(game):
    """The highest card wins and scores the trick's Trump cards; whoever played the lowest leads next (Discontent)."""
    winner, discontent = 0, 0
    high = low = strength(card_in_trick(game, 0), game.led, game.trump)
    for seat in range(1, game.players):
        height = strength(card_in_trick(game, seat), game.led, game.trump)
        if height > high:
            high = height
            winner = seat
        if height < low:
            low = height
            discontent = seat
    if game.trump != NONE:
        game.captures[winner, game.trump] += count(of_suit(game.trick, game.trump))
    game.trick = 0
    game.led = NONE
    if game.counts[discontent] > 0:
        game.seat = discontent
    else:
        cleanup(game)


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def legal(view, mask):
    """Mark the choices of the seat to move."""
    if view.phase == TRICK:
        legal_trick(view, mask)
    elif view.phase == COVENANT:
        legal_covenant(view, mask)
    elif view.phase == SEALING:
        legal_seal(view, mask)
    else:
        legal_signer(view, mask)


@rule
def decide(game, action):
    """One choice, then all that follows of itself."""
    if game.phase == TRICK:
        apply_trick(game, action)
    elif game.phase == COVENANT:
        apply_covenant(game, action)
    elif game.phase == SEALING:
        apply_seal(game, action)
    else:
        apply_signer(game, action)


@rule
def captured(game, seat):
    """Trump cards that a seat has captured, of all suits."""
    cards = 0
    for suit in range(SUIT_COUNT):
        cards += game.captures[seat, suit]
    return cards


@rule
def scores(game, out):
    """A point for each Trump card captured, less 2 for each cube; in the end the bonus for the Signer."""
    for seat in range(game.players):
        out[seat] = captured(game, seat) - CUBE_COST * game.cubes[seat] + game.bonus[seat]


@rule
def winners(game, out):
    """The highest score, then most own cards on the Ratified pile; those still tied share."""
    keys = np.zeros(SEATS, np.int64)
    scores(game, keys)
    for seat in range(game.players):
        keys[seat] = keys[seat] * (ROUNDS + 1) + count(of_suit(game.subscribed[seat], game.ratified))
    mark_highest(keys, game.players, out)
