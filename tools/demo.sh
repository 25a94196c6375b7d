#!/usr/bin/env bash
# Runs the main scene and makes a picture, a film and a glTF file. Called by `make demo`.
set -euo pipefail
cd "$(dirname "$0")/.."
out=out/demo
build/asperity run scenes/demo.toml --out $out
build/asperity render $out --picture $out/demo.png --time 6 --width 1920 --height 1080 --samples 16
echo
echo "picture  $PWD/$out/demo.png"
echo "Now the film of ten seconds. It takes seven minutes on two idle cores; Ctrl-C leaves all the rest."
build/asperity render $out --film $out/demo.mp4 --film-width 1920 --film-height 1080 --film-samples 4 --fps 24
echo
echo "film     $PWD/$out/demo.mp4"
echo "glTF     $PWD/$out/motion.glb   (opens in Blender and any glTF viewer)"
echo "numbers  $PWD/$out/summary.json, steps.csv, bodies.csv"
