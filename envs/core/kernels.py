"""Loops over many games of one kind, compiled once for each game.

Few kernels on purpose: every one that calls the rules compiles them again. Records come as records and as the
same memory in bytes [n, bytes].
"""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from handfast.envs.core.compiling import kernel, rule
from handfast.envs.core.luck import NEXT_GAME, below, choice_key, luck
from handfast.envs.core.table import CHANCE, FINISHED

# What `run` does.
LOOK, BEGIN, BEGIN_NEXT, STEP, STEP_AT_RANDOM = 0, 1, 2, 3, 4

# What `move` does.
DEAL, DECIDE, ROLL, RESUME = 0, 1, 2, 3

# Kinds of reward.
OUTCOME, SCORE, MARGIN = 0, 1, 2

# Columns of what a batch keeps of each game: its seeds; what to do next, the decisions made, the seat to move.
DEALS, AGENTS = 0, 1
ORDER, MADE, MOVER = 0, 1, 2

# In place of an action, inside the batch only: leave the game as it is; begin the game that follows from its seed.
WAIT = -1
RENEW = -2


class Kernels(NamedTuple):
    """The compiled loops of one game."""

    run: Any
    look: Any
    move: Any
    complete: Any
    reveal: Any
    judge: Any


@rule
def pick(mask, key):
    """One of the marked actions, each as likely; `key` is a uniform 64-bit number."""
    choices = 0
    for action in range(len(mask)):
        choices += mask[action]
    left = below(key, choices)
    first = 0
    while first + 16 <= len(mask):  # sixteen at a time, which the compiler adds up at once
        marked = 0
        for action in range(first, first + 16):
            marked += mask[action]
        if left < marked:
            break
        left -= marked
        first += 16
    for action in range(first, len(mask)):
        left -= mask[action]
        if left < 0:
            return action
    return WAIT


