"""What seats lay in the middle of the table, each before itself: the cards of a trick, choices, bids."""

from collections.abc import Collection, Mapping, Sequence

from handfast.envs.core.drawing.cards import CARD_HEIGHT, card_front
from handfast.envs.core.drawing.pieces import GOLD, INK, IVORY, Point, badge, box, crown
from handfast.envs.core.drawing.table import MIDDLE, PLATE_FILL, name, seats_around

LAID = (64, 64 * CARD_HEIGHT)  # how large a card is that lies before its seat
PLAIN = (PLATE_FILL, IVORY)
_EMPTY = "#1c5543"


def laid_places(players: int, first: int) -> list[Point]:
    """Where each seat's card lies: that of `first` at the bottom, the others clockwise."""
    around = seats_around(players, MIDDLE[0], MIDDLE[1] - 11, 160 if players < 5 else 185, 58)
    return [around[(seat - first) % players] for seat in range(players)]


def laid_gap(place: Point) -> str:
    """The place of a card that is still to come."""
    return box(*place, *LAID, _EMPTY, 5)


def laid_name(place: Point, seat: int, colours: tuple[str, str] = PLAIN) -> str:
    """The name of the seat that a card lies before, on its lower edge; `colours` are those of the pill and of the words."""
    return badge(place[0], place[1] + LAID[1] / 2, name(seat), 11, *colours)


def trick(
    cards: Mapping[int, str],
    places: Sequence[Point],
    leading: int | None,
    gilded: Collection[str] = (),
    notes: Mapping[int, tuple[str, str]] | None = None,
) -> str:
    """The cards that seats have played to a trick, with the seats' names, and the places of those still to come.

    The seat that is `leading`, with the strongest card so far, has a golden name under a crown; `notes` gives other
    names other colours. Cards in `gilded` have a gold outline.
    """
    parts = []
    for seat, (x, y) in enumerate(places):
        if seat not in cards:
            parts.append(laid_gap((x, y)))
            continue
        parts.append(card_front(cards[seat], x, y, LAID[0], gilded=cards[seat] in gilded))
        if seat == leading:
            parts += [box(x, y - LAID[1] / 2, 34, 24, PLATE_FILL, 12), crown(x, y - LAID[1] / 2, 22)]
        colours = (GOLD, INK) if seat == leading else (notes or {}).get(seat, PLAIN)
        parts.append(laid_name((x, y), seat, colours))
    return "".join(parts)
