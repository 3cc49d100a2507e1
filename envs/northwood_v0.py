"""For Northwood! in the form of PettingZoo's own games: `northwood_v0.env()`."""

from handfast.envs.core.faces import faces
from handfast.envs.northwood import GAME

env, raw_env, seat_env, seat_vector_env = faces(GAME)
