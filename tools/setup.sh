#!/usr/bin/env bash
# Installs the Debian packages that Asperity needs, and reports its actions. Installed packages are skipped.
#   tools/setup.sh            install missing packages (with sudo if not root)
#   tools/setup.sh --check    only list missing packages; exit code 1 if there are any
#   tools/setup.sh --peers    also the engines for `make bench-peers`
#   tools/setup.sh --siconos  also the solvers for `make bench-fclib`
set -euo pipefail

packages=(
  build-essential cmake ninja-build ccache              # building
  libtbb-dev libfmt-dev                                 # core: threads, text
  libtomlplusplus-dev libmuparser-dev                   # scene: files, formulas
  nlohmann-json3-dev libcli11-dev                       # record, apps: JSON, command line
  libsqlite3-dev                                        # lab: results of studies
  libhdf5-dev libeigen3-dev                             # fclib: problem files; solvers: factorisations
  libmetis-dev                                          # linear: order of elimination
  libsvm-dev                                            # lab: regressions
  libembree-dev libstb-dev ffmpeg                       # render: rays, images, films
  libegl-dev libopengl-dev libgl-dev libegl1 libgl1-mesa-dri   # gl: patches on the graphics card, or on Mesa's software driver
  libgtest-dev                                          # tests
  git clang-format clang-19                             # checks: the format, a second compiler
)
check=false
for argument in "$@"; do
  case $argument in
    --check) check=true ;;
    --peers) packages+=(libbullet-dev libode-dev libmujoco-dev) ;;
    --siconos) packages+=(libsiconos-numerics-dev) ;;
    *) echo "tools/setup.sh: unknown option $argument; known: --check --peers --siconos" >&2; exit 2 ;;
  esac
done

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=none
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup: all ${#packages[@]} Debian packages are installed"
  exit 0
fi
if $check; then
  echo "setup: these Debian packages are missing: ${missing[*]}" >&2
  echo "setup: 'make setup' installs them" >&2
  exit 1
fi

sudo=
if [ "$(id -u)" -ne 0 ]; then
  sudo=sudo
  command -v sudo >/dev/null || { echo "setup: not root and no sudo; as root: apt-get install ${missing[*]}" >&2; exit 1; }
fi
echo "setup: installing with apt-get: ${missing[*]}"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup: done"
