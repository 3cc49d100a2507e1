"""The command line: `handfast games`, `record`, `verify`, `play`, `scenarios`, `campaign`, `train`, `arena`,
`bench`, `compile`."""

import argparse
import difflib
import io
import json
import re
import secrets
import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NoReturn

import handfast
from handfast.compile import tell
from handfast.messages import brief, of_error, shown, typed_path

EXAMPLES = {
    "games": "handfast games",
    "record": "handfast record justiciar --players 4 --games 10 --seed 7 --agents expert,random,random,random --out records",
    "verify": "handfast verify records/*.jsonl",
    "play": "handfast play justiciar --players 4 --agents expert",
    "scenarios": "handfast scenarios northwood --agents random,expert --deals 200",
    "campaign": "handfast campaign northwood",
    "train": "handfast train justiciar decisions=3_000_000 width=256",
    "arena": "handfast arena justiciar --players 4 --agents expert,random --deals 200",
    "bench": "handfast bench justiciar --players 4 --form batch --json figures.json",
    "compile": "handfast compile justiciar manrent",
}
AGENT_NAMES = "random, expert, checkpoint:PATH, or the name of a checkpoint in checkpoints/"
AGENT_HELP = f"{AGENT_NAMES}; one for each seat, or one for all"
MOST_GAMES = 1_000_000
MOST_SEED = 2**64 - 1

FORMS = ("batch", "aec", "train")  # of `bench`, written out since importing it takes its time

# How `train` is told what other commands take as an option.
AS_SETTINGS = {
    "--players": "player counts are a setting, players=[4]",
    "--option": "options of the game are a setting, 'options={max_turns=500}'",
    "--scenario": "what a scenario changes is a setting, 'options={goal=12}'",
    "--seed": "the seed is a setting, seed=7",
}


