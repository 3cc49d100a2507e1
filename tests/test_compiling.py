"""Compiled kernels on disk: right after any change, and with many processes that start on a cold cache."""

import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from handfast.envs.core import compiling, kernels
from handfast.envs.core.compiling import WITHOUT_RULES
from tests.kuhn import GAME as KUHN
from tests.leaky import GAME as LEAKY

ROOT = Path(__file__).parents[1]


def tiny_game(folder: Path, name: str, worth: int) -> None:
    """A game of one choice on the contract, which is worth `worth` points; same names and shapes for all."""
    package = folder / name
    package.mkdir()
    (package / "__init__.py").write_text(
        "from handfast.envs.core.game import Game\n"
        f"from {name} import rules, view\nfrom tests.kuhn import picture, words\n"
        f"GAME = Game('{name}', '{name}', 0, rules, view, words, picture)\n"
    )
    (package / "rules.py").write_text(f"""
from handfast.envs.core.compiling import rule
from handfast.envs.core.table import CHANCE, ENDED, EVERYONE, FINISHED, Field, table
SEATS, PLAYER_COUNTS, SCORE_SIGN, ACTIONS, OPTIONS = 1, (1,), 1, 1, {{}}
TABLE = table(1, OPTIONS, Field("points", "i4", (), EVERYONE, "points"), phases=2)
@rule
def deal(game, seed):
    game.seed = seed
    game.seat = CHANCE
@rule
def roll(game):
    game.phase = 1
    game.points = {worth}
@rule
def after_chance(game):
    game.seat = 0
@rule
def legal(view, mask):
    mask[0] = 1
@rule
def decide(game, action):
    game.ended = ENDED
    game.seat = FINISHED
@rule
def scores(game, out):
    out[0] = game.points
@rule
def winners(game, out):
    out[0] = 1
""")
    (package / "view.py").write_text("""
from handfast.envs.core.compiling import rule
from handfast.envs.core.features import block
FEATURES_VERSION = 1
FEATURES = {"phase": block((), "the phase")}
HIDDEN_FEATURES = {"nothing": block((), "nothing")}
@rule
def conceal(view, seat):
    view.points = 0
@rule
def guess(view, seat, seed):
    view.seed = seed
@rule
def encode(view, seat, features):
    features[0] = view.phase
@rule
def encode_hidden(game, seat, features):
    features[0] = 1
@rule
def check(game):
    return game.points >= 0
""")


PLAY = """
import importlib, sys
from handfast.envs.core.batch import Batch
batch = Batch(importlib.import_module(sys.argv[1]).GAME, 3, 1, restart=False)
batch.step_at_random()
print(batch.scores[:, 0].tolist())
"""


def start(folder: Path, name: str) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "NUMBA_CACHE_DIR": str(folder / "cache")}
    return subprocess.Popen([sys.executable, "-c", PLAY, name], env=environment, stdout=subprocess.PIPE, text=True)


def played(folder: Path, name: str) -> str:
    return start(folder, name).communicate()[0].strip()


@pytest.mark.parametrize("rounds", [pytest.param(2, marks=pytest.mark.slow), pytest.param(20, marks=pytest.mark.long)])
def test_processes_that_start_together_on_a_cold_cache_each_get_their_own_games_kernels(
    tmp_path: Path, rounds: int
) -> None:
    games = {"first": 11, "second": 22, "third": 33}
    for name, worth in games.items():
        tiny_game(tmp_path, name, worth)
    for _ in range(rounds):
        shutil.rmtree(tmp_path / "cache", ignore_errors=True)
        running = [(worth, start(tmp_path, name)) for name, worth in [*games.items(), *games.items()]]
        for worth, process in running:
            assert process.communicate()[0].strip() == str([worth] * 3)
            assert process.returncode == 0
    assert played(tmp_path, "second") == "[22, 22, 22]"  # from the warm cache


