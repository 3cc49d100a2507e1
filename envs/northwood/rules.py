"""For Northwood!, by Wilhelm Su. A solo trick-taking game in eight visits: 16 of 20 stars win.

Source: a published rules overview, with the fiefs and the abilities as public summaries give them (README.md has
them in a table). Where it leaves a point open, these rulings hold:
R1  an ability that cannot be carried out does nothing and is used up; one that can must be, in full; a pile that has too few cards gives what it has
R2  an ability that leaves hand or deck empty ends the visit before a statement; the player never ends one by choice
R3  of several cards that go to a pile the player chooses the order, one at a time, the last on top
R4  "exhausted active" are characters in play this visit: rulers called in, not allies replaced, not the acting one
R5  QL acts by the current ruler's text as itself; that ruler is not exhausted; a copied BE has its delayed effect
R6  JL, PL: unvisited fiefs by number, not round the corner; after JL the number stays, after PL all of the fief changes; just one fief is resolved a visit
R7  LE with a short deck counts the cards really drawn; BE lapses with the visit, and acts before the test for its end
R8  BC shuffles also where the deck has none of the value; what was known of its order is void
R9  PC stops by itself on an empty deck; a character refreshed by LL may act again before a later trick
R10 what QE, KL and QF let the player know of the deck stays known until it moves; discard and score pile are open
R11 a custom setup has up to four allies, or none; all characters differ
R12 KL gives a card that was in hand before the look; a repeat of PE without a card to discard, or to draw, goes on; so does an odd BE
"""

from typing import Any

import numpy as np

from handfast.envs.core.cards import bit, count, has, lowest
from handfast.envs.core.compiling import rule
from handfast.envs.core.dealing import as_set
from handfast.envs.core.luck import shuffle
from handfast.envs.core.table import CHANCE, ENDED, EVERYONE, FINISHED, GOING_ON, NOBODY, NONE, Field, Option, table
from handfast.envs.core.tricks import answers, suit_of
from handfast.envs.northwood import cards
from handfast.envs.northwood.abilities import (
    answer_ability,
    answers_to_ability,
    deck_as_set,
    draw,
    forget_deck,
    go_on_with_ability,
    put_on_discards,
    put_on_scored,
    take_from_deck,
    trump,
    use_ability,
)
from handfast.envs.northwood.cards import (
    ALL_CARDS,
    ALL_CHARACTERS,
    ALL_FIEFS,
    BE,
    BEGIN,
    BETWEEN,
    CALL,
    CALL_RULER,
    CARDS,
    CHARACTER_COUNT,
    CHARACTERS,
    DEAL,
    EXCHANGE,
    FIEFS,
    FIRST_ACTION,
    LISTEN,
    MOST_VALUE,
    PICK,
    PLAY_CARD,
    REPLACE,
    REPLACE_ALLY,
    RESPOND,
    SETUP,
    SKIP,
    USE,
    USE_ABILITY,
    VISIT,
    VISIT_FIEF,
    value_of,
)

SEATS = 1
PLAYER_COUNTS = (1,)
SCORE_SIGN = 1
ACTIONS = cards.ACTIONS
PLAYER = 0

# Purposes of luck.
FOR_CHARACTERS, FOR_ORDER, FOR_DEAL, FOR_SHUFFLE = np.int64(1), np.int64(2), np.int64(3), np.int64(4)

INTRODUCTORY, STANDARD, CUSTOM = 0, 1, 2
OPTIONS = {
    "setup": Option("standard", ("introductory", "standard", "custom"), "which characters are allies and rulers"),
    "allies": Option([], CHARACTERS, "the allies of a custom setup", (0, 4)),
    "rulers": Option([], CHARACTERS, "the eight rulers of a custom setup, from fief 0 to 7", (0, 8)),
    "goal": Option(16, range(1, 41), "stars that win: 16 bronze, 18 silver, 20 gold"),
    "stars": Option([4, 3, 2, 1, 1, 2, 3, 4], range(10), "stars of each fief", (8, 8)),
    "numbers": Option([0, 1, 2, 3, 4, 5, 6, 7], range(9), "tricks to win in each fief, exactly", (8, 8)),
    "hand_size": Option(8, range(1, 17), "cards dealt to the hand; JC draws up to as many"),
    "visits": Option(8, range(1, 9), "visits after which the game ends"),
    "order": Option([], range(8), "all fiefs in the order in which they must be visited; free where empty", (0, 8)),
    "off": Option([], CHARACTERS, "characters whose ability is never to be had, copied by QL neither", (0, 24)),
    "calls": Option(True, bool, "whether friendly rulers may be called in"),
}

