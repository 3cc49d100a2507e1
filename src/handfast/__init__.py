"""Handfast: modern card games with hidden information, for reinforcement learning."""

from pathlib import Path

__version__ = "0.3.0"

# In a checkout without symlinks (some archives, some file systems) the packages lie two folders up.
if not (Path(__file__).parent / "envs" / "core").is_dir():
    __path__.append(str(Path(__file__).parents[2]))
