"""The Justiciar: Marquess of Argyll, by David McDougal. Shedding, 3-5 players, four rounds, the lowest score wins.

Source: the designer's published rules overview. Where it leaves a point open, these rulings hold:
R1  five players get 9 cards each and 3 are set aside unseen; option `uneven_deal`: 10-10-10-9-9 from the leader on
R2  passing is free while a play is on the table; the leader of an empty table may not pass
R3  "forced to pass" is to pass without holding a play that beats the table; option `first_commission`
R4  an accusation is the whole turn, counts as a pass, and on an empty table the next seat leads
R5  refuting with the last card empties the hand: the round ends, the accuser holds the Commission
R6  nobody forced to pass: the Ace is frozen with nobody; the next round begins as the first did
R7  cards given in a refutation are public until played
R8  truncated after `max_turns` turns; a turn is a play, a pass, or an accusation with its answer
R9  clockwise; receiving the Commission gives no extra turn
R10 a seat that passed may play again; when the turn comes back to the owner the table is clear first
R11 the leader is drawn before the deal; `uneven_deal` matters with five players only
R12 the accused is always asked, even where it can only accept
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has
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
    TRUNCATED,
    Field,
    Option,
    table,
)

SEATS = 5
PLAYER_COUNTS = (3, 4, 5)
SCORE_SIGN = -1  # fewer points are better
ROUNDS = 4
CARDS = 48
RANK_COUNT = 12
DECK = (1 << CARDS) - 1
MOST_HELD = CARDS // 3 + RANK_COUNT  # dealt to one of three, and the whole suit of the Commission given to it
FROZEN_ACE = 5  # points at the end for each
COMMISSION_SUITS = (1, 3, 0, 2)  # spades 1638, clubs 1640, hearts 1644, diamonds 1647

# Phases: the first two are luck.
LEAD, DEAL, TURN, RUN, ACCUSED = 0, 1, 2, 3, 4

# Purposes of luck.
FOR_LEAD, FOR_DEAL = 1, 2

FORCED, ANY_PASS = 0, 1
OPTIONS = {
    "uneven_deal": Option(False, bool, "five players share out the three cards that are left over"),
    "first_commission": Option("forced", ("forced", "any_pass"), "which first pass draws the Commission"),
    "max_turns": Option(1000, range(1, 2**31), "turns after which a game is truncated"),
}

# Actions. A set of cards of one rank: 15 for each rank, by the subset of H S D C. A run: by lowest and highest rank.
RUNS = [(low, high) for low in range(RANK_COUNT) for high in range(low + 2, RANK_COUNT)]
RUN_LOW = np.array([low for low, _ in RUNS], np.int64)
RUN_HIGH = np.array([high for _, high in RUNS], np.int64)
RUN_NUMBER = np.zeros((RANK_COUNT, RANK_COUNT), np.int64)
for _number, (_low, _high) in enumerate(RUNS):
    RUN_NUMBER[_low, _high] = _number
PLAY_SET = 0
PLAY_RUN = PLAY_SET + 15 * RANK_COUNT
CARD = PLAY_RUN + len(RUNS)
REFUTE = CARD + CARDS
ACCUSE = REFUTE + CARDS  # the seat 1, 2, … to the chooser's left
PASS = ACCUSE + SEATS - 1
ACCEPT = PASS + 1
ACTIONS = ACCEPT + 1

TABLE = table(
    SEATS,
    OPTIONS,
    Field("turns", "i4", (), EVERYONE, "turns taken in the game", 0, 2**31 - 1),
    Field("round_no", "i4", (), EVERYONE, "the round, from 1", 1, ROUNDS),
    Field("leader", "i4", (), EVERYONE, "who leads, or led, the first play of the round", 0, SEATS - 1),
    Field("holder", "i4", (), EVERYONE, "who holds the round's Commission", NONE, SEATS - 1),
    Field("frozen_by", "i4", (ROUNDS,), EVERYONE, "who keeps each finished round's Ace", NONE, SEATS - 1),
    Field("points", "i4", (SEATS,), EVERYONE, "cards left over in finished rounds", 0, ROUNDS * MOST_HELD),
    Field("hands", "i8", (SEATS,), ITS_SEAT, "the cards in hand", 0, DECK),
    Field("counts", "i4", (SEATS,), EVERYONE, "how many cards each hand holds", 0, MOST_HELD),
    Field("aside", "i8", (), NOBODY, "cards set aside this round", 0, DECK),
    Field("play_size", "i4", (), EVERYONE, "cards in the current play, 0 on an empty table", 0, RANK_COUNT),
    Field("play_run", "i4", (), EVERYONE, "whether the current play is a run", 0, 1),
    Field("play_rank", "i4", (), EVERYONE, "the current play's rank, a run's highest", 0, RANK_COUNT - 1),
    Field("play_owner", "i4", (), EVERYONE, "who made the current play", NONE, SEATS - 1),
    Field("play_cards", "i8", (), EVERYONE, "the cards of the current play", 0, DECK),
    Field("passed", "i4", (), EVERYONE, "who passed since the current play, a bit a seat", 0, (1 << SEATS) - 1),
    Field("run_low", "i4", (), EVERYONE, "a run being laid: its lowest rank (concealed from all but its player)", 0, RANK_COUNT - 3),
    Field("run_high", "i4", (), EVERYONE, "a run being laid: its highest rank (concealed likewise)", 0, RANK_COUNT - 1),
    Field("run_rank", "i4", (), EVERYONE, "a run being laid: the rank to choose a card of (concealed likewise)", 0, RANK_COUNT - 1),
    Field("run_cards", "i8", (), EVERYONE, "a run being laid: the cards chosen, still in hand (concealed likewise)", 0, DECK),
    Field("accuser", "i4", (), EVERYONE, "who accuses the seat to move", NONE, SEATS - 1),
    Field("shown", "i8", (SEATS,), EVERYONE, "cards known to be in a hand, since they came there by a refutation", 0, DECK),
    Field("played", "i8", (SEATS,), EVERYONE, "cards that each seat played this round", 0, DECK),
    Field("origin", "i8", (SEATS,), EVERYONE, "cards known to have been dealt to each seat, as it played or gave them", 0, DECK),
    Field("plays", "i4", (), EVERYONE, "plays made this round", 0, CARDS),
    Field("order", "u1", (CARDS,), EVERYONE, "the number of the play that each card was part of, from 1; 0: not played", 0, CARDS),
    Field("could_beat", "u1", (CARDS + 1,), EVERYONE, "by play: seats that passed it by choice before a Commission was held, a bit a seat", 0, (1 << SEATS) - 1),
    Field("drew_seat", "i4", (), EVERYONE, "who drew the Commission this round, being forced to pass", NONE, SEATS - 1),
    Field("drew_play", "i4", (), EVERYONE, "the number of the play that this seat could not beat", 0, CARDS),
    phases=ACCUSED + 1,
)  # fmt: skip


# --- The course of play ---------------------------------------------------------------------------------------


@rule
def deal(game, seed):
    """Begin a game on a record of zeroes and options: the leader of round 1 is drawn."""
    game.seed = seed
    game.ended = GOING_ON
    game.round_no = 1
    game.holder = NONE
    for ace in range(ROUNDS):
        game.frozen_by[ace] = NONE
    draw_leader(game)


@rule
def draw_leader(game):
    """Luck decides who leads (R11: before the deal)."""
    game.seat = CHANCE
    game.phase = LEAD


@rule
def roll(game):
    """Fill in what luck decides in this phase, and nothing else."""
    if game.phase == LEAD:
        game.leader = below(luck(game.seed, FOR_LEAD, game.round_no, 0), game.players)
    else:
        order = np.empty(CARDS, np.int64)
        shuffle(np.int64(DECK), game.seed, FOR_DEAL, game.round_no, order)
        each = dealt_evenly(game)
        dealt = deal_hands(order, each, game.players, game.hands)
        game.aside = as_set(order, dealt, CARDS)
        if game.uneven_deal:  # R1: one each to the seats from the leader on
            game.aside = 0
            for i in range(dealt, CARDS):
                game.hands[at_left(game.leader, i - dealt, game.players)] |= bit(order[i])


@rule
def dealt_evenly(game):
    """Cards that every seat gets in the deal."""
    return CARDS // game.players


@rule
def after_chance(game):
    """Go on after luck: from the leader to the deal, from the deal to the first turn."""
    if game.phase == LEAD:
        game.phase = DEAL
        return
    for seat in range(SEATS):
        game.counts[seat] = count(game.hands[seat])
        game.shown[seat] = 0
        game.played[seat] = 0
        game.origin[seat] = 0
    game.plays = 0
    for card in range(CARDS):
        game.order[card] = 0
    for play in range(CARDS + 1):
        game.could_beat[play] = 0
    game.drew_seat = NONE
    game.drew_play = 0
    game.accuser = NONE
    clear_table(game)
    game.seat = game.leader
    game.phase = TURN


@rule
def clear_table(game):
    """The table is empty: whoever is to move leads."""
    game.play_size = 0
    game.play_run = 0
    game.play_rank = 0
    game.play_owner = NONE
    game.play_cards = 0
    game.passed = 0


@rule
def end_turn(game, seat):
    """The turn of `seat` is over and its hand is not empty: the turn goes left, unless the limit is reached (R8)."""
    game.turns += 1
    if game.turns >= game.max_turns:
        for other in range(game.players):
            game.points[other] += game.counts[other]
        finish(game, TRUNCATED)
        return
    game.seat = at_left(seat, 1, game.players)
    game.phase = TURN
    if game.seat == game.play_owner:  # R10: clear before the owner moves
        clear_table(game)


@rule
def end_round(game):
    """A hand is empty: cards are counted, the holder keeps the round's Ace and opens the next round."""
    game.turns += 1
    for seat in range(game.players):
        game.points[seat] += game.counts[seat]
    game.frozen_by[game.round_no - 1] = game.holder  # R6: NONE where nobody was forced to pass
    if game.round_no == ROUNDS:
        finish(game, ENDED)
    elif game.turns >= game.max_turns:
        finish(game, TRUNCATED)
    else:
        game.round_no += 1
        if game.holder == NONE:  # R6
            draw_leader(game)
        else:
            game.leader = game.holder
            game.seat = CHANCE
            game.phase = DEAL


