#!/usr/bin/env bash
# Everything that is checked, in the order in which it is quickest to know: run this before every commit.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n== %s\n' "$*"; }

# Some tests read our tables and datasets with Python: with a small reader of our own, and with the libraries that people
# use. The packages go into an environment of their own under target/; without a network they must be there already.
step "Python packages of the readers"
packages=(zstandard xxhash numpy pandas pyarrow duckdb pydraughts)
modules='zstandard, xxhash, numpy, pandas, pyarrow, duckdb, draughts.convert'
if ! python3 -c "import $modules" 2>/dev/null; then
  environment=target/python
  [ -x "$environment/bin/python3" ] || python3 -m venv "$environment"
  export PATH="$PWD/$environment/bin:$PATH"
  python3 -c "import $modules" 2>/dev/null || python3 -m pip install --quiet "${packages[@]}"
fi
python3 -c "import sys, $modules; print('python', sys.version.split()[0])"

step "format"
cargo fmt --check

export RUSTDOCFLAGS="-D warnings"
# Everything runs with all features; without them the program must still compile. Benches compile here and are not run.
step "clippy --no-default-features"
cargo clippy --quiet --all-targets --no-default-features -- -D warnings
step "clippy"
cargo clippy --quiet --all-targets --all-features -- -D warnings
step "docs"
cargo doc --quiet --no-deps --all-features
step "tests"
cargo test --quiet --all-features
step "all is well"
