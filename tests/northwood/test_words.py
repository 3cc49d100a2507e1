"""For Northwood! in words: choices, luck, what the player sees, why not, the table as text."""

import numpy as np
import pytest

from handfast.envs.core import kernels
from handfast.envs.core.batch import Batch, IllegalAction
from handfast.envs.core.records import RecordError, match, transcript
from handfast.envs.core.table import CHANCE
from handfast.envs.northwood.cards import CALL, CHARACTERS, NAMES
from tests.rulings import many

from .table import GAME, Position, choose, legal, luck, position, random_steps, split, start

RULERS = ["JC", "KC", "BC", "QF", "LF", "PL", "JE", "BE"]


# --- Choices --------------------------------------------------------------------------------------------------


def test_the_words_of_every_action_parse_back_to_it():
    words = [GAME.choice(action, 0, 1) for action in range(GAME.actions)]
    assert [GAME.action(one, 0, 1) for one in words] == list(range(GAME.actions))


def test_the_choices_are_those_of_the_rules():
    right = {f"{verb} {fief}" for verb in ("visit", "fief") for fief in range(8)}
    right |= {f"{verb} {name}" for verb in ("call", "replace", "use", "refresh") for name in CHARACTERS}
    right |= {f"{verb} {card}" for verb in ("play", "pick") for card in NAMES}
    right |= {f"value {value}" for value in range(1, 9)} | {f"name {suit}" for suit in "CFLE"}
    right |= {"begin", "listen", "skip", "draw", "stop"}
    assert {GAME.choice(action, 0, 1) for action in range(GAME.actions)} == right


@pytest.mark.parametrize(
    "words", ["", "visit", "visit 8", "play 9C", "play 1H", "play C1", "use XC", "value 0", "name H", "Draw", "listen "]
)
def test_other_words_are_no_choice(words):
    assert GAME.action(words, 0, 1) is None


# --- Luck -----------------------------------------------------------------------------------------------------


def at_chance(kind: str, seed: int, rolled: bool, **options) -> Position:
    """A game that waits for luck of this kind, or where it has decided."""
    if kind == "shuffle":
        game = position("2C 3C", "8E 7E 6E 5E", in_play="BC", ruler="KF", rest="discards")
        game.record.seed = seed
        choose(game, "use BC", "value 2")
    else:
        game = Position(GAME.blank(1, options))
        GAME.move(game.games, kernels.DEAL, seeds=seed)
        if kind == "deal":
            GAME.move(game.games, kernels.ROLL)
            GAME.move(game.games, kernels.RESUME)
    if rolled:
        GAME.move(game.games, kernels.ROLL)
    return game


CUSTOM = {"setup": "custom", "rulers": RULERS, "allies": ["QE", "PC"]}


@pytest.mark.parametrize("options", [{}, {"setup": "introductory"}, CUSTOM, {"hand_size": 3}])
@pytest.mark.parametrize("kind", ["setup", "deal", "shuffle"])
def test_what_luck_decided_can_be_written_down_and_filled_in(kind, options):
    for seed in range(10):
        rolled = at_chance(kind, seed, True, **options)
        event = GAME.words.chance(rolled.record)
        waiting = at_chance(kind, seed, False, **options)
        match(GAME.words.chance_form(waiting.record), event, 1)
        GAME.words.fill_chance(waiting.record, event)
        assert event["chance"] == kind
        assert waiting.games.tobytes() == rolled.games.tobytes()


def test_the_event_of_a_custom_setup_names_what_the_options_name():
    event = GAME.words.chance(at_chance("setup", 1, True, **CUSTOM).record)
    assert (sorted(event["allies"]), event["rulers"]) == (["PC", "QE"], RULERS)


def test_the_deck_is_written_with_the_top_card_first():
    game = at_chance("deal", 1, True)
    event = GAME.words.chance(game.record)
    assert event["visit"] == 1
    assert sorted(event["hand"] + event["deck"]) == sorted(NAMES)
    GAME.move(game.games, kernels.RESUME)
    choose(game, "visit 3", "listen")
    assert game.discarded == event["deck"][0]