class Mistake(Exception):
    """A mistake of the user's: told in one line, without a traceback."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what its encoding lacks, or cannot read, is escaped
            stream.reconfigure(errors="backslashreplace")
    tell()
    options = _options(list(sys.argv[1:] if arguments is None else arguments))
    if options is None:
        return 2
    try:
        return options.run(options) or 0
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has left; so do we
        return 0
    except (Mistake, ValueError, ImportError, OSError, MemoryError, OverflowError, RecursionError) as error:
        print(f"handfast {options.command}: {of_error(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def _options(given: list[str]) -> argparse.Namespace | None:
    """What was typed, as the command takes it; None where nothing was, and the help has been shown."""
    parser, commands = _parser()
    if not given:
        parser.print_help()
        return None
    name = given[0]
    if name not in commands and not name.startswith("-"):
        near = difflib.get_close_matches(name, commands, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(commands)}"
        parser.error(f"there is no command {shown(name)}; {hint}")
    if name in commands and any(one.partition("=")[0] == "--game" for one in given):
        commands[name].error(f"a game is named without --game, as in `handfast {name} justiciar`")
    options, rest = parser.parse_known_args(given)
    if options.command == "train" and not any(one.startswith("-") for one in rest):
        options.settings += rest  # argparse takes no more of them once an option has come between
    elif rest:
        commands[options.command].error(_too_much(options, rest[0], commands[options.command].format_usage()))
    return options


def _too_much(options: argparse.Namespace, word: str, usage: str) -> str:
    """Why a command doesn't take this word, and what was perhaps meant."""
    if not word.startswith("-"):
        commas = "; agents are separated by commas, --agents expert,random" if hasattr(options, "agents") else ""
        return f"{shown(word)} is one word too many{commas}"
    name = word.partition("=")[0]
    train = options.command == "train"
    near = difflib.get_close_matches(name, re.findall(r"--[a-z-]+", usage), 1)
    if near and not (train and name in AS_SETTINGS):
        return f"there is no option {shown(name)}; did you mean {near[0]}?"
    how = AS_SETTINGS.get(name, "settings are written NAME=VALUE, width=256")
    return f"there is no option {shown(name)}" + (f" here: {how}" if train else "")


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and that takes no option by its beginning alone."""

    def __init__(self, **settings: Any):
        super().__init__(**{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {brief(message)} (see {self.prog} --help)\n")


def _parser() -> tuple[_Parser, dict[str, _Parser]]:
    """The parser of the command line, and those of its commands by name."""
    parser = _Parser(prog="handfast", description=handfast.__doc__)
    parser.add_argument("--version", action="version", version=handfast.__version__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser, metavar="COMMAND")

    def command(name: str, run: Any, about: str) -> _Parser:
        one = commands.add_parser(name, help=about, description=about, epilog=f"example: {EXAMPLES[name]}")
        one.set_defaults(run=run)
        return one

    def game_options(one: argparse.ArgumentParser) -> None:
        one.add_argument("--players", type=_number(1), help="how many play (default: 4 where the game allows it)")
        one.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the game")
        one.add_argument("--scenario", metavar="NAME", help="a scenario of the game, or a TOML file that ends in .toml")

    def seed_option(one: argparse.ArgumentParser, about: str) -> None:
        one.add_argument("--seed", type=_number(0, MOST_SEED), help=f"{about} (default: drawn, and printed)")

    command("games", games, "list the games with their players, options and sizes")

    one = command("record", record, "let agents play, and write each game as a record")
    one.add_argument("game")
    game_options(one)
    one.add_argument("--games", type=_number(1, MOST_GAMES), default=1, help="how many games (default 1)")
    seed_option(one, "game i is played on seed + i")
    one.add_argument("--agents", default="random", help=AGENT_HELP)
    one.add_argument("--seen-by", type=_number(0), metavar="SEAT", help="write what this seat knows, and no more")
    one.add_argument(
        "--out", type=_path, required=True, metavar="DIR", help="the folder to write to; - for standard output"
    )

    one = command("verify", verify, "replay records and check every line against the rules")
    one.add_argument("files", nargs="+", type=_path, metavar="FILE")

    one = command("play", play, "play against agents in the terminal")
    one.add_argument("game")
    game_options(one)
    one.add_argument("--seat", type=_number(0), default=0, help="your seat (default 0)")
    seed_option(one, "the game's seed")
    one.add_argument("--agents", default="expert", help="the other seats: " + AGENT_HELP)

    one = command("scenarios", scenarios, "list a game's scenarios, and measure how often agents win them")
    one.add_argument("game")
    one.add_argument("--agents", default="", help="agents to measure: " + AGENT_NAMES)
    one.add_argument("--deals", type=_number(1, MOST_GAMES), default=200, help="how many deals of each (default 200)")
    seed_option(one, "where the deals come from")
    one.add_argument("--json", type=_path, metavar="FILE", help="write the figures there too")

    one = command("campaign", campaign, "play a game's scenarios in order; what you reached is kept")
    one.add_argument("game")
    one.add_argument("--agents", default="expert", help="the other seats: " + AGENT_HELP)
    one.add_argument(
        "--begin", metavar="NAME", help="go to this scenario, and on from there; asks before it gives up an attempt"
    )
    one.add_argument(
        "--again", action="store_true", help="forget what was reached and any attempt in progress, and begin anew"
    )
    one.add_argument(
        "--progress", type=_path, metavar="FILE", help="where it is kept (default: runs/GAME-campaign.json)"
    )

    one = command("train", train, "train an agent by self-play, and measure it")
    one.add_argument("game")
    one.add_argument("settings", nargs="*", metavar="NAME=VALUE", help="change a setting of the config")
    one.add_argument("--config", type=_path, metavar="FILE", help="a TOML file in place of the game's own config")
    one.add_argument(
        "--out", type=_path, metavar="DIR", help="the run's folder (default: runs/GAME-N, the next free N)"
    )
    one.add_argument("--resume", action="store_true", help="go on with the run in --out, or with the game's last one")

    one = command("arena", arena, "duplicate matches: the first agent meets the others in every seat of the same deals")
    one.add_argument("game")
    game_options(one)
    one.add_argument(
        "--agents", required=True, help=f"the challenger, then one for all others or one for each: {AGENT_NAMES}"
    )
    one.add_argument("--deals", type=_number(1, MOST_GAMES), default=200, help="how many deals (default 200)")
    seed_option(one, "where the deals come from")
    one.add_argument("--json", type=_path, metavar="FILE", help="write the figures there too")

    one = command("bench", bench, "measure the speed of games and training on this machine")
    one.add_argument("game", nargs="?")
    one.add_argument("--players", type=_number(1), help="how many play (default: every count that a game allows)")
    one.add_argument(
        "--form", action="append", choices=FORMS, help="what to measure; may be given several times (default: all)"
    )
    one.add_argument("--json", type=_path, metavar="FILE", help="write the figures there too")

    one = command("compile", compile_ahead, "compile games ahead of their first use, in a container's build say")
    one.add_argument("games", nargs="*", metavar="GAME", help="the games (default: all)")
    return parser, commands.choices


def _number(least: int, most: int | None = None) -> Any:
    """The type of an option that is a whole number from `least` on, or up to `most`."""

    def whole_number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:  # also of thousands of digits
            value = None
        written = text if text.strip() else repr(text)
        if value is None and not text.strip().lstrip("+-").isdecimal():
            raise argparse.ArgumentTypeError(f"must be a whole number, not {written}")
        if value is None or value < least or (most is not None and value > most):
            limit = f"at least {least}" if most is None else f"from {least} to {most:,}"
            raise argparse.ArgumentTypeError(f"must be {limit}, not {written}")
        return value

    return whole_number


def _path(text: str) -> Path:
    """The type of an option that is a path."""
    if not text:
        raise argparse.ArgumentTypeError("must name a file or folder, and is empty")
    try:
        return typed_path(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


# --- What the commands share ----------------------------------------------------------------------------------


def _game(name: str) -> Any:
    from handfast.envs import get

    return get(name)


def _setting(game: Any, arguments: argparse.Namespace) -> tuple[int, dict[str, Any]]:
    """How many play, and the game's options: those of the scenario, changed by --players and --option."""
    from handfast.envs.core import scenarios
    from handfast.envs.core.batch import default_players

    players, chosen = default_players(game), {}
    if arguments.scenario is not None:
        scenario = scenarios.find(arguments.scenario, game)
        players, chosen = scenario.players, dict(scenario.options)
    for assignment in arguments.option:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise Mistake(f"an option is written name=value, not {shown(assignment)}")
        chosen[name] = _value(name, game.options[name], text) if name in game.options else text
    if arguments.players is not None:
        players = game.check_players(arguments.players)
    return players, game.check_options(chosen)


