"""Compiled kernels on disk: right after any change, with many processes that start on a cold cache, and with a Numba
that has changed."""

import importlib
import logging
import os
import shutil
import stat
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import llvmlite
import numba
import numpy as np
import pytest

from handfast import compile as ahead_of_time
from handfast.envs import GAMES
from handfast.envs.core import compiling, kernel_store, kernels, numba_private
from handfast.envs.core.kernel_store import KernelStore
from tests.kuhn import GAME as KUHN
from tests.leaky import GAME as LEAKY

ROOT = Path(__file__).parents[1]
compiled_only = pytest.mark.skipif(not compiling.JIT, reason="nothing is compiled")


@pytest.fixture(autouse=True)
def warnings_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_store, "_warned", set())


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
TABLE = table(1, OPTIONS, Field("points", "i4", (), EVERYONE, "points", 0, 1000), phases=2)
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


def start(folder: Path, name: str, code: str = PLAY, **variables: str) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT / 'src'}{os.pathsep}{ROOT}"}
    environment |= {"NUMBA_CACHE_DIR": str(folder / "cache")} | variables
    command = [sys.executable, "-c", textwrap.dedent(code), name]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(folder: Path, code: str, name: str = "tiny", **variables: str) -> tuple[str, str]:
    """What a process of its own prints to stdout and stderr; it must end well."""
    process = start(folder, name, code, **variables)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.strip(), err


def played(folder: Path, name: str) -> str:
    return run(folder, PLAY, name)[0]


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
@compiled_only
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