def refused(kind: str, changes: dict, **options) -> str:
    """Why an event of luck with these changes is refused."""
    event = GAME.words.chance(at_chance(kind, 3, True, **options).record)
    event |= {key: change(event[key]) if callable(change) else change for key, change in changes.items()}
    game = at_chance(kind, 3, False, **options)
    with pytest.raises(ValueError, match=r".") as refusal:
        GAME.words.fill_chance(game.record, event)
    return str(refusal.value)


JACKS = ["JC", "JF", "JL", "JE"]


def test_a_setup_that_could_not_be_is_refused():
    assert refused("setup", {"allies": ["XX"]}) == "'XX' is not a card"
    rulers = ["PC", "LC", "PF", "LF", "PL", "LL", "PE", "LE"]
    assert refused("setup", {"allies": JACKS[:3], "rulers": rulers}) == "one ally and two rulers are of eyes"
    assert refused("setup", {"allies": ["JC", "QC", "JL", "JE"], "rulers": rulers}).endswith("of claws")
    assert refused("setup", {"allies": JACKS, "rulers": ["QE", *rulers[1:]]}).endswith("of claws")
    assert "cannot be here" in refused("setup", {"allies": JACKS, "rulers": [*rulers[1:], "JE"]})
    assert "is there twice" in refused("setup", {"allies": [], "rulers": lambda rulers: [rulers[0]] * 8})
    assert refused("setup", {"allies": ["QC", *JACKS[1:]]}, setup="introductory").endswith("cannot be here")
    assert "Jacks" in refused("setup", {"allies": ["PC", *JACKS[1:]]}, setup="introductory")
    assert "Jacks" in refused("setup", {"rulers": lambda rulers: ["PC", *rulers[1:]]}, setup="introductory")
    assert "that the options name" in refused("setup", {"allies": ["QE"]}, **CUSTOM)
    assert "that the options name" in refused("setup", {"rulers": RULERS[::-1]}, **CUSTOM)


def test_rulers_of_a_wrong_number_are_refused():
    game = at_chance("setup", 1, True)
    event = GAME.words.chance(game.record)
    with pytest.raises(RecordError, match="rulers is a list of 8"):
        match(GAME.words.chance_form(game.record), {**event, "rulers": event["rulers"][:7]}, 1)


def test_a_deal_that_could_not_be_is_refused():
    assert refused("deal", {"hand": lambda hand: hand[1:]}) == "the hand is 8 cards, not 7"
    assert "is there twice" in refused("deal", {"hand": lambda hand: [hand[1], *hand[1:]]})
    assert "is missing" in refused("deal", {"deck": lambda deck: deck[1:]})
    assert "cannot be here" in refused("deal", {"hand": list(NAMES[:8]), "deck": list(NAMES[7:-1])})
    assert refused("deal", {"hand": ["9C"] * 8}) == "'9C' is not a card"
    with pytest.raises(RecordError, match="visit must be 1 here, not 2"):
        match(GAME.words.chance_form(at_chance("deal", 1, False).record), {"chance": "deal", "visit": 2, "hand": [], "deck": []}, 1)  # fmt: skip


def test_a_shuffle_keeps_the_cards_of_the_deck():
    assert "is missing" in refused("shuffle", {"deck": ["8E", "7E", "6E"]})
    assert "cannot be here" in refused("shuffle", {"deck": ["8E", "7E", "6E", "1C"]})


def test_the_player_witnesses_the_setup_and_its_hand_but_not_the_deck():
    setup = GAME.words.chance(at_chance("setup", 3, True).record)
    assert GAME.words.witnessed_chance(setup, 0) == setup
    deal = GAME.words.chance(at_chance("deal", 3, True).record)
    before = repr(deal)
    assert GAME.words.witnessed_chance(deal, 0) == {**deal, "deck": ["??"] * 24}
    assert repr(deal) == before
    shuffle = GAME.words.chance(at_chance("shuffle", 3, True).record)
    assert GAME.words.witnessed_chance(shuffle, 0) == {"chance": "shuffle", "deck": ["??"] * 4}


