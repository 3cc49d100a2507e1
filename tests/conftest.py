"""Tests that need one game's kernels run in one process, so that two processes don't compile the same."""

import pytest

from handfast.envs import GAMES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group tests by the game that they name, in their path or in their parameters."""
    for item in items:
        for name in GAMES:
            if name in item.nodeid:
                item.add_marker(pytest.mark.xdist_group(name))
