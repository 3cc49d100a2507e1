"""The Sovereign Hand in the form of PettingZoo's own games: `sovereign_hand_v0.env(players=4)`."""

from handfast.envs.core.faces import faces
from handfast.envs.sovereign_hand import GAME

env, raw_env, seat_env, seat_vector_env = faces(GAME)
