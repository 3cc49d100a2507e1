"""The Covenant's picture: whose cards it shows, what stays secret, and who takes the trick and the victory."""

import re

import numpy as np
import pytest

from handfast.envs.core import drawing, tricks
from handfast.envs.core.cards import card_names
from handfast.envs.core.drawing.trick import PLAIN
from handfast.envs.core.table import NONE
from handfast.envs.covenant import picture
from handfast.envs.covenant.rules import SEALING
from tests.covenant.table import ALL_CARDS, GAME, Position, blank, choose, legal, luck_decides, position, start
from tests.pictures import backs, faces, moments

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def drawn(game: Position, seat: int | None) -> str:
    """The picture that a seat sees, or the one with everything open."""
    return picture.draw((game if seat is None else game.seen_by(seat)).record)


# --- Cards ----------------------------------------------------------------------------------------------------


@PLAYERS
def test_a_seat_sees_its_own_cards_those_on_the_table_and_backs(players: int) -> None:
    for moment in moments(GAME, players):
        game = Position(moment.games)
        tops = [ALL_CARDS[top] for top in game.tops if top != NONE]
        middle = card_names(game.trick)
        if game.phase == SEALING:
            middle = card_names(game.fresh)
        for seat in range(players):
            own = card_names(game.hands[seat] | game.sealed[seat])
            others = sum(game.counts) + sum(game.seals) - len(own)
            secret = card_names(game.table_seal) if game.phase >= SEALING or game.counts[seat] else []
            choice = game.choices[seat] - 4
            chosen = [ALL_CARDS[choice]] if 0 <= choice < 52 else []
            assert sorted(faces(moment.pictures[seat])) == sorted(tops + middle + own + chosen)
            assert backs(moment.pictures[seat]) == others + len(secret)
        assert backs(moment.pictures[None]) == 0


# --- Secrets --------------------------------------------------------------------------------------------------


def test_others_see_that_a_choice_was_made_at_the_covenant_table_and_not_which() -> None:
    game = start(4, ["KH 2S", "3S", "4S", "5S"], dealer=3)
    subscribed, abstained = choose(game.copy(), "0: subscribe KH"), choose(game.copy(), "0: abstain")
    assert drawn(subscribed, 1) == drawn(abstained, 1)
    assert drawn(subscribed, 1) != drawn(game, 1)
    assert "has chosen" in drawn(subscribed, 1)
    assert ">abstain<" in drawn(abstained, 0)
    assert faces(drawn(subscribed, 0)).count("KH") == 2  # in the hand, and on the open slip
    assert faces(drawn(subscribed, None)).count("KH") == 2


def test_a_signer_is_seen_by_its_seat_alone_until_the_game_is_over() -> None:
    games = [start(3, dealer=2, signers=signers) for signers in ("HSD", "CSD")]
    assert drawn(games[0], 1) == drawn(games[1], 1)
    assert drawn(games[0], 0) != drawn(games[1], 0)
    assert drawn(games[0], None) != drawn(games[1], None)


def test_before_anybody_has_signed_the_seat_to_move_is_at_the_bottom() -> None:
    game = luck_decides(blank(4), dealer=1)
    assert picture.observer(game.record) == picture.observer(game.seen_by(2).record) == 2
    choose(game, "2: believe H")
    assert picture.observer(game.seen_by(2).record) == 2
    assert picture.observer(game.seen_by(3).record) == 3


# --- The trick and the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize("trump", [NONE, 2])
def test_cards_of_a_trick_are_ordered_as_by_the_rules(trump: int) -> None:
    view = position(["3H", "4H", "5H"], trump=None if trump == NONE else "D").record
    view.led, view.trump = 1, trump
    by_picture = sorted(ALL_CARDS, key=lambda card: picture.strength(view, card))
    by_rules = sorted(range(52), key=lambda card: tricks.strength(card, 1, trump))
    assert by_picture == [ALL_CARDS[card] for card in by_rules]


def test_the_highest_card_is_crowned_and_the_lowest_marked() -> None:
    game = choose(position(["9S", "4S", "KS", "2C"]), "play 9S", "play 4S", "play KS")
    svg = drawn(game, 3)
    pills = dict(re.findall(r'fill="(#\w+)"/><text [^>]*font-size="11"[^>]*>(player_\d)<', svg))
    assert pills == {drawing.GOLD: "player_2", picture.LEADS_NEXT[0]: "player_1", PLAIN[0]: "player_0"}


@PLAYERS
def test_the_winners_are_those_of_the_rules(players: int) -> None:
    ends = [moment for moment in moments(GAME, players) if moment.games["ended"][0]]
    assert ends
    for moment in ends:
        scores, winners, _ = GAME.judge(moment.games)
        view = Position(moment.games).record
        assert [picture.score(view, seat) for seat in range(players)] == scores[0, :players].tolist()
        assert picture.victors(view) == set(np.flatnonzero(winners[0]).tolist())
        assert "Final standing" in moment.pictures[0]


def test_every_stage_has_its_words() -> None:
    game = blank(3)
    assert "The dealer is drawn" in drawn(game, None)
    luck_decides(game, dealer=2)
    assert "player_0 chooses the suit it believes in" in drawn(game, 0)
    choose(game, "believe H", "believe S", "believe D")
    assert "The cards are dealt" in drawn(game, 0)
    luck_decides(game)
    assert "player_0 subscribes a card or abstains" in drawn(game, 0)
    choose(game, "abstain", f"subscribe {game.hand(1)[:2]}", f"subscribe {game.hand(2)[:2]}")
    assert "player_0 abstained and seals a card" in drawn(game, 1)
    choose(game, f"seal {game.hand(0)[:2]}")
    assert "player_0 leads" in drawn(game, 1)
    assert "player_0's seal" in drawn(game, 0)
    choose(game, min(legal(game)))
    assert "player_1 plays" in drawn(game, 2)
