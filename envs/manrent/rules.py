"""Manrent: Sworn & Sold, by David McDougal. Market and set collection, four players, four rounds, the highest score wins.

Source: the designer's published rules overview. Where it leaves a point open, these rulings hold:
R1  a card taken from the Row is in hand before its place is refilled: it can pay tribute to an Ace met there
R2  an Occupation asks Royal by Royal, J Q K and H S D C within a rank; compensation comes after the seat's last one
R3  payments and Row picks are seen by everyone, and the whole Market Discard; draws from the Stock by the drawer alone
R4  overpaying is allowed, card by card: `done` may be chosen from the moment the cost is met
R5  an action may be begun only where the hand can pay for it
R6  empty Row places are filled at the start of every Draw phase and after every Row pick, the lowest place first
R7  truncated after `max_turns` turns, skipped draws and turns that end a round included; Court Royals then count 5
R8  only Invite and Secure end a round, whatever an Occupation returns
R9  the Aces of a round are drawn at random from all four each round
R10 the Market Discard becomes the Stock only when a card is needed; an Ace met does not use up the draw; `stock` is
    offered also where only Aces may be left
R11 cards offered as payment leave the hand at `done`
R12 that the Aces met while the Row is laid are in the Stock is known to everyone for the round

How cards come from the Stock, and the Occupations that its Aces begin, is in stock.py; costs and numbers are in cards.py.
"""

import numpy as np

from handfast.envs.core.cards import bit, count, has, mark
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
from handfast.envs.core.tricks import of_suit, rank_of, suit_of
from handfast.envs.manrent.cards import (
    ACE_COUNT,
    ACES,
    ACTING,
    BATCHES,
    BETWEEN,
    BLIND,
    COMMON_COUNT,
    COMMONS,
    COURT_SCORE,
    DEAL,
    DISCARD,
    DISCARDING,
    DONE,
    DRAWING,
    ENTICE,
    FILL,
    FIRST,
    FIRST_ACE,
    FIRST_ROYAL,
    FOR_DEAL,
    FOR_FIRST,
    FOR_STOCK,
    HAND,
    HOUSED_SCORE,
    INVITE,
    INVITE_COST,
    JACKS_AND_QUEENS,
    KINGS,
    MOST_RESHUFFLES,
    OCCUPIED,
    PASS,
    PAY,
    PAYING,
    PHASES,
    PLACES,
    REFILL,
    ROUND_GOAL,
    ROUNDS,
    ROW,
    ROYAL_COUNT,
    ROYALS,
    SEATS,
    SECURE,
    SECURE_COST,
    STOCK,
    STOCK_MOST,
    TRIBUTE,
    TRIBUTE_CARDS,
)
from handfast.envs.manrent.stock import (
    apply_occupation,
    apply_tribute,
    discard_card,
    go_on,
    hide_batch,
    legal_occupation,
    put_in_hand,
    send_for,
    show,
    shuffle_stock,
    stock_can_give,
    take_from_hand,
    tribute_cards,
)

PLAYER_COUNTS = (4,)
ACTIONS = TRIBUTE + COMMON_COUNT
SCORE_SIGN = 1

OPTIONS = {"max_turns": Option(1000, range(1, 2**31), "turns after which a game is truncated")}

