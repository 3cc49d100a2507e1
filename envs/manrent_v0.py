"""Manrent: Sworn & Sold in the form of PettingZoo's own games: `manrent_v0.env()`."""

from handfast.envs.core.faces import faces
from handfast.envs.manrent import GAME

env, raw_env, seat_env, seat_vector_env = faces(GAME)
