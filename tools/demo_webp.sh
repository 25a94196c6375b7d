#!/usr/bin/env bash
# Makes the moving picture at the top of the README, docs/images/demo.webp, from the main scene. Below 3 MB, so that the page
# loads at once.
# Variables: ASPERITY, the program (build/asperity); SAMPLES, samples per pixel (16); DEMO, the folder of a finished run.
set -euo pipefail
cd "$(dirname "$0")/.."
asperity=${ASPERITY:-build/asperity}
samples=${SAMPLES:-16}
out=${DEMO:-out/demo}
[ -f "$out/recording.asp" ] || "$asperity" run scenes/demo.toml --out "$out" --quiet
"$asperity" render "$out" --film "$out/small.mp4" --film-width 640 --film-height 360 --film-samples "$samples" --fps 12
ffmpeg -y -loglevel error -i "$out/small.mp4" -c:v libwebp_anim -quality 60 -compression_level 6 -loop 0 docs/images/demo.webp
size=$(stat -c %s docs/images/demo.webp)
echo "docs/images/demo.webp: $((size / 1024)) KB"
[ "$size" -lt 3000000 ] || { echo "demo_webp: larger than 3 MB; lower -quality or --fps" >&2; exit 1; }
