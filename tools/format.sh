#!/usr/bin/env bash
# Formats every C++ file that git tracks, by .clang-format.
#   tools/format.sh           rewrite the files
#   tools/format.sh --check   change nothing; list the files that differ and exit with 1 if there are any
set -euo pipefail
cd "$(dirname "$0")/.."

# Releases of clang-format disagree, so this is the one of Debian 12 by its number.
program=clang-format-14
command -v $program >/dev/null || { echo "tools/format.sh: $program is missing; 'make setup' installs it" >&2; exit 2; }
jobs=$(nproc)
tracked() { git -c safe.directory='*' ls-files -z --cached '*.h' '*.cpp'; }   # the clone may belong to another user

case ${1:-} in
  '') tracked | xargs -0 -P "$jobs" -n 50 $program -i ;;
  --check)
    if ! report=$(tracked | xargs -0 -P "$jobs" -n 50 $program --dry-run -Werror 2>&1); then
      echo "These files do not follow .clang-format:" >&2
      { grep -oE '^[^:]+\.(h|cpp):' <<<"$report" || echo "$report"; } | tr -d : | sort -u >&2
      echo "'make format' mends them." >&2
      exit 1
    fi ;;
  *) echo "tools/format.sh: unknown option $1; known: --check" >&2; exit 2 ;;
esac
