# The one door. `make help` lists what is behind it.

# Everything is built with one feature set, so that nothing is compiled twice.
ALL := --workspace --all-features
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
# Prints what begins, how it ended and how long it took.
PHASE := @.ci/phase

# Tests of one package cannot ask cargo for the binary of another: they are told.
export SIGNET := $(TARGET)/debug/signet
export SIGNET_CONTROLLER := $(TARGET)/debug/signet-controller
export SIGNET_KIT := $(TARGET)/debug/signet-kit
# The generated cases are the same in every run, so that a failure is of the change. Others by hand:
# PROPTEST_RNG_SEED=$RANDOM PROPTEST_CASES=10000 cargo test …
export PROPTEST_RNG_SEED ?= 1
# No test may reach for the terminal or for the configuration of whoever runs it.
unexport KUBECONFIG

# Two cores, one cargo: in parallel the parts would only wait for each other.
.NOTPARALLEL:

.PHONY: help
help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: build
build: ## The two programs as releases build them, in target/dist
	cargo build --locked --profile dist --features full --package signet
	cargo build --locked --profile dist --package signet-controller

# The small build comes after what uses the full one: both are target/debug/signet.
.PHONY: test
test: fmt lint tools binaries unit walk small wasm image ## Everything that CI runs

.PHONY: fmt
fmt: ## Formatting, checked
	$(PHASE) format cargo fmt --all --check

.PHONY: lint
lint: ## Clippy, warnings as errors, for the full and the small feature set
	$(PHASE) lint cargo clippy --locked --quiet $(ALL) --all-targets -- -D warnings
	$(PHASE) lint-small cargo clippy --locked --quiet --package signet --all-targets -- -D warnings

# etcd, kube-apiserver, kubectl, the peers: built once from pinned Go modules into a cache.
.PHONY: tools
tools: ## The servers and peers that tests start
	$(PHASE) tools tests/tools/build

# --all-targets: with the tests' own dependencies in the graph cargo chooses the same features as for
# the tests, so this is the tests' build and not one beside it.
.PHONY: binaries
binaries:
	$(PHASE) build cargo build --locked --quiet $(ALL) --all-targets

# Unit, property, interop and cluster tests. Cluster tests share two cores with the servers that they
# start, so they say themselves how many of them run at once.
.PHONY: unit
unit: binaries tools
	$(PHASE) tests cargo test --locked $(ALL) --no-fail-fast

# The offline tool with the pure Rust RSA: the same tests over the other implementation.
.PHONY: small
small:
	$(PHASE) tests-small cargo test --locked --quiet --package signet --package signet-keys

.PHONY: wasm
wasm: ## The lock builds for a browser
	$(PHASE) wasm tests/wasm/check

# The demo needs no peer and no cloud: Rust and Go are enough for what it starts.
.PHONY: demo
demo: export SIGNET_TOOLS := etcd kube
demo: tools demo-build walk ## The example repository on a real API server, told in plain words; KEEP=1 stays up

.PHONY: demo-build
demo-build:
	$(PHASE) demo-build cargo build --locked --quiet $(ALL) --bins

.PHONY: walk
walk:
	$(PHASE) demo $(if $(KEEP),,timeout 600) examples/taverne-gitops/walk

# What is measured is what the image ships, but for the link-time optimisation, which takes minutes.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
STATIC = env RUSTFLAGS="-C target-feature=+crt-static" cargo build --locked --quiet --release --target $(HOST)
MEASURED = $(TARGET)/$(HOST)/release

.PHONY: bench
bench: tools ## Beside the real peer, in one run; QUICK=1 leaves out what takes minutes
	$(PHASE) bench-build $(STATIC) --package signet-controller
	$(PHASE) bench-build $(STATIC) --package signet --features full
	SIGNET=$(MEASURED)/signet SIGNET_CONTROLLER=$(MEASURED)/signet-controller \
		cargo run --locked --quiet --package signet-bench

.PHONY: image
image: tools ## The binary of the image, started in an empty root
	$(PHASE) image cargo test --locked $(ALL) --test empty_root

.PHONY: crds
crds: ## deploy/crds from the Rust types
	SIGNET_UPDATE=1 cargo test --package signet-crds

.PHONY: audit
audit: ## Licences, bans, sources and advisories; needs cargo-deny and the network
	cargo deny check
