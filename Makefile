# Everything runs in .venv, made from Python 3.11 or newer. `make train` and `make test` need nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: setup train test test-fast test-long test-versions check coverage pages bench clean

# PyTorch comes first and pinned: a free range would fetch a build for graphics processors.
setup: $(VENV)/.ready
$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet -c constraints.txt torch
	$(PIP) install --quiet -c constraints.txt -e '.[dev]'
	touch $@

train: setup
	$(BIN)/handfast train justiciar

# All processors, each game's tests in one process.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup

test: setup check
	$(PYTEST)

test-fast: setup
	$(PYTEST) -m 'not long and not slow'

test-long: setup
	$(PYTEST) -m 'long or not long'

# The conformance suite on the oldest and the newest supported versions, each in an environment of its own.
test-versions:
	set -e; for versions in oldest newest; do \
		$(PYTHON) -m venv .venv-$$versions; \
		.venv-$$versions/bin/python -m pip --disable-pip-version-check install --quiet \
			-c tests/versions/$$versions.txt -e '.[cli,render]' pytest; \
		.venv-$$versions/bin/python -m pytest tests/conformance; \
	done

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Branch coverage of rules and views, run as plain Python.
coverage: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run --branch --include='envs/*/rules.py,envs/*/view.py,envs/*/abilities.py,envs/*/stock.py' \
		-m pytest $(patsubst envs/%/rules.py,tests/%,$(wildcard envs/*/rules.py))
	$(BIN)/python -m coverage report --show-missing --fail-under=100

# The tables of the games' pages, from their code.
pages: setup
	$(BIN)/python -m handfast.envs.core.pages $(patsubst %/rules.py,%,$(wildcard envs/*/rules.py))

bench: setup
	$(BIN)/handfast bench

clean:
	rm -rf $(VENV) .venv-oldest .venv-newest runs
