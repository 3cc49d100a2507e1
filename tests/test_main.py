"""The command line, as a person types it."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest

from handfast import bench, main
from handfast.agents import person
from handfast.agents.arena.progress import display
from handfast.envs import GAMES, get
from handfast.envs.core.decisions import random_agent
from handfast.envs.core.game import Game


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
    files[0].write_text(files[0].read_text(encoding="utf-8").replace("finished", "finisht"), encoding="utf-8")
    assert run(f"verify {files[0]} {files[1]}") == 1
    said = capsys.readouterr()
    lines = len(files[0].read_text(encoding="utf-8").splitlines())
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
    assert (tmp_path / "a" / name).read_text(encoding="utf-8") == (tmp_path / "b" / name).read_text(encoding="utf-8")


def test_a_record_of_another_game_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for _ in range(2):
        assert run(f"record justiciar --seed 5 --out {tmp_path}") == 0
    before = next(tmp_path.iterdir()).read_bytes()
    assert run(f"record justiciar --seed 5 --option max_turns=9 --out {tmp_path}") != 0
    assert "holds another game" in capsys.readouterr().err
    assert next(tmp_path.iterdir()).read_bytes() == before


def test_the_arena_prints_and_writes_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert run(f"arena justiciar --players 3 --agents expert,random --deals 10 --json {tmp_path / 'x.json'}") == 0
    figures = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
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
        ("record justiciar --out /dev/null/x", "--out names a folder, and /dev/null is none"),
        ("train justiciar --out a,b", "a folder without a comma, not a,b"),
        ("train justiciar --out /dev/null", "--out names a folder, and /dev/null is none"),
        ("verify .", ".: Is a directory"),
        ("campaign northwood --progress .", ".: Is a directory"),
        ("train justiciar --config .", "Is a directory"),
        ("arena justiciar --agents checkpoint:a,b,random", "a checkpoint's path can hold none"),
        ("arena justiciar --agents checkpoint:~nobody-of-this-name/x,random", "no home folder"),
        ("play northwood --scenario no\0where.toml", "no NUL character"),
        ("play northwood --scenario " + "x" * 5000, "has no scenario 'xxx"),
        ("play northwood --option goal=" + "9" * 5000, "goal"),
        ("play northwood --option " + "g" * 5000 + "=1", "has no option 'ggg"),
        ("record justiciar --agents " + "x" * 5000 + " --out x", "there is no agent 'xxx"),
        ("record " + "x" * 5000 + " --out x", "there is no game 'xxx"),
        ("record justiciar --agents 'a\nb' --out x", "there is no agent"),
        ("campaign northwood --begin moon", "no scenario 'moon'"),
        ("compile bridge", "there is no game 'bridge'"),
        ("train justiciar learning_rate=1" + "0" * 400, "above 0 and at most 1"),
        ("train justiciar seed=" + "9" * 5000, "digits|seed"),
        ("verify nowhere", "nowhere: No such file or directory"),
        ("record justiciar --seed 18446744073709551615 --games 2 --out x", "a seed is a whole number"),
        ("record justiciar --option max_turns=\u00b2 --out x", "a whole number from 1 to"),
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
    assert any(words in said for words in message.split("|"))
    assert len(said.splitlines()) == 1
    assert len(said) < 700
    assert "Errno" not in said
    assert list(tmp_path.iterdir()) == []


MISTYPED = {
    "fly": "there is no command 'fly'; the commands are games",
    "paly": "there is no command 'paly'; did you mean 'play'?",
    "x" * 5000: "there is no command 'xxx",
    "record": "required: game",
    "record justiciar --games x --out y": "--games: must be a whole number, not x",
    "record justiciar --games 0 --out y": "must be from 1 to 1,000,000, not 0",
    "record justiciar --out ''": "--out: must name a file or folder, and is empty",
    "record justiciar --out a\0b": "--out: a path holds no NUL character",
    "play justiciar --seat x": "--seat: must be a whole number, not x",
    "play justiciar --seat ''": "must be a whole number, not ''",
    "play justiciar --seed -1": "must be from 0 to 18,446,744,073,709,551,615, not -1",
    "play justiciar --seed " + "9" * 5000: "must be from 0 to",
    "play justiciar --seat " + "x" * 100_000: "must be a whole number, not xxx",
    "play justiciar --player 3": "there is no option '--player'; did you mean --players?",
    "play --game justiciar": "a game is named without --game, as in `handfast play justiciar`",
    "play --game=justiciar": "a game is named without --game",
    "arena justiciar --agents expert random": "'random' is one word too many; agents are separated by commas, "
    "--agents expert,random (see handfast arena --help)",
    "games extra": "'extra' is one word too many (see handfast games --help)",
    "train justiciar --fly": "there is no option '--fly' here: settings are written NAME=VALUE",
    "train justiciar --players 4": "players=[4]",
    "train justiciar --option max_turns=500": "'options={max_turns=500}'",
    "train justiciar --scenario 13_alone": "'options={goal=12}'",
    "train justiciar --resum": "did you mean --resume?",
    "bench --form fast": "invalid choice: 'fast'",
}


@pytest.mark.parametrize(("command", "message"), MISTYPED.items(), ids=[command[:40] for command in MISTYPED])
def test_a_mistyped_command_is_told_in_one_line(command: str, message: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as caught:
        run(command)
    assert caught.value.code == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1
    assert len(said) < 700


def test_the_ways_to_tell_train_are_ways_to_tell_train() -> None:
    from handfast.training import config

    for way in main.AS_SETTINGS.values():
        game = get("northwood") if "goal" in way else get("justiciar")
        config.load(game, dict([config.parse(shlex.split(way)[-1])]))


def test_the_program_alone_shows_its_help(capsys: pytest.CaptureFixture) -> None:
    assert run("") == 2
    said = capsys.readouterr()
    assert all(command in said.out for command in main.EXAMPLES)
    assert said.err == ""


def test_what_no_command_expects_is_told_in_one_line(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    for error in (OverflowError("int too large"), RecursionError("deep"), MemoryError(), UnicodeError("odd"), ValueError("a\nb")):  # fmt: skip

        def fails(_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(main, "games", fails)
        assert run("games") == 2
        said = capsys.readouterr().err
        assert said.startswith("handfast games: ")
        assert len(said.splitlines()) == 1


def test_a_tilde_is_the_home_folder_in_every_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    assert run("record northwood --seed 3 --out=~/records") == 0
    assert run("verify ~/records/northwood-1p-seed3.jsonl") == 0
    assert run("arena northwood --agents random,random --deals 2 --json=~/a.json") == 0
    (home / "my.toml").write_text('title = "Mine"', encoding="utf-8")
    assert run("record northwood --seed 3 --scenario=~/my.toml --out=~/records") == 0
    assert run("arena northwood --agents checkpoint:~/none,random --deals 2") == 2
    assert sorted(path.name for path in home.iterdir()) == ["a.json", "my.toml", "records"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home"]


@pytest.mark.parametrize("command", main.EXAMPLES)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        run(f"{command} --help")
    assert main.EXAMPLES[command] in capsys.readouterr().out.replace("\n", " ").replace("  ", " ")


def test_python_m_handfast_is_the_same() -> None:
    done = subprocess.run([sys.executable, "-m", "handfast", "games"], capture_output=True, text=True, check=True)
    assert "justiciar" in done.stdout


def in_plain_ascii(*arguments: str) -> subprocess.CompletedProcess:
    """The program in the plainest of locales, where Python reads and writes ASCII unless it is told otherwise."""
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    return subprocess.run(
        [sys.executable, "-m", "handfast", *arguments],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | plain,
    )


def test_text_beyond_ascii_is_read_and_written_in_every_locale(tmp_path: Path) -> None:
    scenario = tmp_path / "Überfluß.toml"
    scenario.write_bytes(b"\xef\xbb\xbf" + 'title = "Überfluß"\n[options]\ngoal = 12\n'.encode())
    done = in_plain_ascii("play", "northwood", "--scenario", str(scenario))
    assert done.returncode == 0, done.stderr
    assert b"\\xdcberflu\\xdf.\n" in done.stdout
    assert b"You have left the game." in done.stdout
    done = in_plain_ascii("verify", str(tmp_path / "Ü\udcff"))
    assert done.returncode == 1
    assert b"No such file" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bytes_that_are_no_text_are_no_choice() -> None:
    words = [sys.executable, "-m", "handfast", "play", "northwood", "--seed", "3"]
    done = subprocess.run(words, capture_output=True, input=b"\xff\nquit\n", env=os.environ | {"PYTHONUTF8": "1"})
    assert done.returncode == 0, done.stderr
    assert b"is no choice of this game" in done.stdout
    assert b"You have left the game." in done.stdout


def test_drawn_seeds_have_64_bits_are_printed_and_repeat_the_run(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    seeds = set()
    for number in range(3):
        path = tmp_path / f"{number}.json"
        assert run(f"arena northwood --agents random,random --deals 3 --json {path}") == 0
        figures = json.loads(path.read_bytes())
        assert f"seed {figures['seed']};" in capsys.readouterr().out
        seeds.add(figures["seed"])
    assert len(seeds) == 3
    assert max(seeds) > 2**40
    assert (
        run(
            f"arena northwood --agents random,random --deals 3 --seed {figures['seed']} --json {tmp_path / 'again.json'}"
        )
        == 0
    )
    assert json.loads((tmp_path / "again.json").read_bytes()) == figures
    capsys.readouterr()
    assert run(f"record northwood --games 2 --out {tmp_path / 'records'}") == 0
    first = int(re.search(r"from seed (\d+) on", capsys.readouterr().out)[1])  # type: ignore[index]
    names = {path.name for path in (tmp_path / "records").iterdir()}
    assert names == {f"northwood-1p-seed{first + i}.jsonl" for i in range(2)}
    assert run(f"scenarios northwood --agents random --deals 2 --json {tmp_path / 's.json'}") == 0
    rows = json.loads((tmp_path / "s.json").read_bytes())
    assert f"seed {rows[0]['seed']};" in capsys.readouterr().out


def test_runs_are_the_folders_named_exactly_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main._run_folder("covenant", resume=False) == Path("runs/covenant-1")
    for name in ("covenant-backup-20261130", "covenant-1-backup-20261130", "covenant-0", "covenant-07", "covenant-\u0663", "covenant-", "manrent-9"):  # fmt: skip
        (tmp_path / "runs" / name).mkdir(parents=True)
    with pytest.raises(main.Mistake, match="no run runs/covenant-N to resume"):
        main._run_folder("covenant", resume=True)
    assert main._run_folder("covenant", resume=False) == Path("runs/covenant-1")
    for number in (9, 10, 11):
        (tmp_path / "runs" / f"covenant-{number}").mkdir()
    for number in (9, 10):
        (tmp_path / "runs" / f"covenant-{number}" / "config.json").touch()
    (tmp_path / "runs" / "covenant-12").touch()
    assert main._run_folder("covenant", resume=True) == Path("runs/covenant-10")
    assert main._run_folder("covenant", resume=False) == Path("runs/covenant-13")


def test_games_are_compiled_ahead(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def ahead(game: Game) -> float:
        asked.append(game.name)
        return 12.34

    monkeypatch.setitem(sys.modules, "handfast.compile", types.SimpleNamespace(ahead=ahead, tell=lambda: None))
    assert run("compile manrent covenant") == 0
    assert asked == ["manrent", "covenant"]
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["manrent", "12.3", "seconds"],
        ["covenant", "12.3", "seconds"],
    ]
    assert run("compile") == 0
    assert asked[2:] == list(GAMES)


def test_the_bench_measures_the_forms_asked_for(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def rows(game: Game, counts: list[int], forms: tuple[str, ...]) -> list:
        asked.append((game.name, counts, forms))
        return []

    monkeypatch.setattr(bench, "rows", rows)
    monkeypatch.setattr(bench, "estimate", lambda game, counts, forms: 60.0 * len(counts) * len(forms))
    assert run("bench justiciar --players 4 --form train --form batch") == 0
    assert run("bench northwood") == 0
    assert asked == [("justiciar", [4], ("batch", "train")), ("northwood", [1], ("batch", "aec", "train"))]
    assert "This takes about 2 minute" in capsys.readouterr().out


def test_a_trained_agent_comes_with_the_command_line_that_plays_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/handfast", "train"])
    monkeypatch.setenv("PATH", "")
    card = {"players": [3], "options": {"max_turns": 500, "uneven_deal": True}}
    said = main._next_step(get("justiciar"), card, "checkpoint:my runs/best")
    assert said == (
        "play against it: .venv/bin/handfast play justiciar --agents 'checkpoint:my runs/best' --players 3 "
        "--option uneven_deal=true --option max_turns=500"
    )
    options = main._options(shlex.split(said.partition("handfast ")[2]))
    assert options is not None
    assert main._setting(get("justiciar"), options) == (3, get("justiciar").check_options(card["options"]))
    card = {"players": [1], "options": {}}
    assert "arena northwood --agents checkpoint:x,expert" in main._next_step(get("northwood"), card, "checkpoint:x")


class Terminal(io.StringIO):
    """A text stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_moves_between_the_ends_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with display(120, delay=0) as tell:
        for _ in range(4):
            time.sleep(0.12)
            tell(0, 1000)
        tell(120, 0)
    shown = screen.getvalue()
    assert "2,000 decisions" in shown
    assert "4,000 decisions" in shown
    assert "0/120" in shown