def test_a_choice_is_witnessed_as_it_is():
    game = start(1)
    action = GAME.action("visit 3", 0, 1)
    assert GAME.words.witnessed_choice(game.record, action, game.record, 0) == [(0, "visit 3")]


def test_a_record_has_every_shuffle_and_deal():
    options = {"setup": "custom", "allies": ["BC"], "rulers": ["KC", "JC", "QC", "QF", "LF", "PL", "JE", "BE"]}
    batch = Batch(GAME, 1, 1, [4], restart=False, **options)
    actions = []
    while batch.seats[0] == 0:
        batch.step_at_random()
        actions.append(int(batch.actions[0]))
    events = list(transcript(GAME, 1, options, 4, actions))
    kinds = [event["chance"] for event in events if "chance" in event]
    used = sum(event.get("action") == "use BC" for event in events)
    assert kinds[:2] == ["setup", "deal"]
    assert (kinds.count("deal"), kinds.count("shuffle")) == (8, used)
    assert used > 0


# --- Why not --------------------------------------------------------------------------------------------------


def why(game: Position, choice: str) -> str:
    """Why a choice is not legal."""
    assert choice not in legal(game)
    return GAME.words.why_not(game.view().record, GAME.action(choice, 0, 1))


def test_a_response_is_refused_with_the_reason():
    game = choose(position("1C 2E", "8E"), "listen")
    assert why(game, "play 1C") == "the statement is 8E, and it holds eyes to follow with"
    assert why(game, "play 7C") == "7C is not in its hand"
    assert why(game, "listen") == "it must respond to the statement"


def test_a_fief_is_refused_with_the_reason():
    game = position("1C 2E", "8E", visited=[3], phase=3, fief=-3)
    assert why(game, "visit 3") == "fief 3 has been visited"
    assert why(game, "play 1C") == "it must choose a fief to visit"
    game = choose(position("1C 2E", "8E", in_play="JL"), "use JL")
    assert why(game, "fief 7") == "JL does not reach fief 7"
    assert why(game, "visit 5") == "it must choose a fief for JL"


def test_a_call_is_refused_with_the_reason():
    game = position("1C", "8E", in_play="JC JF", won=[0], rulers={0: "KF"}, friendly="KF", phase=CALL)
    assert why(game, "call KE") == "KE is no friendly ruler who may still be called in"
    assert why(game, "listen") == "it may call in a friendly ruler, or begin"
    choose(game, "call KF")
    assert why(game, "replace QE") == "QE is no ally in play"
    assert why(game, "begin") == "it must name the ally that makes way for the ruler called in"


def test_an_ability_is_refused_with_the_reason():
    game = position("1C 2C 3C", "8E 7E", in_play="JC QE PC", exhausted="QE", off=["PC"])
    game.record.barred = 1 << CHARACTERS.index("PC")
    assert why(game, "use KF") == "KF is not in play"
    assert why(game, "use QE") == "QE is exhausted"
    assert why(game, "use PC") == "the ability of PC is off"
    assert why(game, "play 1C") == "it may use an ability, or listen to the statement"


def test_an_answer_to_an_ability_is_refused_with_the_reason():
    game = choose(position("4E 5E 7C", "8E", in_play="KF"), "use KF")
    assert why(game, "pick 7C") == "with 7C KF cannot be carried out"
    assert why(game, "pick 8C") == "8C is not in its hand"
    assert why(game, "skip") == "it must pick a card for KF"
    game = choose(position("4E 5E 7C", "8E", in_play="BC"), "use BC")
    assert why(game, "value 1") == "it holds no 1"
    assert why(game, "draw") == "it must choose a value that it holds for BC"
    game = choose(position("4E 5E", "8E 7E", in_play="LL JC QC PC", exhausted="JC PC"), "use LL")
    assert why(game, "refresh QC") == "QC is not another exhausted character"
    assert why(game, "refresh KC") == "KC is not in play"
    game = choose(position("4E 5E", "8E 7E", in_play="KE"), "use KE")
    assert why(game, "stop") == "it must name a suit for KE"
    game = choose(position("4E 5E", "8E 7E", in_play="PC"), "use PC")
    assert why(game, "listen") == "it must draw or stop for PC"
    game = choose(position("4E 5E", "8E", in_play="BL", discards="4F"), "use BL")
    assert why(game, "pick 5E") == "with 5E BL cannot be carried out"
    assert why(game, "stop") == "it may exchange a card, or skip for BL"


