"""What may import what, and what an import costs."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from handfast.envs import GAMES

ROOT = Path(__file__).parents[1]
ROOMS = ("envs", "agents", "training")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at its head or inside."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_arrows_run_one_way(path: Path) -> None:
    """training → agents → envs; a game → the core; no game knows another; the core knows none."""
    place = path.relative_to(ROOT).parts
    taken = {name for name in imports(path) if name.startswith("handfast.")}
    later = ROOMS[ROOMS.index(place[0]) + 1 :]
    assert not {name for name in taken if name.split(".")[1] in later}
    assert not {name for name in imports(path) if name.split(".")[0] in ROOMS}
    if place[0] == "envs":
        assert not {
            name for name in imports(path) if name.split(".")[0] in ("torch", "tqdm", "safetensors", "tensorboard")
        }
    if place[:2] == ("envs", "core"):
        assert not {
            name for name in taken if name.startswith("handfast.envs.") and not name.startswith("handfast.envs.core")
        }
        assert not re.search("|".join(GAMES), path.read_text(encoding="utf-8"))
    elif place[0] == "envs" and len(place) > 2:
        assert {".".join(name.split(".")[2:3]) for name in taken} <= {"core", place[1]}


def is_text_without_encoding(call: ast.Call) -> bool:
    """Whether a call opens a file as text in whatever encoding the machine has."""
    if ast.unparse(call.func) == "os.open":  # bytes
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in ("open", "read_text", "write_text") or any(one.arg == "encoding" for one in call.keywords):
        return False
    modes = (one.value for one in call.args[1:] if isinstance(one, ast.Constant))
    return not any(isinstance(mode, str) and "b" in mode for mode in modes)


WRITTEN = [path for room in ("envs", "agents", "src/handfast") for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("path", WRITTEN, ids=[str(path.relative_to(ROOT)) for path in WRITTEN])
def test_text_files_are_read_and_written_in_one_encoding(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert not [call.lineno for call in calls if is_text_without_encoding(call)]


def loaded(code: str) -> set[str]:
    """The modules that are loaded after running some code."""
    code = f"import sys\n{code}\nprint(' '.join(name.split('.')[0] for name in sys.modules))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_handfast_loads_next_to_nothing() -> None:
    assert not loaded("import handfast") & {"numpy", "numba", "torch", "gymnasium", "pettingzoo"}


def test_importing_and_playing_the_games_loads_neither_torch_nor_pictures() -> None:
    play = "import handfast.envs.justiciar_v0 as j\nenv = j.env()\nenv.reset(seed=1)\nenv.observe('player_0')"
    assert not loaded(play) & {"torch", "tensorboard", "pygame", "resvg_py", "tqdm", "safetensors"}
