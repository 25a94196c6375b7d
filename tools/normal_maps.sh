#!/usr/bin/env bash
# The pictures of docs/laws/normal-maps.md: the map of each generator, and all of them on lit plates.
#   tools/normal_maps.sh
# Variables: ASPERITY, the program (build/asperity); SAMPLES, samples per pixel (64).
set -euo pipefail
cd "$(dirname "$0")/.."
asperity=${ASPERITY:-build/asperity}
images=docs/images/normal-maps
command -v ffmpeg >/dev/null || { echo "normal_maps: ffmpeg is missing; 'make setup' installs it" >&2; exit 1; }
[ -x "$asperity" ] || { echo "normal_maps: no program at $asperity; 'make' builds it, ASPERITY=... names another" >&2; exit 1; }
mkdir -p $images out

map() {
  echo "$2"
  "$asperity" texture --normal-map "$2, size = [128, 128]" --bits 8 --out "$images/$1.png"
}
map gaussian  "gaussian = [0.1, 1]"
map rough     "ra_mm = 1"
map brushed   "brushed = 0.3, length = 32"
map sawtooth  "sawtooth = [15, 60], period = 16"
map diagonal  "sawtooth = [15, 60], period = 16, direction_deg = 45"
map thread    "thread = [0.0007, 0.003545], turns = 8"
map acrylic   "finish = 'acrylic'"
map oak       "finish = 'oak'"
map pvc       "finish = 'pvc'"
map emblem    "emblem = 40"
map waves     "height = '0.004*sin(2*pi*x/0.1)*sin(2*pi*y/0.1)', tile_size = 0.2"

"$asperity" run tools/normal_maps.toml --out out/normal_maps --quiet
"$asperity" render out/normal_maps --picture out/normal_maps.png --width 1200 --height 480 --samples "${SAMPLES:-64}" --quiet
ffmpeg -y -loglevel error -i out/normal_maps.png -q:v 3 $images/board.jpg
