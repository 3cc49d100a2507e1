"""Configs: typed defaults, a game's file over them, the command line over both."""

import dataclasses
from pathlib import Path

import pytest

from handfast.envs import GAMES
from handfast.training import config
from tests.kuhn import GAME as KUHN


def test_every_games_config_can_be_read() -> None:
    for game in GAMES.values():
        assert config.load(game).players == game.player_counts
    assert {path.stem for path in config.CONFIGS.glob("*.toml")} == set(GAMES)


def test_a_games_config_changes_defaults_and_no_two_games_all_agree_on_another_value() -> None:
    """What every game trains with is the default, and nothing is written twice."""
    files = [config.read(path) for path in config.CONFIGS.glob("*.toml")]
    defaults = {one.name: one.default for one in dataclasses.fields(config.Config)}
    for values in files:
        assert all(value != defaults[name] for name, value in values.items())
    for name in config.TYPES:
        values = [values.get(name, defaults[name]) for values in files]
        assert name in ("options", "decisions") or values.count(values[0]) < len(values) or values[0] is defaults[name]


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


HUGE = 10**400  # too large for a float


@pytest.mark.parametrize(
    ("values", "message"),
    [({"players": (3,)}, "played by"), ({"options": {"colour": 1}}, "no option"), ({"games": 0}, "games must be from 1 to 1,048,576, not 0"), ({"games": 10**12}, "games must be from 1 to"), ({"seed": -1}, "seed must be from 0 to"), ({"learning_rate": float("nan")}, "learning_rate must be above 0 and at most 1, not nan"), ({"learning_rate": HUGE}, "learning_rate must be above 0"), ({"clip": 0}, "clip must be above 0"), ({"victory": -HUGE}, "victory must be from"), ({"entropy": -1.0}, "entropy must be from 0"), ({"gae_lambda": 2.0}, "gae_lambda must be from 0 to 1"), ({"reward": "money"}, "reward must be one of"), ({"reward": "money" * 10**5}, "reward must be one of"), ({"width": 10**9}, "width must be from 1 to 16,384"), ({"blocks": 10**9}, "blocks must be from 0 to 16,384"), ({"threads": 100_000}, "threads must be from 0 to 1,024"), ({"decisions": HUGE}, "decisions must be from"), ({"width": 16_384, "blocks": 16_384}, "GiB of memory at least"), ({"games": 2**20, "steps": 2**16}, "GiB of memory at least"), ({"players": [HUGE]}, "played by"), ({"x" * 10**5: 1}, "there is no setting"), ({"options": {"y" * 10**5: 1}}, "no option")],
)  # fmt: skip
def test_values_that_no_run_could_have_are_refused(values: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        config.make(KUHN, values)
    assert len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


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


@pytest.mark.parametrize(
    ("text", "message"),
    [("learning_rate = 1" + 400 * "0", "learning_rate must be above 0"), ("games = 0", "games must be from 1"), ("players = [7]", "played by"), ("options = {colour = 1}", "no option"), ("widht = 3", "did you mean 'width'"), ("width = 1" + 5000 * "0", "digits"), ("a = " + 2000 * "[", ""), ("games = 2", "games must be at least 3"), ("reward = 'x'", "reward must be one of")],
)  # fmt: skip
def test_whatever_is_wrong_in_a_file_the_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text + "\n")
    with pytest.raises(ValueError, match=rf"own\.toml: .*{message}") as caught:
        config.load(GAMES["justiciar"], file=file)
    assert len(str(caught.value)) < 500 + len(str(file))


def test_a_wrong_value_beside_a_file_does_not_blame_it(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text("games = 9\n")
    with pytest.raises(ValueError, match=r"^games must be at least 3"):
        config.load(GAMES["justiciar"], {"games": 2}, file)
    assert config.load(GAMES["justiciar"], {"players": (4,)}, file).games == 9


def test_a_file_is_read_as_utf_8_with_or_without_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    for head in (b"", b"\xef\xbb\xbf"):
        file.write_bytes(head + "# Überfluß\nwidth = 64\n".encode())
        assert config.load(KUHN, file=file).width == 64
    file.write_bytes(b"width = 64 # \xff\n")
    with pytest.raises(ValueError, match=r"own\.toml: .*utf-8"):
        config.load(KUHN, file=file)
    with pytest.raises(ValueError, match="cannot be read: Is a directory"):
        config.load(KUHN, file=tmp_path)


@pytest.mark.parametrize(
    "text",
    ["learning_rate=1" + 400 * "0", "width=1" + 5000 * "0", "reward=" + 10**5 * "x", 10**5 * "x", "a=" + 2000 * "["],
)
def test_a_setting_from_the_command_line_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  what it says depends on the setting
        config.parse(text)
    assert 0 < len(str(caught.value)) < 500
    assert "\n" not in str(caught.value)


LEAST_AND_MOST = {
    "seed": (0, 2**64 - 1), "victory": (0, 1_000_000), "reward_scale": (0, 1_000_000), "decisions": (1, 10**12),
    "games": (1, 1_048_576), "steps": (1, 65_536), "epochs": (1, 1000), "minibatch": (1, 1_073_741_824),
    "width": (1, 16_384), "blocks": (0, 16_384), "learning_rate": (0, 1), "final_learning_rate": (0, 1),
    "entropy": (0, 1000), "final_entropy": (0, 1000), "gae_lambda": (0, 1), "clip": (0, 1000),
    "gradient_norm": (0, 1_000_000_000), "averaging": (0, 1), "evaluations": (1, 1_000_000),
    "evaluation_deals": (1, 1_000_000), "final_deals": (1, 1_000_000), "save_every": (1, 1_000_000_000),
    "threads": (0, 1024),
}  # fmt: skip


@pytest.mark.parametrize(("name", "limits"), LEAST_AND_MOST.items())
def test_a_number_may_be_as_large_and_as_small_as_this(name: str, limits: tuple[int, int]) -> None:
    least, most = limits
    assert config.checked(name, most) == most
    with pytest.raises(ValueError, match=name):
        config.checked(name, most + 1)
    with pytest.raises(ValueError, match=name):
        config.checked(name, least - 1)
    if name in ("reward_scale", "learning_rate", "clip", "gradient_norm"):
        with pytest.raises(ValueError, match=f"{name} must be above 0"):
            config.checked(name, 0)
    else:
        assert config.checked(name, least) == least


def test_every_number_has_a_range() -> None:
    assert set(LEAST_AND_MOST) == set(config.RANGES)


def test_the_memory_of_a_run_is_its_games_a_rollout_and_the_networks() -> None:
    one = config.make(KUHN, {"games": 4, "steps": 8, "width": 16, "blocks": 0})
    inputs, hidden, actions = KUHN.features, KUHN.hidden_features, KUHN.actions
    actor = (inputs + 1) * 16 + 2 * 16 + (16 + 1) * actions
    critic = (inputs + hidden + 1) * 16 + 2 * 16 + 16 + 1
    decision = inputs + hidden + actions + 4 * KUHN.seats + 17
    assert config.memory(KUHN, one) == 4 * (6 * actor + 4 * critic) + 4 * (8 * decision + 3 * KUHN.dtype.itemsize)


def test_what_takes_more_memory_than_there_is_is_refused_with_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "_memory_here", lambda: 3 * 2**29)
    with pytest.raises(ValueError, match=r"take [\d,.]+ GiB of memory at least; this machine has 1\.5"):
        config.make(KUHN, {"games": 2**20, "steps": 2**16})