@rule
def finish(game, how):
    game.ended = how
    game.seat = FINISHED


# --- A turn ---------------------------------------------------------------------------------------------------


@rule
def cards_of_rank(hand, rank):
    """Which of the four suits of a rank a hand holds, a bit a suit."""
    return (hand >> np.int64(4 * rank)) & np.int64(15)


@rule
def can_beat(hand, size, run, rank):
    """Whether a hand holds a play of this size and type at a higher rank."""
    streak = 0
    for higher in range(RANK_COUNT):
        held = count(cards_of_rank(hand, higher))
        streak = streak + 1 if held > 0 else 0
        if higher > rank and (streak >= size if run else held >= size):
            return True
    return False


@rule
def legal_turn(view, mask):
    """Beat the current play with its type and size, or pass, or accuse; on an empty table lead anything."""
    seat = view.seat
    hand = view.hands[seat]
    leading = view.play_size == 0
    if leading or not view.play_run:
        for rank in range(0 if leading else view.play_rank + 1, RANK_COUNT):
            held = cards_of_rank(hand, rank)
            subset = held
            while subset:
                if leading or count(subset) == view.play_size:
                    mask[PLAY_SET + 15 * rank + subset - 1] = 1
                subset = (subset - 1) & held
    if leading or view.play_run:
        streak = 0
        for high in range(RANK_COUNT):
            streak = streak + 1 if cards_of_rank(hand, high) != 0 else 0
            if leading:
                for length in range(3, streak + 1):
                    mask[PLAY_RUN + RUN_NUMBER[high - length + 1, high]] = 1
            elif high > view.play_rank and streak >= view.play_size:
                mask[PLAY_RUN + RUN_NUMBER[high - view.play_size + 1, high]] = 1
    if not leading:  # R2
        mask[PASS] = 1
    if view.holder == seat:
        for left in range(1, view.players):
            mask[ACCUSE + left - 1] = 1


