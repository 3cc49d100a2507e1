"""Speed: what is measured is what is trained."""

import pytest

from handfast import bench
from handfast.training import config
from tests.kuhn import GAME


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.02)
    monkeypatch.setattr(bench, "REPEATS", 1)
    monkeypatch.setattr(bench, "GAMES", 16)


@pytest.mark.parametrize("form", bench.FORMS)
def test_one_form_is_measured_alone(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load = config.load
    monkeypatch.setattr(
        config, "load", lambda game, changes: load(game, {"games": 8, "steps": 4, "width": 8, **changes})
    )
    found = list(bench.rows(GAME, [2], [form]))
    assert {row["form"] for row in found} == {form}
    assert all(row["decisions_per_cpu_second"] > 0 for row in found)
    if form == "train":
        assert found[0]["note"].startswith("8 games x 4 steps, 1 epochs of 2048")


def test_more_forms_and_more_player_counts_are_said_to_take_longer() -> None:
    one, more, most = (bench.estimate(GAME, [2], forms) for forms in (["aec"], ["aec", "batch"], bench.FORMS))
    assert 0 < one < more < most < bench.estimate(GAME, [2, 2], bench.FORMS)
