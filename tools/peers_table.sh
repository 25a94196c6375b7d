#!/usr/bin/env bash
# Prints the table of docs/performance.md from the CSV file of `make bench-peers`.
#   tools/peers_table.sh build-peers/peers.csv
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: tools/peers_table.sh FILE.csv" >&2; exit 2; }
awk -F, '
function cell(x) { return x == "" || x == "nan" ? "-" : sprintf("%.3g", x) }
NR > 1 && $1 ~ /^(box_pile|hopper|capsule_pile):/ {
    key = $1 FS $2 FS $3
    if (!(key in seen)) { seen[key] = 1; order[++n] = key; cpu[key] = $4; wall[key] = $6; steps[key] = $7 }
    if ($8 == "failed") failed[key] = 1
    value[key, $8] = $10
}
END {
    print "| scene | engine, configuration | CPU ms/step | wall, 2 threads | steps | ratio | mean overlap [mm] | worst | landing | friction residual [mm/s] | approach [mm/s] |"
    print "|---|---|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= n; i++) {
        k = order[i]; split(k, p, FS)
        scene = p[1] == last ? "" : "`" p[1] "`"; last = p[1]
        if (k in failed) { printf "| %s | %s, %s | cannot run it | | | | | | | | |\n", scene, p[2], p[3]; continue }
        ratio = p[2] == "asperity" ? "" : cell(value[k, "our fast over it"])
        printf "| %s | %s, %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", scene, p[2], p[3], cell(cpu[k]), cell(wall[k]), steps[k], ratio,
            cell(value[k, "mean overlap"]), cell(value[k, "worst"]), cell(value[k, "worst ever"]), cell(value[k, "friction residual"]),
            cell(value[k, "approach"])
    }
}' "$1"
