# SPDX-License-Identifier: MIT
# Makefile: the commands of the README, thin over CMake. `make help` lists them.

PREFIX  ?= /usr/local
DESTDIR ?=
SETUP   ?= 1
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
MUTANTS ?= 200
SEED    ?= 1

MAKEFLAGS += --no-print-directory
CMAKE  := cmake
CCACHE := $(shell command -v ccache 2>/dev/null)
LAUNCH := $(if $(CCACHE),-DCMAKE_C_COMPILER_LAUNCHER=$(CCACHE))
ABUT   := build/release/abut
SPACE  := $(subst ,, )

# results of `make bench` and `make reproduce` that the report shows; without them it says that they were not run
SAVED = $(wildcard $(addprefix build/,bench.json perturbation.json refinement.json timestep.json spin-box-prox.json))

# the tests that run with the thread sanitizer too
THREADED := threads query rows solve_threads world_threads

# Configure and build go to stderr, so that `make assess > table.txt` holds the table and nothing else.
configure_and_build = $(CMAKE) --preset $(1) $(LAUNCH) $(2) >&2 && $(CMAKE) --build --preset $(1) --parallel $(JOBS) >&2
build_and_test = $(call configure_and_build,$(1)) && ctest --preset $(1) --parallel $(JOBS) $(TIMEOUT)

# where CTest lists the failed tests of a preset, and all of them in one list
failed_of = build/$(1)/Testing/Temporary/LastTestsFailed.log
list_failed = for preset in check asan tsan; do sed -n "s/^[0-9]*:/failed in $$preset: /p" $(call failed_of,$$preset) 2>/dev/null; done

.NOTPARALLEL:
.PHONY: assess test test-long test-check test-asan test-threads test-mutants bench reproduce pictures docs package install format clean setup help build viewer

assess: ## build, measure all methods on the fundamental cases, and write a report (the default)
	@$(call setup,assess)
	@$(MAKE) build
	@$(ABUT) assess
	@echo "report: $$($(ABUT) report $(SAVED) --out build/report)" >&2
	@$(ABUT) view missing.h5 2>&1 | sed -n 's/.*built without the viewer.*/abut view: not built; "make viewer" installs Node.js and builds it/p' >&2

viewer: ## build the release with abut view, which needs Node.js; make assess leaves it out if Node.js is missing
	@$(call setup,viewer)
	@$(call configure_and_build,release,-DABUT_VIEWER=ON)
	@echo "make viewer: built $(ABUT) with the viewer"

test: ## build and run all tests: optimised with warnings as errors, then with ASan and UBSan
	@$(call setup,test)
	@$(MAKE) test-check test-asan
	@echo "make test: all tests passed, optimised and with the address and undefined behaviour sanitizers"

test-long: export ABUT_TEST_LONG = 1
test-long: export TIMEOUT = --timeout 3600
test-long: ## the same with the long campaigns, and threads with TSan; goes on after a failure and lists all at the end
	@$(call setup,test)
	@$(MAKE) --keep-going test-check test-asan test-threads || { $(list_failed); exit 1; }
	@echo "make test-long: all tests passed, optimised and with the address, undefined behaviour and thread sanitizers"

test-check test-asan: test-%:
	@rm -f $(call failed_of,$*)
	@$(call build_and_test,$*)
	@sed -n 's/^skipped: /make $@: some tests were skipped: /p' build/$*/Testing/Temporary/LastTest.log | sort -u

test-threads: ## run the threading tests with TSan
	@rm -f $(call failed_of,tsan)
	@$(CMAKE) --preset tsan $(LAUNCH) >&2 && $(CMAKE) --build --preset tsan --parallel $(JOBS) --target $(THREADED:%=test_%) >&2
	@ctest --preset tsan --tests-regex '^($(subst $(SPACE),|,$(THREADED)))$$' $(TIMEOUT)

test-mutants: ## change src/ in small ways; 85 % must be noticed (MUTANTS=200 SEED=1); under 2 hours on 2 cores
	@$(call setup,test)
	@tools/mutants.py --count $(MUTANTS) --seed $(SEED) --jobs $(JOBS)

bench: ## build, then run all benchmarks, beside other libraries from Debian; takes minutes
	@$(call setup,bench)
	@$(call configure_and_build,bench)
	@build/bench/abut bench --large --out build/bench.json

reproduce: ## write tables and plots of docs/reproduction.md anew; takes more than half an hour
	@$(call setup,test)
	@$(MAKE) build
	@tools/reproduce_simulations.sh $(ABUT) build docs

pictures: ## make the drawings and screenshots of the documents anew
	@$(call setup,test)
	@$(MAKE) build
	@tools/pictures.sh $(ABUT) build/release/viewer docs

docs: ## make the reference pages of the headers in build/docs (Doxygen, warnings are errors)
	@$(call setup,docs)
	@mkdir -p build
	@ABUT_VERSION=$$(sed -n 's/^project(abut VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt) doxygen Doxyfile
	@echo "make docs: build/docs/html/index.html"

package: ## build the Debian packages in build/package, check them, and compile the example against them
	@$(call setup,package)
	@tools/package.sh build/package

install: ## install to PREFIX (default /usr/local), below DESTDIR where given
	@$(call setup,assess)
	@$(call configure_and_build,release,-DCMAKE_INSTALL_PREFIX="$(abspath $(PREFIX))")
	@DESTDIR="$(DESTDIR)" $(CMAKE) --install build/release
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

format: ## format all C files in place (clang-format 14)
	@tools/format.sh

clean: ## remove build/
	@rm -rf build

setup: ## install what is missing from Debian's packages
	@tools/setup.sh --verbose test

build: ## build the release in build/release
	@$(call configure_and_build,release)

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20
	@echo "SETUP=0 leaves the installed packages alone; JOBS=N sets the number of parallel jobs"

# $(call setup,PURPOSE): quick where nothing is missing
setup = if [ "$(SETUP)" != 0 ]; then tools/setup.sh $(1) >&2; fi
