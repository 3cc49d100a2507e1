"""For Northwood! for a player who knows the order of every deck, BC's shuffles included: how much of a result is luck?

A visit's cards depend on its number alone. So every visit can be searched on its own for a way to win a fief then, by
the allies alone or, where that is not enough for all stars, with one friendly ruler called in; the fiefs are then given
to the visits such that they bring the most stars. A visit's search is exhaustive up to `MOST_POSITIONS`: what follows
the last ability is settled backwards from the last card.

It finds a line of play, which the rules then play through. Its stars are a LOWER bound of what such a player could reach
and not always the optimum: two friendly rulers are not called in for one visit, rulers are not exchanged (JL), visits do
not move on (PL), and the plan keeps one best way to have visited a set of fiefs. A true UPPER bound are the stars of all
fiefs that can be visited (`upper_bound`). Where both agree, the line is an optimum.

It cheats, so it is no agent; `python -m handfast.agents.bounds northwood --deals 100` measures it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from handfast.agents.experts.northwood_outlook import OUTLOOK, chance_of, look_ahead
from handfast.envs.core import kernels
from handfast.envs.core.cards import bit, has, lowest, members
from handfast.envs.core.compiling import boxed, kernel, rule
from handfast.envs.core.luck import mixed
from handfast.envs.core.table import CHANCE, FINISHED, NONE
from handfast.envs.northwood import GAME, rules
from handfast.envs.northwood.abilities import trump
from handfast.envs.northwood.cards import (
    BEGIN,
    CALL,
    CALL_RULER,
    CHARACTER_COUNT,
    DEAL,
    EXCHANGE,
    FIEFS,
    FIRST_ACTION,
    JL,
    LISTEN,
    PL,
    PLAY_CARD,
    QL,
    REPLACE,
    REPLACE_ALLY,
    RESPOND,
    SKIP,
    USE,
    USE_ABILITY,
    VISIT,
    VISIT_FIEF,
)
from handfast.envs.northwood.rules import (
    after_chance,
    beats,
    begin_visit,
    carry_on,
    choices,
    decide,
    roll,
    statement,
    usable,
    visit,
)

MOST_DECISIONS = 160  # of one visit
MARGIN = 40  # of these are left for the tricks after the last ability
MOST_POSITIONS = 20_000  # of one visit, after which it counts as lost
USES = range(USE_ABILITY, USE_ABILITY + CHARACTER_COUNT)
OTHERWISE = 40  # above every card, character and fief
MEMORY = 2**16  # places for positions that were searched


class Line(NamedTuple):
    """A line of play: its stars, and its actions from the first visit on."""

    score: int
    actions: list[int]


@rule
def begin_search(game, visit_no, fief, called, ally):
    """The game at the first trick of a visit of this number to this fief, as if no other were over.

    `called` is a ruler that is in play for an ally, or NONE.
    """
    game.visit_no = visit_no - 1
    game.visited = 0
    game.won = 0
    game.friendly = 0
    game.barred |= bit(JL) | bit(PL)
    if has(game.barred, game.ruler[fief]):
        game.barred |= bit(QL)
    begin_visit(game)
    roll(game)
    if called != NONE:
        game.active = game.active & ~bit(ally) | bit(called)
    reveal(game)
    game.seat = rules.PLAYER
    visit(game, fief)
    carry_on(game)


@rule
def needed(game):
    """The tricks that are still to be won."""
    return game.numbers[game.fief] - game.score_count


@rule
def fingerprint(game):
    """A number for all that matters for the rest of the visit."""
    key = np.uint64(game.hand) ^ mixed(np.uint64(game.exhausted) + (np.uint64(game.phase) << np.uint64(32)))
    for place in range(game.deck_count):
        key = mixed(key + np.uint64(game.deck[place] + 1))
    key = mixed(key ^ np.uint64(1 << 20))
    for place in range(game.discard_count):
        key = mixed(key + np.uint64(game.discards[place] + 1))
    key = mixed(key ^ np.uint64(1 << 21))
    for place in range(game.score_count):
        key = mixed(key + np.uint64(game.scored[place] + 1))
    rest = game.ability_used + 2 * game.delayed + 4 * game.shuffles
    key = mixed(key + np.uint64(rest))
    return mixed(
        key + np.uint64((game.acting + 4) * 10000 + (game.ability + 4) * 1000000 + game.to_go * 100 + game.sought)
    )


@rule
def is_new(memory, key):
    """Whether a position was not searched yet; now it is. With a full memory every position is new."""
    place = np.int64(key & np.uint64(MEMORY - 1))
    for _ in range(64):
        if memory[place] == key:
            return False
        if memory[place] == 0:
            memory[place] = key
            return True
        place = (place + 1) & (MEMORY - 1)
    return True


@rule
def reveal(game):
    """The player knows the whole deck."""
    for place in range(game.deck_count):
        game.known[place] = game.deck[place] + 1


@rule
def follow(game, action):
    """An action and the luck that follows, as far as the visit goes; whether it is over."""
    decide(game, action)
    while game.seat == CHANCE and game.phase != DEAL:
        roll(game)
        reveal(game)
        after_chance(game)
    return game.visited != 0


@rule
def listening_wins(game, outlook):
    """Whether the visit is won with no further ability: 1 if so, 0 if not, -1 where this was not found out."""
    if game.delayed or (game.phase != USE and game.phase != RESPOND):
        return -1
    look_ahead(outlook, game, trump(game), needed(game))
    if outlook.is_rough:
        return -1
    if game.phase == USE:
        return 1 if chance_of(outlook, game.hand, needed(game)) > 0 else 0
    return 1 if winning_response(game, outlook) >= 0 else 0


@rule
def winning_response(game, outlook):
    """A response from which the visit can be won with no further ability, else -1."""
    cards = choices(game)
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        wins = beats(card, statement(game), trump(game))
        if chance_of(outlook, game.hand & ~bit(card), needed(game) - wins) > 0:
            return card
    return -1


@rule
def listen_to_the_end(game, outlook, path, depth):
    """Win the visit with no further ability; returns the length of the path."""
    over = False
    while not over:
        action = LISTEN
        if game.phase == RESPOND:
            look_ahead(outlook, game, trump(game), needed(game))
            action = PLAY_CARD + winning_response(game, outlook)
        path[depth] = action
        depth += 1
        over = follow(game, action)
    return depth


@rule
def untried(game):
    """The choices at hand as a set; of phase USE and EXCHANGE one bit more, OTHERWISE, is to listen or to skip."""
    more = bit(OTHERWISE) if game.phase == USE or game.phase == EXCHANGE else np.int64(0)
    return choices(game) | more


@rule
def next_action(game, left):
    """The first of the choices that are left."""
    choice = lowest(left)
    if choice < OTHERWISE:
        return FIRST_ACTION[game.phase] + choice
    return LISTEN if game.phase == USE else SKIP


@rule
def win_visit(games, left, memory, outlook, path, fief):
    """Search, depth first, for a way to win the visit at hand; `path` tells it. Returns its length, -1 for none."""
    memory[:] = 0
    depth = 0
    positions = 0
    if listening_wins(games[0], outlook) == 1:
        return listen_to_the_end(games[0], outlook, path, 0)
    left[0] = untried(games[0])
    while depth >= 0:
        if left[depth] == 0 or positions == MOST_POSITIONS:
            depth -= 1
            continue
        path[depth] = next_action(games[depth], left[depth])
        left[depth] &= left[depth] - 1
        games[depth + 1] = games[depth]
        game = games[depth + 1]
        if follow(game, path[depth]):
            if has(game.won, fief):
                return depth + 1
        elif depth + MARGIN < MOST_DECISIONS and is_new(memory, fingerprint(game)):
            positions += 1
            wins = listening_wins(game, outlook)
            if wins == 1:
                return listen_to_the_end(game, outlook, path, depth + 1)
            if wins < 0 or usable(game) != 0:
                depth += 1
                left[depth] = untried(game)
    return -1


@kernel()
def win_visits(games, left, memory, outlooks, tasks, paths, lengths):
    """For every task, a way to win: `paths` [task, decision], `lengths` [task], -1 where none was found.

    `tasks` [task] are rows of visit, fief, the ruler called in and the ally it replaces, or NONE. The last of `games`
    is the game as dealt; the others, and `left` and `memory`, are working space.
    """
    for task in range(len(tasks)):
        games[0] = games[len(games) - 1]
        visit_no, fief, called, ally = tasks[task]
        begin_search(games[0], visit_no, fief, called, ally)
        lengths[task] = win_visit(games, left, memory, outlooks[0], paths[task], fief)


# --- A whole game ---------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way to win a visit: the ruler called in and the ally it replaces, or NONE, and the actions from the first trick on."""

    called: int
    ally: int
    actions: list[int]


