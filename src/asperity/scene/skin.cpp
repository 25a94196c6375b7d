#include "asperity/scene/skin.h"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/implicit/kinematics.h"

namespace asperity::scene {
namespace {

using Skin3 = implicit::Skin<3>;
using Skin2 = implicit::Skin<2>;

// Corners of a circle in the plane, and of round shapes in space. Between n corners the surface lies at most 1 - cos(pi/n)
// of the radius below the circle: 0.2 % and 0.5 %.
constexpr int kCircle = 48, kRound = 32;
// Times that an icosahedron is divided for a sphere: 642 points, faces at most 0.3 % of the radius too low.
constexpr int kSphereLevels = 3;

/// An icosahedron whose triangles are divided in four again and again, with all points on the unit sphere.
Skin3 unit_sphere() {
    const double g = std::numbers::phi;
    Skin3 s;
    for (const double a : {-1.0, 1.0})
        for (const double b : {-g, g}) {
            s.points.push_back(Vector<3>{0, a, b}.normalized());
            s.points.push_back(Vector<3>{a, b, 0}.normalized());
            s.points.push_back(Vector<3>{b, 0, a}.normalized());
        }
    // its faces are the triples of points that are nearest neighbours
    const double edge = 2 / std::sqrt(1 + g * g);
    const auto near = [&](int i, int j) {
        return (s.points[static_cast<std::size_t>(i)] - s.points[static_cast<std::size_t>(j)]).norm() < 1.01 * edge;
    };
    for (int i = 0; i < 12; ++i)
        for (int j = i + 1; j < 12; ++j)
            for (int k = j + 1; k < 12; ++k)
                if (near(i, j) && near(j, k) && near(i, k)) {
                    Matrix<3, 3> corners;
                    corners << s.points[static_cast<std::size_t>(i)], s.points[static_cast<std::size_t>(j)],
                        s.points[static_cast<std::size_t>(k)];
                    s.faces.push_back(corners.determinant() > 0 ? std::array{i, j, k} : std::array{i, k, j});
                }
    for (int level = 0; level < kSphereLevels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [entry, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(s.points.size()));
            if (is_new)
                s.points.push_back(
                    (s.points[static_cast<std::size_t>(a)] + s.points[static_cast<std::size_t>(b)]).normalized());
            return entry->second;
        };
        std::vector<std::array<int, 3>> faces;
        for (const auto& [a, b, c] : s.faces) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            for (const std::array<int, 3>& face : {std::array{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}})
                faces.push_back(face);
        }
        s.faces = std::move(faces);
    }
    return s;
}

/// A surface of revolution about z: rings of `kRound` points at (radius, z), from the lowest to the highest. A point on the
/// axis closes each end.
Skin3 revolved(const std::vector<Vec2>& profile, double low, double high) {
    Skin3 s;
    s.points.push_back({0, 0, low});
    for (const Vec2& p : profile)
        for (int k = 0; k < kRound; ++k) {
            const double angle = 2 * std::numbers::pi * k / kRound;
            s.points.push_back({p.x * std::cos(angle), p.x * std::sin(angle), p.y});
        }
    s.points.push_back({0, 0, high});
    const int rings = static_cast<int>(profile.size()), last = static_cast<int>(s.points.size()) - 1;
    const auto at = [](int ring, int k) { return 1 + ring * kRound + k % kRound; };
    for (int k = 0; k < kRound; ++k) {
        s.faces.push_back({0, at(0, k + 1), at(0, k)});
        for (int r = 0; r + 1 < rings; ++r) {
            s.faces.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
            s.faces.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
        }
        s.faces.push_back({at(rings - 1, k), at(rings - 1, k + 1), last});
    }
    return s;
}

Skin3 capsule(double radius, double half_length) {
    std::vector<Vec2> profile;
    constexpr int quarter = kRound / 4;
    for (int k = 1; k <= quarter; ++k) {
        const double angle = 0.5 * std::numbers::pi * k / quarter;
        profile.push_back({radius * std::sin(angle), -half_length - radius * std::cos(angle)});
    }
    for (int k = quarter; k >= 1; --k) {
        const double angle = 0.5 * std::numbers::pi * k / quarter;
        profile.push_back({radius * std::sin(angle), half_length + radius * std::cos(angle)});
    }
    return revolved(profile, -half_length - radius, half_length + radius);
}

