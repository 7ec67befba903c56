# The front door. Every target installs the packages it needs (tools/install-packages), builds
# with CMake, and does its job; nothing else has to be typed.
.DEFAULT_GOAL := all
.PHONY: all release demo test asan mutants fuzz bench lint docs wheel deb dist install clean help

PREFIX ?= /usr/local
AREA ?= all
FUZZ_SECONDS ?= 30

all: release ## build the library and the command (build/release)
	@echo "built build/release/src/cli/heterorr; try: make demo"

release:
	@tools/install-packages build
	@tools/build release

demo: release ## show what heterorr does on a built-in graph
	@build/release/src/cli/heterorr demo -o demo

test: ## build with assertions and run every test
	@tools/install-packages build test
	@tools/build dev
	@ctest --preset dev -j "$$(nproc)"

asan: ## the same under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/install-packages build test
	@tools/build asan
	@ctest --preset asan -j "$$(nproc)"

mutants: ## plant privacy mistakes one at a time, and see each one caught (long)
	@tools/install-packages build test
	@tests/mutants/run.py

fuzz: ## run every fuzz target for FUZZ_SECONDS (default 30) each
	@tools/install-packages build fuzz
	@tools/build fuzz
	@tools/fuzz $(FUZZ_SECONDS)

bench: ## measure against peers in the same run: make bench AREA=io|random|generate|feature|edge|structure|learn|attack|python|serve|vision|scale
	@tools/install-packages build bench
	@tools/build release
	@bench/run $(AREA)

lint: ## read the code with clang-tidy and gcc -fanalyzer (long)
	@tools/install-packages build lint
	@tools/lint

docs: ## make the documentation as a site with search, and pages of the C API (build/site/index.html)
	@tools/install-packages docs
	@tools/docs-site
	@echo "made build/site/index.html"

wheel: release ## make the Python package (dist/heterorr-*.whl)
	@tools/install-packages wheel
	@python3 python/backend.py wheel dist

deb: ## make the Debian packages (dist/*.deb)
	@tools/install-packages build deb
	@tools/deb

dist: ## make the source archive and its checksum (dist/heterorr-*.tar.xz)
	@tools/dist

install: release ## install under PREFIX (default /usr/local)
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything that was built
	@rm -rf build demo dist heterorr-demo

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10