TABLE = table(
    SEATS,
    OPTIONS,
    Field("turns", "i4", (), EVERYONE, "turns taken in the game", 0, 2**31 - 1),
    Field("round_no", "i4", (), EVERYONE, "the round, from 1; so many Aces take part", 1, ROUNDS),
    Field("first_player", "i4", (), EVERYONE, "who has the First Player marker", 0, SEATS - 1),
    Field("active", "i4", (), EVERYONE, "whose turn it is", 0, SEATS - 1),
    Field("hands", "i8", (SEATS,), ITS_SEAT, "the Commons in hand", 0, COMMONS),
    Field("counts", "i4", (SEATS,), EVERYONE, "how many cards each hand holds", 0, COMMON_COUNT),
    Field(
        "known",
        "i8",
        (SEATS,),
        EVERYONE,
        "cards that everyone has seen come into a hand, or be offered from it",
        0,
        COMMONS,
    ),
    Field("row", "i4", (PLACES,), EVERYONE, "the Row, NONE for an empty place", NONE, COMMON_COUNT - 1),
    Field("stock", "u1", (STOCK_MOST,), NOBODY, "the Stock, its top card last", 0, FIRST_ACE + ACE_COUNT - 1),
    Field("stock_left", "i4", (), EVERYONE, "how many cards the Stock holds", 0, STOCK_MOST),
    Field("discard", "i8", (), EVERYONE, "the Market Discard", 0, COMMONS),
    Field("market", "i8", (), EVERYONE, "the Royal Market", 0, ROYALS),
    Field("courts", "i8", (SEATS,), EVERYONE, "the Royals in each Court", 0, ROYALS),
    Field("houses", "i8", (SEATS,), EVERYONE, "the Royals in each House", 0, ROYALS),
    Field("upright", "i8", (), EVERYONE, "Royals Secured this round", 0, ROYALS),
    Field("shown", "i8", (), EVERYONE, "Aces met while the Row was laid", 0, ACES),
    Field("out", "i8", (), EVERYONE, "Aces drawn or revealed this round", 0, ACES),
    Field("target", "i4", (), EVERYONE, "the Royal that is being paid for, NONE where none is", NONE, FIRST_ACE - 1),
    Field("offered", "i8", (), EVERYONE, "cards offered as payment so far, still in hand", 0, COMMONS),
    Field("errand", "i4", (), EVERYONE, "what the turn draws cards for: FILL, BLIND or REFILL", FILL, REFILL),
    Field(
        "depth",
        "i4",
        (),
        EVERYONE,
        "how many Occupations are under way, each interrupting the one before",
        0,
        ACE_COUNT,
    ),
    Field(
        "aces",
        "i4",
        (ACE_COUNT + 1,),
        EVERYONE,
        "the Ace of each Occupation under way, from 1",
        0,
        FIRST_ACE + ACE_COUNT - 1,
    ),
    Field(
        "asked",
        "i4",
        (ACE_COUNT + 1,),
        EVERYONE,
        "how far left of the active player each Occupation has come",
        0,
        SEATS,
    ),
    Field(
        "owed",
        "i4",
        (ACE_COUNT + 1,),
        EVERYONE,
        "cards still to draw: 0 for the errand, from 1 compensation",
        0,
        ROYAL_COUNT,
    ),
    Field("pending", "i8", (), EVERYONE, "Royals that the last Occupation has yet to ask its seat about", 0, ROYALS),
    Field(
        "tributes_left", "i4", (), EVERYONE, "cards still to discard for the Royal being protected", 0, TRIBUTE_CARDS
    ),
    Field(
        "reshuffles", "i4", (), EVERYONE, "how often the Market Discard became the Stock this round", 0, MOST_RESHUFFLES
    ),
    Field(
        "stock_batch",
        "i4",
        (),
        EVERYONE,
        "the batch of the Stock's Commons: what was shuffled together, unseen since",
        0,
        BATCHES - 1,
    ),
    Field(
        "batch",
        "u1",
        (COMMON_COUNT,),
        EVERYONE,
        "the batch of each Common that not everyone has located",
        0,
        BATCHES - 1,
    ),
    Field(
        "hidden", "u1", (SEATS, BATCHES), EVERYONE, "by batch, cards in each hand that are not `known`", 0, COMMON_COUNT
    ),
    phases=PHASES,
)


# --- The course of play ---------------------------------------------------------------------------------------


@rule
def deal(game, seed):
    """Begin a game on a record of zeroes and options: the first player of round 1 is drawn."""
    game.seed = seed
    game.ended = GOING_ON
    game.round_no = 1
    game.market = JACKS_AND_QUEENS
    game.target = NONE
    clear_table(game)
    game.seat = CHANCE
    game.phase = FIRST


@rule
def begin_round(game):
    """The round's King joins the Royal Market; all other cards are taken from the table, to be shuffled and dealt."""
    game.market |= bit(KINGS[game.round_no - 1])
    clear_table(game)
    game.seat = CHANCE
    game.phase = DEAL


@rule
def roll(game):
    """Fill in what luck decides in this phase, and nothing else."""
    if game.phase == FIRST:
        game.first_player = below(luck(game.seed, FOR_FIRST, 0, 0), SEATS)
    elif game.phase == DEAL:
        roll_deal(game)
    else:
        shuffle_stock(game, game.discard, game.seed, 2 + game.reshuffles)


@rule
def roll_deal(game):
    """Seven Commons each; the others with the round's Aces (R9) give the Row and the Stock, Aces met shuffled back."""
    order = np.empty(COMMON_COUNT, np.int64)
    turn = np.int64(game.round_no)
    shuffle(np.int64(COMMONS), game.seed, FOR_DEAL, turn, order)
    dealt = deal_hands(order, HAND, SEATS, game.hands)
    cards = as_set(order, dealt, COMMON_COUNT)
    shuffle(np.int64(ACES), game.seed, FOR_DEAL, turn, order)
    for i in range(game.round_no):
        cards |= bit(order[i])
    shuffle(cards, game.seed, FOR_STOCK, turn, order)
    game.shown = 0
    met, place = 0, 0
    while place < PLACES:
        if order[met] >= FIRST_ACE:
            game.shown |= bit(order[met])
        else:
            game.row[place] = order[met]
            cards &= ~bit(order[met])
            place += 1
        met += 1
    shuffle_stock(game, cards, game.seed, 1)


