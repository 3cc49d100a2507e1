"""A rule-based expert of For Northwood!"""

import numpy as np

from handfast.agents.experts.northwood_outlook import OUTLOOK, chance_of, look_ahead
from handfast.envs.core.cards import bit, count, has, lowest
from handfast.envs.core.compiling import boxed, kernel, rule
from handfast.envs.core.decisions import Agent, Decisions
from handfast.envs.core.luck import luck
from handfast.envs.core.table import CHANCE
from handfast.envs.northwood.abilities import trump
from handfast.envs.northwood.cards import (
    BC,
    BE,
    BEGIN,
    BF,
    BL,
    CALL,
    CALL_RULER,
    CHARACTER_COUNT,
    FIEFS,
    FIRST_ACTION,
    JC,
    JE,
    JF,
    JL,
    KC,
    KE,
    KF,
    KL,
    LC,
    LE,
    LF,
    LISTEN,
    LL,
    PC,
    PE,
    PF,
    PICK,
    PL,
    PLAY_CARD,
    QC,
    QE,
    QF,
    QL,
    REPLACE,
    REPLACE_ALLY,
    RESPOND,
    USE,
    USE_ABILITY,
    VISIT,
    VISIT_FIEF,
    suit_of_character,
)
from handfast.envs.northwood.rules import (
    after_chance,
    beats,
    choices,
    decide,
    replaceable,
    roll,
    statement,
    unvisited,
    usable,
)
from handfast.envs.northwood.view import guess

SAMPLES = 8
# Abilities that tell which statement comes, and those of which the outcome is certain.
INFORMING = 1 << QE | 1 << QF | 1 << KL
CERTAIN = 1 << KC | 1 << JF | 1 << QF | 1 << KF | 1 << PF | 1 << LF | 1 << BF | 1 << JL | 1 << PL | 1 << BL | 1 << BE
FOR_SAMPLE = 1
FOR_TRIAL = 2

# How often a fief of so many tricks is won when it waits for a fitting hand.
CHANCE_LATER = np.array((0.55, 0.77, 0.8, 0.8, 0.8, 0.78, 0.68, 0.53, 0.4))
FRIEND = 0.25  # stars that a friendly ruler is worth in the visits to come

# By character: how much its ability, as yet unused, adds to the log odds of a win.
HELP = np.zeros(CHARACTER_COUNT)
HELP[[JC, QC, KC, PC, LC, BC]] = 0.65, 0.76, 0.48, 0.59, 0.41, 1.08
HELP[[JF, QF, KF, PF, LF, BF]] = 0.59, 0.54, 0.34, 0.35, 0.28, 0.13
HELP[[JL, QL, KL, PL, LL, BL]] = 0.30, 0.28, 0.63, 0.34, 0.30, 0.25
HELP[[JE, QE, KE, PE, LE, BE]] = 0.68, 0.17, 0.82, 0.31, 0.26, 0.10
KEEP = 0.2  # stars that a friendly ruler may bring later, where there are few
LEVELLING = 0.09  # for each ability: how far the chance without them counts less
LEAST_CHANCE = 0.01  # no hand is taken to be surer than that, or than its opposite


@rule
def fief_worth(view, fief):
    """What winning a fief brings: stars, and a friend for the visits to come."""
    later = view.visits - view.visit_no
    return view.stars[np.int64(fief)] + (FRIEND if view.calls and later > 0 else 0.0)


@rule
def fief_price(view, fief):
    """What visiting a fief now costs: the stars that a later visit would bring."""
    left = count(unvisited(view))
    later = view.visits - view.visit_no
    if left <= 1:
        return 0.0
    return view.stars[fief] * CHANCE_LATER[view.numbers[fief]] * min(1.0, later / (left - 1.0))


@rule
def log_odds(chance):
    chance = min(max(chance, LEAST_CHANCE), 1.0 - LEAST_CHANCE)
    return np.log(chance / (1.0 - chance))


