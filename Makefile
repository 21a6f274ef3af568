# SPDX-License-Identifier: Apache-2.0
# A thin door: each target calls CMake's presets or a script of tools/.

.DEFAULT_GOAL := help
.PHONY: help setup build demo test clients bench bench-peers bench-sweep benchmark-comment asan tsan lint tidy analyze format docs clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Install and build what the project needs and did not write (.deps/)
	tools/setup

build: setup ## Driver, command line and warehouse, into build/release
	cmake --preset release
	cmake --build --preset release --target programs

demo: build ## 1.44 million rows from a local warehouse into a Parquet file
	tools/demo

test: ## Set-up, build, every test
	tools/setup --test
	cmake --preset release
	cmake --build --preset release
	ctest --preset release
	.deps/venv/bin/python -m pytest tests

clients: build ## Other people's clients at work on the warehouse; writes the table of docs/compatibility.md
	tools/setup --test
	tools/setup_clients
	rm -f build/clients/*.json
	CLOUDFETCH_RUN_CLIENTS=1 .deps/venv/bin/python -m pytest tests/clients; status=$$?; \
	  .deps/venv/bin/python -m tests.clients.compatibility && exit $$status

bench: build ## Our own rates; SCENARIO=P4 or QUERIES="customer inventory" for some, PEERS="ours connector" of some
	tools/bench ours "$(SCENARIO)" "$(PEERS)"

bench-peers: build ## Every client that can be run here, beside ours (make clients installs them)
	tools/bench peers "$(SCENARIO)" "$(PEERS)"

bench-sweep: build ## The settings of each client tried, the best kept in bench/best_knobs.json
	tools/bench sweep "$(SCENARIO)" "$(PEERS)"

benchmark-comment: ## What `make bench` stored as a pull request's comment; BASELINE=FOLDER to compare with
	tools/benchmark_comment.py report --output build/benchmark-comment.md $(if $(BASELINE),--baseline "$(BASELINE)")

asan: ## Unit tests and recordings under the address and undefined-behaviour sanitizers
	tools/setup --test
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan
	tools/recordings build/asan/libadbc_driver_databricks.so "$$(gcc -print-file-name=libasan.so)"

tsan: ## The pipeline's tests under the thread sanitizer
	tools/setup --test
	cmake --preset tsan
	cmake --build --preset tsan
	ctest --preset tsan

lint: ## Layers, formatting, ruff, actionlint
	tools/setup --test --lint
	tools/lint

tidy: ## clang-tidy over our own sources
	tools/setup --test --lint
	tools/tidy

analyze: ## The same with clang's analyzer (twice the time)
	tools/setup --test --lint
	tools/tidy --analyzer

format: ## Format all sources
	tools/setup --lint
	git ls-files '*.cc' '*.h' | xargs clang-format-19 -i
	.deps/venv/bin/ruff format .

docs: ## Write docs/options.md from the option table
	cmake --preset release
	cmake --build --preset release --target options_page
	build/release/options_page >docs/options.md

clean: ## Remove what was built of ours (.deps/ stays)
	rm -rf build
