"""Kuhn poker as a picture: two cards."""

from handfast.envs.core import drawing


def draw(view):
    cards = [drawing.text(30 + 40 * seat, 30, "?JQK"[card], 16) for seat, card in enumerate(view.cards)]
    return drawing.document(100, 50, "Kuhn poker", drawing.table_top(100, 50), *cards)
