"""Which records are games of For Northwood! that the rules can reach, and that whatever is called so can be played on."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.table import CHANCE, ENDED, FINISHED, GOING_ON, NONE, TRUNCATED
from handfast.envs.northwood.cards import (
    CALL,
    CHARACTERS,
    DEAL,
    DRAW_ON,
    EXCHANGE,
    FIEFS,
    MOVE,
    NAME,
    PICK,
    REFRESH,
    REPLACE,
    RESPOND,
    SETUP,
    SHUFFLE,
    USE,
    VALUE,
    VISIT,
)
from tests.fuzz import harmed, moments, sound_ones, wrong_views
from tests.rulings import many

from .table import GAME, Position, cards, characters, choose, is_sound, position, random_steps

# --- What the rules can reach ---------------------------------------------------------------------------------


def test_every_moment_of_a_game_is_sound_and_so_is_every_guess_of_it():
    games = moments(GAME, many(6000, 300), seed=1)
    assert GAME.judge(games)[2].all()
    views = GAME.look(games, 0)[0]
    guessed = GAME.guess(views, 0, np.arange(len(games)))
    assert GAME.look(guessed, 0)[0].tobytes() == views.tobytes()
    waits = {(CHANCE, phase) for phase in (SETUP, DEAL)} | {(0, phase) for phase in (VISIT, USE, RESPOND, PICK)}
    assert waits <= set(zip(games["seat"].tolist(), games["phase"].tolist(), strict=True))


CUSTOM = {
    "setup": "custom",
    "allies": ["BC", "LL", "QL", "PE"],
    "rulers": ["KF", "JL", "PC", "LE", "BE", "KE", "BL", "PL"],
}


@pytest.mark.parametrize(
    "options",
    [
        CUSTOM,
        CUSTOM | {"allies": [], "off": ["KF", "BE"]},
        CUSTOM | {"numbers": [0] * 8, "hand_size": 3, "off": ["PE"]},
        {"order": [3, 1, 0, 2, 7, 6, 5, 4], "visits": 5},
        {"hand_size": 16, "numbers": [1, 2] * 4, "calls": False},
    ],
    ids=["custom", "no allies", "small hands", "a fixed order", "no calls"],
)
def test_every_setting_is_sound(options):
    steps = enumerate(random_steps(many(100, 3), many(300, 40), seed=1, **options))
    assert all(GAME.judge(batch.games)[2].all() for step, batch in steps if step % 7 == 0)


def test_luck_is_a_move_of_its_own_that_can_be_made_at_every_moment():
    games = moments(GAME, many(6000, 100), seed=2)
    waiting = games[games["seat"] == CHANCE]
    GAME.move(waiting, kernels.ROLL)
    assert GAME.judge(waiting)[2].all()
    GAME.move(waiting, kernels.RESUME)
    assert GAME.judge(waiting)[2].all()
    assert (waiting["seat"] == 0).any()


@pytest.mark.parametrize("phase", [SETUP, DEAL])
def test_before_its_luck_is_filled_in_nothing_can_be_gone_on_from(phase):
    game = before_the_setup() if phase == SETUP else between_visits()
    with pytest.raises(ValueError, match="none of northwood that the rules can reach"):
        GAME.move(game.games, kernels.RESUME)
    assert game.phase == phase


def test_between_two_visits_all_cards_are_gathered_and_all_allies_are_back():
    game = between_visits()
    assert (game.hand, game.deck_count, game.discard_count, game.score_count) == (0, 0, 0, 0)
    assert (game.ready, game.tired, game.known, game.visit_no) == ("JC QE", "", [0] * 32, 3)


# --- What the rules cannot reach ------------------------------------------------------------------------------


def mid_visit() -> Position:
    """The second visit, before a trick, with a fief won whose ruler is friendly, and one card of the deck known."""
    return position(
        "1C 2F", "8E 7E", discards="3F", scored="4L", in_play="JC QE", won=[0], rulers={0: "KF"}, friendly="KF", known=1
    )


def called_in() -> Position:
    """The same with the friendly ruler in play for an ally, who is not."""
    return position(
        "1C 2F", "8E 7E", discards="3F", in_play="QE", called="KF", won=[0], rulers={0: "KF"}, exhausted="QE"
    )


def before_the_setup() -> Position:
    game = Position(GAME.blank(1))
    GAME.move(game.games, kernels.DEAL)
    return game


def after_the_setup() -> Position:
    """Allies and rulers are drawn, and nothing has followed from it."""
    game = before_the_setup()
    GAME.move(game.games, kernels.ROLL)
    return game


def set_up_as_named() -> Position:
    game = Position(GAME.blank(1, {**CUSTOM, "off": ["BC"]}))
    GAME.move(game.games, kernels.DEAL)
    GAME.move(game.games, kernels.ROLL)
    return game


def introduction() -> Position:
    game = Position(GAME.blank(1, {"setup": "introductory"}))
    GAME.move(game.games, kernels.DEAL)
    GAME.move(game.games, kernels.ROLL)
    return game


def between_visits() -> Position:
    """The visit before is over, and no card is dealt."""
    return choose(position("1C", "2C", in_play="JC QE", visited=[0], exhausted="QE"), "listen", "play 1C")


def after_a_fief_is_won() -> Position:
    """The same with a friendly ruler."""
    return choose(position("1C", "2C", in_play="JC QE", won=[0], rulers={0: "KF"}, friendly="KF"), "listen", "play 1C")


def dealt() -> Position:
    """The cards are shuffled and dealt, and the visit has not begun."""
    game = between_visits()
    GAME.move(game.games, kernels.ROLL)
    return game


def choosing_a_fief() -> Position:
    return position("1C 2F", "8E", visited=[3], phase=VISIT, fief=NONE)


def calling() -> Position:
    """A friendly ruler may be called in for one of two allies."""
    return position("1C 2F", "8E", in_play="JC QE", won=[0], rulers={0: "KF"}, friendly="KF", phase=CALL)


def replacing() -> Position:
    """A friendly ruler is called in for one of two allies."""
    return choose(calling(), "call KF")


def responding() -> Position:
    return choose(mid_visit(), "listen")


def responding_to_be() -> Position:
    """BE will act on the response."""
    return choose(position("1C 3F 5F", "8E 7E", in_play="BE JC", ruler="KC"), "use BE")


def discarding_for_be() -> Position:
    """BE has one card discarded after an odd response."""
    return choose(responding_to_be(), "play 1C")


def shuffling() -> Position:
    """BC has taken all 1s, and the deck is to be shuffled."""
    return choose(position("1C 2C 3C", "8E 7E 6E", in_play="BC JC", ruler="KF"), "use BC", "value 1")


def asking(name: str, hand: str, deck: str = "8E 7E 6E", others: str = "QC", **where: Any) -> Callable[[], Position]:
    """A position in which an ability asks, under flowers as trump: as a function, for the table below."""
    ruler = "KF" if name != "KF" else "LF"
    return lambda: choose(position(hand, deck, in_play=f"{name} {others}", ruler=ruler, **where), f"use {name}")


def responding_to_copied_be() -> Position:
    """BE, who rules, will act on the response through QL."""
    return choose(position("1C 3F 5F", "8E 7E", in_play="QL JC", ruler="BE"), "use QL")


def known_bottom(game: Position) -> dict[int, int]:
    """The bottom card of the deck as one that is known."""
    return {0: game.deck[0] + 1}


def shuffling_with_ll() -> Position:
    return choose(position("1C 2C 3C", "8E 7E 6E", in_play="BC LL", ruler="KF"), "use BC", "value 1")


def hand_in_pile(game: Position) -> dict[int, int]:
    """The hand's cards as those of a pile."""
    return dict(enumerate(card for card in range(32) if game.hand >> card & 1))


