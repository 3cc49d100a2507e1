"""Scenarios: files that change a game, refused with a reason where they are wrong; and campaigns through them."""

import json
import re
from pathlib import Path

import pytest

from handfast.agents import campaign
from handfast.envs import GAMES, get
from handfast.envs.core.aec import CardGameEnv
from handfast.envs.core.game import Game
from handfast.envs.core.scenarios import find, read, shipped

NORTHWOOD = get("northwood")
SHIPPED = [(game.name, name) for game in GAMES.values() for name in shipped(game)]


def test_for_northwood_comes_with_sixteen_challenges_and_each_is_another_game() -> None:
    scenarios = shipped(NORTHWOOD)
    assert len(scenarios) == 16
    assert len({json.dumps(scenario.options) for scenario in scenarios.values()}) == 16
    assert len({scenario.title for scenario in scenarios.values()}) == 16


@pytest.mark.parametrize(("game", "name"), SHIPPED)
def test_a_scenario_is_played_to_its_end_and_its_record_names_it_in_full(game: str, name: str) -> None:
    scenario = find(name, GAMES[game])
    env = CardGameEnv(GAMES[game], scenario.players, **scenario.options)
    env.reset(seed=1)
    while env.agents:
        mask = env.observe(env.agent_selection)["action_mask"]
        ended = env.terminations[env.agent_selection]
        env.step(None if ended else int(mask.argmax()))
    header, end = env.record()[0], env.record()[-1]
    assert GAMES[game].check_options(header["options"]) == scenario.options
    assert end["end"] == "finished"


