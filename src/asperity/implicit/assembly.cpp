#include "asperity/implicit/assembly.h"

#include <algorithm>
#include <numeric>

#include "asperity/core/assert.h"
#include "asperity/core/parallel.h"
#include "asperity/implicit/attachments.h"
#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/loads.h"
#include "asperity/implicit/mass.h"
#include "asperity/implicit/step_data.h"

namespace asperity::implicit {
namespace {

/// Elements per chunk: enough to hide the cost of handing one over (0.2 microseconds, against 1 an element), few enough
/// that small meshes still have chunks for every thread.
constexpr int kChunk = 64;

template <int Dim>
using Block = Eigen::Map<Matrix<Dim, Dim>>;
template <int Dim>
using ConstBlock = Eigen::Map<const Matrix<Dim, Dim>>;

constexpr int pair_index(int a, int b) { return deform::ElementBlocks<2>::pair(a, b); }

}  // namespace

template <int Dim>
void Assembly<Dim>::prepare(const Model<Dim>& model) {
    std::vector<int> start{0}, nodes;
    for (const auto& element : model.elements.nodes) {
        nodes.insert(nodes.end(), element.begin(), element.end());
        start.push_back(static_cast<int>(nodes.size()));
    }
    for (const int body : model.affine_bodies) {
        const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
        for (int k = 0; k < b.node_count; ++k) nodes.push_back(b.first_node + k);
        start.push_back(static_cast<int>(nodes.size()));
    }
    for (const Attachment<Dim>& attachment : model.attachments) {
        for (const BodyPoint<Dim>* point : {&attachment.a, &attachment.b})
            nodes.insert(nodes.end(), point->nodes.begin(), point->nodes.begin() + point->count);
        start.push_back(static_cast<int>(nodes.size()));
    }
    base_ = linear::pattern_of_cliques(model.node_count(), start, nodes);
    pattern_ = base_;
    no_offset_.resize(base_.column.size());
    std::iota(no_offset_.begin(), no_offset_.end(), 0);
    entry_of_base_ = no_offset_;
    extra_.clear();

    const std::size_t count = model.elements.nodes.size();
    element_entries_.resize(count);
    std::vector<int> slots(static_cast<std::size_t>(model.node_count()) + 1, 0);
    for (std::size_t e = 0; e < count; ++e) {
        const auto& element = model.elements.nodes[e];
        for (int a = 0; a <= Dim; ++a)
            for (int b = 0; b <= a; ++b) {
                const auto [low, high] =
                    std::minmax(element[static_cast<std::size_t>(a)], element[static_cast<std::size_t>(b)]);
                element_entries_[e][static_cast<std::size_t>(pair_index(a, b))] = entry(base_, high, low);
            }
        for (const int node : element) ++slots[static_cast<std::size_t>(node) + 1];
    }
    std::partial_sum(slots.begin(), slots.end(), slots.begin());
    gather_start_ = slots;
    gather_.resize(count * (Dim + 1));
    for (std::size_t e = 0; e < count; ++e)
        for (std::size_t a = 0; a <= Dim; ++a)
            gather_[static_cast<std::size_t>(slots[static_cast<std::size_t>(model.elements.nodes[e][a])]++)] =
                static_cast<int>(e * (Dim + 1) + a);
    element_gradient_.resize(count * (Dim + 1));
    colour(model);
}

template <int Dim>
void Assembly<Dim>::begin() {
    if (extra_.empty()) return;
    extra_.clear();
    pattern_ = base_;
    entry_of_base_ = no_offset_;
}

/// Greedy colours of chunks in order: a chunk takes the first colour that none of its nodes has yet.
template <int Dim>
void Assembly<Dim>::colour(const Model<Dim>& model) {
    colours_.clear();
    const int count = static_cast<int>(model.elements.nodes.size());
    std::vector<std::vector<char>> taken;  // per colour and node
    for (int first = 0; first < count; first += kChunk) {
        const Chunk chunk{first, std::min(count, first + kChunk)};
        std::size_t c = 0;
        const auto clashes = [&](const std::vector<char>& nodes) {
            for (int e = chunk.first; e < chunk.last; ++e)
                for (const int node : model.elements.nodes[static_cast<std::size_t>(e)])
                    if (nodes[static_cast<std::size_t>(node)]) return true;
            return false;
        };
        while (c < taken.size() && clashes(taken[c])) ++c;
        if (c == taken.size()) {
            taken.emplace_back(static_cast<std::size_t>(model.node_count()), char{0});
            colours_.emplace_back();
        }
        colours_[c].push_back(chunk);
        for (int e = chunk.first; e < chunk.last; ++e)
            for (const int node : model.elements.nodes[static_cast<std::size_t>(e)])
                taken[c][static_cast<std::size_t>(node)] = 1;
    }
}

template <int Dim>
void Assembly<Dim>::add_element(const Model<Dim>& model, int element, int lane, const deform::ElementBlocks<Dim>& blocks,
                                std::span<const int> entry_of_base, std::vector<double>& values) const {
    const auto e = static_cast<std::size_t>(element);
    const auto& nodes = model.elements.nodes[e];
    for (int a = 0; a <= Dim; ++a)
        for (int b = 0; b <= a; ++b) {
            const int pair = pair_index(a, b);
            const auto base = static_cast<std::size_t>(element_entries_[e][static_cast<std::size_t>(pair)]);
            double* to = &values[static_cast<std::size_t>(entry_of_base[base]) * kBlock];
            const auto& from = blocks.value[pair];
            if (nodes[static_cast<std::size_t>(a)] >= nodes[static_cast<std::size_t>(b)])
                for (int k = 0; k < kBlock; ++k) to[k] += from[k][lane];
            else  // the transposed block
                for (int k = 0; k < kBlock; ++k) to[k] += from[k % Dim * Dim + k / Dim][lane];
        }
}

template <int Dim>
void Assembly<Dim>::add_elements(const Model<Dim>& model, std::span<const Vector<Dim>> x, deform::Projection projection,
                                 std::span<const int> entry_of_base, std::vector<double>& values) {
    for (const std::vector<Chunk>& chunks : colours_)
        parallel_for(
            static_cast<int>(chunks.size()),
            [&](int c) {
                using Blocks = deform::ElementBlocks<Dim>;
                Blocks blocks;
                const Chunk& chunk = chunks[static_cast<std::size_t>(c)];
                for (int first = chunk.first; first < chunk.last; first += Blocks::kElements) {
                    const int last = std::min(chunk.last, first + Blocks::kElements);
                    deform::elastic_blocks(model.elements, x, projection, first, last, blocks);
                    for (int e = first; e < last; ++e) add_element(model, e, e - first, blocks, entry_of_base, values);
                }
            },
            1);
}

template <int Dim>
void Assembly<Dim>::stiffness(const Model<Dim>& model, std::span<const Vector<Dim>> x, std::vector<double>& values) {
    values.assign(base_.column.size() * kBlock, 0);
    add_elements(model, x, deform::Projection::Clamp, no_offset_, values);
    // each body has its own coefficient, and no element joins two bodies
    for (int i = 0; i < base_.size(); ++i) {
        const double beta =
            model.bodies[static_cast<std::size_t>(model.node_body[static_cast<std::size_t>(i)])].damping_stiffness;
        for (int k = base_.start[static_cast<std::size_t>(i)] * kBlock;
             k < base_.start[static_cast<std::size_t>(i) + 1] * kBlock; ++k)
            values[static_cast<std::size_t>(k)] *= beta;
    }
}

template <int Dim>
double Assembly<Dim>::quadratic(std::span<const double> values, std::span<const Vector<Dim>> y,
                                std::span<Vector<Dim>> out) const {
    double sum = 0;
    for (int i = 0; i < base_.size(); ++i) {
        const auto r = static_cast<std::size_t>(i);
        for (int k = base_.start[r]; k < base_.start[r + 1]; ++k) {
            const auto c = static_cast<std::size_t>(base_.column[static_cast<std::size_t>(k)]);
            const ConstBlock<Dim> m(&values[static_cast<std::size_t>(k) * kBlock]);
            const Vector<Dim> product = m * y[c];
            sum += (c == r ? 1 : 2) * y[r].dot(product);
            if (out.empty()) continue;
            out[r] += product;
            if (c != r) out[c] += m.transpose() * y[r];
        }
    }
    return sum;
}

template <int Dim>
double* Assembly<Dim>::block(int row, int column) {
    const int at = entry(pattern_, row, column);
    ASPERITY_ASSERT(at >= 0);  // find_pattern() has all nodes that a contact couples
    return &values_[static_cast<std::size_t>(at) * kBlock];
}

namespace {

/// Calls f(node, weight) for the nodes that carry a vertex.
template <int Dim, class F>
void for_carriers(const Carrier<Dim>& carrier, const F& f) {
    for (int k = 0; k < carrier.count; ++k) f(carrier.node + k, carrier.weight(k));
}

}  // namespace

/// The base pattern and the entries that contacts couple. Entries of contacts that have gone stay until they are more than
/// twice those needed, so that a contact that comes and goes does not cost an analysis each time.
template <int Dim>
void Assembly<Dim>::find_pattern(const Model<Dim>& model, const Configuration<Dim>& at,
                                 std::span<const FrictionContact> friction) {
    needed_.clear();
    std::vector<int> nodes;
    const auto couple = [&](const std::array<int, 4>& vertices) {
        nodes.clear();
        for (const int v : vertices)
            if (v >= 0)
                for_carriers(model.carriers[static_cast<std::size_t>(v)], [&](int node, double) { nodes.push_back(node); });
        for (const int i : nodes)
            for (const int j : nodes)
                if (i > j && entry(base_, i, j) < 0) needed_.push_back({i, j});
    };
    for (const ipc::Collision& collision : at.collisions) couple(collision.vertices);
    for (const FrictionContact& contact : friction) couple(contact.vertices);
    std::sort(needed_.begin(), needed_.end());
    needed_.erase(std::unique(needed_.begin(), needed_.end()), needed_.end());
    const bool covered = std::includes(extra_.begin(), extra_.end(), needed_.begin(), needed_.end());
    if (covered && extra_.size() <= 2 * needed_.size() + 64) return;
    extra_ = needed_;
    pattern_.start.assign(1, 0);
    pattern_.column.clear();
    entry_of_base_.resize(base_.column.size());
    std::size_t next = 0;
    for (int i = 0; i < base_.size(); ++i) {
        int k = base_.start[static_cast<std::size_t>(i)];
        const int end = base_.start[static_cast<std::size_t>(i) + 1];
        while (k < end || (next < extra_.size() && extra_[next].first == i)) {
            const bool extra = next < extra_.size() && extra_[next].first == i &&
                               (k == end || extra_[next].second < base_.column[static_cast<std::size_t>(k)]);
            if (!extra) entry_of_base_[static_cast<std::size_t>(k)] = static_cast<int>(pattern_.column.size());
            pattern_.column.push_back(extra ? extra_[next].second : base_.column[static_cast<std::size_t>(k)]);
            extra ? void(++next) : void(++k);
        }
        pattern_.start.push_back(static_cast<int>(pattern_.column.size()));
    }
}

template <int Dim>
void Assembly<Dim>::assemble(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                             const ipc::Barrier& barrier, std::span<const FrictionContact> friction,
                             deform::Projection projection, bool hessian, bool clamp, FrictionStiffness friction_stiffness) {
    const auto n = static_cast<std::size_t>(model.node_count());
    const Prediction<Dim>& p = attempt.prediction;
    const double inertia = p.inertia ? 1 / (p.c * attempt.h * attempt.h) : attempt.proximal;
    gradient_.resize(n);
    obstacle_gradient_.assign(n, Vector<Dim>::Zero());
    difference_.resize(n);
    deform::elastic_gradient(model.elements, std::span<const Vector<Dim>>(at.x), std::span<Vector<Dim>>(element_gradient_));
    parallel_for(static_cast<int>(n), [&](int node) {
        const auto i = static_cast<std::size_t>(node);
        gradient_[i] = inertia * model.node_mass[i] * (at.x[i] - p.x_tilde[i]) - attempt.load[i];
        for (int k = gather_start_[i]; k < gather_start_[i + 1]; ++k)
            gradient_[i] += element_gradient_[static_cast<std::size_t>(gather_[static_cast<std::size_t>(k)])];
        const double alpha = model.bodies[static_cast<std::size_t>(model.node_body[i])].damping_mass;
        difference_[i] = (p.w * at.x[i] - p.x_hat[i]) / attempt.h;
        gradient_[i] += alpha * model.node_mass[i] * difference_[i];
    });
    if (!attempt.damping.empty()) quadratic(attempt.damping, difference_, gradient_);
    for (std::size_t g = 0; g < model.guides.size(); ++g) {
        const Guide<Dim>& guide = model.guides[g];
        const Body<Dim>& body = model.bodies[static_cast<std::size_t>(guide.body)];
        const double force = guide.stiffness * guide_lead<Dim>(model, attempt, at.x, g);
        for (int node = body.first_node; node < body.first_node + body.node_count; ++node) {
            const auto i = static_cast<std::size_t>(node);
            gradient_[i] += force * model.node_mass[i] / body.mass * guide.axis;
        }
    }
    if (has_coupled_mass(model)) {
        for (std::size_t i = 0; i < n; ++i) {
            const double alpha = model.bodies[static_cast<std::size_t>(model.node_body[i])].damping_mass;
            difference_[i] = inertia * (at.x[i] - p.x_tilde[i]) + alpha * difference_[i];
        }
        add_coupled_mass<Dim>(model, difference_, gradient_);
    }

    if (hessian) {
        find_pattern(model, at, friction);
        values_.assign(pattern_.column.size() * kBlock, 0);
        add_elements(model, at.x, projection, entry_of_base_, values_);
        const double rate = p.w / attempt.h;
        if (!attempt.damping.empty())
            for (std::size_t k = 0; k < entry_of_base_.size(); ++k)
                for (std::size_t q = 0; q < kBlock; ++q)
                    values_[static_cast<std::size_t>(entry_of_base_[k]) * kBlock + q] +=
                        rate * attempt.damping[k * kBlock + q];
        for (std::size_t i = 0; i < n; ++i) {
            const double alpha = model.bodies[static_cast<std::size_t>(model.node_body[i])].damping_mass;
            Block<Dim>(&values_[(static_cast<std::size_t>(pattern_.start[i + 1]) - 1) * kBlock]).diagonal().array() +=
                model.node_mass[i] * (inertia + rate * alpha);
        }
        add_mass_coupling(model, inertia, rate);
    }
    for (std::size_t k = 0; k < model.affine_bodies.size(); ++k) {
        const Body<Dim>& body = model.bodies[static_cast<std::size_t>(model.affine_bodies[k])];
        deform::AffineEnergy<Dim> local;
        deform::orthogonality(std::span<const Vector<Dim>>(at.x).subspan(static_cast<std::size_t>(body.first_node) + 1, Dim),
                              model.settings.affine_stiffness * model.affine_volume[k], hessian, local);
        for (int a = 0; a < Dim; ++a) {
            gradient_[static_cast<std::size_t>(body.first_node + 1 + a)] += local.gradient.template segment<Dim>(a * Dim);
            for (int b = 0; hessian && b <= a; ++b)
                Block<Dim>(block(body.first_node + 1 + a, body.first_node + 1 + b)) +=
                    local.hessian.template block<Dim, Dim>(a * Dim, b * Dim);
        }
    }
    add_attachments(model, attempt, at, hessian);
    add_contacts(model, attempt, at, barrier, hessian, clamp);
    add_friction(model, attempt, at, friction, friction_stiffness);
}

/// (inertia + rate alpha) times the coupling of consistent masses.
template <int Dim>
void Assembly<Dim>::add_mass_coupling(const Model<Dim>& model, double inertia, double rate) {
    for (std::size_t e = 0; e < model.element_mass.size(); ++e) {
        const auto body = static_cast<std::size_t>(model.node_body[static_cast<std::size_t>(model.elements.nodes[e][0])]);
        const double c = mass_coupling(model, e) * (inertia + rate * model.bodies[body].damping_mass);
        if (c == 0) continue;
        for (int a = 0; a <= Dim; ++a)
            for (int b = 0; b <= a; ++b) {
                const auto base = static_cast<std::size_t>(element_entries_[e][static_cast<std::size_t>(pair_index(a, b))]);
                Block<Dim>(&values_[static_cast<std::size_t>(entry_of_base_[base]) * kBlock]).diagonal().array() +=
                    a == b ? -Dim * c : c;
            }
    }
}

template <int Dim>
void Assembly<Dim>::add_attachments(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                                    bool hessian) {
    for (std::size_t k = 0; k < model.attachments.size(); ++k) {
        const Attachment<Dim>& attachment = model.attachments[k];
        const double stiffness = attachment.stiffness;
        const Vector<Dim> force = stiffness * separation<Dim>(model, attempt, at.x, at.progress, k);
        const Vector<Dim> moved = (1 - at.progress) * (attempt.attached_to[2 * k] - attempt.attached_from[2 * k] -
                                                       attempt.attached_to[2 * k + 1] + attempt.attached_from[2 * k + 1]);
        const auto for_nodes = [&](const auto& f) {
            for (const BodyPoint<Dim>* point : {&attachment.a, &attachment.b})
                for (std::size_t n = 0; n < static_cast<std::size_t>(point->count); ++n)
                    f(point->nodes[n], point == &attachment.a ? point->weights[n] : -point->weights[n]);
        };
        for_nodes([&](int node, double weight) {
            gradient_[static_cast<std::size_t>(node)] += weight * force;
            obstacle_gradient_[static_cast<std::size_t>(node)] += weight * stiffness * moved;
            if (!hessian) return;
            for_nodes([&](int other, double factor) {
                if (other <= node) Block<Dim>(block(node, other)).diagonal().array() += stiffness * weight * factor;
            });
        });
    }
}

template <int Dim>
void Assembly<Dim>::contact_gradient(const Model<Dim>& model, const Attempt<Dim>&, const Configuration<Dim>& at,
                                     const ipc::Barrier& barrier, std::vector<ipc::LocalContact<Dim>>& out) const {
    out.resize(at.collisions.size());
    parallel_for(static_cast<int>(out.size()), [&](int k) {
        const auto i = static_cast<std::size_t>(k);
        ipc::barrier_local(model.surface, barrier, at.collisions[i], std::span<const Vector<Dim>>(at.vertices), false,
                           out[i]);
    });
}

template <int Dim>
void Assembly<Dim>::add_contacts(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                                 const ipc::Barrier& barrier, bool hessian, bool clamp) {
    local_.resize(at.collisions.size());
    parallel_for(
        static_cast<int>(local_.size()),
        [&](int k) {
            const auto i = static_cast<std::size_t>(k);
            ipc::barrier_local(model.surface, barrier, at.collisions[i], std::span<const Vector<Dim>>(at.vertices), hessian,
                               local_[i], clamp);
        },
        16);
    const double way = 1 - at.progress;  // of obstacles
    for (const ipc::LocalContact<Dim>& local : local_)
        for (int a = 0; a < local.count; ++a)
            for_carriers(model.carriers[static_cast<std::size_t>(local.vertices[static_cast<std::size_t>(a)])],
                         [&](int node, double weight) {
                             gradient_[static_cast<std::size_t>(node)] +=
                                 weight * local.gradient.template segment<Dim>(a * Dim);
                             for (int b = 0; hessian && b < local.count; ++b) {
                                 const auto v = static_cast<std::size_t>(local.vertices[static_cast<std::size_t>(b)]);
                                 if (way > 0 && model.carriers[v].count == 0)
                                     obstacle_gradient_[static_cast<std::size_t>(node)] +=
                                         weight * way * local.hessian.template block<Dim, Dim>(a * Dim, b * Dim) *
                                         (attempt.obstacle_to[v] - attempt.obstacle_from[v]);
                                 for_carriers(model.carriers[v], [&](int other, double factor) {
                                     if (other <= node)
                                         Block<Dim>(block(node, other)) +=
                                             weight * factor * local.hessian.template block<Dim, Dim>(a * Dim, b * Dim);
                                 });
                             }
                         });
    for (const PlaneContact& c : at.plane_contacts) {
        const Vector<Dim>& normal = attempt.plane_normal[static_cast<std::size_t>(c.plane)];
        const double slope = c.weight * barrier.first(c.gap), curvature = c.weight * barrier.second(c.gap);
        const Carrier<Dim>& carrier = model.carriers[static_cast<std::size_t>(c.vertex)];
        for_carriers(carrier, [&](int node, double weight) {
            gradient_[static_cast<std::size_t>(node)] += weight * slope * normal;
            if (!hessian) return;
            const auto plane = static_cast<std::size_t>(c.plane);
            obstacle_gradient_[static_cast<std::size_t>(node)] -=
                weight * curvature * way * (attempt.plane_to[plane] - attempt.plane_from[plane]) * normal;
            for_carriers(carrier, [&](int other, double factor) {
                if (other <= node)
                    Block<Dim>(block(node, other)) += weight * factor * curvature * normal * normal.transpose();
            });
        });
    }
}

/// Gradient -f, Hessian -w df/du or what takes its place, on the vertices by the weights of the slip.
template <int Dim>
void Assembly<Dim>::add_friction(const Model<Dim>& model, const Attempt<Dim>& attempt, const Configuration<Dim>& at,
                                 std::span<const FrictionContact> friction, FrictionStiffness kind) {
    for (const FrictionContact& c : friction) {
        const FrictionAt friction_now = friction_at(c, slip_of(model, attempt, std::span<const Vector<Dim>>(at.x), c), kind);
        const double share = attempt.friction_share;
        const Vector<Dim> force = share * from_vec3<Dim>(in_world(c, friction_now.force));
        Matrix<Dim, 2> axes;
        axes.col(0) = from_vec3<Dim>(c.surface.t);
        axes.col(1) = from_vec3<Dim>(c.surface.b);
        Matrix<2, 2> by_slip;
        by_slip << friction_now.stiffness.r[0].x, friction_now.stiffness.r[0].y, friction_now.stiffness.r[1].x,
            friction_now.stiffness.r[1].y;
        const Matrix<Dim, Dim> stiffness = share * attempt.prediction.w * axes * by_slip * axes.transpose();
        const auto for_nodes = [&](const auto& f) {
            for (std::size_t k = 0; k < static_cast<std::size_t>(c.count); ++k)
                for_carriers(model.carriers[static_cast<std::size_t>(c.vertices[k])],
                             [&](int node, double weight) { f(node, weight * c.weights[k]); });
        };
        for_nodes([&](int node, double weight) {
            gradient_[static_cast<std::size_t>(node)] -= weight * force;
            if (kind == FrictionStiffness::None) return;
            for_nodes([&](int other, double factor) {
                if (other <= node) Block<Dim>(block(node, other)) += weight * factor * stiffness;
            });
        });
    }
}

template <int Dim>
void Assembly<Dim>::prescribe(const Model<Dim>& model, std::span<const Vector<Dim>> direction,
                              std::vector<double>& right_hand_side) {
    const auto row = [&](std::size_t node) {
        return Eigen::Map<Eigen::Matrix<double, Dim, 1>>(&right_hand_side[node * Dim]);
    };
    for (int i = 0; i < pattern_.size(); ++i) {
        const auto r = static_cast<std::size_t>(i);
        for (int k = pattern_.start[r]; k < pattern_.start[r + 1]; ++k) {
            const auto c = static_cast<std::size_t>(pattern_.column[static_cast<std::size_t>(k)]);
            const bool row_fixed = !model.is_free(i), column_fixed = !model.is_free(static_cast<int>(c));
            if (!row_fixed && !column_fixed) continue;
            Block<Dim> m(&values_[static_cast<std::size_t>(k) * kBlock]);
            if (!row_fixed) row(r) -= m * direction[c];
            if (!column_fixed) row(c) -= m.transpose() * direction[r];
            if (c == r)
                m.setIdentity();
            else
                m.setZero();
        }
    }
    for (int i = 0; i < pattern_.size(); ++i)
        if (!model.is_free(i)) row(static_cast<std::size_t>(i)) = direction[static_cast<std::size_t>(i)];
}

template class Assembly<2>;
template class Assembly<3>;

}  // namespace asperity::implicit
