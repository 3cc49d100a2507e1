"""For Northwood! in words: choices, luck, why a choice is not legal, the table as text."""

from typing import Any

from handfast.envs.core.cards import card_names, members, parse_cards, parse_order
from handfast.envs.core.table import FINISHED, NONE
from handfast.envs.northwood import rules
from handfast.envs.northwood.cards import (
    ALL_CARDS,
    BEGIN,
    CALL,
    CALL_RULER,
    CHARACTER_COUNT,
    CHARACTERS,
    DEAL,
    DRAW,
    DRAW_ON,
    EXCHANGE,
    FIEFS,
    LISTEN,
    MOST_VALUE,
    MOVE,
    MOVE_TO_FIEF,
    NAME,
    NAME_SUIT,
    NAMES,
    PICK,
    PICK_CARD,
    PLAY_CARD,
    REFRESH,
    REFRESH_CHARACTER,
    REPLACE,
    REPLACE_ALLY,
    RESPOND,
    SETUP,
    SKIP,
    STOP,
    SUITS,
    TAKE_VALUE,
    USE,
    USE_ABILITY,
    VALUE,
    VISIT,
    VISIT_FIEF,
)

# What the player sees happen beside its choices: statements, cards drawn and looked at.
VISIBLE = ("hand", "known", "discards", "discard_count", "scored", "score_count")
SUIT_WORDS = ("claws", "flowers", "leaves", "eyes")

# The choices that name something, in their order: the first action, the verb, and the names.
NAMING: tuple[tuple[int, str, tuple[str, ...]], ...] = (
    (VISIT_FIEF, "visit", tuple(map(str, range(FIEFS)))),
    (CALL_RULER, "call", CHARACTERS),
    (REPLACE_ALLY, "replace", CHARACTERS),
    (USE_ABILITY, "use", CHARACTERS),
    (PLAY_CARD, "play", NAMES),
    (PICK_CARD, "pick", NAMES),
    (MOVE_TO_FIEF, "fief", tuple(map(str, range(FIEFS)))),
    (TAKE_VALUE, "value", tuple(map(str, range(1, MOST_VALUE + 1)))),
    (NAME_SUIT, "name", tuple(SUITS)),
    (REFRESH_CHARACTER, "refresh", CHARACTERS),
)
PLAIN = {BEGIN: "begin", LISTEN: "listen", SKIP: "skip", DRAW: "draw", STOP: "stop"}


def choice(action: int, seat: int, players: int) -> str:
    """An action in the notation of game records."""
    if action in PLAIN:
        return PLAIN[action]
    first, verb, names = next(kind for kind in reversed(NAMING) if action >= kind[0])
    return f"{verb} {names[action - first]}"


def characters(chosen: int) -> list[str]:
    """The characters of a set in writing."""
    return card_names(chosen, CHARACTERS)


def holds(chosen: Any, member: int) -> bool:
    """Whether a set of cards, characters or fiefs holds this one."""
    return bool(int(chosen) >> member & 1)


def statement(view: Any) -> str:
    """The statement that waits for a response."""
    return NAMES[view.discards[view.discard_count - 1]]


# --- Luck -----------------------------------------------------------------------------------------------------


def deck(game: Any) -> list[str]:
    """The cards of the deck, the top first."""
    return [NAMES[card] for card in reversed(game.deck[: game.deck_count])]


def chance(game: Any) -> dict[str, Any]:
    """The chance event of a position between `roll` and `after_chance`."""
    if game.phase == SETUP:
        rulers = [CHARACTERS[character] for character in game.ruler]
        return {"chance": "setup", "allies": characters(game.own), "rulers": rulers}
    if game.phase == DEAL:
        hand = card_names(game.hand, NAMES)
        return {"chance": "deal", "visit": int(game.visit_no), "hand": hand, "deck": deck(game)}
    return {"chance": "shuffle", "deck": deck(game)}