@rule
def with_help(chance, abilities):
    """The chance of a win with these abilities, from the chance with none."""
    if abilities == 0:
        return chance
    odds = log_odds(chance) * (1.0 - LEVELLING * count(abilities))
    while abilities != 0:
        odds += HELP[lowest(abilities)]
        abilities &= abilities - 1
    return 1.0 / (1.0 + np.exp(-odds))


@rule
def worth_of(view, fief, chance):
    return fief_worth(view, fief) * with_help(chance, usable(view)) - fief_price(view, fief)


@rule
def needed(view):
    return view.numbers[view.fief] - view.score_count


@rule
def worth_here(view, outlook):
    """What the visit is worth as it stands, whatever is being decided; a statement not yet answered counts as drawn."""
    if view.phase != RESPOND:
        look_ahead(outlook, view, trump(view), needed(view))
        return worth_of(view, view.fief, chance_of(outlook, view.hand, needed(view)))
    look_ahead(outlook, view, trump(view), needed(view))
    best = -100.0
    cards = choices(view)
    while cards != 0:
        best = max(best, worth_of_response(view, outlook, lowest(cards)))
        cards &= cards - 1
    return best


@rule
def worth_of_response(view, outlook, card):
    wins = beats(card, statement(view), trump(view))
    return worth_of(view, view.fief, chance_of(outlook, view.hand & ~bit(card), needed(view) - wins))


# --- Trying things out ----------------------------------------------------------------------------------------


@rule
def carry_out(game, action, outlook, trials, key):
    """Take an action in a guessed game and go on with what it asks; returns what the visit is then worth."""
    visited = game.visited
    informed = has(INFORMING, text_of(game, action) if game.phase == USE else game.ability)
    asked = 0
    while True:
        decide(game, action)
        if game.visited != visited:
            return outcome(game, visited)
        if game.seat == CHANCE:
            roll(game)
            after_chance(game)
        if game.phase <= RESPOND:
            break
        asked += 1
        action = simple_answer(game, outlook, trials, luck(key, FOR_TRIAL, asked, 0))
    if game.phase == RESPOND and not informed:
        game.discard_count -= 1
        game.deck_count += 1
        game.phase = USE
    return worth_here(game, outlook)


@rule
def outcome(game, visited):
    """What the visit that has just ended was worth."""
    for fief in range(FIEFS):
        if has(game.visited & ~visited, fief):
            won = 1.0 if has(game.won, fief) else 0.0
            return fief_worth(game, fief) * won - fief_price(game, fief)
    return 0.0


@rule
def text_of(view, action):
    """Whose text an ability follows that is about to be used."""
    character = action - USE_ABILITY
    return np.int64(view.ruler[view.fief]) if character == QL else character


@rule
def simple_answer(game, outlook, trials, key):
    """An answer to an ability's question that looks one step ahead."""
    options = choices(game)
    first = FIRST_ACTION[game.phase]
    best, action = -100.0, first + lowest(options)
    if game.phase == PICK:
        look_ahead(outlook, game, trump(game), needed(game))
    while options != 0:
        option = lowest(options)
        options &= options - 1
        if game.phase == PICK:
            worth = chance_of(outlook, game.hand & ~bit(option), needed(game))
        else:
            trials[1] = trials[0]
            trial = trials[1]
            guess(trial, 0, key)
            visited = trial.visited
            decide(trial, first + option)
            if trial.visited != visited:
                worth = outcome(trial, visited)
            else:
                if trial.seat == CHANCE:
                    trial.phase = USE
                worth = worth_here(trial, outlook)
        if worth > best:
            best, action = worth, first + option
    return action


@rule
def try_out(view, action, outlook, trials, key, samples):
    """The mean worth of an action over guessed games."""
    total = 0.0
    if view.phase == USE and has(CERTAIN, text_of(view, action)):
        samples = 1
    for sample in range(samples):
        trials[0] = view
        game = trials[0]
        seed = luck(key, FOR_SAMPLE, sample, 0)
        guess(game, 0, seed)
        total += carry_out(game, action, outlook, trials, seed)
    return total / samples