def build(rules: ModuleType, view: ModuleType) -> Kernels:
    """The kernels of the game whose rules and view these modules hold."""
    deal, decide, roll, after_chance = rules.deal, rules.decide, rules.roll, rules.after_chance
    legal, scores_of, winners_of = rules.legal, rules.scores, rules.winners
    conceal, guess, encode, encode_hidden, check = view.conceal, view.guess, view.encode, view.encode_hidden, view.check
    seats_at_most, actions_at_most, sign = rules.SEATS, rules.ACTIONS, rules.SCORE_SIGN
    compiled = kernel(rules, view)

    def own(function: Any) -> Any:
        """A rule named after the game: kernels come from the disk by name, and two games must not share one."""
        function.__qualname__ = f"{rules.__name__}.{function.__name__}"
        return rule(function)

    @own
    def settle(game):
        while game.seat == CHANCE:
            roll(game)
            after_chance(game)

    @own
    def begin(game, game_bytes, blank, seed):
        for b in range(len(blank)):  # an assignment of the whole would compile the words of an error message
            game_bytes[b] = blank[b]
        deal(game, seed)
        settle(game)

    @own
    def show(game_bytes, view, view_bytes, keep, seat, mask, features):
        """Blank what the seat may not see, then choices and features from that view alone."""
        for b in range(len(view_bytes)):
            view_bytes[b] = game_bytes[b] & keep[b]
        conceal(view, seat)
        mask[:] = 0
        if view.seat == seat:
            legal(view, mask)
        features[:] = 0
        encode(view, seat, features)

    @own
    def outcome(players, winners, out):
        """The victors share 1, less 1/players, so that it sums to zero; who plays alone has 1 for a victory."""
        victors = 0
        for seat in range(players):
            victors += winners[seat]
        for seat in range(players):
            out[seat] = winners[0] if players == 1 else winners[seat] / victors - 1.0 / players

    @own
    def margin(players, scores, out):
        """Own points less the mean of the others'; who plays alone has the points."""
        total = 0
        for seat in range(players):
            total += scores[seat]
        for seat in range(players):
            others = 0.0 if players == 1 else (total - scores[seat]) / (players - 1.0)
            out[seat] = sign * (scores[seat] - others)

    @compiled
    def run(
        games, game_bytes, blanks, views, view_bytes, keep, seeds, course, legal_masks,
        actions, seats, masks, features, rewards, outcomes, scores, winners, ends, keys, how, kind, restart,
    ):  # fmt: skip
        points = np.zeros(seats_at_most, np.int32)  # before and after a decision; `scores` are those of a game's end
        for i in range(len(games)):
            game = games[i]
            rewards[i, :] = 0
            ends[i] = 0
            renewed = how == BEGIN_NEXT or (how == STEP and course[i, ORDER] == RENEW)
            if how == BEGIN or renewed:
                if renewed:
                    seeds[i, DEALS] = luck(game.seed, NEXT_GAME, 0, 0)
                    seeds[i, AGENTS] = luck(seeds[i, AGENTS], NEXT_GAME, 0, 0)
                begin(game, game_bytes[i], blanks[i], seeds[i, DEALS])
                course[i, MADE] = 0
            elif how != LOOK:
                if game.seat == FINISHED:
                    actions[i] = WAIT
                    continue
                if how == STEP_AT_RANDOM:
                    course[i, ORDER] = pick(legal_masks[i], keys[i])
                order = course[i, ORDER]
                actions[i] = order
                if order == WAIT:
                    continue
                if kind == SCORE:
                    scores_of(game, points)
                    for seat in range(seats_at_most):
                        rewards[i, seat] = -sign * points[seat]
                decide(game, order)
                settle(game)
                course[i, MADE] += 1
                if kind == SCORE:
                    scores_of(game, points)
                    for seat in range(seats_at_most):
                        rewards[i, seat] += sign * points[seat]
                if game.seat == FINISHED:
                    ends[i] = game.ended
                    outcomes[i, :] = 0
                    scores[i, :] = 0
                    winners[i, :] = 0
                    scores_of(game, scores[i])
                    winners_of(game, winners[i])
                    outcome(game.players, winners[i], outcomes[i])
                    if kind == OUTCOME:
                        for seat in range(seats_at_most):
                            rewards[i, seat] = outcomes[i, seat]
                    elif kind == MARGIN:
                        margin(game.players, scores[i], rewards[i])
                    if restart:
                        seeds[i, DEALS] = luck(game.seed, NEXT_GAME, 0, 0)
                        seeds[i, AGENTS] = luck(seeds[i, AGENTS], NEXT_GAME, 0, 0)
                        begin(game, game_bytes[i], blanks[i], seeds[i, DEALS])
                        course[i, MADE] = 0
            seats[i] = game.seat
            course[i, MOVER] = game.seat
            if game.seat == FINISHED:
                legal_masks[i, :] = 0
                masks[i, :] = 0
                features[i, :] = 0
                continue
            show(game_bytes[i], views[i], view_bytes[i], keep[game.seat], game.seat, legal_masks[i], features[i])
            for action in range(actions_at_most):  # what is handed out may be written to
                masks[i, action] = legal_masks[i, action]
            keys[i] = choice_key(seeds[i, AGENTS], course[i, MADE])

    @compiled
    def look(game_bytes, views, view_bytes, keep, seats, masks, features):
        for i in range(len(views)):
            show(game_bytes[i], views[i], view_bytes[i], keep[seats[i]], seats[i], masks[i], features[i])

    @compiled
    def move(games, how, seeds, actions):
        for i in range(len(games)):
            if how == DEAL:
                deal(games[i], seeds[i])
            elif how == DECIDE:
                decide(games[i], actions[i])
            elif how == ROLL:
                roll(games[i])
            else:
                after_chance(games[i])

    @compiled
    def complete(views, seats, seeds):
        for i in range(len(views)):
            guess(views[i], seats[i], seeds[i])

    @compiled
    def reveal(games, seats, features):
        for i in range(len(games)):
            features[i, :] = 0
            encode_hidden(games[i], seats[i], features[i])

    @compiled
    def judge(games, scores, winners, sound):
        for i in range(len(games)):
            scores[i, :] = 0
            winners[i, :] = 0
            scores_of(games[i], scores[i])
            winners_of(games[i], winners[i])
            sound[i] = check(games[i])

    return Kernels(run, look, move, complete, reveal, judge)