@pytest.mark.parametrize(
    "form", ["from tiny.inner.pieces import WORTH", "from .inner.pieces import WORTH", "import tiny.inner.pieces"]
)
def test_a_module_that_rules_import_counts_and_their_words_do_not(tmp_path: Path, form: str) -> None:
    tiny_game(tmp_path, "tiny", 5)
    (tmp_path / "tiny" / "inner").mkdir()
    pieces = tmp_path / "tiny" / "inner" / "pieces.py"
    (pieces.parent / "__init__.py").touch()
    pieces.write_text("WORTH = 5")
    rules = tmp_path / "tiny" / "rules.py"
    rules.write_text(f"{form}\n" + rules.read_text())
    digest = """
        from handfast.envs.core.compiling import source_digest
        from tiny import rules, view
        print(source_digest(rules, view))
    """
    first = run(tmp_path, digest)[0]
    with open(tmp_path / "tiny" / "__init__.py", "a") as file:
        file.write("# The package is not one of its rules.")
    assert run(tmp_path, digest)[0] == first
    pieces.write_text("WORTH = 6")
    assert run(tmp_path, digest)[0] != first


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (np, "__version__"),
        (numba, "__version__"),
        (llvmlite, "__version__"),
        (sys.implementation, "cache_tag"),
        (sys, "abiflags"),
    ],
)
def test_another_version_of_python_or_the_compiler_compiles_anew(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    digest = compiling.source_digest.__wrapped__
    before = digest(KUHN.rules)
    monkeypatch.setattr(owner, name, "another")
    assert digest(KUHN.rules) != before


def rules_in(module: ModuleType) -> list:
    return [value for value in vars(module).values() if isinstance(value, compiling._Rule)]


@compiled_only
@pytest.mark.parametrize("name", GAMES)
def test_every_module_with_rules_of_a_game_or_its_expert_is_among_its_sources(name: str) -> None:
    game, expert = GAMES[name], importlib.import_module(f"handfast.agents.experts.{name}")
    for modules in ((game.rules, game.view), (expert,)):
        sources = {module.__name__ for module in compiling.rule_modules(*modules)}
        assert {rule.__module__ for module in modules for rule in rules_in(module)} <= sources
        for module in compiling.rule_modules(*modules):
            assert {rule.__module__ for rule in rules_in(module)} <= sources
        assert not {game.words.__name__, game.picture.__name__} & sources


def test_what_is_changed_in_one_game_compiles_no_other() -> None:
    for name, game in GAMES.items():
        expert = importlib.import_module(f"handfast.agents.experts.{name}")
        for module in compiling.rule_modules(game.rules, game.view, expert):
            assert not {other for other in GAMES if other in module.__name__} - {name}
    sources = {module.__name__ for module in compiling.rule_modules(KUHN.rules, KUHN.view)}
    assert sources == {f"handfast.envs.core.{name}" for name in ("compiling", "features", "files", "kernel_store")} | {
        f"handfast.envs.core.{name}" for name in ("luck", "numba_private", "table")
    } | {"handfast.messages", "tests.kuhn.rules", "tests.kuhn.view"}


def test_kernels_of_one_name_in_one_file_are_kept_apart() -> None:
    def made(value: int):
        if value == 1:

            @compiling.kernel()
            def same(array):
                array[0] = 1
        else:

            @compiling.kernel()
            def same(array):
                array[0] = 2

        return same

    array = np.zeros(1)
    found = []
    for value in (1, 2, 1, 2):
        made(value)(array)
        found.append(array[0])
    assert found == [1, 2, 1, 2]


@compiled_only
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


@compiled_only
def test_a_rule_is_compiled_once_for_all_numbers_written_out_in_calls_and_can_be_called_from_python() -> None:
    @compiling.rule
    def double(number):
        return 2 * number

    @compiling.rule
    def total():
        return double(1) + double(2) + double(number=3)

    assert total() == 12
    assert len(double.dispatcher.overloads) == 1
    assert double(4) == 8


# --- Settings of the compiler

BEYOND = """
    import beyond, numpy
    try:
        print(beyond.third(numpy.arange(5)[:2]))
    except IndexError:
        print("IndexError")
"""


@pytest.mark.slow
@compiled_only
def test_a_kernel_compiled_under_other_settings_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "beyond.py").write_text(
        "from handfast.envs.core.compiling import kernel, rule\n"
        "@rule\ndef at(array, index):\n    return array[index]\n"
        "@kernel()\ndef third(array):\n    return at(array, 2)\n"
    )
    assert run(tmp_path, BEYOND)[0] == "2"
    assert run(tmp_path, BEYOND, NUMBA_BOUNDSCHECK="1")[0] == "IndexError"
    assert run(tmp_path, BEYOND)[0] == "2"
    stored = len(list((tmp_path / "cache").rglob("*.nbc")))
    assert stored == 2
    for variables in ({"NUMBA_DEBUGINFO": "1"}, {"NUMBA_OPT": "2"}, {"NUMBA_CPU_NAME": "generic"}):
        right = "IndexError" if "NUMBA_DEBUGINFO" in variables else "2"  # which checks bounds as well
        assert run(tmp_path, BEYOND, **variables)[0] == right
        stored += 1
        assert len(list((tmp_path / "cache").rglob("*.nbc"))) == stored