TABLE = table(
    SEATS,
    OPTIONS,
    Field("own", "i8", (), EVERYONE, "the allies, whether in play or replaced; like every set of characters a bit each", 0, ALL_CHARACTERS),
    Field("ruler", "i4", (FIEFS,), EVERYONE, "the ruler of each fief, or who it was", 0, CHARACTER_COUNT - 1),
    Field("barred", "i8", (), EVERYONE, "the characters whose ability is off", 0, ALL_CHARACTERS),
    Field("visited", "i8", (), EVERYONE, "fiefs whose visit is over, a bit each", 0, ALL_FIEFS),
    Field("won", "i8", (), EVERYONE, "fiefs won, a bit each", 0, ALL_FIEFS),
    Field("friendly", "i8", (), EVERYONE, "friendly rulers that may still be called in", 0, ALL_CHARACTERS),
    Field("visit_no", "i4", (), EVERYONE, "the visit, from 1", 0, FIEFS),
    Field("fief", "i4", (), EVERYONE, "the fief that is visited", NONE, FIEFS - 1),
    Field("active", "i8", (), EVERYONE, "characters in play this visit", 0, ALL_CHARACTERS),
    Field("exhausted", "i8", (), EVERYONE, "those of them whose ability is used", 0, ALL_CHARACTERS),
    Field("calling", "i4", (), EVERYONE, "the ruler that is called in, until it has replaced an ally", NONE, CHARACTER_COUNT - 1),
    Field("hand", "i8", (), EVERYONE, "the cards in hand", 0, ALL_CARDS),
    Field("deck", "i2", (CARDS,), NOBODY, "the cards of the deck, the bottom first", 0, CARDS - 1),
    Field("deck_count", "i4", (), EVERYONE, "cards in the deck", 0, CARDS - 1),
    Field("known", "i2", (CARDS,), EVERYONE, "by place in the deck: the card, plus 1, that is known to lie there", 0, CARDS),
    Field("shuffles", "i4", (), EVERYONE, "how often BC had the deck shuffled this visit", 0, 2),
    Field("discards", "i2", (CARDS,), EVERYONE, "the cards of the discard pile, the bottom first", 0, CARDS - 1),
    Field("discard_count", "i4", (), EVERYONE, "cards in the discard pile", 0, CARDS),
    Field("scored", "i2", (CARDS,), EVERYONE, "the cards of the score pile, the bottom first", 0, CARDS - 1),
    Field("score_count", "i4", (), EVERYONE, "cards in the score pile", 0, CARDS - 1),
    Field("ability_used", "i4", (), EVERYONE, "whether an ability was used before this trick", 0, 1),
    Field("delayed", "i4", (), EVERYONE, "whether BE will act after the next response", 0, 1),
    Field("acting", "i4", (), EVERYONE, "the character whose ability is being carried out", NONE, CHARACTER_COUNT - 1),
    Field("ability", "i4", (), EVERYONE, "the character whose text it is: the ruler where QL acts", NONE, CHARACTER_COUNT - 1),
    Field("to_go", "i4", (), EVERYONE, "how much of the ability is to come: cards, repeats, piles, or LE's sum", 0, CARDS - MOST_VALUE),
    Field("sought", "i4", (), EVERYONE, "the value or suit of the cards to pick, where the ability fixed one", 0, MOST_VALUE),
    phases=cards.BETWEEN,
)  # fmt: skip


def why_no_game(options: dict[str, Any]) -> str | None:
    """Why these options do not go together, in words."""
    if options["setup"] != "custom" and (options["allies"] or options["rulers"]):
        return "allies and rulers are named with setup 'custom' alone"
    if options["setup"] == "custom" and len(options["rulers"]) != FIEFS:
        return f"a custom setup names {FIEFS} rulers, not {len(options['rulers'])}"
    characters = options["allies"] + options["rulers"]
    for names, what in ((characters, "custom setup"), (options["off"], "option 'off'")):
        for name in names:
            if names.count(name) > 1:  # R11
                return f"{name} is named twice in the {what}"
    if options["order"] and sorted(options["order"]) != list(range(FIEFS)):
        return f"an order of visits names each fief from 0 to {FIEFS - 1} once"
    return None


# --- Luck -----------------------------------------------------------------------------------------------------


@rule
def deal(game, seed):
    """Begin a game on a record of zeroes and options: luck decides who are allies and rulers."""
    game.seed = seed
    game.ended = GOING_ON
    game.fief = NONE
    game.calling = NONE
    game.acting = NONE
    game.ability = NONE
    for place in range(CHARACTER_COUNT):
        if game.off[place] > 0:
            game.barred |= bit(game.off[place] - 1)
    game.seat = CHANCE
    game.phase = SETUP


