#include "asperity/linear/aggregation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asperity/core/parallel.h"

namespace asperity::linear {
namespace {

constexpr int kRows = 64;
/// A mode that keeps less than this part of its length, once the modes before it are taken out, is their sum and rounding.
constexpr double kDependent = 1e-6;

template <int R, int C>
using Map = Eigen::Map<Matrix<R, C>>;
template <int R, int C>
using ConstMap = Eigen::Map<const Matrix<R, C>>;

/// Members of each group, by counting.
void invert(const std::vector<int>& group_of, int groups, std::vector<int>& start, std::vector<int>& member) {
    start.assign(static_cast<std::size_t>(groups) + 1, 0);
    for (const int g : group_of)
        if (g >= 0) ++start[static_cast<std::size_t>(g) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    member.resize(static_cast<std::size_t>(start.back()));
    std::vector<int> next(start.begin(), start.end() - 1);
    for (std::size_t i = 0; i < group_of.size(); ++i)
        if (const int g = group_of[i]; g >= 0)
            member[static_cast<std::size_t>(next[static_cast<std::size_t>(g)]++)] = static_cast<int>(i);
}

}  // namespace

void aggregate(const NodeGraph& graph, std::span<const double> norm, std::span<const double> diagonal, double strong,
               Aggregates& out) {
    const int n = graph.size();
    out.count = 0;
    constexpr int kFree = -2, kAlone = -1;
    out.of_node.assign(static_cast<std::size_t>(n), kFree);
    const auto group = [&](int i) -> int& { return out.of_node[static_cast<std::size_t>(i)]; };
    const auto for_strong = [&](int i, const auto& f) {
        for (int e = graph.start[static_cast<std::size_t>(i)]; e < graph.start[static_cast<std::size_t>(i) + 1]; ++e) {
            const auto k = static_cast<std::size_t>(e);
            const int j = graph.neighbour[k];
            const double bound =
                strong * strong * diagonal[static_cast<std::size_t>(i)] * diagonal[static_cast<std::size_t>(j)];
            if (norm[k] * norm[k] >= bound && norm[k] > 0) f(j, norm[k]);
        }
    };
    // First pass: nodes whose strong neighbours are all free become roots, and take them.
    for (int i = 0; i < n; ++i) {
        if (group(i) != kFree) continue;
        bool alone = true, clear = true;
        for_strong(i, [&](int j, double) {
            alone = false;
            clear = clear && group(j) < 0;
        });
        if (alone) group(i) = kAlone;
        if (alone || !clear) continue;
        group(i) = out.count;
        for_strong(i, [&](int j, double) { group(j) = out.count; });
        ++out.count;
    }
    // Second pass: the others join the group of their strongest neighbour, as the first pass left it.
    std::vector<int> joined = out.of_node;
    for (int i = 0; i < n; ++i) {
        if (group(i) != kFree) continue;
        double strongest = 0;
        for_strong(i, [&](int j, double value) {
            if (group(j) >= 0 && value > strongest) {
                strongest = value;
                joined[static_cast<std::size_t>(i)] = group(j);
            }
        });
    }
    out.of_node.swap(joined);
    // A free node here would have only free neighbours, and the first pass would have made it a root.
    for (int& g : out.of_node)
        if (g == kFree) g = out.count++;
}

template <int B, int Modes>
void Prolongation<B, Modes>::add(const double* from, double* fine) const {
    parallel_for(
        static_cast<int>(start.size()) - 1,
        [&](int node) {
            const auto i = static_cast<std::size_t>(node);
            Map<B, 1> sum(fine + i * B);
            for (int k = start[i]; k < start[i + 1]; ++k)
                sum += ConstMap<B, Modes>(values.data() + static_cast<std::size_t>(k) * (B * Modes)) *
                       ConstMap<Modes, 1>(from + static_cast<std::size_t>(column[static_cast<std::size_t>(k)]) * Modes);
        },
        kRows * 4);
}

template <int B, int Modes>
void Prolongation<B, Modes>::restrict_to(const double* fine, double* to) const {
    parallel_for(
        coarse,
        [&](int node) {
            const auto c = static_cast<std::size_t>(node);
            Vector<Modes> sum = Vector<Modes>::Zero();
            for (int k = back_start[c]; k < back_start[c + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                sum += ConstMap<B, Modes>(values.data() + static_cast<std::size_t>(back[at]) * (B * Modes)).transpose() *
                       ConstMap<B, 1>(fine + static_cast<std::size_t>(back_row[at]) * B);
            }
            Map<Modes, 1>(to + c * Modes) = sum;
        },
        8);
}

template <int B, int Modes>
void make_prolongation(const BlockLevel<B>& level, const Aggregates& aggregates, std::span<const double> modes,
                       Prolongation<B, Modes>& p, std::vector<double>& coarse_modes) {
    constexpr std::size_t kBlock = B * Modes;
    const auto n = static_cast<std::size_t>(level.size());
    p.coarse = aggregates.count;
    std::vector<int> member_start, member;
    invert(aggregates.of_node, aggregates.count, member_start, member);

    // Tentative prolongation: orthonormal modes on each aggregate, by Gram-Schmidt applied twice.
    std::vector<double> tentative(n * kBlock, 0.0);
    coarse_modes.assign(static_cast<std::size_t>(aggregates.count) * Modes * Modes, 0.0);
    parallel_for(
        aggregates.count,
        [&](int c) {
            const auto a = static_cast<std::size_t>(c);
            const auto rows = static_cast<Eigen::Index>(member_start[a + 1] - member_start[a]) * B;
            Eigen::Matrix<double, Eigen::Dynamic, Modes> q(rows, Modes);
            for (Eigen::Index m = 0; m < rows / B; ++m) {
                const auto node = static_cast<std::size_t>(member[static_cast<std::size_t>(member_start[a] + m)]);
                q.template middleRows<B>(m * B) = ConstMap<B, Modes>(modes.data() + node * kBlock);
            }
            Map<Modes, Modes> r(coarse_modes.data() + a * (Modes * Modes));
            for (int k = 0; k < Modes; ++k) {
                const double length = q.col(k).norm();
                for (int pass = 0; pass < 2; ++pass)
                    for (int l = 0; l < k; ++l) {
                        const double share = q.col(l).dot(q.col(k));
                        r(l, k) += share;
                        q.col(k) -= share * q.col(l);
                    }
                const double rest = q.col(k).norm();
                if (rest > kDependent * length) {
                    r(k, k) = rest;
                    q.col(k) /= rest;
                } else {
                    q.col(k).setZero();
                }
            }
            for (Eigen::Index m = 0; m < rows / B; ++m) {
                const auto node = static_cast<std::size_t>(member[static_cast<std::size_t>(member_start[a] + m)]);
                Map<B, Modes>(tentative.data() + node * kBlock) = q.template middleRows<B>(m * B);
            }
        },
        8);

    // P = (1 - w D^-1 A) T, w = 4/3 over the largest eigenvalue: aggregates of the neighbours, each once.
    const NodeGraph& graph = level.graph();
    const double damping = 4.0 / 3.0 / level.spectrum().largest;
    const auto for_neighbours = [&](std::size_t i, const auto& f) {
        for (int e = graph.start[i]; e < graph.start[i + 1]; ++e) {
            const int j = graph.neighbour[static_cast<std::size_t>(e)];
            if (const int a = aggregates.of_node[static_cast<std::size_t>(j)]; a >= 0) f(e, static_cast<std::size_t>(j), a);
        }
    };
    p.start.assign(n + 1, 0);
    const auto columns_of = [&](std::size_t i, std::vector<int>& columns) {
        columns.clear();
        if (const int own = aggregates.of_node[i]; own >= 0) columns.push_back(own);
        for_neighbours(i, [&](int, std::size_t, int a) { columns.push_back(a); });
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    };
    const int chunks = static_cast<int>((n + kRows - 1) / kRows);
    const auto for_chunks = [&](const auto& body) {
        parallel_for(
            chunks,
            [&](int c) {
                std::vector<int> columns;
                const std::size_t end = std::min(n, static_cast<std::size_t>(c + 1) * kRows);
                for (auto i = static_cast<std::size_t>(c) * kRows; i < end; ++i) {
                    columns_of(i, columns);
                    body(i, columns);
                }
            },
            1);
    };
    for_chunks([&](std::size_t i, const std::vector<int>& columns) { p.start[i + 1] = static_cast<int>(columns.size()); });
    std::partial_sum(p.start.begin(), p.start.end(), p.start.begin());
    p.column.resize(static_cast<std::size_t>(p.start[n]));
    p.values.assign(p.column.size() * kBlock, 0.0);
    for_chunks([&](std::size_t i, const std::vector<int>& columns) {
        std::copy(columns.begin(), columns.end(), p.column.begin() + p.start[i]);
        const auto block = [&](int a) {
            const auto k = std::lower_bound(columns.begin(), columns.end(), a) - columns.begin();
            return Map<B, Modes>(p.values.data() + static_cast<std::size_t>(p.start[i] + k) * kBlock);
        };
        for_neighbours(i, [&](int e, std::size_t j, int a) {
            block(a).noalias() -=
                ConstMap<B, B>(level.off_diagonal(e)).lazyProduct(ConstMap<B, Modes>(tentative.data() + j * kBlock));
        });
        const auto node = static_cast<int>(i);
        const ConstMap<B, Modes> own(tentative.data() + i * kBlock);
        if (aggregates.of_node[i] >= 0) block(aggregates.of_node[i]) -= ConstMap<B, B>(level.diagonal(node)) * own;
        for (int k = p.start[i]; k < p.start[i + 1]; ++k) {
            Map<B, Modes> to(p.values.data() + static_cast<std::size_t>(k) * kBlock);
            const Matrix<B, Modes> scaled = damping * (ConstMap<B, B>(level.inverse(node)) * to);
            to = scaled;
        }
        if (aggregates.of_node[i] >= 0) block(aggregates.of_node[i]) += own;
    });

    invert(p.column, p.coarse, p.back_start, p.back);
    p.back_row.resize(p.back.size());
    std::vector<int> row_of(p.column.size());
    for (std::size_t i = 0; i < n; ++i)
        for (int k = p.start[i]; k < p.start[i + 1]; ++k) row_of[static_cast<std::size_t>(k)] = static_cast<int>(i);
    for (std::size_t k = 0; k < p.back.size(); ++k) p.back_row[k] = row_of[static_cast<std::size_t>(p.back[k])];
}

template <int B, int Modes>
void coarse_matrix(const BlockLevel<B>& level, const Prolongation<B, Modes>& p, BlockPattern& pattern,
                   std::vector<double>& values) {
    constexpr std::size_t kBlock = B * Modes, kCoarse = Modes * Modes;
    const NodeGraph& graph = level.graph();
    const auto n = static_cast<std::size_t>(level.size());
    const int coarse = p.coarse;
    constexpr int kChunk = 16;  // coarse rows
    const int chunks = (coarse + kChunk - 1) / kChunk;
    struct Part {
        std::vector<int> count, column;
        std::vector<double> values;
    };
    std::vector<Part> parts(static_cast<std::size_t>(chunks));
    // Row C of P^T A P in two products: row C of P^T A (kept transposed, a B x Modes block per fine node), then times P.
    parallel_for(
        chunks,
        [&](int chunk) {
            Part& part = parts[static_cast<std::size_t>(chunk)];
            std::vector<int> slot(n, -1), coarse_slot(static_cast<std::size_t>(coarse), -1), fine, columns, order;
            std::vector<double> product, row;
            for (int c = chunk * kChunk; c < std::min(coarse, (chunk + 1) * kChunk); ++c) {
                fine.clear();
                product.clear();
                const auto at = [&](int j) {
                    int& s = slot[static_cast<std::size_t>(j)];
                    if (s < 0) {
                        s = static_cast<int>(fine.size());
                        fine.push_back(j);
                        product.resize(product.size() + kBlock, 0.0);
                    }
                    return Map<B, Modes>(product.data() + static_cast<std::size_t>(s) * kBlock);
                };
                for (int k = p.back_start[static_cast<std::size_t>(c)]; k < p.back_start[static_cast<std::size_t>(c) + 1];
                     ++k) {
                    const int i = p.back_row[static_cast<std::size_t>(k)];
                    const ConstMap<B, Modes> block(p.values.data() +
                                                   static_cast<std::size_t>(p.back[static_cast<std::size_t>(k)]) * kBlock);
                    at(i).noalias() += ConstMap<B, B>(level.diagonal(i)).lazyProduct(block);
                    for (int e = graph.start[static_cast<std::size_t>(i)]; e < graph.start[static_cast<std::size_t>(i) + 1];
                         ++e)
                        at(graph.neighbour[static_cast<std::size_t>(e)]).noalias() +=
                            ConstMap<B, B>(level.off_diagonal(e)).transpose().lazyProduct(block);
                }
                columns.clear();
                row.clear();
                for (const int j : fine) {
                    const ConstMap<B, Modes> left(product.data() +
                                                  static_cast<std::size_t>(slot[static_cast<std::size_t>(j)]) * kBlock);
                    for (int k = p.start[static_cast<std::size_t>(j)]; k < p.start[static_cast<std::size_t>(j) + 1]; ++k) {
                        const int d = p.column[static_cast<std::size_t>(k)];
                        if (d > c) break;  // columns ascend, and the lower triangle is enough
                        int& s = coarse_slot[static_cast<std::size_t>(d)];
                        if (s < 0) {
                            s = static_cast<int>(columns.size());
                            columns.push_back(d);
                            row.resize(row.size() + kCoarse, 0.0);
                        }
                        Map<Modes, Modes>(row.data() + static_cast<std::size_t>(s) * kCoarse).noalias() +=
                            left.transpose().lazyProduct(
                                ConstMap<B, Modes>(p.values.data() + static_cast<std::size_t>(k) * kBlock));
                    }
                }
                order = columns;
                std::sort(order.begin(), order.end());
                for (const int d : order) {
                    const double* from =
                        row.data() + static_cast<std::size_t>(coarse_slot[static_cast<std::size_t>(d)]) * kCoarse;
                    part.column.push_back(d);
                    part.values.insert(part.values.end(), from, from + kCoarse);
                }
                part.count.push_back(static_cast<int>(order.size()));
                for (int m = 0; m < Modes; ++m)  // columns of zeros
                    if (double& diagonal =
                            part.values[part.values.size() - kCoarse + static_cast<std::size_t>(m * (Modes + 1))];
                        diagonal == 0)
                        diagonal = 1;
                for (const int j : fine) slot[static_cast<std::size_t>(j)] = -1;
                for (const int d : columns) coarse_slot[static_cast<std::size_t>(d)] = -1;
            }
        },
        1);
    pattern.start.assign(1, 0);
    pattern.column.clear();
    values.clear();
    for (const Part& part : parts) {
        for (const int count : part.count) pattern.start.push_back(pattern.start.back() + count);
        pattern.column.insert(pattern.column.end(), part.column.begin(), part.column.end());
        values.insert(values.end(), part.values.begin(), part.values.end());
    }
}

#define ASPERITY_INSTANTIATE(B, M)                                                                          \
    template struct Prolongation<B, M>;                                                                     \
    template void make_prolongation<B, M>(const BlockLevel<B>&, const Aggregates&, std::span<const double>, \
                                          Prolongation<B, M>&, std::vector<double>&);                       \
    template void coarse_matrix<B, M>(const BlockLevel<B>&, const Prolongation<B, M>&, BlockPattern&, std::vector<double>&);
ASPERITY_INSTANTIATE(2, 3)
ASPERITY_INSTANTIATE(3, 3)
ASPERITY_INSTANTIATE(3, 6)
ASPERITY_INSTANTIATE(6, 6)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::linear
