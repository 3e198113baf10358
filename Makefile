# Everything runs in .venv, which the first command that needs it sets up.
PYTHON ?= python3
BIN := .venv/bin
MAY_INSTALL := { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; }
HAS_BROWSER := { command -v chromium || command -v chromium-browser || command -v google-chrome; } > /dev/null
PIP := -m pip --disable-pip-version-check install --quiet
SCRIPT := web
BUNDLER := $(SCRIPT)/node_modules/.package-lock.json
HAS_NODE := { command -v node && command -v npm; } > /dev/null
# There is a process for every core: threads of matrix products would only be in its way.
# Tests start many processes, which would compile all modules each time without bytecode.
WITH_BYTECODE := PYTHONDONTWRITEBYTECODE=
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# Some tests wait for processes of their own: one more than there are cores keeps all of them busy.
SIDE_BY_SIDE = -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist loadfile --no-loadscope-reorder
# Tests start many processes: none of them should compile the package anew.
unexport PYTHONDONTWRITEBYTECODE
# Processes of test-lowest; 0 is none but its own.
WORKERS ?= auto

.PHONY: browser docs release try-bundler script script-test demo pictures test-fast test test-lowest check format help map bench questions-bench constraints-bench \
  explorer-bench kernel-bench stability-bench classes-bench curves-bench startup-bench bench-scale bench-outside bench-beside bench-cores defaults-bench soak \
  papers peers peers-quick \
  forest-bench tables privileged-tables errors clean

demo: .venv/.demo  ## analyse the breast cancer data; table on screen, files under out/
	$(BIN)/allrelevant demo --out out

pictures: .venv/.dev browser demo  ## the pictures of README and docs
	$(BIN)/python docs/pictures.py out

test-fast: .venv/.dev  ## a minute of tests that touch every package; for every edit
	$(ONE_THREAD) $(WITH_BYTECODE) $(BIN)/python -m pytest -n $$(getconf _NPROCESSORS_ONLN) --dist loadfile -m "not slow"

test: .venv/.dev browser try-bundler  ## run all tests
	$(ONE_THREAD) $(WITH_BYTECODE) $(BIN)/python -m pytest $(SIDE_BY_SIDE)
	@$(HAS_BROWSER) || echo "!!! The explorer was NOT tested in a browser: Chromium is missing and could not be installed."
	@$(HAS_NODE) || echo "!!! The explorer's script was NOT tested by itself: node or npm is missing."

test-lowest: .venv-lowest/.done  ## the fast tests with the lowest versions that pyproject.toml allows
	$(ONE_THREAD) $(WITH_BYTECODE) .venv-lowest/bin/python -m pytest -n $(WORKERS) -m "not slow"

docs: .venv/.docs  ## the documentation as HTML in out/docs; fetches nothing, warnings are errors
	$(ONE_THREAD) $(BIN)/python -m sphinx -W --keep-going -b html docs out/docs

browser:  ## Chromium for the explorer's tests, where we may install it
	@$(HAS_BROWSER) \
	  || { $(MAY_INSTALL) \
	       && echo "Installing Chromium with apt-get: the explorer's page needs a browser" \
	       && apt-get -qq update \
	       && apt-get -qq install -y --no-install-recommends chromium > /dev/null; } \
	  || true

script: $(BUNDLER)  ## the one file that the explorer's page and widget load, from its modules; needs node
	npm --prefix $(SCRIPT) --silent run build

script-test: $(BUNDLER)  ## the script's own tests, and whether its bundle is the committed one
	npm --prefix $(SCRIPT) --silent test
	npm --prefix $(SCRIPT) --silent run check

