"""Training curves in TensorBoard's form."""

import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

FILE = "events.out.tfevents."


class Curves:
    """A file of points in `folder`, for one stretch of a run that goes on after the step before `begins`.

    TensorBoard reads a folder's files by name, and drops at the beginning of each what those before have from the
    step `begins` on. So the files are numbered: PyTorch's own writer names them by the clock, which may not have
    moved on between a kill and the resumed run. A point is in the file as soon as it is added. A context manager.
    """

    def __init__(self, folder: Path, begins: int):
        folder.mkdir(parents=True, exist_ok=True)
        numbers = [path.name.removeprefix(FILE) for path in folder.glob(f"{FILE}*")]
        number = max((int(one) for one in numbers if one.isdecimal()), default=0) + 1
        self._file = open(folder / f"{FILE}{number:010d}", "xb")  # noqa: SIM115  closed by __exit__
        self._records = RecordWriter(self._file)
        self._write(Event(wall_time=time.time(), file_version="brain.Event:2"))
        self._write(Event(wall_time=time.time(), step=begins, session_log=SessionLog(status=SessionLog.START)))

    def __enter__(self) -> "Curves":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, figures: Mapping[str, float], step: int) -> None:
        """One point of each curve, by name."""
        values = [Summary.Value(tag=name, simple_value=value) for name, value in figures.items()]
        self._write(Event(wall_time=time.time(), step=step, summary=Summary(value=values)))

    def _write(self, event: Event) -> None:
        self._records.write(event.SerializeToString())
        self._file.flush()