def test_the_page_about_scenarios_shows_one_that_can_be_read(tmp_path: Path) -> None:
    page = Path(str(NORTHWOOD.rules.__file__)).parent / "scenarios" / "README.md"
    (example,) = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    file = tmp_path / "my_scenario.toml"
    file.write_text(example, encoding="utf-8")
    assert find(str(file), NORTHWOOD).title == "The Long Road"
    assert {name for name in NORTHWOOD.options if name != "setup"} <= set(re.findall(r"^(\w+) =", example, re.M))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("title = ", "Invalid value"),
        ("text = 'x'", "a scenario has a title"),
        ("title = 3", "title must be a text, not 3"),
        ("title = 'x'\nallies = ['JC']", "there is no key 'allies'; the keys are title, text, players, options"),
        ("title = 'x'\nplayers = 2", "is played by 1 player, not 2"),
        ("title = 'x'\n[options]\ngaol = 3", "has no option 'gaol'"),
        ("title = 'x'\n[options]\ngoal = 'high'", "option 'goal' must be a whole number"),
        ("title = 'x'\n[options]\nallies = ['JC']", "with setup 'custom' alone"),
        (b"title = '\xff'", "not UTF-8 text, as TOML is: invalid start byte at byte 9"),
        ("title = 'x'\nplayers = " + "9" * 5000, "players|digits"),
        ("title = 'x'\nplayers = 0x" + "f" * 5000, "digits"),
        ("title = 'x'\ntext = [" + "1, " * 50_000 + "]", "text must be a text, not "),
        ("title = 'x'\n[options]\ngoal = '" + "x" * 100_000 + "'", "option 'goal' must be"),
        ("title = 'x'\n" + "x" * 100_000 + " = 1", "there is no key 'xxx"),
        ("title = 'x'\ntext = " + "[" * 100_000, "nested too deeply|Invalid|recursion"),
        ("title = 'x\0'", "[Ii](llegal|nvalid) character"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_the_reason(
    tmp_path: Path, content: str | bytes, reason: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=rf"wrong\.toml: .*{reason}") as caught:
        read(file, NORTHWOOD)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 700


def test_a_file_may_begin_with_a_byte_order_mark_and_hold_any_letter(tmp_path: Path) -> None:
    file = tmp_path / "Überfluß.toml"
    file.write_bytes(b"\xef\xbb\xbf" + 'title = "Überfluß"'.encode())
    assert find(str(file), NORTHWOOD).title == "Überfluß"


def test_an_unknown_scenario_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no scenario 'moon'; its scenarios are "):
        find("moon", NORTHWOOD)
    with pytest.raises(ValueError, match=r"nowhere\.toml: No such file"):
        find("nowhere.toml", NORTHWOOD)
    with pytest.raises(ValueError, match="NUL"):
        find("no\0where.toml", NORTHWOOD)
    with pytest.raises(ValueError, match="it comes with none; name a TOML file"):
        find("moon", get("justiciar"))


# --- Campaigns ------------------------------------------------------------------------------------------------


def first_listed(table: str) -> str:
    """The number of the first choice in the list under a table: `1) pass  2) …` or `visit: 0  3`."""
    return re.findall(r"\d+", table.splitlines()[-1])[0]


class Player:
    """Answers a campaign's questions: the first choice, so many times, and then it leaves."""

    def __init__(self, answers: int):
        self.left = answers
        self.said: list[str] = []

    def read(self, question: str) -> str:
        if "Go on?" in question:
            return "" if self.left else "quit"
        self.left -= 1
        return first_listed(self.said[-1]) if self.left >= 0 else "quit"

    def write(self, text: str) -> None:
        self.said.append(text)


def go(path: Path, answers: int, game: Game = NORTHWOOD, **settings: object) -> Player:
    player = Player(answers)
    campaign.run(game, path, lambda players: [], read=player.read, write=player.write, **settings)  # type: ignore[arg-type]
    return player


def test_a_campaign_goes_on_where_it_was_left_in_mid_game(tmp_path: Path) -> None:
    apart, whole = tmp_path / "apart.json", tmp_path / "whole.json"
    go(apart, 5)
    kept = json.loads(apart.read_text(encoding="utf-8"))
    assert len(kept["current"]["choices"]) == 5
    go(apart, 7)
    again = json.loads(apart.read_text(encoding="utf-8"))
    assert again["current"]["seed"] == kept["current"]["seed"]
    assert len(again["current"]["choices"]) == 12
    whole.write_text(json.dumps(kept | {"current": kept["current"] | {"choices": []}}), encoding="utf-8")
    go(whole, 12)
    assert json.loads(whole.read_text(encoding="utf-8")) == again


@pytest.mark.parametrize("leave", ["quit", "n", "end of input"])
def test_a_finished_scenario_is_noted_with_its_points(tmp_path: Path, leave: str) -> None:
    path = tmp_path / "kept" / "campaign.json"
    first = next(iter(shipped(NORTHWOOD)))
    player = Player(10_000)
    games = 0

    def read(question: str) -> str:
        nonlocal games
        games += "Go on?" in question
        if games and leave == "end of input":
            raise EOFError
        return leave if games else player.read(question)

    campaign.run(NORTHWOOD, path, lambda players: [], read=read, write=player.write)
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["current"] is None
    assert kept["reached"][first]["tries"] == 1
    assert len(kept["reached"][first]["points"]) == 1


def test_a_campaign_may_begin_elsewhere_and_anew(tmp_path: Path) -> None:
    path = tmp_path / "campaign.json"
    last = list(shipped(NORTHWOOD))[-1]
    go(path, 3, begin=last)
    assert json.loads(path.read_text(encoding="utf-8"))["current"]["scenario"] == last
    go(path, 3, again=True)
    assert json.loads(path.read_text(encoding="utf-8"))["current"]["scenario"] == next(iter(shipped(NORTHWOOD)))
    with pytest.raises(ValueError, match="no scenario 'moon'"):
        go(path, 3, begin="moon")
    with pytest.raises(ValueError, match="justiciar comes with no scenarios"):
        go(path, 3, game=get("justiciar"))


def test_a_won_campaign_says_so(tmp_path: Path) -> None:
    path = tmp_path / "campaign.json"
    won = {name: {"won": True, "tries": 1, "points": [16]} for name in shipped(NORTHWOOD)}
    path.write_text(json.dumps({"game": "northwood", "reached": won, "current": None}), encoding="utf-8")
    assert "Every scenario is won." in go(path, 3).said


@pytest.mark.parametrize("answer", ["yes", "no", "", "end of input"])
def test_an_attempt_in_progress_is_given_up_only_where_the_person_says_so(tmp_path: Path, answer: str) -> None:
    path, asked = tmp_path / "campaign.json", []
    go(path, 3)
    before = json.loads(path.read_text(encoding="utf-8"))

    def read(question: str) -> str:
        if "Give it up?" not in question:
            return "quit"
        asked.append(question)
        if answer == "end of input":
            raise EOFError
        return answer

    campaign.run(NORTHWOOD, path, lambda players: [], begin="16_borrowed_tongues", read=read, write=print)
    after = json.loads(path.read_text(encoding="utf-8"))
    assert asked == ["An attempt at 01_open_doors is in progress, 3 choices in. Give it up? (yes or no) "]
    if answer == "yes":
        assert after["current"]["scenario"] == "16_borrowed_tongues"
        assert after["current"]["choices"] == []
    else:
        assert after == before


def test_nothing_is_asked_where_no_choice_would_be_lost(tmp_path: Path) -> None:
    path = tmp_path / "campaign.json"
    go(path, 0)  # an attempt of no choice
    go(path, 2, begin="16_borrowed_tongues")
    assert json.loads(path.read_text(encoding="utf-8"))["current"]["scenario"] == "16_borrowed_tongues"


def test_a_campaigns_seeds_have_64_bits(tmp_path: Path) -> None:
    seeds = [campaign.fresh("13_alone")["seed"] for _ in range(20)]
    assert len(set(seeds)) == 20
    assert 2**56 < max(seeds) < 2**64


def test_a_kept_campaign_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "campaign.json"
    go(path, 3)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    go(path, 1)
    assert len(json.loads(path.read_text(encoding="utf-8"))["current"]["choices"]) == 4


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"game": "northwood"}', '{"game": "northwood", "reached": {"a": {}}, "current": null}',
     '{"game": "northwood", "reached": {}, "current": {"scenario": "moon", "seed": 1, "choices": []}}',
     "3", "null", '{"game": "northwood", "reached": ["13_alone"], "current": null}',
     '{"game": "northwood", "reached": {"13_alone": ["won", "tries", "points"]}, "current": null}',
     '{"game": "northwood", "reached": {"moon": {"won": true, "tries": 1, "points": [16]}}, "current": null}',
     '{"game": "northwood", "reached": {}, "current": {"scenario": ["13_alone"], "seed": 1, "choices": []}}',
     '{"game": "northwood", "reached": {}, "current": {"scenario": "13_alone", "seed": 1, "choices": 5}}',
     '{"game": "northwood", "reached": {}, "current": {"scenario": "13_alone", "seed": -1, "choices": []}}',
     '{"game": "northwood", "reached": {}, "current": {"scenario": "13_alone", "seed": 1, "choices": ["play AS"]}}'],
)  # fmt: skip
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "campaign.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"damaged|not legal|seed"):
        go(path, 3)
    assert path.read_text(encoding="utf-8") == content
    path.write_text('{"game": "justiciar", "reached": {}, "current": null}', encoding="utf-8")
    with pytest.raises(ValueError, match="a campaign of justiciar, not of northwood"):
        go(path, 3)