def _value(name: str, option: Any, text: str) -> Any:
    """What was typed for an option of the game."""
    try:
        return option.parse(name, text)
    except ValueError:  # of a number with thousands of digits
        raise Mistake(f"option {name!r} must be {option.allowed()}, not {shown(text)}") from None


def _agents(game: Any, names: str, count: int) -> list[Any]:
    """The agents of a comma-separated list: `count` of them, or one for all."""
    from handfast.agents.names import find_all

    listed = [name.strip() for name in names.split(",")]
    found = find_all(names, game)
    if len(listed) == 1:
        listed *= count
    if len(listed) != count:
        raise Mistake(f"{count} agents are needed, or one for all, not {len(listed)}")
    return [found[name] for name in listed]


def _seed(options: argparse.Namespace, games: int = 1) -> int:
    """The seed that was given, or one drawn from 2**64, so that nobody finds it by trying; `games` follow each other."""
    return secrets.randbelow(MOST_SEED - games + 2) if options.seed is None else options.seed


def _display(games: int) -> AbstractContextManager:
    """A progress display of games on a terminal; gives what is to be told of them."""
    try:
        from handfast.agents.arena.progress import display
    except ImportError:
        raise Mistake("the command line needs tqdm: pip install 'handfast[cli]'") from None
    return display(games)


