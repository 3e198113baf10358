# Everything runs in .venv, which the first command that needs it sets up.
PYTHON ?= python3
BIN := .venv/bin
HAS_BROWSER := { command -v chromium || command -v chromium-browser || command -v google-chrome; } > /dev/null
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

.PHONY: browser demo pictures test-fast test check format bench questions-bench constraints-bench \
  explorer-bench kernel-bench stability-bench defaults-bench \
  forest-bench tables privileged-tables clean

demo: .venv/.demo  ## analyse the breast cancer data; table on screen, files under out/
	$(BIN)/allrelevant demo --out out

pictures: .venv/.dev browser demo  ## the pictures of README and docs
	$(BIN)/python docs/pictures.py out

test-fast: .venv/.dev  ## a minute of tests that touch every package; for every edit
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile -m "not slow"

test: .venv/.dev browser  ## run all tests
	$(BIN)/python -m pytest -n auto
	@$(HAS_BROWSER) || echo "!!! The explorer was NOT tested in a browser: Chromium is missing and could not be installed."

browser:  ## Chromium for the explorer's tests, where we may install it
	@$(HAS_BROWSER) \
	  || { [ "$$(id -u)" = 0 ] && apt-get -qq update \
	       && apt-get -qq install -y --no-install-recommends chromium > /dev/null; } \
	  || true

check: .venv/.dev  ## lint, format check, types, which rooms import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.bench  ## CPU time against ECOS and cold HiGHS; writes docs/benchmarks.md
	$(BIN)/python -m benchmarks.speed

questions-bench: .venv/.dev  ## CPU time of the questions; writes docs/benchmarks-questions.md
	$(BIN)/python -m benchmarks.questions

constraints-bench: .venv/.bench  ## what-if and groups; writes docs/benchmarks-constraints.md
	$(BIN)/python -m benchmarks.constraints

explorer-bench: .venv/.dev browser  ## how soon the explorer's bars move; writes docs/benchmarks-explorer.md
	$(BIN)/python -m benchmarks.explorer

stability-bench: .venv/.dev  ## what halves of the rows cost, in fits; writes docs/benchmarks-stability.md
	$(BIN)/python -m benchmarks.stability

tables: .venv/.dev  ## the papers' simulated data sets, 10 seeds; writes docs/tables.md
	$(BIN)/python -m benchmarks.tables --write

privileged-tables: .venv/.dev  ## the same with privileged features; writes docs/tables-privileged.md
	$(BIN)/python -m benchmarks.tables --privileged --write

DATA ?= data/ordinal
kernel-bench: .venv/.bench  ## the ordinal kernel classifier: speed, rivals, Table 2; DATA=folder of the sets
	$(BIN)/python -m benchmarks.kernel --data $(DATA)

BEFORE ?=
PEERS ?=
defaults-bench: .venv/.bench  ## every default on data it was not chosen on; writes docs/defaults-measured.md
	$(BIN)/python -m benchmarks.defaults --write --data $(DATA) \
	  $(if $(BEFORE),--before $(BEFORE)) $(if $(PEERS),--peers-python $(PEERS))

forest-bench: .venv/.bench  ## non-linear relevance against the thesis and Boruta; writes docs/forest.md
	$(BIN)/python -m benchmarks.forest --write

clean:
	rm -rf .venv out .pytest_cache .mypy_cache .ruff_cache

# Debian splits venv from Python: where it is missing and we may, install it.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv .venv > /dev/null 2>&1 \
	  || { rm -rf .venv; apt-get -qq update && apt-get -qq install -y python3-venv > /dev/null \
	       && $(PYTHON) -m venv .venv; } \
	  || { rm -rf .venv; echo "Python's venv module is missing: install python3-venv"; exit 1; }

.venv/.demo: pyproject.toml | .venv/bin/python
	$(PIP) -e '.[plot]'
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	$(PIP) -e '.[dev]'
	@touch $@ .venv/.demo

.venv/.bench: pyproject.toml | .venv/bin/python
	$(PIP) -e '.[dev,bench]'
	@touch $@ .venv/.dev .venv/.demo
