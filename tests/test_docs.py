"""What the documents say is true: tables made from code, examples that run, links that lead somewhere."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

import handfast
from handfast import main
from handfast.envs import GAMES
from handfast.envs.core.game import Game
from handfast.envs.core.pages import generated
from handfast.main import EXAMPLES

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    *(ROOT / "docs").glob("*.md"),
    ROOT / "checkpoints" / "README.md",
    *(ROOT / "envs").rglob("README.md"),
]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_games_page_holds_the_tables_made_from_its_code(game: Game) -> None:
    page = (ROOT / "envs" / game.name / "README.md").read_text(encoding="utf-8")
    assert page.partition("<!-- made from the code")[2] == generated(game).partition("<!-- made from the code")[2]


@pytest.mark.parametrize("path", PAGES, ids=[str(path.relative_to(ROOT)) for path in PAGES])
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def examples() -> list[str]:
    return [
        code for path in PAGES for code in re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
    ]


@pytest.mark.parametrize("code", examples(), ids=range(len(examples())))
def test_every_python_example_runs(code: str) -> None:
    exec(compile(code, "example", "exec"), {})


def command_lines() -> list[str]:
    """Every line of a page that is a command of its own, without its comment."""
    lines = [line.strip() for path in PAGES for line in path.read_text(encoding="utf-8").splitlines()]
    return [line.partition("  #")[0].strip() for line in lines if line.startswith("handfast ")]


@pytest.mark.parametrize("line", command_lines())
def test_every_command_line_on_a_page_can_be_typed_so(line: str) -> None:
    words = shlex.split(line)
    options = main._options(words[1:])
    assert options is not None
    assert options.command == words[1]


def test_the_readme_says_how_to_come_to_the_commands_before_it_uses_them() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = text.index("    handfast ")
    assert text.index("make setup") < text.index("source .venv/bin/activate") < first
    assert text.index("source .venv/bin/activate") < text.index("```python")


def test_the_readme_names_every_command_and_game() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in EXAMPLES:
        assert f"handfast {command}" in text
    for game in GAMES.values():
        assert game.title in text


def test_the_changelog_knows_this_version_and_every_environments() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {handfast.__version__}" in text
    for game in GAMES.values():
        assert f"{game.name}-v{game.version}" in text


def test_every_make_target_that_the_readme_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^    )make ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_what_the_project_pins_is_what_it_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {
        line.partition("==")[0].lower().replace("_", "-")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    }
    needed = project["dependencies"] + [one for extra in project["optional-dependencies"].values() for one in extra]
    names = {re.split(r"[\[><=]", one)[0].lower() for one in needed} - {"handfast"}
    assert names <= pinned
    assert {re.split(r"[><=]", one)[0] for one in project["dependencies"]} == {
        "numpy",
        "numba",
        "gymnasium",
        "pettingzoo",
    }