def _check_target(path: Path | None) -> None:
    """Find out before the work whether its figures can be written."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise Mistake(f"--json names a file in a folder that exists, not {str(path)!r}")


def _check_folder(folder: Path) -> None:
    """Find out before the work whether --out can be a folder."""
    whole = folder.absolute()
    there = next(one for one in (whole, *whole.parents) if one.exists())
    if not there.is_dir():
        raise Mistake(f"--out names a folder, and {there} is none")


def _write_json(path: Path | None, value: Any) -> None:
    from handfast.envs.core.files import write_whole

    if path is not None:
        write_whole(path, json.dumps(value, indent=1) + "\n")


# --- The commands ---------------------------------------------------------------------------------------------


def games(options: argparse.Namespace) -> None:
    """List the games."""
    from handfast.envs import GAMES

    for game in GAMES.values():
        players = ", ".join(map(str, game.player_counts))
        print(f"{game.name:16} {game.title}; {players} players; {game.actions} actions, {game.features} features")
        for name, option in game.options.items():
            print(f"{'':16}   {name}: {option.meaning} ({option.allowed()}; default {option.default!r})")


def record(options: argparse.Namespace) -> None:
    """Write records of games between agents."""
    import numpy as np

    from handfast.agents.arena.duplicate import distinct
    from handfast.agents.arena.play import play as play_games
    from handfast.envs.core.files import write_whole
    from handfast.envs.core.game import check_seed
    from handfast.envs.core.records import to_text, transcript

    game = _game(options.game)
    players, chosen = _setting(game, options)
    if options.seen_by is not None and options.seen_by >= players:
        raise Mistake(f"--seen-by is a seat from 0 to {players - 1}, not {options.seen_by}")
    agents, numbers = distinct(_agents(game, options.agents, players))
    to_screen = str(options.out) == "-"
    if not to_screen:
        _check_folder(options.out)
    first = _seed(options, options.games)
    seeds = np.array([check_seed(first + i) for i in range(options.games)], np.uint64)
    with _display(2 * options.games) as progress:  # played, then written
        results = play_games(
            game, agents, np.tile(numbers, (options.games, 1)), seeds, chosen, keep_actions=True, progress=progress
        )
        for seed, actions in zip(seeds.tolist(), results.actions, strict=True):
            text = to_text(transcript(game, players, chosen, seed, actions, options.seen_by))
            if to_screen:
                sys.stdout.write(text)
            else:
                seen = "" if options.seen_by is None else f"-seen-by-{options.seen_by}"
                path = options.out / f"{game.name}-{players}p-seed{seed}{seen}.jsonl"
                if path.exists() and path.read_bytes() != text.encode():
                    raise Mistake(f"{path} holds another game: choose another folder for --out")
                write_whole(path, text)
            progress(1, 0)
    if not to_screen:
        print(f"{options.games} records in {options.out}, from seed {first} on")


def verify(options: argparse.Namespace) -> int:
    """Check records."""
    from handfast.envs import get
    from handfast.envs.core.records import RecordError
    from handfast.envs.core.records import verify as verify_text

    wrong = 0
    with _display(len(options.files)) as progress:
        for path in options.files:
            reason = ""
            try:
                verify_text(path.read_bytes().decode(), get)
            except RecordError as error:
                reason = f"{path}:{error.line}: {error.message}"
            except UnicodeDecodeError as error:
                line = error.object[: error.start].count(b"\n") + 1
                reason = f"{path}:{line}: this is no text in UTF-8, as a record is"
            except (OSError, ValueError) as error:
                reason = of_error(error)
            if reason:
                wrong += 1
                print(reason, file=sys.stderr)
            progress(1, 0)
    print(f"{len(options.files) - wrong} of {len(options.files)} records hold")
    return 1 if wrong else 0


def play(options: argparse.Namespace) -> None:
    """Play in the terminal."""
    from handfast.agents.person import play as play_person
    from handfast.envs.core.scenarios import find

    game = _game(options.game)
    players, chosen = _setting(game, options)
    if options.seat >= players:
        raise Mistake(f"--seat is a seat from 0 to {players - 1}, not {options.seat}")
    others = _agents(game, options.agents, players - 1)
    if options.scenario is not None:
        scenario = find(options.scenario, game)
        print(f"{scenario.title}. {scenario.text}".strip())
    play_person(game, players, options.seat, others, _seed(options), chosen)


def scenarios(options: argparse.Namespace) -> None:
    """List scenarios, and how often agents win them: alone, or in every seat of the same deals against themselves."""
    from handfast.agents.arena.duplicate import duplicate, opponents
    from handfast.envs.core.scenarios import shipped

    game = _game(options.game)
    _check_target(options.json)
    listed = [name.strip() for name in options.agents.split(",") if name.strip()]
    agents = _agents(game, ",".join(listed), len(listed)) if listed else []
    seed, rows = _seed(options), []
    if agents:
        print(f"{game.title}, {options.deals} deals of each, seed {seed}; 95 % intervals")
    for scenario in shipped(game).values():
        print(f"{scenario.name:24} {scenario.title}. {scenario.text}")
        for name, agent in zip(listed, agents, strict=True):
            others = [agent] * opponents(game, scenario.players)
            with _display(options.deals * max(scenario.players, 2)) as progress:
                match = duplicate(game, agent, others, options.deals, seed, scenario.options, progress=progress)
            print(f"{'':24}   {name:12} wins {match.share}, points {match.score}")
            rows.append({"scenario": scenario.name, "agent": name, "seed": seed, **match.to_dict()})
    if not shipped(game):
        print(f"{game.title} comes with no scenarios; any game takes one of your own with --scenario FILE.toml")
    _write_json(options.json, rows)


def campaign(options: argparse.Namespace) -> None:
    """Play through the scenarios of a game."""
    from handfast.agents.campaign import run

    game = _game(options.game)
    _agents(game, options.agents, game.seats - 1)  # know at once whether there are such agents
    progress = options.progress or Path("runs") / f"{game.name}-campaign.json"
    run(game, progress, lambda players: _agents(game, options.agents, players - 1), options.begin, options.again)


def train(options: argparse.Namespace) -> None:
    """Train an agent."""
    try:
        from handfast.training import config as configs
        from handfast.training.train import report
        from handfast.training.train import train as run
    except ImportError as error:
        raise Mistake(f"training needs more libraries ({error}): pip install 'handfast[train]'") from None
    game = _game(options.game)
    if options.resume and (options.settings or options.config):
        raise Mistake("a resumed run keeps the config that it began with: leave the settings out")
    settings = dict(configs.parse(one) for one in options.settings)
    config = configs.load(game, settings, options.config)
    folder = options.out or _run_folder(game.name, options.resume)
    _check_folder(folder)
    if "," in str(folder) and not options.resume:
        raise Mistake(
            f"--out names a folder without a comma, not {folder}: commas separate agents, also checkpoint:PATH"
        )
    card = run(game, config, folder, options.resume)
    print(report(game, card))
    print(f"the agent: checkpoint:{folder / 'best'}")
    print(_next_step(game, card, f"checkpoint:{folder / 'best'}"))


def _next_step(game: Any, card: dict[str, Any], agent: str) -> str:
    """The command line that plays against a trained agent, on the kind of table that it was trained for."""
    from handfast.envs.core.batch import default_players

    if game.seats == 1:
        about, words = "see how it does", [_program(), "arena", game.name, "--agents", f"{agent},expert"]
    else:
        about, words = "play against it", [_program(), "play", game.name, "--agents", agent]
    if default_players(game) not in card["players"]:
        words += ["--players", str(card["players"][0])]
    for name, value in game.changed_options(card["options"]).items():
        written = ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()
        words += ["--option", f"{name}={written}"]
    return f"{about}: {words[0]} {shlex.join(words[1:])}"


def _program() -> str:
    """How this program was called, so that it can be called so again."""
    called = sys.argv[0]
    if Path(called).name == "__main__.py":
        return "python -m handfast"
    on_path = shutil.which("handfast")
    return "handfast" if on_path and Path(on_path).resolve() == Path(called).resolve() else shlex.quote(called)


def _run_folder(name: str, resume: bool) -> Path:
    """runs/NAME-N: the last one there is, or the next that is free. No other folder is a run."""
    found = {path: re.fullmatch(rf"{re.escape(name)}-([1-9][0-9]*)", path.name) for path in Path("runs").glob("*")}
    numbers = {int(match[1]): path for path, match in found.items() if match}
    if not resume:
        return Path("runs") / f"{name}-{max(numbers, default=0) + 1}"
    begun = [number for number, path in numbers.items() if (path / "config.json").is_file()]
    if not begun:
        raise Mistake(f"there is no run runs/{name}-N to resume")
    return numbers[max(begun)]


def arena(options: argparse.Namespace) -> None:
    """Measure a challenger."""
    from handfast.agents.arena.duplicate import duplicate, opponents

    game = _game(options.game)
    players, chosen = _setting(game, options)
    _check_target(options.json)
    listed = [name.strip() for name in options.agents.split(",")]
    others = opponents(game, players)
    if len(listed) == 1:
        raise Mistake("a challenger and its table are needed: two agents, or one for each seat")
    if len(listed) == 2:
        listed = [listed[0], *[listed[1]] * others]
    agents = _agents(game, ",".join(listed), others + 1)
    seed = _seed(options)
    with _display(options.deals * max(players, 2)) as progress:
        match = duplicate(game, agents[0], agents[1:], options.deals, seed, chosen, progress=progress)
    if players == 1:
        print(f"{game.title}, {options.deals} deals, seed {seed}; 95 % intervals")
        print(f"  {listed[0]}, compared with {listed[-1]} on the same deals")
        print(f"  share of victories  {match.share}   ({listed[-1]}: {match.par:.3f})")
        print(f"  points              {match.score}")
        print(f"  more than {listed[-1]:9} {match.margin}")
    else:
        print(
            f"{game.title}, {players} players, {options.deals} deals with the challenger in each seat, seed {seed}; "
            "95 % intervals"
        )
        print(f"  {listed[0]} against {', '.join(listed[1:])}")
        print(f"  share of victories  {match.share}   (equal players: {match.par:.3f})")
        print(f"  points              {match.score}")
        print(f"  margin              {match.margin}   (more is better)")
        for seat, share in enumerate(match.seats):
            print(f"  share in seat {seat}     {share}")
    print(f"  {match.decisions:.0f} decisions a game, {match.truncated:.1%} truncated")
    _write_json(options.json, {"game": game.name, "agents": listed, "seed": seed, **match.to_dict()})


def bench(options: argparse.Namespace) -> None:
    """Measure speed."""
    from handfast.bench import estimate, header, rows
    from handfast.envs import GAMES

    _check_target(options.json)
    chosen = [_game(options.game)] if options.game else list(GAMES.values())
    if options.game and options.players:
        chosen[0].check_players(options.players)
    forms = tuple(name for name in FORMS if name in (options.form or FORMS))
    tables = [(game, [count for count in game.player_counts if options.players in (None, count)]) for game in chosen]
    print(header())
    seconds = sum(estimate(game, counts, forms) for game, counts in tables)
    print(
        f"This takes about {max(1, round(seconds / 60))} minute(s), and longer where games are compiled first.",
        flush=True,
    )
    found = []
    for game, counts in tables:
        for row in rows(game, counts, forms):
            found.append(row)
            print(_row(row), flush=True)
    _write_json(options.json, found)


def compile_ahead(options: argparse.Namespace) -> None:
    """Compile games, so that their first use needs not."""
    from handfast.compile import ahead
    from handfast.envs import GAMES

    chosen = [_game(name) for name in options.games] or list(GAMES.values())
    for game in chosen:
        print(f"{game.name:16} {ahead(game):6.1f} seconds", flush=True)


def _row(row: dict[str, Any]) -> str:
    notes = ", ".join(f"{key} {value}" for key, value in row.items() if key in ("note", "share_of_bare"))
    return (
        f"{row['game']:14} {row['players']} players  {row['form']:6} {row['threads']} thread(s)  "
        f"{row['decisions_per_cpu_second']:>12,.0f} decisions/CPU-s  {row['decisions_per_second']:>12,.0f} decisions/s  {notes}"
    )
