#!/usr/bin/env bash
# The flagship scene: run, picture, film, glTF. Called by `make demo`.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out/demo
build/asperity run scenes/demo.toml --out $out
build/asperity render $out --picture $out/demo.png --time 1.1 --film $out/demo.mp4 --film-width 640 --film-height 360 --film-samples 8 --fps 24
echo
echo "picture  $PWD/$out/demo.png"
echo "film     $PWD/$out/demo.mp4"
echo "glTF     $PWD/$out/motion.glb   (opens in Blender and any glTF viewer)"
echo "numbers  $PWD/$out/summary.json, steps.csv, bodies.csv"
