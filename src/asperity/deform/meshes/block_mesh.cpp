#include "asperity/deform/detail/block_mesh.h"

#include <algorithm>
#include <cmath>

namespace asperity::deform {
namespace {

template <int Dim>
std::uint64_t key_of(const std::array<std::int64_t, Dim>& cell) {
    std::uint64_t key = 0;
    for (const std::int64_t c : cell) key = (key ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15u + (key >> 29);
    return key;
}

}  // namespace

/// A point within half a cell of an earlier one lies in its cell or in one beside it, towards the nearer side.
template <int Dim>
int BlockMesh<Dim>::point(const Vector<Dim>& x, bool shared) {
    const int fresh = static_cast<int>(mesh_.points.size());
    if (shared && cell_ > 0) {
        std::array<std::int64_t, Dim> low{};
        for (std::size_t d = 0; d < Dim; ++d)
            low[d] = static_cast<std::int64_t>(std::floor(x[static_cast<int>(d)] / cell_ - 0.5));
        for (unsigned corner = 0; corner < 1u << Dim; ++corner) {
            std::array<std::int64_t, Dim> cell = low;
            for (std::size_t d = 0; d < Dim; ++d) cell[d] += corner >> d & 1;
            const auto found = shared_.find(key_of<Dim>(cell));
            if (found == shared_.end()) continue;
            for (const int i : found->second)
                if ((mesh_.points[static_cast<std::size_t>(i)] - x).cwiseAbs().maxCoeff() <= 0.5 * cell_) return i;
        }
        std::array<std::int64_t, Dim> own{};
        for (std::size_t d = 0; d < Dim; ++d) own[d] = static_cast<std::int64_t>(std::floor(x[static_cast<int>(d)] / cell_));
        shared_[key_of<Dim>(own)].push_back(fresh);
    }
    mesh_.points.push_back(x);
    return fresh;
}

template <int Dim>
void BlockMesh<Dim>::add(const Index& first, const Index& last, const std::function<Vector<Dim>(const Index&)>& at) {
    Index count{}, stride{};
    int total = 1;
    for (std::size_t d = 0; d < Dim; ++d) {
        count[d] = last[d] - first[d] + 1;
        stride[d] = total;
        total *= count[d];
    }
    std::vector<int> points(static_cast<std::size_t>(total));
    const auto index_of = [&](int k) {
        Index index{};
        for (std::size_t d = 0; d < Dim; ++d) index[d] = first[d] + k / stride[d] % count[d];
        return index;
    };
    for (int k = 0; k < total; ++k) {
        const Index index = index_of(k);
        bool face = false;
        for (std::size_t d = 0; d < Dim; ++d) face |= index[d] == first[d] || index[d] == last[d];
        points[static_cast<std::size_t>(k)] = point(at(index), face);
    }
    for (int k = 0; k < total; ++k) {
        const Index cell = index_of(k);
        bool inside = true;
        for (std::size_t d = 0; d < Dim; ++d) inside &= cell[d] < last[d];
        if (!inside) continue;
        // From the even corner to the odd one, along the axes in each order
        Index order{};
        for (std::size_t d = 0; d < Dim; ++d) order[d] = static_cast<int>(d);
        do {
            std::array<int, Dim + 1> element{};
            int position = k;
            for (std::size_t d = 0; d < Dim; ++d) position += (cell[d] & 1) != 0 ? stride[d] : 0;
            element[0] = points[static_cast<std::size_t>(position)];
            for (std::size_t s = 0; s < Dim; ++s) {
                const auto d = static_cast<std::size_t>(order[s]);
                position += (cell[d] & 1) != 0 ? -stride[d] : stride[d];
                element[s + 1] = points[static_cast<std::size_t>(position)];
            }
            mesh_.elements.push_back(element);
            const int newest = static_cast<int>(mesh_.elements.size()) - 1;
            if (volume(mesh_, newest) < 0) std::swap(mesh_.elements.back()[Dim - 1], mesh_.elements.back()[Dim]);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

template class BlockMesh<2>;
template class BlockMesh<3>;

}  // namespace asperity::deform
