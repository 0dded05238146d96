#!/usr/bin/env bash
# Everything that is checked, in the order in which it is quickest to know: run this before every commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s\n' "$*"; }

# Some tests read our tables with a small reader in Python, which needs two packages. They go into an environment of
# their own under target/; without a network the packages must be there already.
step "Python packages of the table reader"
if ! python3 -c 'import zstandard, xxhash' 2>/dev/null; then
  environment=target/python
  [ -x "$environment/bin/python3" ] || python3 -m venv "$environment"
  export PATH="$PWD/$environment/bin:$PATH"
  python3 -c 'import zstandard, xxhash' 2>/dev/null || python3 -m pip install --quiet zstandard xxhash
fi
python3 -c 'import sys, zstandard, xxhash; print("python", sys.version.split()[0], "zstandard", zstandard.__version__)'

step "format"
cargo fmt --check

export RUSTDOCFLAGS="-D warnings"
# Without features of its own the crate has one form; with them, none and all are checked.
forms=(--no-default-features)
if grep -q '^\[features\]' Cargo.toml; then forms+=(--all-features); fi
for features in "${forms[@]}"; do
  step "clippy $features"
  cargo clippy --quiet --all-targets "$features" -- -D warnings
  step "tests $features"
  cargo test --quiet "$features"
  step "docs $features"
  cargo doc --quiet --no-deps "$features"
done

step "all is well"