def test_progress_is_shown_on_a_terminal_alone(capsys: pytest.CaptureFixture) -> None:
    with display(120, delay=0) as tell:
        time.sleep(0.12)
        tell(60, 1000)
    assert capsys.readouterr().err == ""


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


def test_a_number_is_the_thing_itself_where_all_choices_are_one_verb_and_a_number() -> None:
    assert person.numbered(["claim 0", "claim 2"]) == (["0", "2"], "claim", "claim: 0  2")
    assert person.numbered(["accuse 3"]) == (["3"], "accuse", "accuse: 3")
    assert person.numbered(["pass", "accuse 3"]) == (["1", "2"], "", "1) pass  2) accuse 3")
    assert person.numbered(["play 2H", "play 2S"])[2] == "1) play 2H  2) play 2S"
    assert person.numbered(["fief 1", "visit 1"])[2] == "1) fief 1  2) visit 1"


def test_a_person_who_types_2_claims_two_tricks() -> None:
    said = sit_down(["why 2", "9", "2"], game="sovereign_hand")
    assert "claim: 0  1  2  3" in said
    assert "`claim 2` is legal." in said
    assert "'claim 9' is no choice" in said
    assert "0 of 2 tricks" in said


def test_a_number_of_thousands_of_digits_is_no_choice() -> None:
    said = sit_down(["9" * 5000, "9" * 5000, "x" * 5000])
    assert said.count("is no choice of this game") == 3
    assert max(map(len, said.splitlines())) < 700


def test_a_person_may_play_to_the_end_by_number() -> None:
    said = sit_down(["1"] * 2000)
    assert "The game is finished. Points by seat:" in said


def test_a_person_sees_only_what_their_seat_knows() -> None:
    said = sit_down(["1"] * 3)
    first = said[said.index("seat 1  ") :].splitlines()[0]
    assert first.count("??") == 12
    assert "left the game" in said
