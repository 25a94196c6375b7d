#!/usr/bin/env bash
# Makes the pictures of the docs: runs every scene into out/gallery/NAME and renders it to docs/images/NAME.jpg.
# Called by `make gallery`.
#   tools/gallery.sh                 all pictures
#   tools/gallery.sh fan matchstick/slalom     only these scenes
# Variables: ASPERITY, the program (build/asperity); SAMPLES, samples per pixel (64); THREADS (0: all cores).
set -euo pipefail
cd "$(dirname "$0")/.."
asperity=${ASPERITY:-build/asperity}
samples=${SAMPLES:-64}
threads=${THREADS:-0}
out=out/gallery
images=docs/images
command -v ffmpeg >/dev/null || { echo "gallery: ffmpeg is missing; 'make setup' installs it" >&2; exit 1; }
[ -x "$asperity" ] || { echo "gallery: no program at $asperity; 'make' builds it, ASPERITY=... names another" >&2; exit 1; }
mkdir -p $out/matchstick $images/matchstick $out/mesoscale $images/mesoscale $out/sixd $images/sixd $out/soft $images/soft

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
  # shellcheck disable=SC2086  # options are separate words
  "$asperity" run "scenes/$name.toml" --out "$out/$name" --threads "$threads" --quiet $run
  # shellcheck disable=SC2086
  "$asperity" render "$out/$name" --samples "$samples" --threads "$threads" --quiet $render
  ffmpeg -y -loglevel error -i "$out/$name.png" -q:v 3 "$images/$name.jpg"
}
front() { gallery "$1" "$2" "--picture $out/$1.png --width 1200 --height 675 $3"; }
picture() { gallery "$1" "$2" "--picture $out/$1.png --width 800 --height 450 $3"; }
strip() { gallery "$1" "$2" "--strip $out/$1.png --strip-count ${4:-4} --width 1200 --height 300 $3"; }

# scene                run options      render options
front   demo           ""               "--time 6"
picture slope          ""               "--time 1.5 --trails"
picture slope_elliptic "--contacts --set material.plane.checker=true" "--time 1.4 --trails --cones"
picture fan            ""               "--trails"
picture fan_elliptic   ""               "--trails"
picture stack10        ""               ""
picture arch           "--contacts"     "--forces"
picture card_house     ""               ""
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
picture wall_hit       ""               "--time 0.25"
picture marble_run     ""               "--time 3.2"
picture car            ""               "--time 5.1 --trails --eye 34 -4.4 2.5 --target 28 1.3 0.35"
picture pinch_grasp    ""               "--time 6"
picture screw_conveyor ""               "--time 3.1"
picture linkage        ""               "--time 0.85 --trails"
picture dunes          ""               ""
picture creature_drop  ""               ""
picture hopper_1000    "--duration 3"   "--time 2.6"
picture mixed_pile     ""               ""

# the figures of the Matchstick source
strip   matchstick/channeling             ""  ""
strip   matchstick/spreading              ""  ""
strip   matchstick/slalom                 ""  ""
strip   matchstick/ravine_to_building     ""  ""
strip   matchstick/ravine_around_building ""  ""
strip   matchstick/stroked_pad            "--contacts"  "--cones"
strip   matchstick/incline_box            "--set material.plank.texture=../../assets/grain/incline_45.png --set material.plank.color=paper"  ""
strip   matchstick/hopper_jam             ""  "" 3
strip   matchstick/hopper_flow            ""  "" 3
strip   matchstick/tower_parallel         "--duration 2.4"  "" 4
strip   matchstick/tower_orthogonal       "--duration 2.4"  "" 4
strip   matchstick/arch_weak              "--duration 2.4"  "" 4
strip   matchstick/arch_strong            "--duration 2.4"  "" 4
picture matchstick/three_boxes            ""  "--trails"
picture matchstick/vehicle                ""  "--time 3 --trails"
if is_wanted matchstick/rolling_cylinder; then   # its four cases side by side
  for case in 1 2 3 4; do
    grain=45
    [ $case = 1 ] && grain=0
    [ $case = 3 ] && grain=90
    gallery matchstick/rolling_cylinder "--set params.case=$case --set material.plank.texture=../../assets/grain/plank_$grain.png --set material.plank.color=paper" \
      "--picture $out/matchstick/rolling_cylinder.png --width 300 --height 400 --time 1.9 --trails"
    mv $out/matchstick/rolling_cylinder.png $out/matchstick/rolling_cylinder-$case.png
  done
  ffmpeg -y -loglevel error -i $out/matchstick/rolling_cylinder-1.png -i $out/matchstick/rolling_cylinder-2.png -i $out/matchstick/rolling_cylinder-3.png \
    -i $out/matchstick/rolling_cylinder-4.png -filter_complex hstack=inputs=4 -q:v 3 $images/matchstick/rolling_cylinder.jpg
