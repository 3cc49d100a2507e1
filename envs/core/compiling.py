"""How rules are compiled: one Python source, run as machine code or, with NUMBA_DISABLE_JIT=1, as plain Python.

Numba's own disk cache is not used as it is, for three reasons: it keys a kernel that closes over rules by a
pickle that differs in every process, so it never hits; it does not notice a change in an imported rule; and it
keeps one unlocked index for all closures of a function, so that processes starting together on a cold cache can
load one game's kernel for another. Here every compiled kernel has a file of its own, named by a hash of all the
source it was made from, of the compiler and of its settings.
"""

import ast
import functools
import hashlib
import importlib.util
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.extending import typeof_impl

from handfast.envs.core import numba_private
from handfast.envs.core.kernel_store import KernelStore

JIT = not vars(numba.config)["DISABLE_JIT"]
"""Whether rules run compiled; False with the environment variable NUMBA_DISABLE_JIT=1."""

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


class _Rule:
    """A function of the rules, compiled when a kernel first needs it, or a call from Python."""

    def __init__(self, function: Callable):
        functools.update_wrapper(self, function)
        self.py_func = function

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's object for the function, as a part of kernels."""
        return numba_private.part(self.py_func, _OPTIONS)

    @functools.cached_property
    def _from_python(self) -> Any:
        return numba.njit(**_OPTIONS)(self.py_func)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        return self._from_python(*args, **kws)


@typeof_impl.register(_Rule)
def _type_of_rule(rule: _Rule, context: Any) -> Any:
    return typeof_impl(rule.dispatcher, context)


def rule(function: Callable) -> Any:
    """Decorator of every function of the rules: compiled when a kernel first needs it, or a call from Python."""
    return _Rule(function) if JIT else function


def kernel(*modules: ModuleType) -> Callable[[Callable], Callable]:
    """Decorator: compile a loop over games that is made from the rules in `modules`, and in the function's own module.

    It is kept on disk until the source of any of these, or of what they import, changes.
    """

    def compiled(function: Callable) -> Callable:
        if not JIT:
            return function
        own = sys.modules.get(function.__module__) or ModuleType(function.__module__)
        owner = modules[0].__name__ if modules else own.__name__
        place = f"{own.__name__}.{function.__qualname__}:{function.__code__.co_firstlineno}"
        # Compiled names must tell kernels apart that were compiled in different processes and are loaded by one.
        function.__qualname__ = f"{owner}.{function.__name__}"
        digest = source_digest(own, *modules)  # now: a file that is changed later is not what was imported
        source = digest and f"{digest} {owner} {place}"
        dispatcher: Any = numba.njit(**_OPTIONS)(function)
        store = KernelStore(function.__name__, source, lambda: _tell(_title(own, *modules) or owner))
        numba_private.keep(dispatcher, store)
        return dispatcher

    return compiled


@functools.cache
def _tell(title: str) -> None:
    """Say, to whoever listens to the log, that there is something to wait for."""
    logging.getLogger("handfast").info("compiling the rules of %s: once, 5 to 20 seconds …", title)


def _title(*modules: ModuleType) -> str | None:
    """The title of the game that these modules belong to, or are about."""
    for module in rule_modules(*modules):
        game = getattr(sys.modules.get(module.__package__ or ""), "GAME", None)
        if game is not None:
            return game.title
    return None


# --- What a kernel is made from


@functools.cache
def source_digest(*modules: ModuleType) -> str | None:
    """A hash of the versions of Python and the compiler, and of the source of `modules` and what they import.

    None where a source is not to be had, and nothing can tell whether it changed.
    """
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    digest = hashlib.sha256(f"{python} {numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    for module in rule_modules(*modules):
        source = _source(module)
        if source is None:
            return None
        digest.update(module.__name__.encode() + b"\0" + source + b"\0")
    return digest.hexdigest()


def rule_modules(*modules: ModuleType) -> list[ModuleType]:
    """`modules` and all that they import, directly or through others, where rules may stand.

    That is in the packages of `modules`, in Handfast, and wherever else a module holds a rule.
    """
    packages = {"handfast", *(_package(module) for module in modules)}
    found: dict[str, ModuleType] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module.__name__ in found:
            continue
        found[module.__name__] = module
        for one in _imports(module):
            if _package(one) in packages or any(isinstance(value, _Rule) for value in vars(one).values()):
                waiting.append(one)
    return [found[name] for name in sorted(found)]


def _package(module: ModuleType) -> str:
    return (module.__package__ or module.__name__).partition(".")[0]


@functools.cache
def _source(module: ModuleType) -> bytes | None:
    """The source of a module, from its file or, out of an archive, from its loader; None where there is none."""
    path = Path(getattr(module, "__file__", None) or "")
    if path.suffix == ".py" and path.is_file():
        return path.read_bytes()
    loader: Any = getattr(module, "__loader__", None)
    source = loader.get_source(module.__name__) if hasattr(loader, "get_source") else None
    return source and source.encode()


@functools.cache
def _imports(module: ModuleType) -> list[ModuleType]:
    """The modules that a module's source imports, at its head or inside."""
    found = []
    for node in ast.walk(ast.parse(_source(module) or b"")):
        if isinstance(node, ast.Import):
            found += [sys.modules.get(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            found += _imported_from(importlib.util.resolve_name(name, module.__package__), node)
    return [one for one in found if isinstance(one, ModuleType)]


def _imported_from(name: str, node: ast.ImportFrom) -> Iterator[ModuleType | None]:
    """The modules among the names that are imported from one, and itself for its other names."""
    package = sys.modules.get(name)
    for alias in node.names:
        inner = sys.modules.get(f"{name}.{alias.name}")
        yield inner
        if inner is None or getattr(package, alias.name, None) is not inner:
            yield package


def boxed(records: np.ndarray) -> np.ndarray:
    """Records as the rules take them: plain arrays compiled, `np.recarray` (fields as attributes) in plain Python."""
    return records if JIT else records.view(np.recarray)


def as_bytes(records: np.ndarray) -> np.ndarray:
    """The memory of `records` as uint8 [n, bytes], not a copy."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
