#include "asperity/core/error.h"

#include <algorithm>

namespace asperity {
namespace {

// Levenshtein distance with adjacent transpositions counted once (optimal string alignment).
int edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
    for (size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
    for (size_t i = 1; i <= a.size(); ++i) {
        for (size_t j = 1; j <= b.size(); ++j) {
            const int change = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& known) {
    if (word.size() > 64) return {};  // too long for a misspelling
    std::string best;
    int best_distance = 1 + static_cast<int>(word.size()) / 3;  // larger distances are different words
    for (const std::string& name : known) {
        const int distance = edit_distance(word, name);
        if (distance <= best_distance && (best.empty() || distance < best_distance)) {
            best = name;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace asperity
