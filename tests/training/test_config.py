"""Configs: typed defaults, a game's file over them, the command line over both."""

from pathlib import Path

import pytest

from handfast.envs import GAMES
from handfast.training import config
from tests.kuhn import GAME as KUHN


def test_every_games_config_can_be_read() -> None:
    for game in GAMES.values():
        assert config.load(game).players == game.player_counts
    assert {path.stem for path in config.CONFIGS.glob("*.toml")} == {"default", *GAMES}


def test_later_values_override_earlier_ones(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("width = 64\nlearning_rate = 1\n[options]\nstake = 3\n")
    made = config.load(KUHN, {"width": 32}, file)
    assert (made.width, made.learning_rate, made.options) == (32, 1.0, {"stake": 3})


@pytest.mark.parametrize(
    ("text", "value"),
    [("width=64", 64), ("entropy=0.1", 0.1), ("entropy=1", 1.0), ("reward=score", "score"), ("players=[2]", (2,)), ("decisions=3_000_000", 3_000_000), ("options={stake = 2}", {"stake": 2}), ("critic_sees_hidden=false", False)],
)  # fmt: skip
def test_settings_from_the_command_line(text: str, value: object) -> None:
    assert config.parse(text)[1] == value


@pytest.mark.parametrize(
    ("text", "message"),
    [("widht=64", "did you mean 'width'"), ("foo=1", "the settings are players, options"), ("width", "name=value"), ("width=wide", "width must be int"), ("width=1.5", "width must be int"), ("players=3", "players must be a list"), ("entropy=true", "entropy must be float")],
)  # fmt: skip
def test_wrong_settings_are_refused_with_the_right_ones(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        config.parse(text)


@pytest.mark.parametrize(
    ("values", "message"),
    [({"players": (3,)}, "played by"), ({"options": {"colour": 1}}, "no option"), ({"games": 0}, "games must be at least 1"), ({"seed": -1}, "a seed is a whole number"), ({"learning_rate": float("nan")}, "learning_rate must be a number above 0"), ({"entropy": -1.0}, "entropy must be a number from 0"), ({"gae_lambda": 2.0}, "gae_lambda must be from 0 to 1"), ({"reward": "money"}, "reward must be one of"), ({"width": 10**9}, "width must be at most 16,384"), ({"blocks": 10**9}, "blocks must be at most 16,384")],
)  # fmt: skip
def test_values_that_no_run_could_have_are_refused(values: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        config.make(KUHN, values)


def test_every_player_count_gets_a_game() -> None:
    with pytest.raises(ValueError, match="games must be at least 3"):
        config.make(GAMES["justiciar"], {"games": 2})


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("width = \n")
    with pytest.raises(ValueError, match=r"own\.toml"):
        config.load(KUHN, file=file)
    with pytest.raises(ValueError, match="there is no file"):
        config.load(KUHN, file=tmp_path / "none.toml")