# --- Decisions ------------------------------------------------------------------------------------------------


@rule
def choose_fief(view, outlook):
    best, action = -100.0, 0
    for fief in range(FIEFS):
        if has(unvisited(view), fief):
            look_ahead(outlook, view, suit_of_character(view.ruler[fief]), view.numbers[fief])
            worth = worth_of(view, fief, chance_of(outlook, view.hand, view.numbers[fief]))
            if worth > best:
                best, action = worth, VISIT_FIEF + fief
    return action


@rule
def choose_call(view, outlook):
    """Call in the friendly ruler that helps most, where that is worth more than to keep it."""
    look_ahead(outlook, view, trump(view), needed(view))
    chance = chance_of(outlook, view.hand, needed(view))
    ally = least_helpful(replaceable(view))
    best, action = keeping_worth(view), BEGIN
    friends = view.friendly
    while friends != 0:
        friend = lowest(friends)
        friends &= friends - 1
        active = usable(view)
        gain = with_help(chance, active & ~bit(ally) | bit(friend) & ~view.barred) - with_help(chance, active)
        if gain * fief_worth(view, view.fief) > best:
            best, action = gain * fief_worth(view, view.fief), CALL_RULER + friend
    return action


@rule
def keeping_worth(view):
    """What a friendly ruler is worth that is kept for later."""
    later = view.visits - view.visit_no
    spare = count(view.friendly) / (4.0 * max(later, 1))
    return KEEP * max(0.0, 1.0 - spare) if later > 0 else 0.0


@rule
def least_helpful(allies):
    """The ally whose ability helps least."""
    found = lowest(allies)
    while allies != 0:
        if HELP[lowest(allies)] < HELP[found]:
            found = lowest(allies)
        allies &= allies - 1
    return found


@rule
def choose_response(view, outlook):
    look_ahead(outlook, view, trump(view), needed(view))
    best, action = -100.0, 0
    cards = choices(view)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        worth = worth_of_response(view, outlook, card)
        if worth > best:
            best, action = worth, PLAY_CARD + card
    return action


@rule
def choose_by_trial(view, mask, outlook, trials, key):
    """Before a statement, or in an ability: what is best in guessed games; to listen needs no guess."""
    best, action = -100.0, 0
    for option in range(len(mask)):
        if mask[option]:
            if option == LISTEN:
                worth = worth_here(view, outlook)
            else:
                worth = try_out(view, option, outlook, trials, key, SAMPLES)
            if worth > best:
                best, action = worth, option
    return action


@kernel()
def decide_northwood(views, masks, keys, trials, outlooks, actions):
    outlook = outlooks[0]
    for i in range(len(views)):
        view = views[i]
        if view.seat < 0:
            actions[i] = -1
        elif view.phase == VISIT:
            actions[i] = choose_fief(view, outlook)
        elif view.phase == CALL:
            actions[i] = choose_call(view, outlook)
        elif view.phase == REPLACE:
            actions[i] = REPLACE_ALLY + least_helpful(choices(view))
        elif view.phase == RESPOND:
            actions[i] = choose_response(view, outlook)
        else:
            actions[i] = choose_by_trial(view, masks[i], outlook, trials, keys[i])


def expert(decisions: Decisions) -> np.ndarray:
    """Choose an action for each decision, int64 [n], from the views alone; its luck is that of `keys`."""
    actions = np.zeros(len(decisions), np.int64)
    trials = np.zeros(2, decisions.game.dtype)
    decisions.game.call(
        decide_northwood, decisions.views, decisions.masks, decisions.keys, trials, boxed(np.zeros(1, OUTLOOK)), actions
    )
    return actions


AGENTS: dict[str, Agent] = {"expert": expert}