@rule
def after_chance(game):
    """Go on after luck: to the deal, to the first turn, to the draw that needed a new Stock."""
    if game.phase == FIRST:
        begin_round(game)
    elif game.phase == DEAL:
        count_deal(game, HAND, dealt_stock(game))
        begin_turn(game, game.first_player)
    else:
        game.stock_left = count(game.discard)
        if game.reshuffles < MOST_RESHUFFLES:
            game.reshuffles += 1
        hide_batch(game)
        game.discard = 0
        game.phase = BETWEEN
    go_on(game)


@rule
def clear_table(game):
    """The table before a deal: nobody holds or knows of a Common or an Ace, and no Royal was Secured this round."""
    game.upright = 0
    for place in range(PLACES):
        game.row[place] = NONE
    for i in range(STOCK_MOST):
        game.stock[i] = 0
    for seat in range(SEATS):
        game.hands[seat] = 0
        game.known[seat] = 0
        for batch in range(BATCHES):
            game.hidden[seat, batch] = 0
    count_deal(game, 0, 0)
    for card in range(COMMON_COUNT):
        game.batch[card] = 0
    game.stock_batch = 0
    game.reshuffles = 0
    game.discard = 0
    game.shown = 0
    game.out = 0


@rule
def dealt_stock(game):
    """How many cards a deal leaves to the Stock: its Commons and the round's Aces."""
    return COMMON_COUNT - HAND * SEATS - PLACES + game.round_no


@rule
def count_deal(game, hand, stock):
    """Everyone knows of so many cards in each hand and in the Stock, and of no more than that: one batch, unseen."""
    for seat in range(SEATS):
        game.counts[seat] = hand
        game.hidden[seat, 0] = hand
    game.stock_left = stock


@rule
def begin_turn(game, seat):
    """Empty Row places are filled before the seat draws (R6)."""
    game.active = seat
    send_for(game, FILL)


@rule
def end_turn(game):
    """The turn is over and the round goes on: the turn goes left, unless the limit is reached (R7)."""
    game.turns += 1
    if game.turns >= game.max_turns:
        finish(game, TRUNCATED)
    else:
        begin_turn(game, at_left(game.active, 1, SEATS))


@rule
def end_round(game):
    """The round ends at once; Court Royals go back to the Market, the marker passes left, and the next King arrives."""
    game.turns += 1
    if game.round_no == ROUNDS:
        finish(game, ENDED)
    elif game.turns >= game.max_turns:  # R7: before any cleanup
        finish(game, TRUNCATED)
    else:
        for seat in range(SEATS):
            game.market |= game.courts[seat]
            game.courts[seat] = 0
        game.round_no += 1
        game.first_player = at_left(game.first_player, 1, SEATS)
        begin_round(game)


@rule
def finish(game, how):
    game.ended = how
    game.seat = FINISHED
    game.phase = ACTING


# --- Draw -----------------------------------------------------------------------------------------------------


@rule
def legal_draw(view, mask):
    """A card of the Row, or the Stock's top card unseen."""
    for place in range(PLACES):
        if view.row[place] != NONE:
            mask[ROW + view.row[place]] = 1
    if stock_can_give(view):
        mask[STOCK] = 1


@rule
def apply_draw(game, action):
    if action == STOCK:
        send_for(game, BLIND)
        return
    card = action - ROW
    for place in range(PLACES):
        if game.row[place] == card:
            game.row[place] = NONE
    put_in_hand(game, game.seat, bit(card))  # R1
    send_for(game, REFILL)


# --- Act ------------------------------------------------------------------------------------------------------