Skin3 box(const Vec3& half) {
    Skin3 s;
    for (int i = 0; i < 8; ++i)
        s.points.push_back({(i & 1 ? 1 : -1) * half.x, (i & 2 ? 1 : -1) * half.y, (i & 4 ? 1 : -1) * half.z});
    for (const auto& [a, b, c, d] :
         {std::array{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
        s.faces.push_back({a, b, c});
        s.faces.push_back({a, c, d});
    }
    return s;
}

constexpr double kFarthest = 10;  // times the inset that a point may move

/// Moves every point inwards so that the planes of its faces recede by `inset`: exact at corners of three planes, in the
/// mean of least squares at others, and shorter at corners sharper than about 12 degrees.
void draw_in(Skin3& skin, double inset) {
    if (inset == 0) return;
    std::vector<std::vector<Vector<3>>> normals(skin.points.size());
    for (const auto& face : skin.faces) {
        const Eigen::Vector3d a = skin.points[static_cast<std::size_t>(face[0])],
                              b = skin.points[static_cast<std::size_t>(face[1])],
                              c = skin.points[static_cast<std::size_t>(face[2])];
        const Vector<3> normal = (b - a).cross(c - a).normalized();
        if (!normal.allFinite()) continue;
        for (const int v : face) {
            auto& list = normals[static_cast<std::size_t>(v)];
            const bool known =
                std::any_of(list.begin(), list.end(), [&](const Vector<3>& n) { return n.dot(normal) > 1 - 1e-9; });
            if (!known) list.push_back(normal);
        }
    }
    for (std::size_t v = 0; v < skin.points.size(); ++v) {
        if (normals[v].empty()) continue;
        Eigen::MatrixXd m(normals[v].size(), 3);
        for (std::size_t k = 0; k < normals[v].size(); ++k) m.row(static_cast<Eigen::Index>(k)) = normals[v][k].transpose();
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> planes(m);
        planes.setThreshold(0.05);  // nearly parallel planes: no far corner
        Eigen::Vector3d move = planes.solve(Eigen::VectorXd::Constant(m.rows(), -inset));
        if (move.norm() > kFarthest * inset) move *= kFarthest * inset / move.norm();
        skin.points[v] += move;
    }
}

Skin3 hull(const geometry::Polyhedron& p) {
    Skin3 s;
    for (const Vec3& v : p.vertices) s.points.push_back(to_vector(v));
    for (const auto& face : p.faces)
        for (int k = 1; k + 1 < face.count; ++k)
            s.faces.push_back({p.loop[static_cast<std::size_t>(face.first)],
                               p.loop[static_cast<std::size_t>(face.first + k)],
                               p.loop[static_cast<std::size_t>(face.first + k + 1)]});
    return s;
}

Skin2 outline(const std::vector<Vec2>& points) {
    Skin2 s;
    for (std::size_t i = 0; i < points.size(); ++i) {
        s.points.push_back({points[i].x, points[i].y});
        s.faces.push_back({static_cast<int>(i), static_cast<int>((i + 1) % points.size())});
    }
    return s;
}

/// The convex hull of points of the plane, counter-clockwise (monotone chains).
std::vector<Vec2> plane_hull(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end(),
              [](const Vec2& a, const Vec2& b) { return std::tie(a.x, a.y) < std::tie(b.x, b.y); });
    std::vector<Vec2> chain;
    const auto add = [&](const Vec2& p, std::size_t base) {
        while (chain.size() >= base + 2 && cross(chain.back() - chain[chain.size() - 2], p - chain.back()) <= 0)
            chain.pop_back();
        chain.push_back(p);
    };
    for (const Vec2& p : points) add(p, 0);
    const std::size_t base = chain.size() - 1;
    for (auto p = points.rbegin() + 1; p < points.rend(); ++p) add(*p, base);
    chain.pop_back();
    return chain;
}

/// Moves the sides of a convex outline inwards.
std::vector<Vec2> drawn_in(const std::vector<Vec2>& p, double inset) {
    std::vector<Vec2> out;
    const std::size_t n = p.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 before = p[i] - p[(i + n - 1) % n], after = p[(i + 1) % n] - p[i];
        const Vec2 a = before / length(before), b = after / length(after);
        const double sine = cross(a, b);
        const Vec2 inward_a{-a.y, a.x}, inward_b{-b.y, b.x};
        out.push_back(p[i] + (std::fabs(sine) > 1e-9 ? inset / sine * (b - a) : inset * (0.5 * (inward_a + inward_b))));
    }
    return out;
}

