.PHONY: run help test check lock messages clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

run: $(READY)  ## Start the counter: the sandbox when no token is set, Telegram otherwise
	$(BIN)/balcao run

help:  ## What can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' Makefile

test: check  ## Everything that must hold before a change lands
	$(BIN)/python -m pytest

check: $(READY)  ## Style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lock: $(READY)  ## Resolve the dependencies anew and write their versions and hashes
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
		--no-emit-index-url --no-emit-find-links --no-annotate --no-header \
		--all-extras pyproject.toml --output-file requirements.lock

messages: $(READY)  ## Bring new sentences into the catalogues
	mkdir -p build
	$(BIN)/pybabel -q extract -F pyproject.toml -k tr -k many:1,2 -k N_ --omit-header --no-location --sort-output -o build/balcao.pot .
	for lang in en es; do \
		$(BIN)/pybabel -q update -D balcao -i build/balcao.pot -o locales/$$lang/LC_MESSAGES/balcao.po -l $$lang \
			--omit-header --no-fuzzy-matching --ignore-obsolete --width=120; \
	done

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Balcão needs Python 3.11 or newer; name one with: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $(READY)

clean:  ## Remove what was set up and built
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis build *.egg-info
