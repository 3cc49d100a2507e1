"""The agents' luck: a seed of its own, which tells nothing of the deal."""

import copy
import pickle

import numpy as np
import pytest

from handfast.envs.core.batch import Batch, agent_seeds
from handfast.envs.core.game import Game
from handfast.envs.core.luck import CHOICE, luck, mixed
from handfast.envs.core.table import FINISHED

MASK = 2**64 - 1


def keys_of(game: Game, seed: list[int], agents_seed: list[int] | None, decisions: int = 6) -> list[list[int]]:
    """The keys of some decisions of each game, without restarts."""
    batch = Batch(game, len(seed), seed=seed, agents_seed=agents_seed, restart=False)
    keys = []
    for _ in range(decisions):
        keys.append(np.where(batch.seats == FINISHED, 0, batch.keys).tolist())
        batch.step(batch.masks.argmax(1))
    return np.array(keys, object).T.tolist()


def test_keys_follow_from_the_agents_seed_alone(game: Game) -> None:
    first, second, third = keys_of(game, [1, 2, 1], [5, 5, 6])
    both = [i for i in range(6) if first[i] and second[i]]
    assert both
    assert [first[i] for i in both] == [second[i] for i in both]
    assert all(first[i] != third[i] for i in range(6) if first[i])


def test_without_a_seed_of_its_own_the_agents_luck_follows_from_the_deals_and_not_backwards(game: Game) -> None:
    alone, again = keys_of(game, [123], None), keys_of(game, [123], agent_seeds(np.array([123], np.uint64)).tolist())
    assert alone == again
    # The hash is BLAKE2b; its value is written out so that a change is noticed.
    assert agent_seeds(np.array([123], np.uint64)).tolist() == [16961664862952387831]


def unmixed(z: int) -> int:
    """`mixed` run backwards: both multipliers are odd, and an exclusive or with a shift can be taken back."""
    z = z ^ (z >> 31) ^ (z >> 62)
    z = z * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    z = z ^ (z >> 27) ^ (z >> 54)
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return z ^ (z >> 30) ^ (z >> 60)


def test_luck_can_be_run_backwards_which_is_why_keys_are_not_made_of_the_deals_seed() -> None:
    assert unmixed(int(mixed(np.uint64(987654321)))) == 987654321


def seed_that_would_give(key: int, made: int) -> int:
    """The seed whose `luck` for this decision is `key`: what made one key of a game tell its deals."""
    step = 0x9E3779B97F4A7C15
    purpose = int(mixed(np.uint64((CHOICE * step + (made << 16) + 1) & MASK)))
    return (unmixed(unmixed(key) ^ purpose) - step) & MASK


def test_a_key_run_backwards_gives_neither_the_deals_seed_nor_the_agents_nor_a_half_of_one(game: Game) -> None:
    random = np.random.default_rng(1)
    seeds = [int(one) for one in random.integers(2**64, size=40, dtype=np.uint64)]
    batch = Batch(game, 40, seed=seeds)
    for row, seed in enumerate(seeds):
        found = seed_that_would_give(int(batch.keys[row]), 0)
        own = int(batch.seeds_of(row)[1])
        with np.errstate(over="ignore"):
            half = int(luck(np.uint64(seed), CHOICE, 0, 0)) >> 32
        assert found not in (seed, own, half)
        assert found >> 32 != 0  # a seed of 32 bits could be searched for


def test_a_key_of_plain_luck_would_give_its_seed_away() -> None:
    """The arithmetic above is right: it does find the seed of a key that is plain luck."""
    with np.errstate(over="ignore"):
        assert seed_that_would_give(int(luck(np.uint64(77), CHOICE, 5, 1)), 5) == 77


def sip_hash(key: bytes, message: bytes) -> int:
    """SipHash-1-3 as its authors describe it, in plain numbers."""

    def rounds(v: list[int], n: int) -> None:
        for _ in range(n):
            for x, y, left, half in ((0, 1, 13, 1), (2, 3, 16, 0), (0, 3, 21, 0), (2, 1, 17, 1)):
                v[x] = (v[x] + v[y]) & MASK
                v[y] = ((v[y] << left | v[y] >> 64 - left) & MASK) ^ v[x]
                v[x] = (v[x] << 32 | v[x] >> 32) & MASK if half else v[x]

    k = [int.from_bytes(key[at : at + 8], "little") for at in (0, 8)]
    v = [k[i % 2] ^ int.from_bytes(b"somepseudorandomlygeneratedbytes"[8 * i : 8 * i + 8], "big") for i in range(4)]
    blocks = message + bytes(7 - len(message) % 8) + bytes([len(message)])
    for at in range(0, len(blocks), 8):
        block = int.from_bytes(blocks[at : at + 8], "little")
        v[3] ^= block
        rounds(v, 1)
        v[0] ^= block
    v[2] ^= 0xFF
    rounds(v, 3)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_a_key_is_a_keyed_hash_that_a_few_keys_do_not_solve(game: Game) -> None:
    """A sum of a few invertible steps would be solved bit by bit from two keys; SipHash is made to withstand that."""
    assert sip_hash(bytes(range(16)), b"") == 0xABAC0158050FC4DC  # the reference vectors of SipHash-1-3
    assert sip_hash(bytes(range(16)), b"\0") == 0xC9F49BF37D57CA93
    for seed in (0, 5, 2**64 - 1):
        second = int(mixed(np.uint64((seed + 0x9E3779B97F4A7C15) & MASK)))
        keys = keys_of(game, [1], [seed])[0]
        for made, key in enumerate(keys):
            hashed = sip_hash(seed.to_bytes(8, "little") + second.to_bytes(8, "little"), made.to_bytes(8, "little"))
            assert key in (hashed, 0)  # 0 once the game is over
        assert keys[0]


def test_the_agents_seed_is_kept_in_saves_copies_and_restarts(game: Game) -> None:
    batch = Batch(game, 4, seed=1, agents_seed=2)
    for _ in range(40):
        batch.step_at_random()
    others = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch)), Batch(game, 4, seed=9)]
    others[-1].restore(batch.save())
    for _ in range(40):
        batch.step_at_random()
        for other in others:
            other.step_at_random()
            assert (other.keys == batch.keys).all()
            assert other.games.tobytes() == batch.games.tobytes()


def test_the_next_game_has_other_luck_for_its_agents(game: Game) -> None:
    batch = Batch(game, 2, seed=[1, 1], agents_seed=[7, 7])
    first = batch.keys.copy()
    batch.renew(np.array([0]))
    assert batch.keys[0] != first[0]
    assert batch.keys[1] == first[1]
    batch.renew(np.array([1]))
    assert batch.keys[0] == batch.keys[1]


def test_an_agents_seed_needs_a_seed_beside_it_on_a_reset(game: Game) -> None:
    with pytest.raises(ValueError, match="agents_seed needs a seed"):
        Batch(game, 2).reset(agents_seed=3)


def test_without_seeds_both_are_drawn_with_64_bits(game: Game) -> None:
    drawn = [seed for _ in range(40) for seed in Batch(game, 1, seed=None).seeds_of(0)]
    assert len(set(drawn)) == 80
    assert sum(seed >> 63 for seed in drawn) > 10
