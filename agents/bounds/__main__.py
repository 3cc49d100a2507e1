"""What a player who knew all luck would reach: `python -m handfast.agents.bounds GAME --deals 100`."""

import argparse
import importlib
import time

import numpy as np

from handfast.agents.arena.intervals import bootstrap
from handfast.envs import get


def main() -> None:
    """Measure a game's bound on so many deals and print it."""
    parser = argparse.ArgumentParser(prog="python -m handfast.agents.bounds", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--deals", type=int, default=100, help="how many deals (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="where the deals come from (default 0)")
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    arguments = parser.parse_args()
    game = get(arguments.game)
    given = dict(one.split("=", 1) for one in arguments.option)
    options = game.check_options({name: game.options[name].parse(name, text) for name, text in given.items()})
    bound = importlib.import_module(f"handfast.agents.bounds.{game.name}")
    seeds = np.random.SeedSequence(arguments.seed).generate_state(arguments.deals, np.uint64)
    bound.known_luck_line(int(seeds[0]), options)  # compiles
    began = time.process_time()
    scores = np.array([bound.known_luck_line(int(seed), options).score for seed in seeds])
    print(f"{game.title}, {arguments.deals} deals, {(time.process_time() - began) / len(seeds):.2f} CPU-seconds a deal")
    print(f"a player who knows all luck reaches {bootstrap(scores.astype(float))} points or more")
    print(f"nobody reaches more than {bound.upper_bound(options)}")
    for score in sorted({*scores.tolist()}):
        print(f"  at least {score}: {bootstrap((scores >= score).astype(float), 0.0, 1.0)}")


if __name__ == "__main__":
    main()