def test_every_illegal_action_has_a_reason_and_changes_nothing():
    random = np.random.default_rng(4)
    for batch in random_steps(16, many(150, 15), seed=3):
        before = batch.save()
        for i in range(batch.n):
            illegal = np.flatnonzero(batch.masks[i] == 0)
            actions = batch.masks.argmax(1)
            actions[i] = random.choice(illegal)
            with pytest.raises(IllegalAction, match=rf"game {i}: player_0 may not choose `.+`: .+"):
                batch.step(actions)
        assert batch.save() == before


# --- The table as text ----------------------------------------------------------------------------------------


def text(game: Position) -> str:
    return GAME.words.describe(game.view().record)


def test_the_table_as_text():
    game = position(
        "1C 2F", "8E 7E 6E", in_play="JC QE", ruler="KF", called="PL", rulers={0: "PL", 1: "BE", 5: "QF"},
        exhausted="QE", won=[0, 1], visited=[2], friendly="BE", known=1, discards="3F 3C", scored="4L", rest="deck",
    )  # fmt: skip
    seen = text(game)
    assert seen.startswith("For Northwood!, visit 4 of 8: 7 stars of 16\n")
    for line in (
        "  fief 0  0 tricks  4 stars  won",
        "  fief 2  2 tricks  2 stars  lost",
        "  fief 4  4 tricks  1 stars  ruled by KF  <- visited, trump flowers",
        "  fief 5  5 tricks  2 stars  ruled by QF",
        "  In play: JC PL (QE)",
        "  Friendly: BE",
        "  Deck, 27: 8E ??",
        "  Discard pile, 2: 3F 3C",
        "  Score pile, 1: 4L",
        "  Hand, 2: 1C 2F",
        "  To decide: it may use an ability, or listen to the statement.",
    ):
        assert line in seen
    assert "The statement is 8E." in text(choose(game, "listen"))


def test_the_text_tells_of_be_and_of_the_ability_that_asks():
    game = choose(position("1C 3F 5F", "8E 7E 6E", in_play="BE", ruler="KE"), "use BE")
    assert "BE: an even response draws a card, an odd one discards one." in text(game)
    assert "To decide: it must pick a card for BE." in text(choose(game, "play 3F"))


def test_nobody_in_play_is_said_so():
    game = luck(start(1, setup="custom", rulers=RULERS))
    assert "  In play: nobody" in text(game)


@pytest.mark.parametrize(("goal", "words"), [(1, "won"), (2, "lost")])
def test_the_text_of_a_finished_game(goal, words):
    game = position("1C", "8C", scored="4L 5L 6L 7L", visited=[0, 1, 2, 3, 5, 6, 7], goal=goal)
    choose(game, "listen", "play 1C")
    assert f"  The game is over: {words}." in text(game)
    assert "To decide" not in text(game)


def test_while_luck_decides_the_text_asks_for_nothing():
    game = choose(position("1C", "8C"), "listen", "play 1C")
    assert game.seat == CHANCE
    assert "To decide" not in text(game)


def test_every_position_can_be_described_and_drawn():
    for batch in random_steps(8, many(150, 40), seed=5):
        view = batch.views.view(np.recarray)[0]
        assert len(split(GAME.words.describe(view))) > 30
        assert GAME.picture.draw(view).startswith("<svg")