@rule
def roll(game):
    """Fill in what luck decides in this phase, and nothing else."""
    if game.phase == SETUP:
        choose_characters(game)
        return
    order = np.empty(CARDS, np.int64)
    if game.phase == DEAL:
        size = np.int64(game.hand_size)
        shuffle(np.int64(ALL_CARDS), game.seed, FOR_DEAL, np.int64(game.visit_no), order)
        game.hand = as_set(order, np.int64(0), size)
        game.deck_count = CARDS - size
        put_in_deck(game, order, size)
    else:
        shuffle(deck_as_set(game), game.seed, FOR_SHUFFLE, np.int64(CARDS * game.visit_no + game.shuffles), order)
        put_in_deck(game, order, np.int64(0))


@rule
def put_in_deck(game, order, first):
    """The deck is the cards of an order from place `first` on, and that card is on top."""
    for place in range(game.deck_count):
        game.deck[game.deck_count - 1 - place] = order[first + place]


@rule
def choose_characters(game):
    """Allies and rulers as the setup has them: the Jacks before Queens and Kings, one and two of each suit, or as named."""
    rulers = np.int64(0)
    game.own = 0
    six = np.empty(6, np.int64)
    for suit in range(4):
        if game.setup == STANDARD:
            shuffle(np.int64(63) << np.int64(6 * suit), game.seed, FOR_CHARACTERS, suit, six)
        else:
            for rank in range(6):
                six[rank] = 6 * suit + rank
        game.own |= bit(six[0])
        rulers |= bit(six[1]) | bit(six[2])
    order = np.empty(FIEFS, np.int64)
    shuffle(rulers, game.seed, FOR_ORDER, np.int64(0), order)
    for fief in range(FIEFS):
        game.ruler[fief] = order[fief]
    if game.setup == CUSTOM:
        game.own = 0
        for place in range(4):
            if game.allies[place] > 0:  # R11
                game.own |= bit(game.allies[place] - 1)
        for fief in range(FIEFS):
            game.ruler[fief] = game.rulers[fief] - 1


@rule
def after_chance(game):
    """Go on after luck: to the first visit, to the choice of a fief, or after BC's shuffle."""
    if game.phase == SETUP:
        begin_visit(game)
        return
    game.seat = PLAYER
    game.phase = VISIT if game.phase == DEAL else BETWEEN
    carry_on(game)


# --- The course of play ---------------------------------------------------------------------------------------


@rule
def carry_on(game):
    """All that follows of itself, up to the next choice, luck or the end."""
    while game.seat == PLAYER:
        if game.phase == VISIT:
            if not has_next_fief(game):
                return
            visit(game, next_fief(game))
        elif game.phase == CALL:
            if can_call(game):
                return
            game.phase = USE
        elif game.phase == REPLACE:
            if count(replaceable(game)) > 1:
                return
            replace(game, lowest(replaceable(game)))
        elif game.phase == USE:
            if usable(game) != 0:
                return
            make_statement(game)
        elif game.phase == RESPOND:
            return
        elif game.phase == BETWEEN:
            end_step_of_trick(game)
        elif go_on_with_ability(game):
            return


# --- A visit --------------------------------------------------------------------------------------------------


@rule
def begin_visit(game):
    """All cards are gathered, all allies are in play and refreshed, and what is shuffled and dealt is luck."""
    game.visit_no += 1
    game.hand = 0
    game.deck_count = 0
    forget_deck(game)
    game.shuffles = 0
    game.discard_count = 0
    game.score_count = 0
    game.active = game.own
    game.exhausted = 0
    game.seat = CHANCE
    game.phase = DEAL


@rule
def unvisited(view):
    """The fiefs still to visit."""
    return ~view.visited & np.int64(ALL_FIEFS)


@rule
def has_next_fief(game):
    """Whether the next visit needs no choice: an order is fixed, or one fief is left."""
    return game.order[0] > 0 or count(unvisited(game)) == 1


@rule
def next_fief(game):
    """The first unvisited fief of a fixed order, or the one that is left."""
    fiefs = unvisited(game)
    for place in range(FIEFS):
        if game.order[place] > 0 and has(fiefs, game.order[place] - 1):
            return np.int64(game.order[place] - 1)
    return lowest(fiefs)


@rule
def visit(game, fief):
    game.fief = fief
    game.phase = CALL


@rule
def replaceable(view):
    """The allies in play."""
    return view.active & view.own


@rule
def can_call(game):
    """A friendly ruler may come in for an ally, as long as there is one of both."""
    return game.calls and game.friendly != 0 and replaceable(game) != 0


@rule
def apply_call(game, action):
    """A friendly ruler is called in and the player names the ally that it replaces, or the tricks begin."""
    if action == BEGIN:
        game.phase = USE
    else:
        game.calling = action - CALL_RULER
        game.phase = REPLACE


@rule
def replace(game, ally):
    """The ruler called in is in play in place of the ally for this visit, and leaves the game with it."""
    game.active = game.active & ~bit(ally) | bit(game.calling)
    game.friendly &= ~bit(game.calling)
    game.calling = NONE
    game.phase = CALL


