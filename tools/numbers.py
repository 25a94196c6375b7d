#!/usr/bin/env python3
"""Runs the scenes quoted in README.md and docs/gallery.md and writes their figures into these pages. Called by `make numbers`.

    tools/numbers.py                 run the commands, rewrite the figures
    tools/numbers.py --check         only say which figures differ; exit code 1 if any does
    tools/numbers.py --keep          take the results of earlier runs from out/numbers where there are any
    tools/numbers.py --only stack10  only commands that begin so

Variable: ASPERITY, the program (build/asperity).

A row of FIGURES is the page, the command, and the words around its figures: each {} stands for one number. Line breaks in the
page do not count. Behind the words comes, per figure, where the result is found in the summary that `run --json` prints, and
how it is written. "< %" is a bound: the next power of ten above three times the value, as rounding differs between machines.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
README, GALLERY = "README.md", "docs/gallery.md"

# slot: (part of an expectation's name, or a key of the summary; format; factor)
def expect(name, form="%.6g", factor=1.0):
    return ("expect", name, form, factor)


def key(name, form="%.6g", factor=1.0):
    return ("key", name, form, factor)


BOUND = "< %"
ALTERNATING = "stack10 --set params.alternating_ratio=20"
BELOW, ABOVE = ("slope --set params.angle_deg='deg(atan(mu)) %s 0.01'" % sign for sign in "-+")
SPEED = "speed as in the closed form"
LANES = [expect("rough:", "%.3f"), expect("fine", "%.3f"), expect("plastic", "%.3f"), expect("steel", "%.3f")]

FIGURES = [
    (README, BELOW, "0.01° below the critical angle | < {} m/s |", [expect(SPEED, BOUND)]),
    (README, ABOVE, "the same, 0.01° above | {} m/s |", [expect(SPEED)]),
    (README, "slope", "speed after 2 s at 30° | {} m/s |", [expect(SPEED)]),
    (README, "slope_elliptic", "sideways travel on grained ground | {} m |", [expect("drift")]),
    (README, "fan", "stopping distance | {} m |", [expect("stopping distance")]),
    (README, "fan", "spread over 32 directions | < {} m |", [expect("the same in all", BOUND)]),
    (README, "stack10", "sway of the top box in 10 s | < {} m |", [expect("sway", BOUND)]),
    (README, "stack10 --set params.top_ratio=20", "the top box 20 times as heavy | < {} m |", [expect("sway", BOUND)]),
    (README, ALTERNATING, "every second box 20 times as heavy | < {} m |", [expect("sway", BOUND)]),
    (README, ALTERNATING, "and the largest residual | {}, {} m/s |",
     [key("unconverged_steps", "%d"), key("residual_max", "%.1e")]),
    (README, ALTERNATING + " --solver auto", "all steps within the tolerance | < {} m |", [expect("sway", BOUND)]),
    (README, "arch", "displacement of a stone in 10 s | < {} m |", [expect("no stone", BOUND)]),
    (README, "card_house", "displacement of a card in 10 s | < {} m |", [expect("no card", BOUND)]),
    (README, "mesoscale/boxes_on_materials", "roughness 1, 0.15, 0.01, 0 mm | {}, {}, {}, {} m |", LANES),
    (README, "car", "8 m/s, mu 0.8 | {} m |", [expect("stopping distance", "%.3f")]),
    (README, "pinch_grasp", "two fingers in a minute | < {} m |", [expect("creep", BOUND)]),
    (README, "pendulums", "with 12 to 26 swings | {} m |", [expect("all are back", "%.1e")]),

    (GALLERY, "slope", "after 2 s; measured {} m/s", [expect(SPEED)]),
    (GALLERY, "slope_elliptic", "the block has travelled {} m, of which {} m are sideways",
     [expect("acceleration"), expect("drift", "%.6g", -1)]),
    (GALLERY, "fan", "They stop after {} m", [expect("stopping distance")]),
    (GALLERY, "fan", "distances differ by less than {} m", [expect("the same in all", BOUND)]),
    (GALLERY, "fan --solver pgs", "of `pgs` they differ by {} m", [expect("the same in all", "%.3f")]),
    (GALLERY, "fan_elliptic", "that start along it stop after {} m", [expect("along", "%.5f")]),
    (GALLERY, "fan_elliptic", "that start across it stop after {} m", [expect("across", "%.5f")]),
    (GALLERY, "stack10", "The top box sways by less than {} m", [expect("sway", BOUND)]),
    (GALLERY, "stack10", "The deepest overlap is below {} m (expected: below 0.2 mm)", [expect("penetration", BOUND)]),
    (GALLERY, "stack10 --set params.top_ratio=20", "20 times as heavy the sway is below {} m", [expect("sway", BOUND)]),
    (GALLERY, ALTERNATING, "20 times as heavy it is below {} m: {} of the 1000 steps", [expect("sway", BOUND),
                                                                                     key("unconverged_steps", "%d")]),
    (GALLERY, ALTERNATING, "the tolerance of 1e-10 m/s, by up to {} m/s", [key("residual_max", "%.1e")]),
    (GALLERY, ALTERNATING + " --solver auto", "reach the tolerance, and the sway is below {} m", [expect("sway", BOUND)]),
    (GALLERY, "arch", "no stone moves by more than {} m", [expect("no stone", BOUND)]),
    (GALLERY, "card_house", "no card moves by more than {} m", [expect("no card", BOUND)]),
    (GALLERY, "conveyor", "After 2 s they have travelled {} m", [expect("lag by")]),
    (GALLERY, "pendulums", "within {} m of where they started", [expect("all are back", "%.1e")]),
    (GALLERY, "spinning_tops", "The fast one tilts by {}° at most", [expect("fast top", "%.0f")]),
    (GALLERY, "spinning_tops", "The slow one falls over ({}°", [expect("slow top", "%.0f")]),
    (GALLERY, "mesh_slope", "After 1.5 s its speed is {} m/s", [expect("speed after")]),
    (GALLERY, "mesh_slope", "It lifts off by less than {} m", [expect("never hops", BOUND)]),
    (GALLERY, "car", "The lane change is {} m wide", [expect("changes the lane", "%.2f")]),
    (GALLERY, "car", "the wheels lock at {} m/s, and the car stops after {} m", [expect("when the brakes", "%.3f"),
                                                                                expect("stopping distance", "%.3f")]),
    (GALLERY, "pinch_grasp", "In that minute it moves by less than {} m", [expect("creep", BOUND)]),
    (GALLERY, "mesoscale/boxes_on_materials", "The boxes stop after {}, {}, {} and {} m", LANES),
    (GALLERY, "mesoscale/stacks --set params.impulse=1", "A push of 1 N s moves acrylic by {} mm",
     [expect("acrylic", "%.2f", 1e3)]),
    # examples of chaotic scenes
    (GALLERY, "wall_hit", "ball is slower than 10.8 m/s (for example {} m/s)", [expect("slowed down", "%.2f")]),
    (GALLERY, "wall_hit", "overlap in the hit is below 20 mm (for example {} mm)", [expect("on the way", "%.0f", 1e3)]),
    (GALLERY, "chain", "brick flies more than 0.5 m (for example {} m)", [expect("the wall is hit", "%.2f")]),
    (GALLERY, "capsule_pile", "overlap is below 6 mm (for example {} mm)", [expect("no deep", "%.2f", 1e3)]),
    (GALLERY, "capsule_pile", "too few: the deepest overlap of the run is {} mm", [key("penetration_max", "%.0f", 1e3)]),
    (GALLERY, "box_pile", "overlap is below 10 mm (for example {} mm). The deepest overlap of the run is {} mm",
     [expect("no deep", "%.2f", 1e3), key("penetration_max", "%.0f", 1e3)]),
    (GALLERY, "suzanne_pile", "per body are left (for example {} J in all)", [expect("at rest", "%.0e")]),
    (GALLERY, "linkage", "its line by less than 1.2e-8 m (for example {} m)", [expect("straight", "%.1e")]),
    (GALLERY, "dunes", "1 % of a drum (for example {} mm)", [expect("overlap", "%.1f", 1e3)]),
    (GALLERY, "matchstick/ravine_to_building", "reach the building (for example {} %)", [expect("share", "%.0f", 100)]),
    (GALLERY, "matchstick/hopper_jam", "are out after 7 s (for example {})", [expect("share", "%.0f", 100)]),
    (GALLERY, "mesoscale/bolas", "by 360° to 700° after 3 s (for example {}°)", [expect("after 3 s", "%.0f")]),

    (GALLERY, "matchstick/channeling", "falls from 1.366 m to {} m", [expect("closer", "%.3f")]),
    (GALLERY, "matchstick/spreading", "the deviation grows to {} m", [expect("apart", "%.2f")]),
    (GALLERY, "matchstick/slalom", "four times: by {} m at first, and by {} m at 4 m/s",
     [expect("swing 1", "%.2f"), expect("swing 4", "%.2f", -1)]),
    (GALLERY, "matchstick/three_boxes", "downhill all three are {} m to the side", [expect("which is", "%.3f")]),
    (GALLERY, "matchstick/vehicle", "and the car yaws by {}° within", [expect("yaw within", "%.0f")]),
    (GALLERY, "sixd/rolling_sphere", "every second: {} m/s after 2 s", [expect(SPEED, "%.4f")]),
    (GALLERY, "sixd/disc", "and 20 rad/s the disc stops after {} m", [expect("distance", "%.3f")]),
    (GALLERY, "sixd/octagon --set step.contact_model=points", "as points it takes {}.", [key("sweeps_max", "%d")]),
    (GALLERY, "sixd/tapered_stack", "The tapered stack takes at most {} sweeps", [key("sweeps_max", "%d")]),
    (GALLERY, "sixd/tapered_stack --set step.contact_model=points", "with points it takes {} and ends", [key("sweeps_max", "%d")]),
    (GALLERY, "sixd/bumpy_cube", "It stops after {} m", [expect("slides as far", "%.4f")]),
    (GALLERY, "sixd/groove", "and slides at {} m/s after 1 s", [expect("slides as both", "%.4f")]),
]
NUMBER = r"([-+]?[0-9.]*[0-9](?:e[-+]?[0-9]+)?)"


def written(value, form):
    if form == BOUND:
        return "1e%d" % math.ceil(math.log10(3 * max(abs(value), 1e-30)))
    text = form % value
    return re.sub(r"e([-+])0", r"e\1", text).replace("e+", "e")


def result(summary, slot):
    kind, name, form, factor = slot
    if kind == "key":
        return written(factor * summary[name], form)
    found = [e["value"] for e in summary["expect"] if name in e["name"]]
    if len(found) != 1:
        raise SystemExit(f"numbers: {summary['scene']} has {len(found)} expectations with '{name}' in their names")
    return written(factor * found[0], form)


done_already = {}  # summary per command


def run(command, program, keep):
    if command in done_already:
        return done_already[command]
    file = ROOT / "out/numbers" / (re.sub(r"[^A-Za-z0-9_.=-]", "_", command) + ".json")
    if not (keep and file.exists()):
        print("numbers:", command, flush=True)
        done = subprocess.run([program, "run", *shlex.split(command), "--json"], cwd=ROOT, capture_output=True, text=True)
        if done.returncode not in (0, 1):  # 1: an expectation fails, as with fan --solver pgs
            raise SystemExit(f"numbers: {command}: exit code {done.returncode}: {done.stderr.strip()}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(done.stdout)
    done_already[command] = json.loads(file.read_text())
    return done_already[command]


def machine():
    name = platform.processor() or platform.machine()
    try:
        models = [line for line in open("/proc/cpuinfo") if line.startswith("model name")]
        name = f"{models[0].split(':')[1].strip()}, {len(models)} threads" if models else name
    except OSError:
        pass
    return f"{name}; {'-'.join(platform.libc_ver())}"


def stamp(text, program):
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
    line = f"<!-- figures by `make numbers`: {datetime.date.today()}, {version}, {machine()} -->\n"
    text = re.sub(r"<!-- figures by `make numbers`:.*-->\n", "", text)
    first, rest = text.split("\n", 1)
    return f"{first}\n{line}{rest}"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true")
    options.add_argument("--keep", action="store_true")
    options.add_argument("--only", default="")
    options = options.parse_args()
    program = os.path.abspath(os.environ.get("ASPERITY", ROOT / "build/asperity"))
    pages = {page: (ROOT / page).read_text() for page in (README, GALLERY)}
    different = 0
    for page, command, words, slots in FIGURES:
        pattern = re.compile(r"\s+".join(re.escape(word).replace(r"\{\}", NUMBER) for word in words.split()))
        found = list(pattern.finditer(pages[page]))
        if len(found) != 1 or pattern.groups != len(slots):
            raise SystemExit(f"numbers: {page}: '{words}' stands there {len(found)} times; expected once")
        if not command.startswith(options.only):
            continue
        summary = run(command, program, options.keep)
        text, at = pages[page], found[0]
        for group in range(len(slots), 0, -1):
            new, old = result(summary, slots[group - 1]), at.group(group)
            if new != old:
                different += 1
                print(f"{page}: {words.format(*['...'] * len(slots))}: {old} -> {new}")
            text = text[:at.start(group)] + new + text[at.end(group):]
        pages[page] = text
    if options.check:
        sys.exit(1 if different else 0)
    for page, text in pages.items():
        (ROOT / page).write_text(stamp(text, program))


if __name__ == "__main__":
    main()