@rule
def apply_turn(game, action):
    """A play, a pass or an accusation."""
    seat = game.seat
    if action < PLAY_RUN:
        rank = (action - PLAY_SET) // 15
        suits = (action - PLAY_SET) % 15 + 1
        lay(game, np.int64(suits) << np.int64(4 * rank), rank, False)
    elif action < CARD:
        game.run_low = RUN_LOW[action - PLAY_RUN]
        game.run_high = RUN_HIGH[action - PLAY_RUN]
        game.run_rank = game.run_low
        game.run_cards = 0
        game.phase = RUN
        continue_run(game)
    elif action == PASS:
        game.passed |= 1 << seat
        if game.holder == NONE:
            pass_without_commission(game)
        end_turn(game, seat)
    else:
        game.accuser = seat
        game.seat = at_left(seat, action - ACCUSE + 1, game.players)
        game.phase = ACCUSED


@rule
def pass_without_commission(game):
    """The first seat forced to pass receives the Commission (R3, R6); a pass by choice tells that it could have played."""
    seat = game.seat
    if game.first_commission == ANY_PASS:
        game.holder = seat
    elif can_beat(game.hands[seat], game.play_size, game.play_run, game.play_rank):
        game.could_beat[game.plays] |= 1 << seat
    else:
        game.holder = seat
        game.drew_seat = seat
        game.drew_play = game.plays


