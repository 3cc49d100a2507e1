"""All that Handfast uses of Numba beyond its documented interface, each piece with a way to do without it.

A new Numba may change any of this. Then rules are compiled by plain `numba.njit`, or kernels are not kept on disk: a
start takes longer and one warning says so, but nothing breaks. What is caught here is therefore any exception at all.
"""

import functools
from collections.abc import Callable
from typing import Any, Protocol

import numba

from handfast.envs.core.kernel_store import warn_once

# The settings of Numba that change the machine code, beside the processor's name and features.
_SETTINGS = (
    "BOUNDSCHECK",
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "DISABLE_INTEL_SVML",
    "LLVM_REFPRUNE_PASS",
    "LLVM_REFPRUNE_FLAGS",
    "DEBUGINFO_DEFAULT",
    "EXTEND_VARIABLE_LIFETIMES",
    "ENABLE_PROFILING",
    "FULL_TRACEBACKS",
    "DEBUG_JIT",
    "DEBUG_NRT",
    "DEBUG_ARRAY_OPT",
    "DEBUG_ARRAY_OPT_RUNTIME",
    "USE_LLVMLITE_MEMORY_MANAGER",
)


class Store(Protocol):
    """Where the results of compiling are kept."""

    def load(self, key: tuple) -> Any:
        """What was saved under this key, or None."""

    def save(self, key: tuple, parts: Any) -> None:
        """Keep something that can be pickled."""


def settings() -> tuple:
    """The settings of Numba, as they are now, that change what it compiles."""
    return tuple((name, str(vars(numba.config).get(name))) for name in _SETTINGS)


def _differs(what: str, error: Exception) -> None:
    reason = f"{type(error).__name__}: {error}"[:160]
    warn_once(what, f"Numba {numba.__version__} is not as Handfast knows it ({reason}): {what}")


# --- Rules


def part(function: Callable, options: dict[str, Any]) -> Any:
    """A function compiled as a part of kernels; by plain `numba.njit` where this Numba can't do better."""
    dispatcher = _part_class()
    return dispatcher(function, options) if dispatcher else numba.njit(**options)(function)


@functools.cache
def _part_class() -> Any:
    """The dispatcher of rules, tried out on a small one; None where it does not work with this Numba."""
    try:
        from numba.core.registry import CPUDispatcher

        class Part(CPUDispatcher):
            """Without an entry from Python, which would take a quarter of the time to compile."""

            def __init__(self, function: Callable, options: dict[str, Any]):
                without_entry = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
                super().__init__(function, targetoptions=options | without_entry)

            def get_call_template(self, args: Any, kws: Any) -> Any:
                """Compiled once for types: Numba would do so anew for every number that is written out in a call."""
                plain = {name: numba.types.unliteral(value) for name, value in kws.items()}
                return super().get_call_template([numba.types.unliteral(value) for value in args], plain)

        tried = Part(lambda number: 2 * number, {})
        if numba.njit(lambda: tried(1) + tried(number=2))() != 6:
            raise ValueError("2 * 1 + 2 * 2 is not 6")
    except Exception as error:  # noqa: BLE001
        _differs("rules take longer to compile", error)
        return None
    return Part


# --- Kernels on disk


def keep(dispatcher: Any, store: Store) -> None:
    """Let a dispatcher look in `store` before it compiles, and save there what it compiled."""
    cache = _cache_class()
    if cache is None:
        return
    try:
        if not callable(dispatcher._cache.load_overload) or not callable(dispatcher._cache.save_overload):
            raise TypeError("a dispatcher's cache has other methods")
        dispatcher._cache = cache(store)
    except Exception as error:  # noqa: BLE001
        _differs(_NOT_KEPT, error)


_NOT_KEPT = "compiled kernels are not kept on disk, and every process compiles them anew"


@functools.cache
def _cache_class() -> Any:
    """The cache of a dispatcher, over a `Store`; None where this Numba has no place for one."""
    try:
        from numba.core.caching import NullCache  # what a new Numba may ask of a cache, this one answers
        from numba.core.compiler import CompileResult
    except Exception as error:  # noqa: BLE001
        _differs(_NOT_KEPT, error)
        return None

    class Kept(NullCache):
        def __init__(self, store: Store):
            self._store = store

        def load_overload(self, sig: Any, target_context: Any, *_: Any, **__: Any) -> Any:
            try:
                target_context.refresh()
                parts = self._store.load(_key(sig, target_context.codegen()))
                return None if parts is None else CompileResult._rebuild(target_context, *parts)
            except Exception as error:  # noqa: BLE001
                _differs(_NOT_KEPT, error)
                return None

        def save_overload(self, *arguments: Any, **_: Any) -> None:
            try:
                sig, data = arguments[:2]
                if not data.lifted and not data.library.has_dynamic_globals:
                    self._store.save(_key(sig, data.target_context.codegen()), data._reduce())
            except Exception as error:  # noqa: BLE001
                _differs(_NOT_KEPT, error)

    return Kept


def _key(sig: Any, codegen: Any) -> tuple:
    """What tells the machine codes of one function apart: its types, the processor, and Numba's settings."""
    return repr(sig), codegen.magic_tuple(), settings()