@pytest.mark.parametrize("name", numba_private._SETTINGS)
def test_every_setting_that_changes_the_code_is_in_the_key(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    before = numba_private.settings()
    monkeypatch.setattr(numba.config, name, "another")  # that there is one of this name is checked too
    assert numba_private.settings() != before


# --- A Numba that has changed

REMOVED = {
    "the class of dispatchers": "import numba.core.registry; del numba.core.registry.CPUDispatcher",
    "an option of rules": "from numba.core.cpu import CPUTargetOptions as o; o.no_cfunc_wrapper = None",
    "unliteral": """
        from types import SimpleNamespace
        numba.types = SimpleNamespace(**{name: value for name, value in vars(numba.types).items() if name != "unliteral"})
    """,
    "how calls are typed": """
        from numba.core import dispatcher, types
        plain = dispatcher.Dispatcher.get_call_template
        dispatcher.Dispatcher.get_call_template = lambda self, args, kws, context: plain(self, args, kws)
        def typed(self, context, args, kws):
            template, pysig, args, kws = self.dispatcher.get_call_template(args, kws, context)
            return template(context).apply(args, kws).replace(pysig=pysig)
        types.Dispatcher.get_call_type = typed
    """,
    "the module of caches": "import numba.experimental.function_type; sys.modules['numba.core.caching'] = None",
    "the cache that keeps nothing": "import numba.experimental.function_type; del numba.core.caching.NullCache",
    "the cache of a dispatcher": """
        from numba.core.dispatcher import Dispatcher
        def refuse(self, cache):
            if not isinstance(cache, numba.core.caching._Cache) or type(cache).__name__ == "Kept":
                raise AttributeError("no cache here")
        Dispatcher._cache = property(lambda self: numba.core.caching.NullCache(), refuse)
    """,
    "results taken apart": "del numba.core.compiler.CompileResult._reduce",
    "the name of the processor": "del numba.core.codegen.CPUCodegen.magic_tuple",
}


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("what", REMOVED)
def test_a_numba_without_what_is_private_to_it_costs_time_and_one_warning(tmp_path: Path, what: str) -> None:
    tiny_game(tmp_path, "tiny", 7)
    changed = "import sys, numba\n" + textwrap.dedent(REMOVED[what]) + PLAY
    for allowed in ((1,), (0, 1)):  # with the kernels on disk it may not even be noticed
        out, err = run(tmp_path, changed)
        assert out == "[7, 7, 7]"
        assert err.count("not as Handfast knows it") in allowed
        assert err.count("UserWarning") in allowed


MORE = """
    import sys, numba
    from numba.core.dispatcher import Dispatcher
    class Asking:
        def __init__(self, cache):
            self.cache = cache
        def load_overload(self, sig, context):
            return self.cache.load_overload(sig, context, "dependencies", stamps=())
        def save_overload(self, sig, data):
            self.cache.save_overload(sig, data, "dependencies", stamps=())
    def keep(self, cache):
        self.kept = Asking(cache) if type(cache).__name__ == "Kept" else cache
    Dispatcher._cache = property(lambda self: self.kept, keep)
"""


@pytest.mark.slow
@compiled_only
def test_a_numba_that_tells_its_cache_more_is_understood(tmp_path: Path) -> None:
    tiny_game(tmp_path, "tiny", 7)
    for _ in range(2):
        assert run(tmp_path, textwrap.dedent(MORE) + PLAY) == ("[7, 7, 7]", "")
    assert list((tmp_path / "cache").rglob("*.nbc"))


@compiled_only
def test_rules_compiled_the_plain_way_are_called_from_rules_kernels_closures_and_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(numba_private, "_part_class", lambda: None)
    monkeypatch.setattr(numba_private, "_cache_class", lambda: None)

    @compiling.rule
    def double(number):
        return 2 * number

    @compiling.rule
    def total(number):
        return double(1) + double(number=number)

    @compiling.kernel()
    def fill(array):
        for i in range(len(array)):
            array[i] = total(i)

    array = np.zeros(3, np.int64)
    fill(array)
    assert array.tolist() == [2, 4, 6]
    assert total(3) == 8
    assert not isinstance(total.dispatcher._cache, KernelStore)


COUNT = PLAY + "print(sum(importlib.import_module(sys.argv[1]).GAME.kernels.run.stats.cache_hits.values()))"


@compiled_only
def test_with_the_numba_of_today_the_fast_way_is_taken(tmp_path: Path) -> None:
    """A way round that is taken unnoticed would only be slow."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert numba_private._part_class() is not None
        assert numba_private._cache_class() is not None

    @compiling.rule
    def double(number):
        return 2 * number

    @compiling.kernel()
    def twice(number):
        return double(1) + double(2)

    assert twice(1) == 6
    assert isinstance(double.dispatcher, numba_private._part_class())
    assert len(double.dispatcher.overloads) == 1
    assert isinstance(twice._cache, numba_private._cache_class())
    tiny_game(tmp_path, "tiny", 7)
    assert run(tmp_path, COUNT) == ("[7, 7, 7]\n0", "")
    assert run(tmp_path, COUNT) == ("[7, 7, 7]\n1", "")


# --- Whom kernels on disk are taken from


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KernelStore:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    return KernelStore("name", "source", lambda: None)


def stored(folder: Path) -> list[Path]:
    return list(folder.rglob("*.nbc"))


@pytest.mark.skipif(os.name != "posix", reason="folders have no modes")
@pytest.mark.parametrize("umask", [0, 0o002, 0o077])
def test_folders_and_files_of_kernels_are_writable_for_their_owner_alone(
    tmp_path: Path, store: KernelStore, umask: int
) -> None:
    before = os.umask(umask)
    try:
        store.save(("key",), "kernel")
    finally:
        os.umask(before)
    for path in (tmp_path / "cache", tmp_path / "cache" / "handfast", *stored(tmp_path)):
        assert not path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    assert len(stored(tmp_path)) == 1
    assert store.load(("key",)) == "kernel"
    assert store.load(("another",)) is None


class Planted:
    """A pickle that runs code where it is loaded."""

    def __reduce__(self) -> tuple:
        return pytest.fail, ("planted code was run",)


@pytest.mark.skipif(os.name != "posix", reason="folders have no modes")
@pytest.mark.parametrize(
    ("place", "mode"),
    [("cache", 0o777), ("cache", 0o775), ("cache/handfast", 0o775), ("cache/handfast", 0o1777), ("file", 0o664)],
)
def test_kernels_that_others_could_have_written_are_not_loaded(
    tmp_path: Path, store: KernelStore, place: str, mode: int
) -> None:
    store.save(("key",), Planted())
    (tmp_path / place if place != "file" else stored(tmp_path)[0]).chmod(mode)
    with pytest.warns(UserWarning, match="others may write to") as told:
        found = [store.load(("key",)) for _ in range(6)]
    assert found == 6 * [None]
    assert len(told) == 1
    if place != "file":
        kept = {path: path.stat().st_mtime_ns for path in stored(tmp_path)}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            store.save(("key",), "kernel")  # nothing is said twice
        assert {path: path.stat().st_mtime_ns for path in stored(tmp_path)} == kept
    else:
        store.save(("key",), "kernel")
        assert store.load(("key",)) == "kernel"


@pytest.mark.skipif(os.name != "posix", reason="folders have no modes")
def test_a_folder_of_ones_own_in_one_for_everybody_is_fine(tmp_path: Path, store: KernelStore) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o1777)  # as /tmp is
    store.save(("key",), "kernel")
    assert store.load(("key",)) == "kernel"


@pytest.mark.skipif(os.name != "posix", reason="files have no owners")
@pytest.mark.parametrize("place", ["cache", "cache/handfast", "file"])
def test_what_belongs_to_another_user_is_not_loaded(
    tmp_path: Path, store: KernelStore, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(("key",), Planted())
    theirs = tmp_path / place if place != "file" else stored(tmp_path)[0]

    def of_another(plain: object) -> object:
        def facts(path: Path, **_: object) -> os.stat_result:
            found = list(plain(path))
            if Path(path) == theirs:
                found[stat.ST_UID] = os.geteuid() + 1
            return os.stat_result(found)

        return facts

    monkeypatch.setattr(os, "stat", of_another(os.stat))
    monkeypatch.setattr(os, "lstat", of_another(os.lstat))
    with pytest.warns(UserWarning, match="belongs to another user"):
        assert store.load(("key",)) is None


def test_a_link_in_place_of_a_kernel_is_not_followed(tmp_path: Path, store: KernelStore) -> None:
    store.save(("key",), Planted())
    path = stored(tmp_path)[0]
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.warns(UserWarning, match="not a plain file"):
        assert store.load(("key",)) is None


def test_without_a_folder_kernels_are_compiled_with_one_warning(tmp_path: Path) -> None:
    tiny_game(tmp_path, "tiny", 7)
    (tmp_path / "file").touch()
    code = PLAY + "batch.game.judge(batch.games)"
    out, err = run(tmp_path, code, NUMBA_CACHE_DIR=str(tmp_path / "file"))
    assert out == "[7, 7, 7]"
    assert err.count("Warning") == (1 if compiling.JIT else 0)
    assert err.count("Set NUMBA_CACHE_DIR to") == (1 if compiling.JIT else 0)


def test_kernels_without_source_are_not_kept_and_the_warning_says_why(tmp_path: Path) -> None:
    store = KernelStore("name", None, lambda: None)
    assert store.load(("key",)) is None
    with pytest.warns(UserWarning, match="source is not to be had") as told:
        store.save(("key",), "kernel")
    assert "NUMBA_CACHE_DIR" not in str(told[0].message)
    module = ModuleType("nowhere")
    assert compiling.source_digest(module) is None


@pytest.mark.slow
@compiled_only
def test_out_of_an_archive_kernels_are_compiled_and_kept(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.mkdir()
    tiny_game(games, "tiny", 7)
    archive = shutil.make_archive(str(tmp_path / "games"), "zip", games)
    shutil.rmtree(games)
    for _ in range(2):
        assert run(tmp_path, COUNT, PYTHONPATH=f"{archive}{os.pathsep}{ROOT / 'src'}{os.pathsep}{ROOT}")[1] == ""
    assert run(tmp_path, COUNT, PYTHONPATH=f"{archive}{os.pathsep}{ROOT / 'src'}{os.pathsep}{ROOT}")[0][-1] == "1"


# --- Waiting for kernels

LISTEN = "import logging\nlogging.basicConfig(level=logging.INFO)\n"


@pytest.mark.slow
@compiled_only
def test_who_listens_is_told_once_by_title_that_a_game_is_compiled_and_others_nothing(tmp_path: Path) -> None:
    tiny_game(tmp_path, "tiny", 7)
    package = tmp_path / "tiny" / "__init__.py"
    package.write_text(package.read_text().replace("'tiny', 0", "'The Tiny Game', 0"))
    more = PLAY + "batch.game.judge(batch.games)"
    err = run(tmp_path, LISTEN + more)[1]
    assert err.count("compiling the rules of The Tiny Game") == 1
    assert run(tmp_path, LISTEN + more)[1] == ""
    package.write_text(package.read_text() + "# changed")
    (tmp_path / "tiny" / "view.py").write_text((tmp_path / "tiny" / "view.py").read_text() + "# changed")
    assert run(tmp_path, more)[1] == ""


@pytest.fixture
def quiet_log() -> Iterator[logging.Logger]:
    log = logging.getLogger("handfast")
    handlers, level = list(log.handlers), log.level
    yield log
    log.handlers[:], log.level = handlers, level


@pytest.mark.parametrize("terminal", [True, False])
def test_the_command_line_tells_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, quiet_log: logging.Logger, terminal: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    ahead_of_time.tell()
    ahead_of_time.tell()
    quiet_log.info("compiling the rules of %s", "a game")
    assert capsys.readouterr().err == ("compiling the rules of a game\n" if terminal else "")


AHEAD = """
    import importlib, sys
    from handfast.compile import ahead
    from handfast.agents.names import built_in, find
    from handfast.envs import get
    from handfast.envs.core.batch import Batch
    game = get(sys.argv[1])
    assert ahead(game) > 0
    expert = importlib.import_module(f"handfast.agents.experts.{game.name}")
    kernels = [*game.kernels, getattr(expert, f"decide_{game.name}")]
    assert [len(kernel.signatures) for kernel in kernels] == 7 * [1], kernels
    batch = Batch(game, 5, seed=1, threads=2, reward="score")
    for name in built_in(game):
        batch.step(batch.ask(find(name, game)))
        batch.ask(find(name, game), batch.seats.argsort()[1:])
    batch.hidden()
    games = game.guess(batch.views, batch.seats, batch.keys)
    game.judge(games)
    game.look(games, 0)
    assert [len(kernel.signatures) for kernel in kernels] == 7 * [1]
"""


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("name", GAMES)
def test_all_that_playing_needs_can_be_compiled_ahead(tmp_path: Path, name: str) -> None:
    assert run(ROOT, AHEAD, name, NUMBA_CACHE_DIR=os.environ.get("NUMBA_CACHE_DIR", "")) == ("", "")


def test_a_game_without_an_expert_can_be_compiled_ahead() -> None:
    assert ahead_of_time.ahead(KUHN) > 0
