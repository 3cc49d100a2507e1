"""Kuhn poker in words."""

CARDS = "?JQK"
NAMES = ("J", "Q", "K")
VISIBLE = ()


def choice(action, seat, players):
    return ("check", "bet")[action]


def chance(game):
    return {"chance": "deal", "hands": [CARDS[game.cards[0]], CARDS[game.cards[1]]]}


def chance_form(game):
    return {"chance": "deal", "hands": (str, str)}


def fill_chance(game, event):
    if sorted(event["hands"]) not in (["J", "Q"], ["J", "K"], ["K", "Q"]):
        raise ValueError("two different cards of J, Q, K are dealt")
    for seat, card in enumerate(event["hands"]):
        game.cards[seat] = CARDS.index(card)


def witnessed_chance(event, seat):
    return {**event, "hands": [card if other == seat else "??" for other, card in enumerate(event["hands"])]}


def witnessed_choice(before, action, after, seat):
    return [(int(before.seat), choice(action, int(before.seat), 2))]


def why_not(view, action):
    return "the hand is over"


def describe(view):
    return " ".join(CARDS[card] for card in view.cards) + " " + str(view.moves[: view.made])
