#!/usr/bin/env bash
# Measures whole commands, each in a folder of its own, and appends a row for each to benches/RECORDS.md.
#
#     scripts/records.sh                          the small works, about two minutes
#     scripts/records.sh english-6 turkish-5      these
#     scripts/records.sh --list                   all that are usual
#
# A work is VARIANT-PIECES, VARIANT-PIECES-METRIC, verify-VARIANT-PIECES[-METRIC] (of tables that are built first, without
# being timed), or perft-VARIANT-DEPTH. THREADS=2 takes two threads instead of one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

small=(english-4 english-5 international-4 russian-4 russian-5 turkish-3 turkish-4
  english-4-dtw international-3-dtw international-4-dtw
  verify-english-5 verify-international-4 verify-russian-5 verify-turkish-4
  perft-international-9 perft-english-11 perft-russian-10 perft-turkish-7)
# From a minute to an hour, and gigabytes.
large=(english-6 international-5 turkish-5 english-5-dtw verify-english-6 verify-international-5)

fail() { echo "$*" >&2; exit 2; }
if [ "${1-}" = --list ]; then
  printf '%s\n' "${small[@]}" "${large[@]}"
  exit
fi
works=("$@")
[ $# -gt 0 ] || works=("${small[@]}")
is_work='^((verify-)?[a-z]+-[0-9]+(-[a-z]+)?|perft-[a-z]+-[0-9]+)$'
for name in "${works[@]}"; do
  [[ $name =~ $is_work ]] || fail "$name is no work: scripts/records.sh --list"
done
[ -x /usr/bin/time ] || fail "GNU time is needed as /usr/bin/time"

cargo build --release --quiet
endame=$PWD/target/release/endame
records=benches/RECORDS.md
threads=${THREADS:-1}
commit=$(git rev-parse --short HEAD)
git diff --quiet HEAD -- . ":!$records" || commit+=" and changes"
machine=$(lscpu | sed -n 's/^Model name: *//p' | head -1)
machine="${machine:-$(uname -m)}, $(nproc) cores, $(uname -s)"
compiler=$(rustc --version | cut -d' ' -f1,2)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export ENDAME_TABLES=$work/tables

heading='## Rows of scripts/records.sh'
if ! grep -qxF "$heading" "$records"; then
  cat >>"$records" <<EOF

$heading

One row a work; solving is the phases \`solve\` and \`turn\` of \`--report\`, by the clock, memory the peak resident size. Of perft
the positions are the leaves of all depths.

| date | commit | machine | compiler | work | command | CPU s | wall s | positions | million positions per CPU s | solving s | million positions per s of solving | memory MB | bytes |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
EOF
fi

# Puts a row behind the last one below the heading, whatever comes after.
append() {
  awk -v heading="$heading" -v row="$1" '
    { lines[NR] = $0 }
    $0 == heading { inside = 1; next }
    /^## / { inside = 0 }
    inside && /^\|/ { last = NR }
    END { for (i = 1; i <= NR; i++) { print lines[i]; if (i == last) print row } }
  ' "$records" >"$work/records"
  cat "$work/records" >"$records"
}

# Positions of the build that was reported, and seconds of solving.
reported() {
  "$endame" report "$work/report.json" --json | python3 -c '
import json, sys
build = json.load(sys.stdin)["builds"][0]
print(build["positions"], round(build["seconds"]["solve"] + build["seconds"]["turn"], 2))'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b / 1e6; else printf "-" }'; }

measure() {
  local name=$1 verb=build variant pieces metric
  case $name in verify-* | perft-*) verb=${name%%-*} name=${name#*-} ;; esac
  IFS=- read -r variant pieces metric <<<"$name-wdl"
  metric=${metric%%-*}
  local all=(build "$variant" --pieces "$pieces" --metric "$metric" --threads "$threads" --report "$work/report.json")
  local command=("${all[@]}") solving=- rate=- bytes=-
  rm -rf "$ENDAME_TABLES" "$work/report.json"
  case $verb in
    verify)
      "$endame" "${all[@]}" >/dev/null 2>&1
      command=(verify "$variant" --threads "$threads")
      ;;
    perft) command=(perft "$variant" --depth "$pieces" --threads "$threads") ;;
  esac
  if ! /usr/bin/time -f '%U %S %e %M' -o "$work/time" "$endame" "${command[@]}" >"$work/out" 2>"$work/err"; then
    tail -3 "$work/err" >&2
    fail "endame ${command[*]}: it did not end well"
  fi
  local user system wall memory positions cpu
  read -r user system wall memory < <(tail -1 "$work/time")
  cpu=$(awk -v a="$user" -v b="$system" 'BEGIN { printf "%.2f", a + b }')
  if [ "$verb" = perft ]; then
    positions=$(awk 'NR > 1 { sum += $2 } END { printf "%.0f", sum }' "$work/out")
  else
    read -r positions solving < <(reported)
  fi
  if [ "$verb" = build ]; then
    rate=$(ratio "$positions" "$solving")
    bytes=$(find "$ENDAME_TABLES" -name '*.end' -printf '%s\n' | awk '{ sum += $1 } END { printf "%.0f", sum }')
  else
    solving=-
  fi
  local shown="endame ${command[*]}"
  shown=${shown/ --report $work\/report.json/ --report FILE}
  append "| $(date +%F) | $commit | $machine | $compiler | $1 | \`$shown\` | $cpu | $wall | $positions | $(ratio "$positions" "$cpu") | $solving | $rate | $((memory / 1000)) | $bytes |"
  echo "$1: $cpu CPU s, $wall s, $(ratio "$positions" "$cpu") million positions per CPU s, $((memory / 1000)) MB"
}

for name in "${works[@]}"; do
  measure "$name"
done