def top_of_deck(game: Position) -> dict[int, int]:
    """The top card of the deck as the only one of a pile."""
    return {0: game.deck[game.deck_count - 1]}


def ruler_for_ally(game: Position) -> int:
    """The allies, with a ruler in place of the one of the same suit."""
    ruler = game.ruler[0]
    return game.own & ~(0b111111 << ruler // 6 * 6) | 1 << ruler


def named_off(name: str) -> dict[int, int]:
    """The option that takes this character's ability away."""
    return {0: CHARACTERS.index(name) + 1}


def copying() -> Position:
    """QL has drawn two cards by the text of JE, who rules."""
    return choose(position("1C 2F", "8E 7E", in_play="QL JC", ruler="JE"), "use QL")


def over() -> Position:
    return choose(position("1C", "8C", visits=1), "listen", "play 1C")


# What is so, where, and in which fields: {field: value} or {field: {place: value}}.
UNSOUND: list[tuple[str, Any, dict[str, Any]]] = [
    ("a card is in the hand and in a pile", mid_visit, {"hand": cards("1C 2F 3F")}),
    ("a card is in the deck and in a pile", mid_visit, {"hand": cards("1C")}),
    ("a card is missing", mid_visit, {"deck_count": 20}),
    ("a pile holds a card twice", mid_visit, {"discard_count": 2}),
    ("a card of the score pile lies nowhere", mid_visit, {"score_count": 0}),
    ("a card is known to lie where another lies", mid_visit, {"known": {27: 1}}),
    ("a card is known to lie above the deck", mid_visit, {"known": {31: 1}}),
    ("all fiefs have one ruler", mid_visit, {"ruler": 0}),
    ("a ruler is an ally too", mid_visit, {"own": characters("JC QE KF")}),
    ("an ally is not one of those named", mid_visit, {"own": characters("JC PE"), "active": characters("JC PE")}),
    ("an ability is off that the options leave on", mid_visit, {"barred": characters("QE")}),
    ("a fief is won that was never visited", mid_visit, {"won": 3}),
    ("more fiefs were visited than visits made", mid_visit, {"visited": 3}),
    ("it is an earlier visit than the fiefs tell", mid_visit, {"visit_no": 1}),
    ("the visit is none", mid_visit, {"visit_no": 0, "visited": 0, "won": 0, "friendly": 0}),
    ("there are more visits than the options have", mid_visit, {"visits": 1}),
    ("a fief is visited again", mid_visit, {"fief": 0}),
    ("a fief is visited that is none", mid_visit, {"fief": -1}),
    ("no fief is visited and play goes on", mid_visit, {"fief": NONE}),
    ("a ruler is friendly whose fief was not won", mid_visit, {"friendly": characters("BL")}),
    ("no ruler may be called in and one is not friendly", mid_visit, {"calls": 0, "friendly": 0}),
    ("a ruler is in play whose fief was not won", mid_visit, {"active": characters("JC BL")}),
    ("more characters are in play than there are allies", mid_visit, {"active": characters("JC QE KF"), "friendly": 0}),
    ("fewer characters are in play than there are allies", mid_visit, {"active": characters("JC")}),
    ("a ruler is in play and may be called in again", called_in, {"friendly": characters("KF")}),
    ("a character is exhausted that is not in play", mid_visit, {"exhausted": characters("BL")}),
    ("a character is exhausted whose ability is off", mid_visit, {
        "exhausted": characters("JC"), "off": named_off("JC"), "barred": characters("JC"),
    }),
    ("nobody in play can use an ability, and it is asked who does", mid_visit, {"exhausted": characters("JC QE")}),
    ("the deck was shuffled though BC did not act", mid_visit, {"shuffles": 1}),
    ("the deck was shuffled twice by one act of BC", shuffling, {"shuffles": 2}),
    ("the deck was shuffled before BC has done so", asking("BC", "1C 8C"), {"shuffles": 1}),
    ("the deck was shuffled twice before LL refreshes BC", asking("LL", "1C 8C", others="BC JC", exhausted="BC JC"), {"shuffles": 2}),
    ("a ruler is called in amid the tricks", mid_visit, {"calling": CHARACTERS.index("KF")}),
    ("an ability was used before this trick, and may be again", mid_visit, {"ability_used": 1}),
    ("BE acts on a response before there is a statement", mid_visit, {"delayed": 1}),
    ("a character acts and it is asked who does", mid_visit, {"acting": 0}),
    ("an ability is carried out and it is asked who acts", mid_visit, {"ability": 0}),
    ("an ability is to go on that nobody uses", mid_visit, {"to_go": 1}),
    ("cards are sought that no ability seeks", mid_visit, {"sought": 1}),
    ("luck is to decide before a trick", mid_visit, {"seat": CHANCE}),
    ("the game is over and goes on", mid_visit, {"seat": FINISHED}),
    ("the game is over before a trick", mid_visit, {"seat": FINISHED, "ended": ENDED}),
    ("the game has ended and goes on", mid_visit, {"ended": ENDED}),
    ("the player decides what luck does", mid_visit, {"phase": DEAL}),
    *((f"another thing is to be decided: phase {phase}", mid_visit, {"phase": phase}) for phase in (
        VISIT, CALL, REPLACE, PICK, EXCHANGE, MOVE, VALUE, NAME, REFRESH, DRAW_ON, SHUFFLE, SETUP,
    )),
    ("a fief was visited before the setup", before_the_setup, {"visited": 1}),
    ("a visit began before the setup", before_the_setup, {"visit_no": 1}),
    ("a hand was dealt before the setup", before_the_setup, {"hand": cards("1C")}),
    ("a fief is visited before the setup", before_the_setup, {"fief": 0}),
    ("a card is known before the setup", before_the_setup, {"known": {0: 1}}),
    ("somebody acts before the setup", before_the_setup, {"acting": 0}),
    ("the player decides the setup", before_the_setup, {"seat": 0}),
    ("allies are drawn and no rulers", before_the_setup, {"own": characters("JC JF JL JE")}),
    ("two allies are of one suit", after_the_setup, {"own": characters("JC QC KL KE")}),
    ("an ally is a ruler too", after_the_setup, {"own": ruler_for_ally}),
    ("a ruler rules two fiefs", after_the_setup, {"ruler": {0: 3, 1: 3}}),
    ("the allies are not those that the options name", set_up_as_named, {"own": characters("BC LL QL")}),
    ("the rulers are not those that the options name", set_up_as_named, {"ruler": {0: CHARACTERS.index("QF")}}),
    ("an ability that the options take away is there", set_up_as_named, {"barred": 0}),
    ("an ally of the introduction is no Jack", introduction, {"own": characters("PC JF JL JE")}),
    ("a ruler of the introduction is a Prince", introduction, {"ruler": {0: CHARACTERS.index("PC")}}),
    ("cards lie in the discard pile before the deal", between_visits, {"discard_count": 1}),
    ("cards lie in the score pile before the deal", between_visits, {"score_count": 1}),
    ("cards lie in the deck before the deal", between_visits, {"deck_count": 5}),
    ("a ruler is in play before the deal", after_a_fief_is_won, {"active": characters("JC KF"), "friendly": 0}),
    ("BE is to act before the deal", between_visits, {"delayed": 1}),
    ("a card is in the hand before the deal", between_visits, {"hand": cards("1C")}),
    ("a card of the deck is known before the deal", between_visits, {"known": {0: 1}}),
    ("somebody has acted before the deal", between_visits, {"exhausted": characters("JC")}),
    ("a fief is visited before the deal", between_visits, {"fief": 5}),
    ("the player deals", between_visits, {"seat": 0}),
    ("the game is over before the deal", between_visits, {"seat": FINISHED, "ended": ENDED}),
    ("a hand of a wrong size is dealt", dealt, {"hand_size": 9}),
    ("a card is dealt twice", dealt, {"deck": {0: 0, 1: 0}}),
    ("a card of the deck is known as it is dealt", dealt, {"known": known_bottom}),
    ("a fief is to be chosen though the order is fixed", choosing_a_fief, {"order": range(1, FIEFS + 1)}),
    ("a fief is to be chosen and one is visited", choosing_a_fief, {"fief": 5}),
    ("a fief is to be chosen with a hand that was played from", choosing_a_fief, {"hand_size": 3}),
    ("a fief is to be chosen and a ruler has come in", calling, {"phase": VISIT, "fief": NONE, "friendly": 0, "active": characters("JC KF")}),
    ("BE is to act and a fief is to be chosen", choosing_a_fief, {"delayed": 1}),
    ("a ruler may be called in after the first trick", calling, {"hand_size": 3}),
    ("a ruler may be called in and a statement was made", calling, {"discards": top_of_deck, "discard_count": 1, "deck_count": 29}),
    ("a ruler may be called in and a card was played", calling, {"hand": cards("1C"), "discards": {0: 5}, "discard_count": 1}),
    ("a ruler may be called in and a card of the deck is known", calling, {"known": known_bottom}),
    ("a ruler may be called in after an ability", calling, {"exhausted": characters("JC")}),
    ("a ruler may be called in where the options forbid it", calling, {"calls": 0}),
    ("no ruler is left to be called in", calling, {"friendly": 0}),
    ("an ally makes way for nobody", replacing, {"calling": NONE}),
    ("an ally makes way for a ruler who is not friendly", replacing, {"calling": CHARACTERS.index("BL")}),
    ("the only ally is asked for", replacing, {"active": characters("JC"), "own": characters("JC"), "allies": {1: 0}}),
    ("an ally makes way after the first trick", replacing, {"hand_size": 3}),
    ("an ally makes way where the options forbid it", replacing, {"calls": 0}),
    ("an ally makes way after an ability", replacing, {"ability_used": 1}),
    ("an ally makes way and BE is to act", replacing, {"delayed": 1}),
    ("an ally makes way and an ability is to go on", replacing, {"to_go": 1}),
    ("there is no statement to respond to", responding, {"discard_count": 0, "scored": {1: 9, 2: 31}, "score_count": 3}),
    ("a response is due from an empty hand", responding, {"hand": 0, "scored": {1: 0, 2: 5}, "score_count": 3}),
    ("an ability is still used as a response is due", responding, {"ability_used": 1}),
    ("a ruler is called in as a response is due", responding, {"calling": CHARACTERS.index("KF")}),
    ("an ability is to go on as a response is due", responding, {"to_go": 1}),
    ("BE acts on the response and did not act", responding, {"delayed": 1}),
    ("BE acts on the response and QL, who acted, does not copy it", responding, {
        "delayed": 1, "allies": {1: CHARACTERS.index("QL") + 1}, "own": characters("JC QL"),
        "active": characters("JC QL"), "exhausted": characters("QL"),
    }),
    ("BE acts on the response and QL, who copies it, has not acted", responding_to_copied_be, {"exhausted": 0}),
    ("BE acts on the response though it is off", responding_to_copied_be, {
        "off": named_off("BE"), "barred": characters("BE"),
    }),
    ("a card is discarded for BE who did not act", discarding_for_be, {"exhausted": 0}),
    ("two cards are discarded for BE", discarding_for_be, {"to_go": 2}),
    ("BE has a card discarded before the trick", discarding_for_be, {"ability_used": 1}),
    ("the deck is shuffled though BC did not act", shuffling, {"exhausted": 0}),
    ("the deck is shuffled though LL acted, and BC did not", shuffling_with_ll, {"exhausted": characters("LL")}),
    ("the deck is shuffled as the hand is empty", shuffling, {"discards": hand_in_pile, "discard_count": 6, "hand": 0}),
    ("the deck is shuffled as a ruler is called in", shuffling, {"calling": CHARACTERS.index("KF")}),
    ("the deck is shuffled and BE is to act", shuffling, {"delayed": 1}),
    ("the deck is shuffled and BC is to go on", shuffling, {"to_go": 1}),
    ("the deck is shuffled and never was", shuffling, {"shuffles": 0}),
    ("the deck is shuffled and some of its order is known", shuffling, {"known": known_bottom}),
    ("the deck is shuffled outside a visit", shuffling, {"fief": NONE}),
    ("the deck is shuffled by the player", shuffling, {"seat": 0}),
    ("the deck is shuffled and no ability was used", shuffling, {"ability_used": 0}),
    ("a character acts that is not exhausted", asking("JE", "1C 2F"), {"exhausted": 0}),
    ("nobody acts", asking("JE", "1C 2F"), {"acting": NONE}),
    ("somebody acts who is none", asking("JE", "1C 2F"), {"acting": CHANCE}),
    ("an ability asks that is none", asking("JE", "1C 2F"), {"acting": NONE, "ability": NONE}),
    ("a ruler is called in as an ability asks", asking("JE", "1C 2F"), {"calling": CHARACTERS.index("KC")}),
    ("BE is to act as an ability asks", asking("JE", "1C 2F"), {"delayed": 1}),
    ("an ability asks that was not used before this trick", asking("JE", "1C 2F"), {"ability_used": 0}),
    ("a character acts by another's text", asking("JE", "1C 2F"), {"ability": CHARACTERS.index("JF")}),
    ("QL acts by a text that is off", copying, {"off": named_off("JE"), "barred": characters("JE")}),
    ("QL acts by another's text than the ruler's", copying, {"ability": CHARACTERS.index("PE")}),
    ("the text of a ruler is acted by who is not QL", copying, {"acting": CHARACTERS.index("JC"), "exhausted": characters("JC QL")}),
    ("JE has three cards discarded", asking("JE", "1C 2F"), {"to_go": 3}),
    ("an ability asks and nothing is to come of it", asking("JE", "1C 2F"), {"to_go": 0}),
    ("JE seeks a value", asking("JE", "1C 2F"), {"sought": 2}),
    *((f"JE asks for other things than cards: phase {phase}", asking("JE", "1C 2F", others="QC JC", exhausted="QC JC"), {
        "phase": phase, "to_go": 1,
    }) for phase in (EXCHANGE, MOVE, VALUE, NAME, REFRESH, DRAW_ON)),
    ("KC asks for a value", asking("KC", "1C 1F 8C 8F"), {"phase": VALUE}),
    ("JF has fewer cards discarded than are trump", asking("JF", "1F 2F 3F 4C"), {"to_go": 2}),
    ("BF leaves a 3", asking("BF", "1F 2F 3F 4C"), {"to_go": 2}),
    ("PF leaves two cards of a value", asking("PF", "2C 2F 3F 3C"), {"to_go": 1}),
    ("PE has more cards discarded than characters are exhausted", asking("PE", "1C 2F 3F"), {"to_go": 2}),
    ("KC scores other cards than the highest", asking("KC", "1C 1F 8C 8F"), {"sought": 1}),
    ("KC scores fewer cards than tie", asking("KC", "1C 8L 8C 8F"), {"to_go": 2}),
    ("KF has one card discarded and seeks nothing", asking("KF", "1C 8C 1F 8F"), {"to_go": 1}),
    ("KF seeks the second card before the first is discarded", asking("KF", "1C 8C 1F 8F"), {"sought": 8}),
    ("KL gives a card for one that it has not seen", asking("KL", "1C 8C"), {"known": 0}),
    ("LC discards two cards", asking("LC", "1C 1F 8C"), {"to_go": 2}),
    ("BC asks though no card is held", asking("BC", "1C 8C"), {"hand": 0, "discards": {0: 0, 1: 28}, "discard_count": 2}),
    ("BL exchanges with a third pile", asking("BL", "1C 8C", discards="1F", scored="8F"), {"to_go": 3}),
    ("BL exchanges cards of different values", asking("BL", "1C 8C", discards="1F", scored="2F"), {"to_go": 1}),
    ("LE discards a sum that its cards do not make", asking("LE", "8C 8F"), {"to_go": 2}),
    ("LE discards a sum that two cards cannot make", asking("LE", "8C 8F"), {"to_go": 24}),
    ("PC goes on drawing from an empty deck", asking("PC", "1C", "8E 7E", rest="discards"), {"deck_count": 0, "hand": cards("1C 8E 7E")}),
    ("JL has two rulers change places with this one", asking("JL", "1C 8C"), {"to_go": 2}),
    ("LL refreshes the only other character that is exhausted", asking("LL", "1C 8C", others="QC JC", exhausted="QC JC"), {"exhausted": characters("LL QC")}),
    ("the game has ended before the last visit", over, {"visits": 2}),
    ("the game was cut short", over, {"ended": TRUNCATED}),
    ("the game is over and goes on from there", over, {"ended": GOING_ON}),
    ("BE is to act and the game is over", over, {"delayed": 1}),
    ("the game is over in a fief", over, {"fief": 5}),
    ("the game is over in the midst of a trick", over, {"phase": RESPOND}),
    ("the last visit has ended with cards in hand and deck", over, {"hand": cards("1C"), "discard_count": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("where", "changes"), [row[1:] for row in UNSOUND], ids=[row[0] for row in UNSOUND])
def test_what_the_rules_cannot_reach_is_refused(where, changes):
    game = where()
    assert is_sound(game)
    for field, value in changes.items():
        value = value(game) if callable(value) else value
        for place, part in value.items() if isinstance(value, dict) else [(..., value)]:
            game.games[field][0, ...][place] = part
    assert not is_sound(game)
    with pytest.raises(ValueError, match="game 0"):
        GAME.look(game.games, 0)


def test_a_position_is_refused_whose_options_do_not_go_together():
    game = mid_visit()
    game.record.order[0] = 3
    assert not is_sound(game)


# --- Damage ---------------------------------------------------------------------------------------------------


def test_whatever_is_called_sound_is_played_on_without_harm():
    before, _ = harmed(GAME, sound_ones(GAME, many(500, 10), seed=1), many(100, 10), seed=1)
    assert len(before) == 0


@pytest.mark.long
def test_whatever_is_called_sound_is_played_on_without_harm_for_long():
    before, _ = harmed(GAME, sound_ones(GAME, 30_000, seed=2), 400, seed=2)
    assert len(before) == 0


def test_a_guess_of_a_damaged_view_comes_to_an_end_and_is_refused_unless_it_is_sound():
    _, views, seats = wrong_views(GAME, many(3000, 30), seed=3)
    guessed = GAME.unchecked.guess(views, seats, np.arange(len(views)))
    sound = GAME.judge(guessed)[2]
    assert sound.any()
    for i in np.flatnonzero(~sound)[: many(20, 3)]:
        with pytest.raises(ValueError, match="view 0"):
            GAME.guess(views[i : i + 1], seats[i], 0)


def test_a_view_with_more_places_in_the_deck_than_cards_is_no_game():
    view = mid_visit().view()
    view.record.deck_count = 31
    guessed = GAME.unchecked.guess(view.games, 0, 1)
    assert (guessed["deck"] < 32).all()
    with pytest.raises(ValueError, match="view 0"):
        GAME.guess(view.games, 0, 1)