@rule
def end_visit(game):
    """The fief is won by just its number of tricks: its stars count, and its ruler is friendly; else that leaves the game."""
    fief = game.fief
    game.visited |= bit(fief)
    if game.score_count == game.numbers[fief]:
        game.won |= bit(fief)
        game.friendly |= bit(game.ruler[fief])
    game.fief = NONE
    game.delayed = 0  # R7
    game.ability_used = 0
    if game.visit_no == game.visits:
        game.ended = ENDED
        game.seat = FINISHED
        game.phase = VISIT
    else:
        begin_visit(game)


# --- A trick --------------------------------------------------------------------------------------------------


@rule
def usable(view):
    """The characters in play that may use their ability, one before each statement."""
    return view.active & ~view.exhausted & ~view.barred


@rule
def apply_use(game, action):
    """The player listens to the statement, or uses an ability first."""
    if action == LISTEN:
        make_statement(game)
    else:
        game.ability_used = 1
        use_ability(game, action - USE_ABILITY)


@rule
def make_statement(game):
    """The deck's top card, face up on the discard pile."""
    game.ability_used = 0
    put_on_discards(game, take_from_deck(game))
    game.phase = RESPOND


@rule
def statement(view):
    """The top card of the discard pile, to which the player responds."""
    return np.int64(view.discards[view.discard_count - 1])


@rule
def apply_response(game, card):
    """A response that wins goes to the score pile, one that loses on the statement."""
    wins = beats(card, statement(game), trump(game))
    game.hand &= ~bit(card)
    if wins:
        put_on_scored(game, card)
    else:
        put_on_discards(game, card)
    game.phase = BETWEEN
    if game.delayed:  # R7: before the test for the visit's end
        act_on_response(game, card)


@rule
def beats(response, stated, trumps):
    """The same suit and higher, or a trump on a statement that is none."""
    if suit_of(response) == suit_of(stated):
        return response > stated
    return suit_of(response) == trumps


@rule
def act_on_response(game, card):
    """BE: an even response draws a card, an odd one discards one (R12: if there is one)."""
    game.delayed = 0
    if value_of(card) & 1 == 0:
        draw(game, 1)
    else:
        game.ability = BE
        game.to_go = 1
        game.phase = PICK


@rule
def apply_answer(game, action):
    """An answer to a question of the ability that is being carried out."""
    if action == SKIP:
        game.to_go -= 1
    else:
        answer_ability(game, action - FIRST_ACTION[game.phase])


@rule
def end_step_of_trick(game):
    """An empty hand or deck ends the visit (R2); else the statement follows an ability, and the next trick a response."""
    if game.hand == 0 or game.deck_count == 0:
        end_visit(game)
    elif game.ability_used:
        make_statement(game)
    else:
        game.phase = USE


# --- The contract ---------------------------------------------------------------------------------------------


@rule
def choices(view):
    """What may be chosen in this phase, as a set: of fiefs, characters, cards, values or suits."""
    if view.phase == VISIT:
        return unvisited(view)
    if view.phase == CALL:
        return view.friendly
    if view.phase == REPLACE:
        return replaceable(view)
    if view.phase == USE:
        return usable(view)
    if view.phase == RESPOND:
        return answers(view.hand, suit_of(statement(view)))
    return answers_to_ability(view)


@rule
def legal(view, mask):
    """Mark the choices of the player."""
    if view.seat != PLAYER:
        return
    chosen = choices(view)
    while chosen != 0:
        mask[FIRST_ACTION[view.phase] + lowest(chosen)] = 1
        chosen &= chosen - 1
    if view.phase == CALL:
        mask[BEGIN] = 1
    elif view.phase == USE:
        mask[LISTEN] = 1
    elif view.phase == EXCHANGE:
        mask[SKIP] = 1


@rule
def decide(game, action):
    """One choice, then all that follows of itself."""
    if game.phase == VISIT:
        visit(game, action - VISIT_FIEF)
    elif game.phase == CALL:
        apply_call(game, action)
    elif game.phase == REPLACE:
        replace(game, action - REPLACE_ALLY)
    elif game.phase == USE:
        apply_use(game, action)
    elif game.phase == RESPOND:
        apply_response(game, action - PLAY_CARD)
    else:
        apply_answer(game, action)
    carry_on(game)


@rule
def stars_won(view):
    """The stars of the fiefs won, whether or not their ruler has been called in."""
    stars = 0
    for fief in range(FIEFS):
        if has(view.won, fief):
            stars += view.stars[fief]
    return stars


@rule
def scores(game, out):
    """The stars won so far."""
    out[PLAYER] = stars_won(game)


@rule
def winners(game, out):
    """The player wins, or has won already, with the stars of the goal."""
    out[PLAYER] = stars_won(game) >= game.goal
