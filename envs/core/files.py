"""Bytes that tell when they are damaged, and files that are written whole."""

import errno
import hashlib
import os
import re
import threading
from collections.abc import Sequence
from pathlib import Path

_MAGIC = b"handfast"
_HEAD = len(_MAGIC) + 32


def seal(body: bytes) -> bytes:
    """`body` behind a mark and its hash."""
    return _MAGIC + hashlib.sha256(body).digest() + body


def unseal(data: bytes) -> bytes:
    """What `seal` was given; ValueError where these bytes are something else or damaged."""
    if not isinstance(data, bytes) or not data.startswith(_MAGIC):
        raise ValueError("these bytes were not saved by Handfast")
    body = data[_HEAD:]
    if hashlib.sha256(body).digest() != data[len(_MAGIC) : _HEAD]:
        raise ValueError("these bytes are damaged: their hash is not the one that they were saved with")
    return body


def write_whole(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write to a temporary file beside `path`, flush it to disk, and rename it into place.

    A reader never sees half of it, and a kill in mid-write loses nothing. A link stays one: what it leads to is
    written. OSError names `path`, also where that is a folder, a device or a pipe. `mode`, less the umask, says who may
    read and write it.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "not a file that can be replaced", str(path))
    draft = target.with_name(f".{target.name}-{os.getpid()}-{threading.get_ident()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException as error:
        if draft.exists():
            draft.unlink()
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def clear_drafts(folder: Path, names: Sequence[str]) -> None:
    """Remove what kills have left of `write_whole` in a folder, for files of these names (patterns of `Path.glob`).

    Only for whoever alone writes there: a draft that is being written would go too.
    """
    for name in names:
        for draft in folder.glob(f".{name}-*-*"):
            if re.search(r"-\d+-\d+$", draft.name):
                draft.unlink(missing_ok=True)