def chance_form(game: Any) -> dict[str, Any]:
    """The form of the chance event that this position waits for, as `records.match` takes it."""
    if game.phase == SETUP:
        return {"chance": "setup", "allies": [str], "rulers": (str,) * FIEFS}
    if game.phase == DEAL:
        return {"chance": "deal", "visit": int(game.visit_no), "hand": [str], "deck": [str]}
    return {"chance": "shuffle", "deck": [str]}


def fill_chance(game: Any, event: dict[str, Any]) -> None:
    """Write into the position what `roll` would have; ValueError where luck could not have decided so."""
    if game.phase == SETUP:
        fill_setup(game, event["allies"], event["rulers"])
        return
    if game.phase == DEAL:
        hand = parse_cards(event["hand"], ALL_CARDS, NAMES)
        if len(event["hand"]) != game.hand_size:
            raise ValueError(f"the hand is {game.hand_size} cards, not {len(event['hand'])}")
        game.hand = hand
        left = ALL_CARDS & ~hand
    else:
        left = sum(1 << int(card) for card in game.deck[: game.deck_count])
    order = parse_order(event["deck"], left, NAMES)
    game.deck[: len(order)] = order[::-1]
    game.deck_count = len(order)


def fill_setup(game: Any, ally_names: list[str], ruler_names: list[str]) -> None:
    """Allies and rulers, as the setup allows them."""
    everyone = (1 << CHARACTER_COUNT) - 1
    allies = parse_cards(ally_names, everyone, CHARACTERS)
    rulers = parse_order(ruler_names, parse_cards(ruler_names, everyone & ~allies, CHARACTERS), CHARACTERS)
    if game.setup == rules.CUSTOM:
        named = [CHARACTERS[number - 1] for number in game.allies if number]
        in_order = [int(number) - 1 for number in game.rulers]
        if sorted(named) != sorted(ally_names) or rulers != in_order:
            raise ValueError("allies and rulers are those that the options name")
    elif game.setup == rules.INTRODUCTORY:
        if sorted(ally_names) != sorted(f"J{suit}" for suit in SUITS) or any(
            name[0] not in "QK" for name in ruler_names
        ):
            raise ValueError("the allies are the Jacks, the rulers Queens and Kings")
    else:
        for number, suit in enumerate(SUITS):
            if sum(name[1] == suit for name in ally_names) != 1 or sum(name[1] == suit for name in ruler_names) != 2:
                raise ValueError(f"one ally and two rulers are of {SUIT_WORDS[number]}")
    game.own = allies
    game.ruler[:] = rulers


