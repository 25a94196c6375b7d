#include "asperity/surface/material.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "asperity/core/error.h"

namespace asperity::surface {
namespace {

double combined(Combine rule, double a, double b) {
    switch (rule) {
        case Combine::GeometricMean: return std::sqrt(a * b);
        case Combine::Mean: return 0.5 * (a + b);
        case Combine::Min: return std::min(a, b);
        case Combine::Max: return std::max(a, b);
        case Combine::Product: return a * b;
    }
    return 0;
}

}  // namespace

void PairTable::set(MaterialId a, MaterialId b, Pair pair) {
    if (a.index > b.index) pair.friction = friction::swapped(std::move(pair.friction));
    given_[std::minmax(a.index, b.index)] = std::move(pair);
}

void PairTable::resolve(const std::vector<Material>& materials, const std::vector<std::pair<int, int>>& needed) {
    count_ = static_cast<int>(materials.size());
    resolved_.clear();
    index_.assign(static_cast<size_t>(count_ * count_), -1);
    for (int a = 0; a < count_; ++a) {
        for (int b = a; b < count_; ++b) {
            const Material &ma = materials[static_cast<size_t>(a)], &mb = materials[static_cast<size_t>(b)];
            std::optional<Pair> pair;
            if (const auto given = given_.find({a, b}); given != given_.end()) {
                pair = given->second;
            } else if (ma.mu && mb.mu) {
                pair = Pair{{friction::Coulomb{combined(combine_, *ma.mu, *mb.mu)}}, 0};
                // the more elastic material decides the restitution, as a rubber ball does on any floor
                pair->restitution = std::max(ma.restitution.value_or(0), mb.restitution.value_or(0));
            } else {
                pair = default_;
            }
            if (!pair) continue;
            index_[static_cast<size_t>(a * count_ + b)] = index_[static_cast<size_t>(b * count_ + a)] =
                static_cast<int>(resolved_.size());
            resolved_.push_back(*pair);
        }
    }
    for (const auto& [a, b] : needed) {
        if (index(a, b) >= 0) continue;
        const std::string &na = materials[static_cast<size_t>(a)].name, &nb = materials[static_cast<size_t>(b)].name;
        throw InputError(fmt::format(
            "no friction is given between \"{0}\" and \"{1}\"; add [pair.{0}-{1}] with mu, give both materials a mu, "
            "or set world.default = {{ mu = ... }}",
            na, nb));
    }
}

}  // namespace asperity::surface