@pytest.mark.slow
def test_a_change_in_a_rule_is_noticed_and_so_is_a_damaged_kernel(tmp_path: Path) -> None:
    tiny_game(tmp_path, "tiny", 5)
    assert played(tmp_path, "tiny") == "[5, 5, 5]"
    stored = list((tmp_path / "cache").rglob("*.nbc"))
    assert stored
    rules = tmp_path / "tiny" / "rules.py"
    rules.write_text(rules.read_text().replace("game.points = 5", "game.points = 6"))
    assert played(tmp_path, "tiny") == "[6, 6, 6]"
    for path in (tmp_path / "cache").rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:-100])
    assert played(tmp_path, "tiny") == "[6, 6, 6]"


def test_kernels_of_one_name_in_one_file_are_kept_apart(tmp_path: Path) -> None:
    shutil.copy(__file__, tmp_path)  # the source that the kernels below are made from

    def made(value: int):
        if value == 1:

            @compiling.kernel(tmp_path)
            def same(array):
                array[0] = 1
        else:

            @compiling.kernel(tmp_path)
            def same(array):
                array[0] = 2

        return same

    array = np.zeros(1)
    found = []
    for value in (1, 2, 1, 2):
        made(value)(array)
        found.append(array[0])
    assert found == [1, 2, 1, 2]


@pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")
def test_no_two_games_share_the_name_of_a_compiled_function() -> None:
    """What one process compiled, another loads beside its own; of two functions of one name only one would remain."""
    names = []
    for game in (KUHN, LEAKY):
        pieces = {id(kernel): kernel for kernel in game.kernels}
        for kernel in game.kernels:
            cells = [cell.cell_contents for cell in kernel.py_func.__closure__]
            pieces |= {id(piece): piece for piece in cells if hasattr(piece, "py_func")}
        made = [piece.py_func for piece in pieces.values() if piece.py_func.__code__.co_filename == kernels.__file__]
        assert len(made) == 11  # six kernels and what they share
        names.append({f"{function.__module__}.{function.__qualname__}" for function in made})
    assert not names[0] & names[1]


@pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")
def test_a_rule_is_compiled_once_for_all_numbers_written_out_in_calls_and_can_be_called_from_python() -> None:
    @compiling.rule
    def double(number):
        return 2 * number

    @compiling.rule
    def total():
        return double(1) + double(2) + double(number=3)

    assert total() == 12
    assert len(double.overloads) == 1
    assert double(4) == 8


def test_without_a_writable_folder_kernels_are_compiled_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_folder(*_: object) -> None:
        raise RuntimeError("no locator available")

    monkeypatch.setattr(compiling, "_SourceKeyedCache", no_folder)
    with pytest.warns(UserWarning, match="NUMBA_CACHE_DIR"):
        double = compiling.kernel(tmp_path)(lambda x: 2 * x)
    assert double(4) == 8


def test_a_kernel_that_cannot_be_stored_only_costs_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = compiling._OneFilePerKernel(str(tmp_path / "file"), "name")
    with pytest.warns(UserWarning, match="not kept"):
        store.save(("key",), "kernel")
    assert store.load(("key",)) is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        store = compiling._OneFilePerKernel(str(tmp_path / "folder"), "name")
        store.save(("key",), "kernel")
    assert store.load(("key",)) == "kernel"


def test_modules_that_are_said_to_hold_no_rules_hold_none_and_no_rules_need_them() -> None:
    envs = Path(__file__).parents[1] / "envs"
    for path in envs.glob("*/*.py"):
        text = path.read_text()
        if path.stem in WITHOUT_RULES:
            assert not re.search(r"^\s*@(rule|kernel|compiled)\b", text, re.M), path
        elif re.search(r"^\s*@(rule|kernel|compiled)\b", text, re.M):
            needed = set(re.findall(r"^from handfast\.envs\.\w+\.(\w+) import", text, re.M))
            assert not needed & WITHOUT_RULES, path