@rule
def pips(cards):
    """The values of Commons added up."""
    total = 0
    for rank in range(COMMON_COUNT // 4):
        total += (rank + 2) * count(cards & (np.int64(15) << np.int64(4 * rank)))
    return total


@rule
def worth(cards, royal):
    """What Commons count toward a Royal: one more for each of its suit."""
    return pips(cards) + count(of_suit(cards, suit_of(royal)))


@rule
def royal_rank(royal):
    """0, 1, 2 for J, Q, K."""
    return rank_of(royal - FIRST_ROYAL)


@rule
def price(game, seat, royal):
    """What a seat pays for a Royal: to Secure one of its own Court, to Invite or Entice any other."""
    if has(game.courts[seat], royal):
        return SECURE_COST[royal_rank(royal)]
    return INVITE_COST[royal_rank(royal)]


@rule
def owner(game, royal):
    """Whose Court this Royal is in, NONE where it is in none."""
    for seat in range(SEATS):
        if has(game.courts[seat], royal):
            return seat
    return NONE


@rule
def legal_act(view, mask):
    """Invite from the Royal Market, Secure from one's own Court, Entice from another's, where the hand can pay (R5); or pass."""
    seat = view.seat
    hand = view.hands[seat]
    total = pips(hand)
    for royal in range(FIRST_ROYAL, FIRST_ACE):
        if total + count(of_suit(hand, suit_of(royal))) < price(view, seat, royal):
            continue
        court = owner(view, royal)
        if court == seat:
            mask[SECURE + royal - FIRST_ROYAL] = 1
        elif court != NONE:
            mask[ENTICE + royal - FIRST_ROYAL] = 1
        elif has(view.market, royal):
            mask[INVITE + royal - FIRST_ROYAL] = 1
    mask[PASS] = 1


@rule
def apply_act(game, action):
    """A Royal to pay for; where it lies tells whether it is Invited, Secured or Enticed."""
    if action == PASS:
        end_action(game)
        return
    game.target = FIRST_ROYAL + (action - INVITE) % ROYAL_COUNT
    game.offered = 0
    game.phase = PAYING


@rule
def legal_payment(view, mask):
    """Any card that is not offered yet (R4); done once the cost is met."""
    seat = view.seat
    mark(mask, PAY, view.hands[seat] & ~view.offered)
    if worth(view.offered, view.target) >= price(view, seat, view.target):
        mask[DONE] = 1


@rule
def apply_payment(game, action):
    if action == DONE:
        strike_bargain(game)
    else:
        show(game, game.seat, action - PAY)  # R3
        game.offered |= bit(action - PAY)  # R11: still in hand


@rule
def strike_bargain(game):
    """The payment changes hands and the Royal moves; an empty Royal Market or a third Royal Secured ends the round (R8)."""
    seat = game.seat
    royal = bit(game.target)
    court = owner(game, game.target)
    take_from_hand(game, seat, game.offered)
    if court == NONE:  # Invite
        game.discard |= game.offered
        game.market &= ~royal
        game.courts[seat] |= royal
    elif court == seat:  # Secure
        game.discard |= game.offered
        game.courts[seat] &= ~royal
        game.houses[seat] |= royal
        game.upright |= royal
    else:  # Entice
        put_in_hand(game, court, game.offered)
        game.courts[court] &= ~royal
        game.courts[seat] |= royal
    game.target = NONE
    game.offered = 0
    if game.market == 0 or count(game.houses[seat] & game.upright) == ROUND_GOAL:
        end_round(game)
    else:
        end_action(game)


# --- Discard --------------------------------------------------------------------------------------------------


@rule
def end_action(game):
    """The active player discards down to seven, then its turn is over."""
    if game.counts[game.active] > HAND:
        game.phase = DISCARDING
    else:
        end_turn(game)


@rule
def apply_discard(game, action):
    discard_card(game, game.seat, action - DISCARD)
    end_action(game)


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def legal(view, mask):
    """Mark the choices of the seat to move."""
    if view.phase == DRAWING:
        legal_draw(view, mask)
    elif view.phase == ACTING:
        legal_act(view, mask)
    elif view.phase == PAYING:
        legal_payment(view, mask)
    elif view.phase == DISCARDING:
        mark(mask, DISCARD, view.hands[view.seat])
    elif view.phase == OCCUPIED:
        legal_occupation(view, mask)
    else:
        mark(mask, TRIBUTE, tribute_cards(view, view.seat))


@rule
def decide(game, action):
    """One choice, then all that follows of itself."""
    if game.phase == DRAWING:
        apply_draw(game, action)
    elif game.phase == ACTING:
        apply_act(game, action)
    elif game.phase == PAYING:
        apply_payment(game, action)
    elif game.phase == DISCARDING:
        apply_discard(game, action)
    elif game.phase == OCCUPIED:
        apply_occupation(game, action)
    else:
        apply_tribute(game, action)
    go_on(game)


@rule
def housed(game, seat, rank):
    """How many Royals of a rank, 0, 1, 2 for J, Q, K, a House holds."""
    return count(game.houses[seat] & (np.int64(15) << np.int64(FIRST_ROYAL + 4 * rank)))


@rule
def score(game, seat):
    """What the table shows: Housed Royals by rank, and 5 for each in Court."""
    total = COURT_SCORE * count(game.courts[seat])
    for rank in range(3):
        total += HOUSED_SCORE[rank] * housed(game, seat, rank)
    return total


@rule
def scores(game, out):
    for seat in range(SEATS):
        out[seat] = score(game, seat)


@rule
def winners(game, out):
    """The highest score; then most Housed Kings, Queens, Jacks. Who is equal in all has as many Royals, too, and shares."""
    keys = np.empty(SEATS, np.int64)
    for seat in range(SEATS):
        keys[seat] = score(game, seat)
        for rank in (2, 1, 0):
            keys[seat] = 5 * keys[seat] + housed(game, seat, rank)
    mark_highest(keys, SEATS, out)
