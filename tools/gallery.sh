#!/usr/bin/env bash
# The pictures of the docs, made from scratch: every scene is run into out/gallery/NAME and drawn to docs/images/NAME.jpg.
# Called by `make gallery`.
#   tools/gallery.sh                 all pictures
#   tools/gallery.sh fan stack10     only these scenes
# ASPERITY is the program (build/asperity), SAMPLES the rays per pixel (64), THREADS the threads (0: all cores).
set -euo pipefail
cd "$(dirname "$0")/.."
asperity=${ASPERITY:-build/asperity}
samples=${SAMPLES:-64}
threads=${THREADS:-0}
out=out/gallery
images=docs/images
command -v ffmpeg >/dev/null || { echo "gallery: ffmpeg is missing; 'make setup' installs it" >&2; exit 1; }
[ -x "$asperity" ] || { echo "gallery: no program at $asperity; 'make' builds it, ASPERITY=... names another" >&2; exit 1; }
mkdir -p $out $images

wanted=("$@")
for name in "${wanted[@]}"; do
  [ -f "scenes/$name.toml" ] || { echo "gallery: no scenes/$name.toml; '$asperity scenes' lists them" >&2; exit 2; }
done
is_wanted() {
  [ ${#wanted[@]} -eq 0 ] && return 0
  local name
  for name in "${wanted[@]}"; do [ "$name" = "$1" ] && return 0; done
  return 1
}

# gallery NAME "RUN OPTIONS" "RENDER OPTIONS"
gallery() {
  local name=$1 run=$2 render=$3
  is_wanted "$name" || return 0
  echo "gallery: $name"
  # shellcheck disable=SC2086  # options are words
  "$asperity" run "scenes/$name.toml" --out "$out/$name" --threads "$threads" --quiet $run
  # shellcheck disable=SC2086
  "$asperity" render "$out/$name" --samples "$samples" --threads "$threads" --quiet $render
  ffmpeg -y -loglevel error -i "$out/$name.png" -q:v 3 "$images/$name.jpg"
}
front() { gallery "$1" "$2" "--picture $out/$1.png --width 1200 --height 675 $3"; }
picture() { gallery "$1" "$2" "--picture $out/$1.png --width 800 --height 450 $3"; }
strip() { gallery "$1" "$2" "--strip $out/$1.png --strip-count ${4:-4} --width 1200 --height 300 $3"; }

# scene                run options      render options
front   demo           ""               "--time 1.1"
strip   slope          ""               ""
picture slope_elliptic "--contacts --set material.plane.checker=true" "--time 1.4 --trails --cones --eye 1.5 -3.2 1.65 --target 0.7 -0.6 -0.4"
picture fan            ""               "--trails"
picture fan_elliptic   ""               "--trails"
picture stack10        ""               ""
picture arch           "--contacts"     "--forces"
picture card_house     "--contacts"     "--forces"
picture dominoes       ""               "--time 1.2"
strip   conveyor       ""               "" 3
picture pendulums      ""               "--time 3"
strip   chain          ""               ""
strip   spinning_tops  ""               ""
picture capsule_pile   ""               ""
picture box_pile       ""               ""
strip   mesh_slope     ""               ""
strip   hopper_mesh    ""               "" 3
picture suzanne_pile   "--duration 5"   ""
picture dunes          ""               ""
picture creature_drop  ""               ""
picture mixed_pile     "--set params.count=100 --duration 4" ""

if is_wanted stack10; then   # what docs/solvers.md compares
  "$asperity" run scenes/stack10.toml --solver pgs --out $out/stack10-pgs --threads "$threads" --quiet
  "$asperity" plot $out/stack10 --y residual --log --title "prox: residual of every step" --out $images/stack10-residual.svg
  "$asperity" plot $out/stack10-pgs --y residual --log --title "pgs: residual of every step" --out $images/stack10-residual-pgs.svg
fi
