"""Kuhn poker as a picture: two cards."""


def draw(view):
    cards = "".join(f'<text x="{20 + 40 * seat}" y="30">{"?JQK"[card]}</text>' for seat, card in enumerate(view.cards))
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">{cards}</svg>'
