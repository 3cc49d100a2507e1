"""The Sovereign Hand's picture: whose cards it shows, the Usurper in gold, and who takes the trick and the crown."""

import numpy as np
import pytest

from handfast.envs.core.cards import card_names
from handfast.envs.core.table import NONE
from handfast.envs.sovereign_hand import picture
from handfast.envs.sovereign_hand.rules import CALL, CLAIM, PLAY, TRICK, strongest
from tests.pictures import backs, faces, gilded, moments
from tests.sovereign_hand.table import ALL_CARDS, GAME, Position, choose, position, random_steps, reckoning, start

PLAYERS = pytest.mark.parametrize("players", [3, 4, 5])


def drawn(game: Position, seat: int) -> str:
    """The picture that a seat sees."""
    return picture.draw(game.seen_by(seat).record)


# --- Cards ----------------------------------------------------------------------------------------------------


@PLAYERS
def test_a_seat_sees_its_own_cards_those_on_the_table_and_backs(players: int) -> None:
    for moment in moments(GAME, players):
        game = Position(moment.games)
        now = game.round_no - 1
        sign = [ALL_CARDS[game.sign]] if game.phase >= CLAIM else []
        trick = [ALL_CARDS[card] for card in game.trick[:players] if card != NONE]
        cards = sum(game.counts[now]) + sum(game.house_counts)
        for seat in range(players):
            own = card_names(game.hands[seat][now] | game.houses[seat])
            assert sorted(faces(moment.pictures[seat])) == sorted(sign + trick + own)
            assert backs(moment.pictures[seat]) == cards - len(own)
        assert backs(moment.pictures[None]) == 0


# --- The Usurper ----------------------------------------------------------------------------------------------


def test_a_2_is_golden_while_its_ace_lies_on_the_table() -> None:
    assert gilded(drawn(position(["3C", "2H KH", "4C 5C"], trick="AH"), 1)) == ["2H"]
    assert gilded(drawn(position(["3C", "2H KH", "4C 5C"], trick="QH"), 1)) == []
    assert gilded(drawn(position(["3C AH", "2H KH", "4C 5C"]), 1)) == []


def test_a_2_that_may_not_answer_is_not_golden() -> None:
    bound = position(["3C", "4C", "2S 3H"], trick="KH AS")
    assert gilded(drawn(bound, 2)) == []
    free = position(["3C", "4C", "2S 3D"], trick="KH AS")
    assert gilded(drawn(free, 2)) == ["2S"]


def test_a_2_in_the_house_is_golden_where_it_may_be_called() -> None:
    hands = ["3C", "4C", "5C 6C"]
    assert gilded(drawn(position(hands, ["", "", "2S 9D"], trick="KH AS"), 2)) == ["2S"]
    assert gilded(drawn(position(["3C", "4C", "5C 6H"], ["", "", "2S 9D"], trick="KH AS"), 2)) == []  # R1
    called = position(["3C", "4C", "5C 6C 7C"], ["", "", "2S 9D"], trick="KH AS", called=[2])
    assert gilded(drawn(called, 2)) == []


def test_a_2_that_waits_for_its_turn_is_golden_and_others_do_not_see_it() -> None:
    game = position(["3C", "5H 6H", "2H KH"], trick="AH")
    assert gilded(drawn(game, 2)) == ["2H"]
    assert gilded(drawn(game, 1)) == []


def test_a_usurper_in_the_trick_stays_golden() -> None:
    assert gilded(drawn(position(["3C", "5C", "9D KH"], trick="AH 2H"), 2)) == ["2H"]


def test_at_random_the_golden_cards_are_the_2s_that_are_legal_beside_their_ace() -> None:
    found = 0
    for batch in random_steps(60, 60, players=4):
        for i in np.flatnonzero(batch.games["phase"] == TRICK):
            game = Position(batch.games[i : i + 1])
            trick = [ALL_CARDS[card] for card in game.trick if card != NONE]
            aces = [card[1] for card in trick if card[0] == "A"]
            if not aces:
                continue
            legal = [
                ALL_CARDS[(action - PLAY) % 52]
                for action in np.flatnonzero(batch.masks[i])
                if PLAY <= action < CALL + 52
            ]
            golden = [card for card in legal + trick if card[0] == "2" and card[1] in aces]
            assert sorted(gilded(drawn(game, game.seat))) == sorted(golden)
            found += len(golden)
    assert found


# --- The trick, the Reckoning, the crown ----------------------------------------------------------------------


def test_the_crowned_card_is_the_one_that_takes_the_trick() -> None:
    for batch in random_steps(40, 40, players=5):
        record = batch.games.view(np.recarray)[0]
        cards = picture.laid_cards(record)
        if cards:
            assert max(cards, key=lambda seat: picture.strength(record, cards[seat])) == strongest(record)


def test_the_reckoning_tells_what_became_of_each_claim() -> None:
    game = reckoning([1, 4, 0, 2], [1, 4, 3, 0], houses=["", "", "9D", "5D"])
    svg = drawn(game, 2)
    assert ">player_2 owes a Debt<" in svg
    for words in (">1 Seal<", ">2 Seals<", ">a Debt<"):
        assert words in svg


def test_the_dealer_is_told_what_it_may_not_claim() -> None:
    game = start(3, dealer=0)
    choose(game, "1: claim 2", "2: claim 3")
    assert "may not claim 3" in drawn(game, 0)


@PLAYERS
def test_the_winners_are_those_of_the_rules(players: int) -> None:
    ends = [moment for moment in moments(GAME, players) if moment.games["ended"][0]]
    assert ends
    for moment in ends:
        scores, winners, _ = GAME.judge(moment.games)
        view = Position(moment.games).record
        assert [picture.score(view, seat) for seat in range(players)] == scores[0, :players].tolist()
        assert picture.victors(view) == set(np.flatnonzero(winners[0]).tolist())
        assert "crown" in moment.pictures[0]


def test_a_crown_comes_before_a_higher_score() -> None:
    view = position(["3C", "4C", "5C"]).record
    view.seals[:3], view.marks[:3] = [5, 8, 5], [0, 1, 0]
    view.house_counts[:3] = [1, 3, 2]
    assert picture.victors(view) == {2}


def test_an_ace_in_the_trick_is_spoken_of_while_its_2_may_still_come() -> None:
    assert "The 2 of hearts would be above its Ace" in drawn(position(["3C", "4C 7C", "5C 2H"], trick="AH"), 1)
    assert "The 2 of hearts is above its Ace" in drawn(position(["3C", "4C", "5C 6C"], trick="AH 2H"), 2)
    assert "above its Ace" not in drawn(position(["3C", "4C 7C", "5C 6C"], sign="2H", trick="AH"), 1)
