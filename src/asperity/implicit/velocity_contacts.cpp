// Which stencils are contacts of friction `velocity`: one row of separation each, and two of slip.
#include <algorithm>

#include "asperity/implicit/kinematics.h"
#include "asperity/implicit/velocity.h"

namespace asperity::implicit {
namespace {

/// Gap that stencils off the chosen side keep, and the gap below which they are contacts though vertices nearby are: over
/// that of the chosen side. A step may bring them from beyond the second to the first.
constexpr double kOthersKeep = 0.5, kNear = 0.75;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Contacts act on one side of two bodies, the one with the finer mesh: on each of its vertices, against what is nearest of
/// the other surface. Rows for the vertices of both sides and for all crossing edges would tie flat surfaces together. A
/// vertex of the other side, or two edges, become a contact where no vertex nearby is one, and where they come closer. They
/// keep half the gap of the others: so nothing jumps where one that was free to come closer becomes a contact.
template <int Dim>
class Finder {
  public:
    Finder(const Model<Dim>& model, StepData<Dim>& d) : model_(model), d_(d), contacts_(d.friction.contacts) {}

    void run() {
        contacts_.clear();
        d_.velocity.covered.clear();
        for (std::size_t k = 0; k < d_.now.collisions.size(); ++k) add(static_cast<int>(k), true);
        std::vector<std::array<int, 2>>& covered = d_.velocity.covered;
        std::sort(covered.begin(), covered.end());
        for (std::size_t k = 0; k < d_.now.collisions.size(); ++k) add(static_cast<int>(k), false);
        for (const PlaneContact& plane : d_.now.plane_contacts) add_plane(plane);
    }

  private:
    int body_of(int vertex) const { return model_.surface.body[at(vertex)]; }
    bool rubs(int part_a, int part_b) const {
        return model_.frictional && model_.rubs(model_.parts[at(part_a)].material, model_.parts[at(part_b)].material);
    }

    /// First those on the chosen side, then the others.
    void add(int k, bool chosen_side) {
        const ipc::Collision& collision = d_.now.collisions[at(k)];
        if (!(collision.weight > 0)) return;
        const bool edges = collision.stencil == ipc::Stencil::EdgeEdge;
        const int a = body_of(collision.vertices[0]), b = body_of(collision.vertices[edges ? 2 : 1]);
        const int chosen = friction_side(model_.surface, a, b);
        const bool second = collision.stencil == ipc::Stencil::PointPoint && a != b && chosen == b;
        const bool is_chosen = !edges && (a == b || second || a == chosen);
        if (is_chosen != chosen_side) return;

        const ipc::Separation<Dim> s = ipc::separation(collision, std::span<const Vector<Dim>>(d_.now.vertices));
        FrictionContact c;
        c.count = s.count;
        c.kept_gap = (is_chosen ? 1 : kOthersKeep) * d_.velocity.kept_gap;
        c.vertices = collision.vertices;
        c.weights = s.weight;
        c.source = k;
        c.normal = to_vec3(s.normal);
        c.gap = s.distance - collision.thickness;
        if (second) {
            std::swap(c.vertices[0], c.vertices[1]);
            c.weights = {1, -1, 0, 0};
            c.normal = -c.normal;
        }
        const int other = second ? a : b;
        c.key = edges ? collision.vertices : FrictionKey{c.vertices[0], -2 - other, -1, -1};
        if (is_chosen)
            d_.velocity.covered.push_back({c.vertices[0], other});
        else if (!is_needed(c, chosen, chosen == a ? b : a))
            return;
        c.rubs = rubs(model_.vertex_part[at(c.vertices[0])], model_.vertex_part[at(c.vertices[at(c.count - 1)])]);
        contacts_.push_back(c);
    }

    bool is_needed(const FrictionContact& c, int chosen, int other) const {
        if (c.gap < kNear * d_.velocity.kept_gap) return true;
        const std::vector<std::array<int, 2>>& covered = d_.velocity.covered;
        for (std::size_t k = 0; k < at(c.count); ++k)
            if (body_of(c.vertices[k]) == chosen &&
                std::binary_search(covered.begin(), covered.end(), std::array<int, 2>{c.vertices[k], other}))
                return false;
        return true;
    }

    void add_plane(const PlaneContact& p) {
        const HalfSpace<Dim>& plane = model_.half_spaces[at(p.plane)];
        FrictionContact c;
        c.count = 1;
        c.vertices[0] = p.vertex;
        c.weights[0] = 1;
        c.plane = p.plane;
        c.normal = to_vec3(d_.attempt.plane_normal[at(p.plane)]);
        c.gap = p.gap;
        c.kept_gap = d_.velocity.kept_gap;
        c.key = {p.vertex, -2 - plane.body, -1, -1};
        c.rubs = rubs(plane.part, model_.vertex_part[at(p.vertex)]);
        contacts_.push_back(c);
    }

    const Model<Dim>& model_;
    StepData<Dim>& d_;
    std::vector<FrictionContact>& contacts_;
};

}  // namespace

template <int Dim>
void find_velocity_contacts(const Model<Dim>& model, const State<Dim>& state, StepData<Dim>& d) {
    Finder<Dim>(model, d).run();
    set_velocity_surfaces(model, state, d);
}

template void find_velocity_contacts<2>(const Model<2>&, const State<2>&, StepData<2>&);
template void find_velocity_contacts<3>(const Model<3>&, const State<3>&, StepData<3>&);

}  // namespace asperity::implicit
