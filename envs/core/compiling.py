"""How rules are compiled: one Python source, run as machine code or, with NUMBA_DISABLE_JIT=1, as plain Python.

Numba's own disk cache is not used as it is, for three reasons: it keys a kernel that closes over rules by a
pickle that differs in every process, so it never hits; it does not notice a change in an imported rule; and it
keeps one unlocked index for all closures of a function, so that processes starting together on a cold cache can
load one game's kernel for another. Here every compiled kernel has a file of its own, named by a hash of all the
source it was made from, written whole and then renamed.
"""

import functools
import hashlib
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config, types
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

from handfast.envs.core.files import write_whole

JIT = not config.DISABLE_JIT  # type: ignore[attr-defined]
"""Whether rules run compiled; False with the environment variable NUMBA_DISABLE_JIT=1."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


class _Rule(CPUDispatcher):
    """A function of the rules, compiled as a part of kernels: without the way in from Python, a quarter of the time."""

    def __init__(self, function: Callable):
        without_entry = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=_OPTIONS | without_entry)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compiled once for types: Numba would do so anew for every number that is written out in a call."""
        plain = {name: types.unliteral(value) for name, value in kws.items()}
        return super().get_call_template([types.unliteral(value) for value in args], plain)

    @functools.cached_property
    def _from_python(self) -> Any:
        return numba.njit(**_OPTIONS)(self.py_func)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        return self._from_python(*args, **kws)


def rule(function: Callable) -> Any:
    """Decorator of every function of the rules: compiled when a kernel first needs it, or a call from Python."""
    return _Rule(function) if JIT else function


# Modules, of the core or of a game, that hold no rules: a change in them compiles nothing anew.
WITHOUT_RULES = frozenset(
    (
        "aec",
        "batch",
        "decisions",
        "faces",
        "files",
        "game",
        "pages",
        "records",
        "scenarios",
        "seat",
        "words",
        "wording",
        "picture",
    )
)

_DIGEST = 32


class _OneFilePerKernel:
    """Stores compiled kernels under one folder: a file for each source text, kernel, signature and processor."""

    def __init__(self, folder: str, name: str):
        self._folder, self._name = Path(folder), name

    def _path(self, key: tuple) -> Path:
        return self._folder / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

    def load(self, key: tuple) -> Any:
        """The stored kernel, or None where there is none or the file was damaged."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
            return None
        return pickle.loads(content[_DIGEST:])

    def save(self, key: tuple, kernel: Any) -> None:
        """Write a kernel whole and rename it into place; a folder that became unwritable only costs time."""
        body = pickle.dumps(kernel, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            write_whole(self._path(key), hashlib.sha256(body).digest() + body)
        except OSError as error:
            warnings.warn(f"compiled kernels are not kept: {error}", stacklevel=2)


class _SourceKeyedCache(FunctionCache):
    """Numba's cache logic over `_OneFilePerKernel`."""

    def __init__(self, function: Callable, digest: str):
        super().__init__(function)
        place = f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"
        name = hashlib.sha256(f"{digest} {place}".encode()).hexdigest()[:24]
        self._cache_file = _OneFilePerKernel(self._cache_path, f"{function.__name__}-{name}")

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return sig, codegen.magic_tuple()


@functools.cache
def source_digest(*folders: Path) -> str:
    """A hash of the compiler's versions and every Python file in `folders` that may hold rules."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    for folder in folders:
        for path in sorted(path for path in folder.glob("*.py") if path.stem not in WITHOUT_RULES):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def kernel(*folders: Path) -> Callable[[Callable], Callable]:
    """Decorator: compile a loop over games, kept on disk until any source file in `folders` changes."""

    def compiled(function: Callable) -> Callable:
        if not JIT:
            return function
        # Compiled names must tell kernels apart that were compiled in different processes and are loaded by one.
        function.__qualname__ = f"{folders[-1].name}.{function.__name__}"
        dispatcher: Any = numba.njit(**_OPTIONS)(function)
        try:
            dispatcher._cache = _SourceKeyedCache(dispatcher.py_func, source_digest(*folders))
        except RuntimeError:
            warnings.warn(
                "no writable folder for compiled kernels: they are compiled anew in every process. "
                "Set NUMBA_CACHE_DIR to a writable folder.",
                stacklevel=2,
            )
        return dispatcher

    return compiled


def boxed(records: np.ndarray) -> np.ndarray:
    """Records as the rules take them: plain arrays compiled, `np.recarray` (fields as attributes) in plain Python."""
    return records if JIT else records.view(np.recarray)


def as_bytes(records: np.ndarray) -> np.ndarray:
    """The memory of `records` as uint8 [n, bytes], not a copy."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