Vec2 on_circle(double radius, int k) {
    const double angle = 2 * std::numbers::pi * k / kCircle;
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

/// A convex section before it is drawn in; empty for a half-space.
std::vector<Vec2> section_outline(const geometry::Shape& shape) {
    std::vector<Vec2> points;
    const auto rectangle = [&](double x, double z) { points = {{-x, -z}, {x, -z}, {x, z}, {-x, z}}; };
    if (const auto* s = std::get_if<geometry::Box>(&shape)) {
        rectangle(s->half.x, s->half.z);
    } else if (const auto* c = std::get_if<geometry::Cylinder>(&shape)) {
        rectangle(c->radius, c->half_height);
    } else if (const auto* sphere = std::get_if<geometry::Sphere>(&shape)) {
        for (int k = 0; k < kCircle; ++k) points.push_back(on_circle(sphere->radius, k));
    } else if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) {
        const Vec2 up{0, capsule->half_length};
        for (int k = 0; k <= kCircle / 2; ++k) points.push_back(on_circle(capsule->radius, k) + up);
        for (int k = kCircle / 2; k <= kCircle; ++k) points.push_back(on_circle(capsule->radius, k) - up);
    } else if (const auto* h = std::get_if<geometry::Hull>(&shape)) {
        for (const Vec3& v : h->polyhedron->vertices) points.push_back({v.x, v.z});
        points = plane_hull(std::move(points));
    } else if (std::holds_alternative<geometry::Mesh>(shape)) {
        throw InputError(
            "a mesh has no section in a world of two dimensions; take a box, sphere, capsule, cylinder or hull");
    }
    return points;
}

}  // namespace

template <>
implicit::Skin<3> skin_of<3>(const geometry::Shape& shape, double inset) {
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) {
        static const Skin3 unit = unit_sphere();
        Skin3 skin = unit;
        for (Vector<3>& p : skin.points) p *= s->radius - inset;
        return skin;
    }
    if (const auto* b = std::get_if<geometry::Box>(&shape)) return box(b->half - Vec3{inset, inset, inset});
    if (const auto* c = std::get_if<geometry::Capsule>(&shape)) return capsule(c->radius - inset, c->half_length);
    if (const auto* c = std::get_if<geometry::Cylinder>(&shape)) {
        const double r = c->radius - inset, h = c->half_height - inset;
        return revolved({{r, -h}, {r, h}}, -h, h);
    }
    Skin3 skin;
    if (const auto* h = std::get_if<geometry::Hull>(&shape)) skin = hull(*h->polyhedron);
    if (const auto* m = std::get_if<geometry::Mesh>(&shape)) {
        for (const Vec3& p : m->triangles->positions) skin.points.push_back(to_vector(p));
        skin.faces = m->triangles->triangles;
    }
    draw_in(skin, inset);
    return skin;
}

template <>
implicit::Skin<2> skin_of<2>(const geometry::Shape& shape, double inset) {
    const std::vector<Vec2> points = section_outline(shape);
    return points.empty() ? Skin2{} : outline(inset == 0 ? points : drawn_in(points, inset));
}

template <int Dim>
void append(implicit::Skin<Dim>& to, const implicit::Skin<Dim>& skin, const Pose& pose) {
    const int first = static_cast<int>(to.points.size());
    for (const Vector<Dim>& p : skin.points) to.points.push_back(implicit::from_vec3<Dim>(pose * to_vec3(p)));
    for (auto face : skin.faces) {
        for (int& v : face) v += first;
        to.faces.push_back(face);
    }
}
template void append<2>(implicit::Skin<2>&, const implicit::Skin<2>&, const Pose&);
template void append<3>(implicit::Skin<3>&, const implicit::Skin<3>&, const Pose&);

Section section_of(const geometry::Shape& shape) {
    const double pi = std::numbers::pi;
    if (const auto* s = std::get_if<geometry::Sphere>(&shape)) {
        const double r2 = s->radius * s->radius;
        return {pi * r2, 0.25 * pi * r2 * r2, 0.25 * pi * r2 * r2, {}};
    }
    if (const auto* c = std::get_if<geometry::Capsule>(&shape)) {
        const double r = c->radius, h = c->half_length, r2 = r * r, round = 0.25 * pi * r2 * r2;
        return {4 * r * h + pi * r2,
                4.0 / 3 * h * r * r2 + round,
                4.0 / 3 * r * h * h * h + pi * r2 * h * h + 8.0 / 3 * h * r * r2 + round,
                {}};
    }
    Section out;
    const std::vector<Vec2> p = section_outline(shape);
    for (std::size_t i = 0; i < p.size(); ++i) {  // triangles from the origin
        const Vec2 &a = p[i], &b = p[(i + 1) % p.size()];
        const double twice = cross(a, b);
        out.area += 0.5 * twice;
        out.centre += twice / 6 * Vec3{a.x + b.x, 0, a.y + b.y};
        out.xx += twice / 12 * (a.x * a.x + a.x * b.x + b.x * b.x);
        out.zz += twice / 12 * (a.y * a.y + a.y * b.y + b.y * b.y);
    }
    if (out.area > 0) out.centre = out.centre / out.area;
    return out;
}

}  // namespace asperity::scene
