# `make demo` and `make test` need only make and a Python >= 3.11 with venv and pip.

SHELL := /bin/sh
VENV ?= .venv
PY := $(VENV)/bin/python
ARGS ?=

# python3 if it will do, else the newest versioned one on PATH. Or: make PYTHON=/path/to/python3
CHECK_PYTHON := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c '$(CHECK_PYTHON)' 2>/dev/null && { echo $$p; break; }; done)

PIP_INSTALL = -m pip install --quiet --no-input --disable-pip-version-check \
	--progress-bar off -c .ci/constraints.txt
# Where bytecode is not written, every start would compile the checkout again.
COMPILE = $(PY) -m compileall -q src judges
INPUTS := pyproject.toml .ci/constraints.txt
MADE := $(VENV)/.made
BASE := $(VENV)/.base
DEV := $(VENV)/.dev

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test check lint types layers docs wheel newest coverage bench clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

demo: $(BASE) ## see FlowJury at work, offline
	@VENV="$(VENV)" bash .ci/demo.sh

test: $(DEV) ## run the tests (ARGS="-k name" to choose)
	$(PY) -m pytest $(ARGS)

check: lint types layers test wheel ## all of CI, locally; `test` includes `docs`

lint: $(DEV) ## formatting and lint rules
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .

types: $(DEV) ## mypy, strictly
	$(PY) -m mypy

layers: $(DEV) ## the layers of the design
	$(VENV)/bin/lint-imports

docs: $(DEV) ## only the tests that run the docs
	$(PY) -m pytest tests/docs $(ARGS)

wheel: $(DEV) ## build wheel and sdist, and use the wheel in a clean place
	@PY="$(PY)" bash .ci/wheel_check.sh

newest: ## the tests on the newest Python of this machine
	@bash .ci/newest.sh $(ARGS)

coverage: $(DEV) ## the tests with branch coverage
	$(PY) -m pytest --cov --cov-report=term-missing $(ARGS)

bench: $(DEV) ## the benchmarks
	$(PY) benchmarks/run.py $(ARGS)

clean: ## remove what the other targets made, but no run store
	rm -rf .venv .venv-newest .demo build dist htmlcov .coverage
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MADE):
	@test -n "$(PYTHON)" || { echo "FlowJury needs a Python >= 3.11 with venv and pip, and found none" \
		"on PATH; install one, or say: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c '$(CHECK_PYTHON)' || { echo "$(PYTHON) will not do: FlowJury needs a Python >= 3.11" \
		"with venv and pip" >&2; exit 1; }
	@echo "making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(BASE): $(MADE) $(INPUTS)
	@echo "installing flowjury into $(VENV)"
	@$(PY) $(PIP_INSTALL) -e .
	@$(COMPILE)
	@touch $@

# The tools include the base: what they need is a superset of it.
$(DEV): $(MADE) $(INPUTS)
	@echo "installing flowjury and the tools to test it into $(VENV) (about a minute)"
	@$(PY) $(PIP_INSTALL) -e '.[dev,openai,langgraph]'
	@$(COMPILE)
	@touch $(BASE) $@