Ways = dict[tuple[int, int], list[Way]]  # by visit, from 1, and fief
Plan = list[tuple[int, Way | None]]  # by visit: the fief, and how it is won


def dealt_game(seed: int, options: Mapping[str, Any] | None) -> np.ndarray:
    """The game [1] with its characters, at the first visit."""
    games = GAME.blank(1, options)
    GAME.unchecked.move(games, kernels.DEAL, seeds=seed)
    for how in (kernels.ROLL, kernels.RESUME, kernels.ROLL, kernels.RESUME):
        GAME.unchecked.move(games, how)
    return games


def find_ways(dealt: np.ndarray, tasks: list[tuple[int, int, int, int]]) -> Ways:
    """The ways to win that a search finds, one at most for each task: visit, fief, ruler called in, ally replaced."""
    work = np.repeat(dealt, MOST_DECISIONS + 2)
    paths = np.zeros((len(tasks), MOST_DECISIONS), np.int64)
    lengths = np.zeros(len(tasks), np.int64)
    left, memory = np.zeros(MOST_DECISIONS, np.int64), np.zeros(MEMORY, np.uint64)
    rows = np.array(tasks, np.int64).reshape(-1, 4)
    GAME.call(win_visits, work, left, memory, boxed(np.zeros(1, OUTLOOK)), rows, paths, lengths)
    ways: Ways = {}
    for (visit_no, fief, called, ally), path, length in zip(tasks, paths, lengths, strict=True):
        if length >= 0:
            ways.setdefault((visit_no, fief), []).append(Way(called, ally, path[:length].tolist()))
    return ways


