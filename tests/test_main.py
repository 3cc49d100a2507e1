"""The command line, as a person types it."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from handfast import main
from handfast.agents import person
from handfast.envs import GAMES, get
from handfast.envs.core.decisions import random_agent


def run(text: str) -> int:
    return main.main(shlex.split(text))


def test_games_lists_every_game_with_its_options(capsys: pytest.CaptureFixture) -> None:
    assert run("games") == 0
    said = capsys.readouterr().out
    for game in GAMES.values():
        assert game.name in said
        assert all(name in said for name in game.options)


@pytest.mark.parametrize("name", GAMES)
def test_records_are_written_and_verified(name: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for agents in ("random", "expert"):
        assert run(f"record {name} --games 3 --seed 5 --agents {agents} --out {tmp_path / agents}") == 0
        files = sorted((tmp_path / agents).glob("*.jsonl"))
        assert len(files) == 3
        assert run("verify " + " ".join(map(str, files))) == 0
    assert "3 of 3 records hold" in capsys.readouterr().out
    files[0].write_text(files[0].read_text().replace("finished", "finisht"))
    assert run(f"verify {files[0]} {files[1]}") == 1
    said = capsys.readouterr()
    lines = len(files[0].read_text().splitlines())
    assert f"{files[0]}:{lines}: the game's end is" in said.err
    assert "1 of 2 records hold" in said.out


def test_a_record_may_go_to_standard_output_as_one_seat_sees_it(capsys: pytest.CaptureFixture) -> None:
    assert (
        run("record justiciar --players 3 --seen-by 2 --option max_turns=9 --agents random,expert,random --out -") == 0
    )
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["seen_by"] == 2
    assert lines[0]["options"]["max_turns"] == 9
    assert lines[-1]["end"] == "truncated"


def test_a_seed_is_the_same_game_wherever_it_stands(tmp_path: Path) -> None:
    run(f"record justiciar --games 3 --seed 5 --out {tmp_path / 'a'}")
    run(f"record justiciar --games 1 --seed 6 --out {tmp_path / 'b'}")
    name = "justiciar-4p-seed6.jsonl"
    assert (tmp_path / "a" / name).read_text() == (tmp_path / "b" / name).read_text()


def test_a_record_of_another_game_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for _ in range(2):
        assert run(f"record justiciar --seed 5 --out {tmp_path}") == 0
    before = next(tmp_path.iterdir()).read_bytes()
    assert run(f"record justiciar --seed 5 --option max_turns=9 --out {tmp_path}") != 0
    assert "holds another game" in capsys.readouterr().err
    assert next(tmp_path.iterdir()).read_bytes() == before


def test_the_arena_prints_and_writes_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert run(f"arena justiciar --players 3 --agents expert,random --deals 10 --json {tmp_path / 'x.json'}") == 0
    figures = json.loads((tmp_path / "x.json").read_text())
    assert figures["players"] == 3
    assert figures["share"][0] > 0.5
    assert "share of victories" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("record bridge --out x", "there is no game 'bridge'"),
        ("record justicar --out x", "did you mean 'justiciar'"),
        ("record justiciar --players 2 --out x", "is played by 3, 4, 5 players"),
        ("record justiciar --agents wizard --out x", "there is no agent 'wizard'"),
        ("record justiciar --agents random,random --out x", "4 agents are needed"),
        ("record justiciar --option colour=1 --out x", "no option 'colour'"),
        ("record justiciar --option max_turns --out x", "name=value"),
        ("record justiciar --option max_turns=0 --out x", "from 1 to"),
        ("record justiciar --seen-by 4 --out x", "seat from 0 to 3"),
        ("record justiciar --out /dev/null/x", "Not a directory"),
        ("verify nowhere.jsonl", "No such file"),
        ("record justiciar --seed 18446744073709551615 --games 2 --out x", "a seed is a whole number"),
        ("record justiciar --option max_turns=\u00b2 --out x", "a whole number from 1 to"),
        ("record justiciar --out ''", "--out names a folder"),
        ("train justiciar device=abacus", "no device 'abacus'"),
        ("train justiciar learning_rate=nan", "above 0"),
        ("arena justiciar --agents random,random --json .", "--json names a file"),
        ("play justiciar --seat 4", "seat from 0 to 3"),
        ("train justiciar widht=3", "did you mean 'width'"),
        ("train justiciar --resume width=3", "keeps the config"),
        ("train justiciar --resume --out nowhere", "no run to resume"),
        ("arena justiciar --agents checkpoint:nowhere,random", "holds no checkpoint"),
        ("bench bridge", "there is no game"),
        ("bench northwood --players 5", "is played by"),
        ("play northwood --agents wizard", "there is no agent 'wizard'"),
        ("campaign northwood --agents wizard", "there is no agent 'wizard'"),
        ("arena covenant --agents random", "a challenger and its table"),
    ],
)
def test_a_mistake_is_told_in_one_line(command: str, message: str, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(command) != 0
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command", ["", "fly", "record", "record justiciar --games x --out y", "games extra", "train justiciar --fly"]
)
def test_a_mistyped_command_is_told_in_one_line(command: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as caught:
        run(command)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("command", main.EXAMPLES)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        run(f"{command} --help")
    assert main.EXAMPLES[command] in capsys.readouterr().out.replace("\n", " ").replace("  ", " ")


def test_python_m_handfast_is_the_same() -> None:
    done = subprocess.run([sys.executable, "-m", "handfast", "games"], capture_output=True, text=True, check=True)
    assert "justiciar" in done.stdout


def sit_down(answers: list[str], seed: int = 1, game: str = "justiciar") -> str:
    """Everything that a person reads who gives these answers."""
    said: list[str] = []
    waiting = iter(answers)

    def read(prompt: str) -> str:
        said.append(prompt)
        answer = next(waiting, None)
        if answer is None:
            raise EOFError
        return answer

    person.play(get(game), 4, 0, [random_agent] * 3, seed, {}, read, said.append)
    return "\n".join(said)


def test_a_person_is_helped_answered_and_may_leave() -> None:
    said = sit_down(["?", "\u00b2", "hint", "table", "choices", "fly", "why play 2D", "why pass", "pass", "quit"])
    assert person.HELP in said
    assert "The expert would choose: " in said
    assert "'fly' is no choice of this game" in said
    assert "player_0 may not choose `play 2D`" in said
    assert "`pass` is legal." in said
    assert said.endswith("You have left the game.")


def test_a_person_may_type_in_small_or_large_letters() -> None:
    said = sit_down(["WHY Play 2d", "PASS", "Quit"])
    assert "player_0 may not choose `play 2D`" in said
    assert "is no choice" not in said
    assert said.count("your choice:") == 3  # the pass was taken, and the next choice asked for


def test_a_person_may_play_to_the_end_by_number() -> None:
    said = sit_down(["1"] * 2000)
    assert "The game is finished. Points by seat:" in said


def test_a_person_sees_only_what_their_seat_knows() -> None:
    said = sit_down(["1"] * 3)
    first = said[said.index("seat 1  ") :].splitlines()[0]
    assert first.count("??") == 12
    assert "left the game" in said
