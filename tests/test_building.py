"""Building the package from a checkout."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def built(checkout: Path) -> subprocess.CompletedProcess:
    """What `setup.py` says in a checkout, with a setuptools that only says that it was called."""
    shutil.copy(ROOT / "setup.py", checkout)
    (checkout / "setuptools.py").write_text("def setup():\n    print('built')\n")
    return subprocess.run([sys.executable, "setup.py"], cwd=checkout, capture_output=True, text=True, check=False)


def links() -> list[Path]:
    return [path for path in (ROOT / "src" / "handfast").iterdir() if path.is_symlink()]


def test_a_checkout_with_its_links_is_built(tmp_path: Path) -> None:
    for link in links():
        (tmp_path / "src" / "handfast" / link.name).mkdir(parents=True)
    assert built(tmp_path).stdout == "built\n"


def test_a_checkout_whose_links_became_small_files_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "src" / "handfast").mkdir(parents=True)
    for link in links():
        (tmp_path / "src" / "handfast" / link.name).write_text(f"../../{link.name}")
    refused = built(tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert len(refused.stderr.splitlines()) == 2
    assert "core.symlinks=true" in refused.stderr
    for link in links():
        assert f"src/handfast/{link.name}" in refused.stderr