def ways_alone(dealt: np.ndarray) -> Ways:
    """Ways to win each fief in each visit by the allies alone."""
    visits = range(1, int(dealt["visits"][0]) + 1)
    return find_ways(dealt, [(visit_no, fief, NONE, NONE) for visit_no in visits for fief in range(FIEFS)])


def ways_with_a_friend(dealt: np.ndarray, ways: Ways, fiefs: list[int]) -> Ways:
    """Ways to win these fiefs in visits in which the allies alone do not, with one friendly ruler called in."""
    visits = range(2, int(dealt["visits"][0]) + 1)
    allies = members(int(dealt["own"][0]))
    return find_ways(
        dealt,
        [
            (visit_no, fief, int(dealt["ruler"][0, home]), ally)
            for visit_no in visits
            for fief in fiefs
            if (visit_no, fief) not in ways
            for home in range(FIEFS)
            if home != fief
            for ally in allies
        ],
    )


def best_plan(ways: Ways, stars: list[int], rulers: list[int], visits: int, order: list[int]) -> Plan:
    """The plan that brings the most stars of those kept: one for each set of fiefs visited."""
    plans: dict[int, tuple[int, Plan]] = {0: (0, [])}
    for visit_no in range(1, visits + 1):
        longer: dict[int, tuple[int, Plan]] = {}
        for visited, (total, plan) in plans.items():
            for fief in [order[visit_no - 1]] if order else range(FIEFS):
                if visited >> fief & 1:
                    continue
                way = next((way for way in ways.get((visit_no, fief), []) if is_open(way, plan, rulers)), None)
                reached = total + (stars[fief] if way else 0)
                if reached > longer.get(visited | 1 << fief, (-1, []))[0]:
                    longer[visited | 1 << fief] = (reached, [*plan, (fief, way)])
        plans = longer
    return max(plans.values(), key=lambda one: one[0])[1]