check: .venv/.dev  ## lint, format check, types, which rooms import which, and what would be published
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/repo-review --show err .
	@echo "Building sdist and wheel in a temporary folder, and looking into them"
	@built=$$(mktemp -d) && trap 'rm -rf "$$built"' EXIT \
	  && $(BIN)/python -m build --no-isolation --outdir "$$built" . > "$$built/log" 2>&1 \
	  || { cat "$$built/log"; exit 1; } \
	  && $(BIN)/check-wheel-contents "$$built" \
	  && $(BIN)/twine check --strict "$$built"/*.whl "$$built"/*.tar.gz

TAG ?=
release: .venv/.dev  ## sdist and wheel of the version's tag into dist/, tried on each Python here; uploads nothing
	$(BIN)/python tools/release.py $(if $(TAG),--tag $(TAG))

format: .venv/.dev  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.bench  ## CPU time against ECOS and cold HiGHS; writes docs/results/benchmarks.md
	$(BIN)/python -m benchmarks.speed

questions-bench: .venv/.dev  ## CPU time of the questions; writes docs/results/benchmarks-questions.md
	$(BIN)/python -m benchmarks.questions

constraints-bench: .venv/.bench  ## what-if and groups; writes docs/results/benchmarks-constraints.md
	$(BIN)/python -m benchmarks.constraints

explorer-bench: .venv/.dev browser  ## how soon the explorer's bars move; writes docs/results/benchmarks-explorer.md
	$(BIN)/python -m benchmarks.explorer

stability-bench: .venv/.dev  ## what halves of the rows cost, in fits; writes docs/results/benchmarks-stability.md
	$(BIN)/python -m benchmarks.stability

classes-bench: .venv/.dev  ## classes without an order: F1 and CPU time; writes docs/results/classes.md
	$(BIN)/python -m benchmarks.classes

curves-bench: .venv/.dev  ## curves beside forests: F1 and CPU time; writes docs/results/curves.md
	$(BIN)/python -m benchmarks.curves

startup-bench: .venv/.dev  ## CPU time until the command says something; writes docs/results/benchmarks-startup.md
	$(BIN)/python -m benchmarks.startup

bench-scale: .venv/.dev  ## CPU time and memory as tables get taller and wider; writes docs/results/scale.md
	$(BIN)/python -m benchmarks.scale

bench-outside: .venv/.dev  ## fits to rows on a cluster of two processes; writes docs/results/outside.md
	$(BIN)/python -m benchmarks.outside

COMMIT = HEAD
bench-beside: .venv/.dev  ## CPU time beside an earlier commit, in one run; COMMIT=hash
	$(BIN)/python -m benchmarks.beside $(COMMIT)

bench-cores: .venv/.dev  ## what two processes bring; writes docs/results/cores.md
	$(BIN)/python -m benchmarks.cores

MINUTES ?= 60
soak: .venv/.dev  ## hard fits for MINUTES=60, going on where the last run ended; writes docs/results/robustness.md
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES) --write

tables: .venv/.dev  ## the papers' simulated data sets, 10 seeds; writes docs/results/tables.md
	$(BIN)/python -m benchmarks.tables --write

privileged-tables: .venv/.dev  ## the same with privileged features; writes docs/results/tables-privileged.md
	$(BIN)/python -m benchmarks.tables --privileged --write

DATA ?= data/ordinal
kernel-bench: .venv/.bench  ## the ordinal kernel classifier: speed, rivals, Table 2; DATA=folder of the sets
	$(BIN)/python -m benchmarks.kernel --data $(DATA)

BEFORE ?=
PEERS ?=
defaults-bench: .venv/.bench  ## every default on data it was not chosen on; writes docs/results/defaults-measured.md
	$(BIN)/python -m benchmarks.defaults --write --data $(DATA) \
	  $(if $(BEFORE),--before $(BEFORE)) $(if $(PEERS),--peers-python $(PEERS))

papers: .venv/.bench  ## the papers' tables beside ours, hours; writes docs/papers
	$(BIN)/python -m benchmarks.papers --write --figures

PEERS_READY := .venv-peers/peers/.done .venv-peers/arfs/.done .venv-peers/ordered/.done
peers: .venv/.bench $(PEERS_READY)  ## other selectors beside ours, hours; writes docs/results/peers.md
	$(BIN)/python -m benchmarks.peers --write

peers-quick: .venv/.bench $(PEERS_READY)  ## the same on six kinds of data, in ten minutes; writes nothing
	$(BIN)/python -m benchmarks.peers --quick

help:  ## what there is to make
	@grep -E '^[a-z-]+:.*  ## ' $(MAKEFILE_LIST) | sed 's/:.*  ## /: /'

IN ?=
map:  ## every module with a sentence that says what it holds; IN=folder
	@$(PYTHON) tools/rooms.py $(IN)

errors: .venv/.dev  ## what is said to bad input; writes docs/manual/errors.md
	$(BIN)/python tools/errors.py

forest-bench: .venv/.bench  ## non-linear relevance against the thesis and Boruta; writes docs/results/forest.md
	$(BIN)/python -m benchmarks.forest --write

clean:
	rm -rf .venv .venv-lowest .venv-peers out .pytest_cache .mypy_cache .ruff_cache $(SCRIPT)/node_modules

# Debian splits venv from Python: where it is missing and we may, install it.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Making .venv with $(PYTHON)"
	@$(PYTHON) -m venv .venv > /dev/null 2>&1 \
	  || { rm -rf .venv; $(MAY_INSTALL) \
	       && echo "Installing python3-venv with apt-get: Python's venv module is missing" \
	       && apt-get -qq update && apt-get -qq install -y python3-venv > /dev/null \
	       && $(PYTHON) -m venv .venv; } \
	  || { rm -rf .venv; echo "Python's venv module is missing: install python3-venv"; exit 1; }

.venv/.demo: pyproject.toml | .venv/bin/python
	$(BIN)/python $(PIP) -e '.[plot]'
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	$(BIN)/python $(PIP) -e '.[dev]'
	@touch $@ .venv/.demo

# What bundles the script needs no code of its own run when it is installed.
$(BUNDLER): $(SCRIPT)/package.json $(SCRIPT)/package-lock.json
	npm --prefix $(SCRIPT) ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Tests of all else do not hang on whether the bundler can be had.
try-bundler:
	@! { $(HAS_NODE); } || $(MAKE) --no-print-directory $(BUNDLER) \
	  || echo "!!! The bundler could not be installed: whether the bundle is made of the modules was NOT checked."

.venv/.docs: pyproject.toml | .venv/bin/python
	$(BIN)/python $(PIP) -e '.[docs]'
	@touch $@ .venv/.demo

.venv/.bench: pyproject.toml | .venv/bin/python
	$(BIN)/python $(PIP) -e '.[dev,bench]'
	@touch $@ .venv/.dev .venv/.demo

# The lowest versions are older than newer Pythons.
.venv-lowest/.done: pyproject.toml tools/lowest.py | .venv/bin/python
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 13))' \
	  || { echo "Python 3.11 or 3.12 is needed: make clean, then make PYTHON=/path/to/python3.11 test-lowest"; exit 1; }
	@echo "Making .venv-lowest with the lowest versions that pyproject.toml allows"
	@[ -x .venv-lowest/bin/python ] || $(BIN)/python -m venv .venv-lowest
	$(BIN)/python tools/lowest.py > .venv-lowest/constraints.txt
	.venv-lowest/bin/python $(PIP) -c .venv-lowest/constraints.txt -e '.[test]'
	@touch $@

# Other methods need versions of their own.
.venv-peers/%/.done: benchmarks/peers/requirements-%.txt | .venv/bin/python
	@echo "Making .venv-peers/$* for methods that are not ours"
	@$(BIN)/python -m venv .venv-peers/$*
	.venv-peers/$*/bin/python $(PIP) -r $<
	@touch $@