@rule
def lay(game, cards, rank, run):
    """The mover's cards become the current play."""
    seat = game.seat
    game.hands[seat] &= ~cards
    game.counts[seat] -= count(cards)
    game.origin[seat] |= cards & ~game.shown[seat]
    game.shown[seat] &= ~cards  # R7
    game.played[seat] |= cards
    game.plays += 1
    for card in range(CARDS):
        if has(cards, card):
            game.order[card] = game.plays
    game.play_size = count(cards)
    game.play_run = 1 if run else 0
    game.play_rank = rank
    game.play_owner = seat
    game.play_cards = cards
    game.passed = 0
    if game.counts[seat] == 0:
        end_round(game)
    else:
        end_turn(game, seat)


# --- The cards of a run ---------------------------------------------------------------------------------------


@rule
def continue_run(game):
    """Take the only card of a rank without asking, up to a rank with a choice or the run's end."""
    hand = game.hands[game.seat]
    while game.run_rank <= game.run_high:
        held = cards_of_rank(hand, game.run_rank)
        if count(held) > 1:
            return
        game.run_cards |= held << np.int64(4 * game.run_rank)
        game.run_rank += 1
    cards = game.run_cards
    high = game.run_high
    game.run_low = 0
    game.run_high = 0
    game.run_rank = 0
    game.run_cards = 0
    game.phase = TURN
    lay(game, cards, high, True)


@rule
def legal_run(view, mask):
    """Each card held of the run's next rank."""
    hand = view.hands[view.seat]
    for card in range(4 * view.run_rank, 4 * view.run_rank + 4):
        if has(hand, card):
            mask[CARD + card] = 1


@rule
def apply_run(game, action):
    game.run_cards |= bit(action - CARD)
    game.run_rank += 1
    continue_run(game)


# --- The answer to an accusation ------------------------------------------------------------------------------


@rule
def commission_suit(game):
    """The suit of the round's Commission, which every accusation names."""
    return COMMISSION_SUITS[game.round_no - 1]


@rule
def legal_answer(view, mask):
    """Refute with a card of the Commission's suit, or accept (R12: also where nothing else is left)."""
    hand = view.hands[view.seat]
    for card in range(commission_suit(view), CARDS, 4):
        if has(hand, card):
            mask[REFUTE + card] = 1
    mask[ACCEPT] = 1


@rule
def apply_answer(game, action):
    """A refuting card goes to the accuser's hand face up; accepting takes the Commission. The turn is over (R4, R9)."""
    accused = game.seat
    accuser = game.accuser
    game.accuser = NONE
    if game.play_size > 0:  # R4: an accusation counts as a pass
        game.passed |= 1 << accuser
    if action == ACCEPT:
        game.holder = accused
    else:
        card = bit(action - REFUTE)
        game.origin[accused] |= card & ~game.shown[accused]
        game.hands[accused] &= ~card
        game.shown[accused] &= ~card
        game.counts[accused] -= 1
        game.hands[accuser] |= card
        game.shown[accuser] |= card  # R7
        game.counts[accuser] += 1
        if game.counts[accused] == 0:  # R5
            end_round(game)
            return
    end_turn(game, accuser)


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def legal(view, mask):
    """Mark the choices of the seat to move."""
    if view.seat < 0:
        return
    if view.phase == TURN:
        legal_turn(view, mask)
    elif view.phase == RUN:
        legal_run(view, mask)
    else:
        legal_answer(view, mask)


@rule
def decide(game, action):
    """One choice, then all that follows of itself."""
    if game.phase == TURN:
        apply_turn(game, action)
    elif game.phase == RUN:
        apply_run(game, action)
    else:
        apply_answer(game, action)


@rule
def aces(game, seat):
    """Frozen Aces that a seat keeps."""
    kept = 0
    for ace in range(ROUNDS):
        if game.frozen_by[ace] == seat:
            kept += 1
    return kept


@rule
def scores(game, out):
    """Cards left over in finished rounds and 5 for each frozen Ace; a truncated game counts the cards in hand too (R8)."""
    for seat in range(game.players):
        out[seat] = game.points[seat] + FROZEN_ACE * aces(game, seat)


@rule
def winners(game, out):
    """The lowest score, then the fewest Aces; those still tied share."""
    keys = np.zeros(SEATS, np.int64)
    for seat in range(game.players):
        kept = aces(game, seat)
        keys[seat] = -(ROUNDS + 1) * (game.points[seat] + FROZEN_ACE * kept) - kept
    mark_highest(keys, game.players, out)