def is_open(way: Way, plan: Plan, rulers: list[int]) -> bool:
    """Whether the ruler that a way calls in, if any, was won by the plan before and not called in since."""
    if way.called == NONE:
        return True
    friends = {rulers[fief] for fief, how in plan if how} - {how.called for _, how in plan if how}
    return way.called in friends


def upper_bound(options: Mapping[str, Any] | None = None) -> int:
    """The stars of the best fiefs of as many visits as there are: nobody reaches more."""
    filled = GAME.check_options(options or {})
    if filled["order"]:
        return sum(filled["stars"][fief] for fief in filled["order"][: filled["visits"]])
    return sum(sorted(filled["stars"])[-filled["visits"] :])


def known_luck_line(seed: int, options: Mapping[str, Any] | None = None) -> Line:
    """The line of play that a player who knows every deck finds on this seed, played through by the rules."""
    filled = GAME.check_options(options or {})
    dealt = dealt_game(seed, options)
    rulers = [int(ruler) for ruler in dealt["ruler"][0]]
    ways = ways_alone(dealt)
    plan = best_plan(ways, filled["stars"], rulers, filled["visits"], filled["order"])
    lost = [fief for fief in range(FIEFS) if (fief, None) in plan or fief not in dict(plan)]
    if filled["calls"] and any(way is None for _, way in plan):
        ways |= ways_with_a_friend(dealt, ways, lost)
        plan = best_plan(ways, filled["stars"], rulers, filled["visits"], filled["order"])
    return play_plan(seed, options, plan)


def play_plan(seed: int, options: Mapping[str, Any] | None, plan: Plan) -> Line:
    """Play visit by visit as planned; a visit that is not won is played without abilities."""
    games = GAME.blank(1, options)
    GAME.unchecked.move(games, kernels.DEAL, seeds=seed)
    actions: list[int] = []
    left: list[int] = []
    visit_no = 0
    while games["seat"][0] != FINISHED:
        if games["seat"][0] == CHANCE:
            GAME.unchecked.move(games, kernels.ROLL)
            GAME.unchecked.move(games, kernels.RESUME)
            continue
        fief, way = plan[int(games["visit_no"][0]) - 1]
        if games["visit_no"][0] != visit_no:
            visit_no = int(games["visit_no"][0])
            left = list(way.actions) if way else []
        action = planned_action(games, fief, way, left)
        GAME.unchecked.move(games, kernels.DECIDE, actions=action)
        actions.append(action)
    return Line(int(GAME.unchecked.judge(games)[0][0, 0]), actions)


def planned_action(games: np.ndarray, fief: int, way: Way | None, left: list[int]) -> int:
    """What the plan does now; `left` are the actions to come of this visit's tricks, of which it may take the first."""
    phase = games["phase"][0]
    if phase == VISIT:
        return VISIT_FIEF + fief
    if phase == CALL:
        to_call = way is not None and way.called != NONE and int(games["friendly"][0]) >> way.called & 1
        return CALL_RULER + way.called if way is not None and to_call else BEGIN
    if phase == REPLACE and way is not None:
        return REPLACE_ALLY + way.ally
    if phase == USE and (not left or left[0] not in (LISTEN, *USES)):
        return LISTEN  # only the abilities that the search leaves out are still to be had
    if left:
        return left.pop(0)
    return int(np.flatnonzero(GAME.unchecked.look(games, 0)[1][0])[0])
