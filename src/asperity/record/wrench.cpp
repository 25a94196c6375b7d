#include "asperity/record/wrench.h"

#include <algorithm>

namespace asperity::record {
namespace {

Vec3 along_surface(const Vec3& force, const Vec3& normal) { return force - dot(force, normal) * normal; }

/// An independent contact: a single point, or a patch at its centre of pressure.
struct Load {
    int body_a, body_b;
    bool patch;
    Vec3 point, normal, force, torque;  // torque about `point`
};

std::vector<Load> loads_of(const Frame& frame) {
    std::vector<Load> loads;
    for (const ContactSample& c : frame.contacts)
        if (c.patch < 0 && dot(c.force, c.normal) > 0)
            loads.push_back({c.body_a, c.body_b, false, c.point, c.normal, c.force, c.spin_torque * c.normal});
    for (const PatchSample& p : frame.patches)
        if (dot(p.force, p.normal) > 0)
            loads.push_back(
                {p.body_a, p.body_b, true, p.pressure, p.normal, p.force, p.torque - cross(p.pressure - p.centre, p.force)});
    std::stable_sort(loads.begin(), loads.end(), [](const Load& l, const Load& r) {
        return std::pair(l.body_a, l.body_b) < std::pair(r.body_a, r.body_b);
    });
    return loads;
}

PairWrench sum_of(const Load* first, const Load* last) {
    PairWrench sum{.body_a = first->body_a, .body_b = first->body_b};
    double pressing = 0;
    for (const Load* l = first; l != last; ++l) {
        const double f_n = dot(l->force, l->normal);
        pressing += f_n;
        sum.point += f_n * l->point;
        sum.normal += f_n * l->normal;
    }
    sum.point = sum.point / pressing;
    sum.normal = length(sum.normal) > 1e-9 * pressing ? normalized(sum.normal) : Vec3{};  // smaller sums are rounding errors
    for (const Load* l = first; l != last; ++l) {
        const Vec3 arm = l->point - sum.point, friction = along_surface(l->force, l->normal);
        ++(l->patch ? sum.patches : sum.points);
        sum.force += l->force;
        sum.torque += l->torque + cross(arm, l->force);
        sum.friction += friction;
        sum.friction_torque += l->torque + cross(arm, friction);
    }
    return sum;
}

}  // namespace

std::vector<Wrench> contact_wrenches(const Frame& frame) {
    std::vector<int> points(frame.patches.size(), 0);  // number of points in each patch
    for (const ContactSample& c : frame.contacts)
        if (c.patch >= 0) ++points[static_cast<std::size_t>(c.patch)];
    std::vector<Wrench> all;
    for (const ContactSample& c : frame.contacts) {
        if (c.patch < 0) {
            all.push_back({c.force, c.spin_torque * c.normal, along_surface(c.force, c.normal), c.spin_torque});
            continue;
        }
        const PatchSample& p = frame.patches[static_cast<std::size_t>(c.patch)];
        const double share = 1.0 / points[static_cast<std::size_t>(c.patch)];
        all.push_back({c.force, share * p.torque - cross(c.point - p.centre, c.force),
                       share * along_surface(p.force, p.normal), share * p.spin_torque});
    }
    return all;
}

std::vector<PairWrench> pair_wrenches(const Frame& frame) {
    const std::vector<Load> loads = loads_of(frame);
    std::vector<PairWrench> all;
    for (const Load *first = loads.data(), *end = first + loads.size(); first != end;) {
        const Load* last =
            std::find_if(first, end, [&](const Load& l) { return l.body_a != first->body_a || l.body_b != first->body_b; });
        all.push_back(sum_of(first, last));
        first = last;
    }
    return all;
}

}  // namespace asperity::record
