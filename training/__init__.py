"""How a network learns: masked PPO in self-play, checkpoints, curves."""
