"""Compiled kernels on disk, in folders that nobody else can write to.

A stored kernel is a pickle with machine code: whoever can write one runs code as whoever loads it. So a folder or
file that belongs to another user than root, or that others may write to, is neither read nor written.
"""

import hashlib
import os
import pickle
import stat
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from handfast.envs.core.files import seal, unseal, write_whole

_warned: set[str] = set()


def warn_once(kind: str, message: str) -> None:
    """Warn, once in a process for each kind of trouble: six kernels of a game have the same."""
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, stacklevel=1)


class KernelStore:
    """Kernels of one function, a file for each key.

    `source` is a text that changes with the function's source; None, where that is unknown, keeps nothing.
    `missing()` is called when a kernel is not there.
    """

    def __init__(self, name: str, source: str | None, missing: Callable[[], None]):
        self._name, self._source, self._missing = name, source, missing

    def _file(self, key: tuple) -> str:
        return f"{self._name}-{hashlib.sha256(f'{self._source} {key!r}'.encode()).hexdigest()[:32]}.nbc"

    def load(self, key: tuple) -> Any:
        """The stored kernel, or None where there is none, it was damaged, or others could have written it."""
        found = self._found(key)
        if found is None:
            self._missing()
        return found

    def _found(self, key: tuple) -> Any:
        for folder in folders() if self._source else ():
            content = _trusted_content(folder, self._file(key))
            if content is not None:
                try:
                    return pickle.loads(unseal(content))
                except ValueError:  # damaged
                    continue
        return None

    def save(self, key: tuple, parts: Any, *_: Any) -> None:
        """Write a kernel whole into the first folder that takes it; a warning where none does."""
        if not self._source:
            _not_kept("their source is not to be had", "Install Handfast with its .py files.")
            return
        content = seal(pickle.dumps(parts, protocol=pickle.HIGHEST_PROTOCOL))
        reason = "there is no folder for them"
        for folder in folders():
            try:
                _make(folder)
                reason = why_not_trusted(folder)
                if not reason:
                    write_whole(folder / self._file(key), content, mode=0o644)
                    return
            except OSError as error:
                reason = str(error)
        _not_kept(reason, "Set NUMBA_CACHE_DIR to a folder that you, and you alone, can write to.")


def _not_kept(reason: str, advice: str) -> None:
    warn_once("kernels", f"compiled kernels are not kept, every process compiles them anew: {reason}. {advice}")


def folders() -> list[Path]:
    """Where kernels may lie: under NUMBA_CACHE_DIR if that is set, else beside the source, else in the user's cache."""
    if _chosen():
        return [Path(_chosen()) / "handfast"]
    return [Path(__file__).parent / "__pycache__" / "kernels", *_user_cache()]


def _chosen() -> str:
    """NUMBA_CACHE_DIR, or nothing."""
    return vars(numba.config).get("CACHE_DIR") or ""


def _user_cache() -> list[Path]:
    name = {"win32": "LOCALAPPDATA"}.get(sys.platform, "XDG_CACHE_HOME")
    try:
        return [Path(os.environ.get(name) or Path.home() / ".cache") / "handfast" / "kernels"]
    except RuntimeError:  # nobody's home
        return []


def _make(folder: Path) -> None:
    """Make a folder and those above it, writable for nobody else whatever the umask."""
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir(mode=0o755, exist_ok=True)


def _trusted_content(folder: Path, name: str) -> bytes | None:
    """What stands in a file that only this user or root could have written; None, perhaps with a warning, otherwise."""
    path = folder / name
    try:
        reason = why_not_trusted(folder) or _why_not(path, os.lstat(path), stat.S_ISREG)
        if not reason:
            return path.read_bytes()
    except OSError:
        return None  # not there, or not for us to read
    warn_once("kernels", f"compiled kernels in {folder} are neither used nor kept, since they run as code: {reason}")
    return None


def why_not_trusted(folder: Path) -> str:
    """Why kernels in this folder are not to be trusted, or nothing; OSError where there is no such folder."""
    reason = _why_not(folder, os.stat(folder), stat.S_ISDIR)
    if not reason and _chosen():
        reason = _why_not(folder.parent, os.stat(folder.parent), stat.S_ISDIR, sticky=True)
    return reason


def _why_not(path: Path, facts: os.stat_result, right_kind: Callable[[int], bool], sticky: bool = False) -> str:
    """Why others could have written what stands here; in a sticky folder they can't replace what is not theirs."""
    if not right_kind(facts.st_mode):
        return f"{path} is not a plain file or folder"
    if os.name != "posix":
        return ""
    if facts.st_uid not in (0, os.geteuid()):
        return f"{path} belongs to another user"
    if facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not (sticky and facts.st_mode & stat.S_ISVTX):
        return f"others may write to {path} (chmod go-w {path} changes that)"
    return ""