fi

picture mesoscale/boxes_on_materials ""  "--trails"
picture mesoscale/sawtooth_drag ""       "--time 2.6"
strip   mesoscale/stacks  ""             ""
strip   mesoscale/emblem  ""             ""
if is_wanted mesoscale/bolas; then   # a rough rod above a smooth one
  for ra in 1 0.01; do
    gallery mesoscale/bolas "--set params.ra_mm=$ra" "--strip $out/mesoscale/bolas.png --strip-count 4 --width 1200 --height 300"
    mv $out/mesoscale/bolas.png $out/mesoscale/bolas-$ra.png
  done
  ffmpeg -y -loglevel error -i $out/mesoscale/bolas-1.png -i $out/mesoscale/bolas-0.01.png -filter_complex vstack=inputs=2 -q:v 3 $images/mesoscale/bolas.jpg
fi
if is_wanted mesoscale/sawtooth_drag; then   # the patches and roses of docs/laws/ploughing.md
  "$asperity" cone mesoscale/sawtooth_drag --set material.ground.normal_map.tile_size=0.128 --contact box_1 --patch $images/mesoscale/corner.svg --out $out/mesoscale/cone.svg
  "$asperity" cone --map-b "gaussian = 1, size = [256, 256]" --out $images/mesoscale/rose_isotropic.svg
  "$asperity" cone --map-b "gaussian = [0.1, 1], size = [256, 256]" --out $images/mesoscale/rose_brushed.svg
fi
picture mesoscale/nut_and_bolt ""        ""
picture mesoscale/worm ""                "--trails"
# contact patches
strip   sixd/rolling_sphere   ""            "" 4
picture sixd/spinning_sphere  "--contacts"  "--time 1 --forces"
picture sixd/disc             "--contacts"  "--trails --forces --time 0.3"
picture sixd/octagon          "--contacts"  "--forces --time 0.2"
strip   sixd/cubes_on_edge    ""            "" 3
picture sixd/tapered_stack    "--contacts"  "--forces"
picture sixd/sloppy_stack     "--contacts"  "--forces"
picture sixd/nested_stack     "--contacts"  "--forces"
picture sixd/coin             ""            "--trails --time 6"
picture sixd/table            "--contacts"  "--forces"
picture sixd/polisher         ""            "--time 2.5 --trails"
picture sixd/pinched_ruler    "--contacts"  "--forces"
picture sixd/bumpy_cube       ""            "--time 0.3"
picture sixd/groove           ""            "--time 0.8"
picture sixd/salad            ""            "--time 1.6"
# deformable bodies
picture soft/cantilever       ""            "--color-by von_mises"
strip   soft/stack            ""            "" 4
strip   soft/drop_on_spikes   ""            "" 4
strip   soft/ball_through_ring ""           "--color-by pressure" 4
strip   soft/mat_over_ball    ""            "" 4
strip   soft/puzzle           ""            "" 4
strip   soft/twisted_bar      ""            "" 4
strip   soft/wheel            ""            "--color-by von_mises" 4
strip   soft/gripper          ""            "" 4
picture soft/soft_slope       ""            "--color-by displacement"
front   soft/pinched_sheet    ""            "--color-by von_mises"
strip   soft/turntable        ""            "" 4
strip   soft/pendulum         ""            "" 4
picture soft/stick_slip       ""            ""
picture soft/dragged_block    ""            "--color-by pressure"
picture soft/stroked_pad      ""            ""
strip   soft/gripper_turn     ""            "" 4
picture soft/rolled_ball      ""            ""
picture soft/tread_in_groove  ""            ""
strip   soft/worm             ""            "--color-by displacement" 4
picture soft/card_pair        ""            ""
picture soft/arch             "--contacts"  "--forces"

if is_wanted stack10; then   # solvers compared in docs/solvers.md
  "$asperity" run scenes/stack10.toml --solver pgs --out $out/stack10-pgs --threads "$threads" --quiet
  "$asperity" plot $out/stack10 --y residual --log --title "prox: residual of every step" --out $images/stack10-residual.svg
  "$asperity" plot $out/stack10-pgs --y residual --log --title "pgs: residual of every step" --out $images/stack10-residual-pgs.svg
fi
