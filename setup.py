"""Refuses to build from a checkout whose symlinks did not survive; everything else stands in pyproject.toml."""

from pathlib import Path

from setuptools import setup

SOURCE = Path(__file__).parent / "src" / "handfast"
broken = [name for name in ("agents", "checkpoints", "configs", "envs", "training") if not (SOURCE / name).is_dir()]
if broken:
    raise SystemExit(
        f"handfast: {', '.join(f'src/handfast/{name}' for name in broken)} should be symlinks to folders, and are not.\n"
        "Clone again with `git clone -c core.symlinks=true` (on Windows in developer mode), or install a wheel or an sdist."
    )
setup()