def witnessed_chance(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """A chance event as the player sees it: `??` for each card of the deck."""
    return {**event, "deck": ["??"] * len(event["deck"])} if "deck" in event else event


def witnessed_choice(before: Any, action: int, after: Any, seat: int) -> list[tuple[int, str]]:
    """What `seat` sees of another's choice; there is no other here."""
    return [(int(before.seat), choice(action, int(before.seat), 1))]


# --- Why not --------------------------------------------------------------------------------------------------

ASKED = {
    VISIT: "it must choose a fief to visit",
    CALL: "it may call in a friendly ruler, or begin",
    REPLACE: "it must name the ally that makes way for the ruler called in",
    USE: "it may use an ability, or listen to the statement",
    RESPOND: "it must respond to the statement",
    PICK: "it must pick a card",
    EXCHANGE: "it may exchange a card, or skip",
    MOVE: "it must choose a fief",
    VALUE: "it must choose a value that it holds",
    NAME: "it must name a suit",
    REFRESH: "it must refresh a character",
    DRAW_ON: "it must draw or stop",
}
ASKS_FOR = {
    VISIT: "visit", CALL: "call", REPLACE: "replace", USE: "use", RESPOND: "play", PICK: "pick", EXCHANGE: "pick",
    MOVE: "fief", VALUE: "value", REFRESH: "refresh",
}  # fmt: skip


def why_not(view: Any, action: int) -> str:
    """Why this action is not legal for the player."""
    verb, _, name = choice(action, 0, 1).partition(" ")
    if verb != ASKS_FOR.get(int(view.phase)):
        return ASKED[int(view.phase)] + while_acting(view)
    if verb in ("play", "pick"):
        card = NAMES.index(name)
        if not holds(view.hand, card):
            return f"{name} is not in its hand"
        if verb == "play":
            suit = SUIT_WORDS[SUITS.index(statement(view)[1])]
            return f"the statement is {statement(view)}, and it holds {suit} to follow with"
        return f"with {name} {CHARACTERS[view.ability]} cannot be carried out"
    if verb == "visit":
        return f"fief {name} has been visited"
    if verb == "fief":
        return f"{CHARACTERS[view.ability]} does not reach fief {name}"
    if verb == "value":
        return f"it holds no {name}"
    if verb == "call":
        return f"{name} is no friendly ruler who may still be called in"
    if verb == "replace":
        return f"{name} is no ally in play"
    character = CHARACTERS.index(name)
    if not holds(view.active, character):
        return f"{name} is not in play"
    if verb == "refresh":
        return f"{name} is not another exhausted character"
    return f"{name} is exhausted" if holds(view.exhausted, character) else f"the ability of {name} is off"


def while_acting(view: Any) -> str:
    """Whose ability asks, where one does."""
    return "" if view.ability == NONE else f" for {CHARACTERS[view.ability]}"


# --- The table as text ----------------------------------------------------------------------------------------


def describe(view: Any) -> str:
    """The table as text, as far as the view knows it."""
    stars = sum(int(view.stars[fief]) for fief in members(view.won))
    lines = [
        f"For Northwood!, visit {max(view.visit_no, 1)} of {view.visits}: {stars} stars of {view.goal}",
        *(fief_line(view, fief) for fief in range(FIEFS)),
        f"  In play: {' '.join(character_words(view)) or 'nobody'}",
    ]
    if view.active & view.barred:
        lines.append(f"  Ability off: {' '.join(characters(view.active & view.barred))}")
    if view.calls and view.friendly and view.seat != FINISHED:
        lines.append(f"  Friendly: {' '.join(characters(view.friendly))}")
    places = [f"{NAMES[view.known[place] - 1]}" if view.known[place] else "??" for place in range(view.deck_count)]
    lines += [
        f"  Deck, {int(view.deck_count)}: {' '.join(places[::-1])}",
        f"  Discard pile, {int(view.discard_count)}: {pile_words(view.discards, view.discard_count)}",
        f"  Score pile, {int(view.score_count)}: {pile_words(view.scored, view.score_count)}",
        f"  Hand, {int(view.hand).bit_count()}: {' '.join(card_names(view.hand, NAMES))}",
    ]
    if view.delayed:
        lines.append("  BE: an even response draws a card, an odd one discards one.")
    if view.seat == FINISHED:
        won = stars >= view.goal
        lines.append(f"  The game is over: {'won' if won else 'lost'}.")
    elif view.seat >= 0:
        if view.phase == RESPOND:
            lines.append(f"  The statement is {statement(view)}.")
        lines.append(f"  To decide: {ASKED[int(view.phase)]}{while_acting(view)}.")
    return "\n".join(lines)


def fief_line(view: Any, fief: int) -> str:
    """A fief: its number and stars, its ruler, and how it stands."""
    name = CHARACTERS[view.ruler[fief]]
    if holds(view.won, fief):
        standing = "won"
    elif holds(view.visited, fief):
        standing = "lost"
    else:
        standing = f"ruled by {name}"
    here = f"  <- visited, trump {SUIT_WORDS[view.ruler[fief] // 6]}" if view.fief == fief else ""
    return f"  fief {fief}  {int(view.numbers[fief])} tricks  {int(view.stars[fief])} stars  {standing}{here}"


def character_words(view: Any) -> list[str]:
    """The characters in play, in brackets those that are exhausted."""
    return [
        f"({CHARACTERS[one]})" if holds(view.exhausted, one) else CHARACTERS[one] for one in members(int(view.active))
    ]


def pile_words(pile: Any, cards: int) -> str:
    """An open pile, the top card first."""
    return " ".join(NAMES[card] for card in reversed(pile[:cards]))
