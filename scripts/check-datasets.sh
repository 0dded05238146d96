#!/usr/bin/env bash
# The promises about datasets, at full size and from the outside; about ten minutes. Takes the program to check, by default
# the release build, and works in a temporary folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
endame=$(realpath "${1:-target/release/endame}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ENDAME_TABLES=$work/tables

fail() { echo "FAULT: $*" >&2; exit 1; }
# One number for all shards of a folder, whatever else lies there.
sum() { (cd "$1" && sha256sum ./*.games | sha256sum | cut -d' ' -f1); }

echo "== no wrong label in 100,000 positions of any variant, and an altered byte is found"
for variant in international english russian turkish; do
  "$endame" build "$variant" --pieces 4 --metric dtw 2>/dev/null >/dev/null
  "$endame" selfplay "$variant" --games 2048 --seed 5 --depth 2 --play-on --out "$work/$variant" 2>/dev/null >/dev/null
  positions=$("$endame" dataset info "$work/$variant" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["positions"])')
  [ "$positions" -ge 100000 ] || fail "$variant: only $positions positions"
  "$endame" dataset verify "$work/$variant" 2>/dev/null || fail "$variant: a wrong label"
  python3 - "$work/$variant/000000.games" "$work/altered.games" <<'PY'
import random, sys
data = bytearray(open(sys.argv[1], "rb").read())
data[random.randrange(len(data))] ^= 1 << random.randrange(8)
open(sys.argv[2], "wb").write(data)
PY
  if "$endame" dataset verify "$work/altered.games" >/dev/null 2>&1; then fail "$variant: an altered byte was not found"; fi
done

echo "== the same bytes for 1, 2 and 7 threads"
play=(selfplay international --games 4096 --seed 7 --depth 2)
for threads in 1 2 7; do
  "$endame" "${play[@]}" --threads "$threads" --out "$work/threads-$threads" 2>/dev/null >/dev/null
done
whole=$(sum "$work/threads-1")
for threads in 2 7; do
  [ "$(sum "$work/threads-$threads")" = "$whole" ] || fail "other bytes with $threads threads"
done

echo "== the same bytes after 20 kills"
kills=0
while [ "$kills" -lt 20 ]; do
  "$endame" "${play[@]}" --out "$work/killed" >/dev/null 2>&1 &
  sleep "0.$((RANDOM % 9 + 1))"
  if kill -9 $! 2>/dev/null; then kills=$((kills + 1)); fi
  wait $! 2>/dev/null || true
  # A run that came to its end begins again, so that every kill meets a run.
  if [ -f "$work/killed/000003.games" ]; then
    [ "$(sum "$work/killed")" = "$whole" ] || fail "other bytes after $kills kills"
    rm -r "$work/killed"
  fi
done
"$endame" "${play[@]}" --out "$work/killed" >/dev/null 2>&1
[ "$(sum "$work/killed")" = "$whole" ] || fail "other bytes after $kills kills"

echo "== the same bytes from three folders, merged"
for part in 1 2 3; do
  "$endame" "${play[@]}" --shard "$part/3" --out "$work/part-$part" 2>/dev/null >/dev/null
done
"$endame" dataset merge "$work"/part-[123] --out "$work/merged.games" >/dev/null
"$endame" dataset merge "$work/threads-1" --out "$work/whole.games" >/dev/null
cmp "$work/merged.games" "$work/whole.games" || fail "other bytes after a merge"

echo "== other seeds and shards share no game"
"$endame" selfplay international --games 4096 --seed 8 --depth 2 --out "$work/other" 2>/dev/null >/dev/null
games() { "$endame" dataset export "$1" --format pdn --out - | python3 -c '
import re, sys
games = [re.sub(r"\[[^\]]*\]", "", game).strip() for game in re.split(r"\n\n(?=\[)", sys.stdin.read())]
print("\n".join(sorted(" ".join(game.split()) for game in games)))'; }
games "$work/threads-1" > "$work/games-7"
games "$work/other" > "$work/games-8"
[ "$(uniq "$work/games-7" | wc -l)" = 4096 ] || fail "a game twice in a run"
[ -z "$(comm -12 "$work/games-7" "$work/games-8")" ] || fail "two seeds share a game"

echo "== a full disk ends a run with 4 and leaves no torn shard"
mkdir "$work/small"
if mount -t tmpfs -o size=64k tmpfs "$work/small" 2>/dev/null; then
  code=0
  "$endame" "${play[@]}" --out "$work/small/run" >/dev/null 2>&1 || code=$?
  [ "$code" = 4 ] || fail "exit code $code on a full disk"
  for shard in "$work"/small/run/*.games; do
    [ ! -e "$shard" ] || cmp "$shard" "$work/threads-1/$(basename "$shard")" || fail "a torn shard"
  done
  umount "$work/small"
else
  echo "   skipped: no right to mount a small disk"
fi

echo "all is well"
