# make            build the program: build/asperity
# make demo       install packages, build, run the main scene; writes a picture, a film and motion.glb
# make test       install packages, build, run all tests but the nightly ones
# make bench      our own scenes: time per step, sweeps, residual, state hash
# make bench-peers  the same scenes in Bullet, ODE and MuJoCo (installs them): speed and accuracy
# make bench-scaling  cost per contact in piles of 1,000 to 100,000 contacts, on one thread and two
# make bench-soft  soft bodies of 1,000 to 100,000 tetrahedra; their matrices with CHOLMOD too, if it is installed
# make bench-lab  the friction lab: time of a run in the plane, and the thesis' explicit scheme beside it
# make bench-sixd  sweeps of contact patches against contact points, beside the figures of the source
# make bench-fclib DIR=FOLDER  problem files with our solvers and Siconos' (installs it): times, errors, performance profile
# make composition  every friction law with every solver: docs/composition.md
# make memory       memory of each solver per contact: the table of docs/solvers.md
# make soak       two hundred random scenes, checked after every step; with and without restitution
# make fuzz       20,000 damaged files of all kinds (COUNT=... FIRST=...): no crash, 20 s, 4 GB
# make gallery    makes all pictures of the docs again
# make numbers    runs the scenes quoted in README.md and docs/gallery.md and writes their figures into both
# make format     format all C++ files by .clang-format
# make clang      compile the program with Clang too; part of make test
# make tsan       run the tests of threads under the thread sanitizer; part of make nightly
# make nightly    all tests, including the long ones
JOBS ?= $(shell nproc)
PRESET ?= release
BUILD = build$(if $(filter-out release,$(PRESET)),-$(subst -ubsan,,$(PRESET)))

.PHONY: all setup configure everything clang tsan demo test nightly bench bench-peers bench-scaling bench-soft \
  bench-lab bench-sixd bench-fclib composition memory soak fuzz gallery numbers format clean
all: configure
	@cmake --build $(BUILD) -j $(JOBS) --target asperity_cli

setup:
	@tools/setup.sh

configure:
	@tools/setup.sh --check
	@[ -f $(BUILD)/build.ninja ] || cmake --preset $(PRESET)

demo: setup all
	@tools/demo.sh

# The tests and benchmarks too, and the program a second time with Clang: it finds other errors than GCC.
everything: configure
	@cmake --build $(BUILD) -j $(JOBS)
clang: configure
	@[ -f build-clang/build.ninja ] || cmake --preset clang
	@cmake --build build-clang -j $(JOBS) --target asperity_cli

test: setup everything clang
	@cd $(BUILD) && ctest -j $(JOBS) --output-on-failure --label-exclude nightly

nightly: setup everything clang
	@cd $(BUILD) && ctest -j $(JOBS) --output-on-failure
	@$(MAKE) --no-print-directory tsan

tsan: configure
	@[ -f build-tsan/build.ninja ] || cmake --preset tsan
	@cmake --build build-tsan -j $(JOBS) --target thread_tests
	@ctest --preset tsan -j $(JOBS)

bench: all
	@$(BUILD)/asperity bench

bench-peers:
	@tools/setup.sh --peers
	@cmake --preset release -B build-peers -DASPERITY_BUILD_PEERS=ON -DASPERITY_BUILD_TESTS=OFF >/dev/null
	@cmake --build build-peers -j $(JOBS)
	@build-peers/bench/peers/peers --csv build-peers/peers.csv
	@build-peers/bench/peers/threads

bench-scaling: all
	@$(BUILD)/asperity bench scaling --csv $(BUILD)/scaling.csv

# CHOLMOD is under the GPL: no part of the program, and not installed by tools/setup.sh.
bench-soft: all
	@$(BUILD)/asperity bench soft --misses scenes/soft --csv $(BUILD)/soft.csv
	@if [ -f /usr/include/suitesparse/cholmod.h ]; then cmake --preset $(PRESET) >/dev/null && \
	  cmake --build $(BUILD) -j $(JOBS) --target linear_bench && \
	  OPENBLAS_NUM_THREADS=1 $(BUILD)/bench/linear/linear_bench 10 15; \
	else echo 'bench-soft: to compare with CHOLMOD, apt-get install libsuitesparse-dev libopenblas0-serial'; fi

bench-lab: all
	@$(BUILD)/asperity bench lab

bench-sixd: all
	@$(BUILD)/asperity bench sixd
	@$(BUILD)/asperity bench volumes

TOL ?= 1e-4 1e-8
LIMIT ?= 30
bench-fclib:
	@[ -n "$(DIR)" ] || { echo 'make bench-fclib DIR=FOLDER: a folder of problem files, such as tests/data/fclib' >&2; exit 2; }
	@tools/setup.sh --siconos
	@cmake --preset release >/dev/null
	@cmake --build build -j $(JOBS) --target fclib_bench
	@build/bench/fclib/fclib "$(DIR)" --tol "$(TOL)" --limit $(LIMIT) --csv build/fclib.csv --profile build/fclib-profile

composition: all
	@$(BUILD)/asperity bench composition > docs/composition.md

memory: configure
	@cmake --build $(BUILD) -j $(JOBS) --target solver_memory
	@$(BUILD)/bench/memory/solver_memory

soak: configure
	@cmake --build $(BUILD) -j $(JOBS) --target soak
	@$(BUILD)/tests/soak/soak --seeds 1-200 --no-bounce; quiet=$$?; $(BUILD)/tests/soak/soak --seeds 1-200 && [ $$quiet -eq 0 ]

COUNT ?= 20000
FIRST ?= 0
fuzz: configure
	@cmake --build $(BUILD) -j $(JOBS) --target fuzz
	@$(BUILD)/tests/damage_files --count $(COUNT) --first $(FIRST) --keep $(BUILD)/fuzz-failures

gallery: all
	@tools/gallery.sh

numbers: all
	@tools/numbers.py

format: setup
	@tools/format.sh

clean:
	@rm -rf build build-*
