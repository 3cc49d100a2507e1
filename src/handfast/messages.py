"""What a person types, and what is said in return: paths with ~, and messages of one line whatever was typed."""

import re
from pathlib import Path

LONGEST = 80  # characters of a value
LONGEST_PATH = 300
WHOLE = 600  # of a message

# Values as messages hold them: between quotes, in one pair of brackets, or without a space.
_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\[[^\[\]]*\]|\S+", re.S)


def typed_path(text: str) -> Path:
    """The path that was typed, ~ written out: no shell does so inside `--out=~/x` or `checkpoint:~/x`."""
    if "\0" in text:
        raise ValueError(f"a path holds no NUL character: {shown(text)}")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"there is no home folder for {shown(text)}") from None


def brief(message: object) -> str:
    """A message as one printable line, each value in it cut to about 80 characters, a path to 300."""
    line = _VALUES.sub(lambda value: _cut(value[0], LONGEST_PATH if "/" in value[0] else LONGEST), str(message).strip())
    return _cut(" ".join("".join(map(_printable, line)).split()), WHOLE)


def shown(value: object) -> str:
    """A value as Python writes it, cut to about 80 characters."""
    try:
        return _cut("".join(map(_printable, repr(value))), LONGEST)
    except ValueError:
        return "a number of thousands of digits"


def of_error(error: BaseException) -> str:
    """What an error says, in one line: the file and the reason where the operating system gave it."""
    if isinstance(error, OSError) and error.strerror:
        return brief(error.strerror if error.filename is None else f"{error.filename}: {error.strerror}")
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, OverflowError):
        return f"a number is too large ({brief(error)})"
    return brief(error) or type(error).__name__


def _cut(text: str, most: int) -> str:
    """The beginning of a text that is too long, with the mark that closes it."""
    if len(text) <= most + 2:
        return text
    closing = {"[": "]", "'": "'", '"': '"', "`": "`"}.get(text[0], "")
    return text[:most] + "…" + closing


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else character.encode("unicode_escape").decode("ascii")
