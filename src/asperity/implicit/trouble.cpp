#include "asperity/implicit/trouble.h"

#include <fmt/format.h>

#include "asperity/implicit/contacts.h"

namespace asperity::implicit {
namespace {

/// Gap over contact distance below which the message calls the contacts too weak for their load: forces grow as the inverse
/// of the gap, and stiff bodies press at corners with about their modulus at a tenth of the contact distance.
constexpr double kCrushed = 1e-4;

/// "the largest correction is in 'a'": the body of the node that the last iteration would move most.
template <int Dim>
std::string restless_body(const World<Dim>& world) {
    const std::vector<Vector<Dim>>& direction = world.data().direction;
    int body = -1;
    double most = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
        if (!world.model.node_translates[i] || !(direction[i].norm() > most)) continue;
        most = direction[i].norm();
        body = world.model.node_body[i];
    }
    if (body < 0) return "no two surfaces are near each other";
    return fmt::format("no two surfaces are near each other, and the largest correction is {:.2g} m in '{}'", most,
                       world.model.bodies[static_cast<std::size_t>(body)].name);
}

/// "closest are 'a' and 'b', 1.2e-05 m apart": the two closest surfaces at the last iterate.
template <int Dim>
std::string closest_pair(const World<Dim>& world) {
    std::array<int, 2> bodies{-1, -1};
    const double gap = smallest_gap(world.model, world.data(), &bodies);
    if (bodies[0] < 0) return restless_body(world);
    const std::string &a = world.model.bodies[static_cast<std::size_t>(bodies[0])].name,
                      &b = world.model.bodies[static_cast<std::size_t>(bodies[1])].name;
    const char* weak = gap < kCrushed * world.dhat() ? ": a larger contact distance or stiffness keeps them apart" : "";
    if (a == b) return fmt::format("closest are two places of '{}', {:.2g} m apart{}", a, gap, weak);
    return fmt::format("closest are '{}' and '{}', {:.2g} m apart{}", a, b, gap, weak);
}

std::string_view cause_and_remedy(Failure failure) {
    switch (failure) {
        case Failure::None: return "";
        case Failure::Stopped: return "a stop was requested";
        case Failure::Iterations:
            return "Newton's method did not converge; a larger tolerance or contact distance, a smaller step.dt, or less "
                   "different stiffnesses help";
        case Failure::Blocked:
            return "a prescribed motion presses bodies together that cannot give way; slow it down, leave room, or "
                   "prescribe forces instead of positions";
        case Failure::LineSearch:
            return "the energy cannot be lowered any further, because of rounding; a larger step.tolerance, or stiffnesses "
                   "and sizes that differ by less, help";
        case Failure::Singular:
            return "the stiffness matrix is singular: a body without mass, or one that nothing holds in a static analysis";
        case Failure::NotFinite:
            return "a force or position is not finite; look for loads or motions that grow without bound";
        case Failure::Intersection: return "two surfaces cross although none may: a defect; please report it with the scene";
        case Failure::Friction:
            return "friction forces did not settle; a smaller step.dt, a larger step.friction_tolerance or bodies whose "
                   "stiffnesses differ by less help";
        case Failure::Unstable:
            return "explicit integration became unstable; take a smaller step.dt or an implicit integrator";
    }
    return "";
}

}  // namespace

template <int Dim>
std::string describe(const World<Dim>& world, Failure failure) {
    return fmt::format("t = {:g} s, the step failed: {}; {}", world.state.time, cause_and_remedy(failure),
                       closest_pair(world));
}

template std::string describe<2>(const World<2>&, Failure);
template std::string describe<3>(const World<3>&, Failure);

}  // namespace asperity::implicit
