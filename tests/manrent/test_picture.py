"""Manrent's picture: what lies open, which Royals are in question, how a House lies, and who has won."""

import numpy as np

from handfast.envs.core.cards import card_names
from handfast.envs.core.table import ENDED, FINISHED, NONE, TRUNCATED
from handfast.envs.manrent import picture
from handfast.envs.manrent.cards import ACTING, COMMONS, SEATS
from tests.manrent.table import GAME, Position, choose, legal, number, position, random_steps
from tests.pictures import backs, faces, gilded, moments, words_of


def drawn(game: Position, seat: int | None = None) -> str:
    """The picture with everything open, or as a seat sees it."""
    games = game.games if seat is None else GAME.look(game.games, seat)[0]
    return picture.draw(games.view(np.recarray)[0])


# --- Cards ----------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_hand_the_market_and_what_everyone_has_seen_of_other_hands() -> None:
    for moment in moments(GAME, SEATS):
        game = Position(moment.games)
        if game.seat < 0:
            continue
        row = sum(1 << card for card in game.row if card != NONE)
        commons = row | game.discard
        for seat in range(SEATS):
            seen = [game.hands[one] if one == seat else game.known[one] for one in range(SEATS)]
            cards = card_names(commons | sum(seen))
            shown = [card for card in faces(moment.pictures[seat]) if 1 << number(card) & COMMONS]
            assert sorted(shown) == sorted(cards)
            unseen = sum(game.counts) - sum(hand.bit_count() for hand in seen)
            assert backs(moment.pictures[seat]) == game.stock_left + unseen
        assert backs(moment.pictures[None]) == 0


def test_all_royals_that_have_arrived_are_shown_once() -> None:
    for moment in moments(GAME, SEATS):
        game = Position(moment.games)
        royals = sorted(card for card in faces(moment.pictures[None]) if card[0] in "JQK")
        houses = sum(game.houses) + sum(game.courts)
        market = 0 if game.seat == FINISHED else game.market
        assert royals == sorted(card_names(houses | market))


# --- Royals in question ---------------------------------------------------------------------------------------


def test_royals_within_the_means_of_who_acts_are_golden() -> None:
    found = 0
    for batch in random_steps(40, 40):
        for i in np.flatnonzero(batch.games["phase"] == ACTING):
            game = Position(batch.games[i : i + 1])
            if game.seat >= 0:
                royals = sorted(choice.split()[1] for choice in legal(game) if choice != "pass")
                assert sorted(gilded(drawn(game, game.seat))) == royals
                assert gilded(drawn(game, (game.seat + 1) % SEATS)) == [] or not game.counts[game.seat]
                found += len(royals)
    assert found


def test_a_payment_says_what_is_offered_of_what() -> None:
    game = position(["TH 9H 8H", "2C", "3C", "4C"], act=True)
    game = choose(game, "invite JH", "pay TH")
    words = [one.words for one in words_of(drawn(game, 1))]
    assert "offers 11 of 15" in words
    assert gilded(drawn(game, 1)) == ["JH"]
    assert "TH" in faces(drawn(game, 1))


def test_an_enticed_royal_says_who_is_paid() -> None:
    game = position(["TH 9H 8H", "2C", "3C", "4C"], courts=["", "", "JH", ""], act=True)
    words = [one.words for one in words_of(drawn(choose(game, "entice JH"), 0))]
    assert "offers 0 of 15 to player_2" in words
    assert "to be paid" in words


# --- Houses ---------------------------------------------------------------------------------------------------


def test_royals_of_earlier_rounds_lie_sideways() -> None:
    game = position(houses=["JH QS", "", "", ""], upright="QS", round_no=2)
    parts = {card: drawn(game).split(f'data-card="{card}"')[1].split("</g>")[0] for card in ("JH", "QS")}
    assert "rotate(90)" in parts["JH"]
    assert "rotate" not in parts["QS"]


def test_any_house_fits_its_frame() -> None:
    everything = card_names(0xFFF << 36)
    for frame in picture.COURTS + picture.HOUSES:
        svg = picture.holding("House", everything, frame, set(everything), set())
        assert faces(svg) == everything


# --- The end --------------------------------------------------------------------------------------------------


def test_the_victors_are_those_of_the_rules_and_nobody_where_the_game_was_cut_short() -> None:
    ends = set()
    for moment in moments(GAME, SEATS, 6, 3):
        if moment.games["seat"][0] == FINISHED:
            scores, winners, _ = GAME.judge(moment.games)
            record = moment.games.view(np.recarray)[0]
            assert [picture.score(record, seat) for seat in range(SEATS)] == scores[0].tolist()
            won = set(np.flatnonzero(winners[0]).tolist()) if record.ended == ENDED else set()
            assert picture.victors(record) == won
            ends.add(int(record.ended))
    assert ends <= {ENDED, TRUNCATED}
    assert ends


def test_housed_kings_break_a_tie() -> None:
    game = position(houses=["KH JH", "QH QS", "", ""])
    game.games["ended"], game.games["seat"] = ENDED, FINISHED
    assert picture.victors(game.games.view(np.recarray)[0]) == {0}
