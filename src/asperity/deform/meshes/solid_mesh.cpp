#include "asperity/deform/meshes/solid_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/core/error.h"
#include "asperity/deform/detail/invariants.h"

namespace asperity::deform {
namespace {

/// An element with a volume below this part of its longest edge to the power Dim counts as flat: its shape functions have
/// lost more than ten of their sixteen digits.
constexpr double kFlat = 1e-12;

constexpr std::array<std::array<int, 2>, 3> kTriangleSides = {{{1, 2}, {2, 0}, {0, 1}}};
constexpr std::array<std::array<int, 3>, 4> kTetrahedronFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

/// Corners of the face opposite to corner a, as boundary() orders them.
template <int Dim>
const std::array<int, Dim>& face_corners(int a) {
    if constexpr (Dim == 2)
        return kTriangleSides[static_cast<std::size_t>(a)];
    else
        return kTetrahedronFaces[static_cast<std::size_t>(a)];
}

template <int Dim>
const Vector<Dim>& corner(const SolidMesh<Dim>& mesh, int element, int a) {
    const int node = mesh.elements[static_cast<std::size_t>(element)][static_cast<std::size_t>(a)];
    return mesh.points[static_cast<std::size_t>(node)];
}

template <int Dim>
Vector<Dim> centroid(const SolidMesh<Dim>& mesh, int element) {
    Vector<Dim> sum = Vector<Dim>::Zero();
    for (int a = 0; a <= Dim; ++a) sum += corner(mesh, element, a);
    return sum / (Dim + 1);
}

template <int Dim>
std::string place(const Vector<Dim>& p) {
    if constexpr (Dim == 2)
        return fmt::format("({:.6g}, {:.6g})", p[0], p[1]);
    else
        return fmt::format("({:.6g}, {:.6g}, {:.6g})", p[0], p[1], p[2]);
}

/// A face by its sorted corners, and where it comes from.
template <int Dim>
struct Face {
    std::array<int, Dim> key;
    int element, opposite;
};
template <int Dim>
std::vector<Face<Dim>> sorted_faces(const SolidMesh<Dim>& mesh) {
    std::vector<Face<Dim>> faces;
    faces.reserve(mesh.elements.size() * (Dim + 1));
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
        for (int a = 0; a <= Dim; ++a) {
            Face<Dim> face{{}, e, a};
            for (std::size_t k = 0; k < Dim; ++k)
                face.key[k] = mesh.elements[static_cast<std::size_t>(e)][static_cast<std::size_t>(face_corners<Dim>(a)[k])];
            std::sort(face.key.begin(), face.key.end());
            faces.push_back(face);
        }
    std::sort(faces.begin(), faces.end(), [](const Face<Dim>& p, const Face<Dim>& q) {
        return std::tie(p.key, p.element, p.opposite) < std::tie(q.key, q.element, q.opposite);
    });
    return faces;
}

double measure(const Vector<2>& a, const Vector<2>& b) { return (b - a).norm(); }
double measure(const Vector<3>& a, const Vector<3>& b, const Vector<3>& c) { return 0.5 * cross(b - a, c - a).norm(); }

/// Length or area of the face opposite to corner a.
template <int Dim>
double face_measure(const SolidMesh<Dim>& mesh, int e, int a) {
    const auto& f = face_corners<Dim>(a);
    if constexpr (Dim == 2)
        return measure(corner(mesh, e, f[0]), corner(mesh, e, f[1]));
    else
        return measure(corner(mesh, e, f[0]), corner(mesh, e, f[1]), corner(mesh, e, f[2]));
}

/// Distance of the circumscribed circle's or ball's centre from its points: |y| with 2 (x_a - x_0) . y = |x_a - x_0|^2.
template <int Dim>
double circumscribed_radius(const SolidMesh<Dim>& mesh, int e) {
    Matrix<Dim, Dim> edges;
    Vector<Dim> squares;
    for (int a = 1; a <= Dim; ++a) {
        edges.row(a - 1) = (corner(mesh, e, a) - corner(mesh, e, 0)).transpose();
        squares[a - 1] = 0.5 * edges.row(a - 1).squaredNorm();
    }
    const double determinant = edges.determinant();
    const Matrix<Dim, Dim> cofactors = cofactor(edges);
    return (cofactors.transpose() * squares).norm() / std::fabs(determinant);
}

/// Angles between the faces opposite to corners a and b, whose outward normals are minus the gradients of shape functions.
template <int Dim, class Use>
void for_angles(const SolidMesh<Dim>& mesh, int e, const Use& use) {
    Matrix<Dim, Dim> edges;
    for (int a = 1; a <= Dim; ++a) edges.row(a - 1) = (corner(mesh, e, a) - corner(mesh, e, 0)).transpose();
    Matrix<Dim, Dim + 1> gradients;  // times the determinant
    const Matrix<Dim, Dim> cofactors = cofactor(edges);
    for (int a = 1; a <= Dim; ++a) gradients.col(a) = cofactors.row(a - 1).transpose();
    gradients.col(0) = -gradients.template rightCols<Dim>().rowwise().sum();
    for (int a = 0; a <= Dim; ++a)
        for (int b = a + 1; b <= Dim; ++b) {
            const double cosine =
                gradients.col(a).dot(gradients.col(b)) / (gradients.col(a).norm() * gradients.col(b).norm());
            use(std::numbers::pi - std::acos(std::clamp(cosine, -1.0, 1.0)));
        }
}

template <int Dim>
double quality(const SolidMesh<Dim>& mesh, int e) {
    double surface = 0;
    for (int a = 0; a <= Dim; ++a) surface += face_measure(mesh, e, a);
    const double inscribed = Dim * volume(mesh, e) / surface;
    return Dim * inscribed / circumscribed_radius(mesh, e);
}

}  // namespace

template <int Dim>
double volume(const SolidMesh<Dim>& mesh, int e) {
    Matrix<Dim, Dim> edges;
    for (int a = 1; a <= Dim; ++a) edges.col(a - 1) = corner(mesh, e, a) - corner(mesh, e, 0);
    return edges.determinant() / (Dim == 2 ? 2 : 6);
}

template <int Dim>
std::vector<std::array<int, Dim>> boundary(const SolidMesh<Dim>& mesh) {
    const std::vector<Face<Dim>> faces = sorted_faces(mesh);
    std::vector<char> outer(mesh.elements.size() * (Dim + 1), 0);
    for (std::size_t i = 0; i < faces.size();) {
        std::size_t end = i + 1;
        while (end < faces.size() && faces[end].key == faces[i].key) ++end;
        if (end == i + 1) outer[static_cast<std::size_t>(faces[i].element * (Dim + 1) + faces[i].opposite)] = 1;
        i = end;
    }
    std::vector<std::array<int, Dim>> out;
    for (std::size_t i = 0; i < outer.size(); ++i) {
        if (!outer[i]) continue;
        const auto& element = mesh.elements[i / (Dim + 1)];
        std::array<int, Dim> face{};
        for (std::size_t k = 0; k < Dim; ++k)
            face[k] = element[static_cast<std::size_t>(face_corners<Dim>(static_cast<int>(i % (Dim + 1)))[k])];
        out.push_back(face);
    }
    return out;
}

template <int Dim>
std::vector<double> lumped_mass(const SolidMesh<Dim>& mesh, double density) {
    std::vector<double> mass(mesh.points.size(), 0);
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
        const double part = density * volume(mesh, e) / (Dim + 1);
        for (const int node : mesh.elements[static_cast<std::size_t>(e)]) mass[static_cast<std::size_t>(node)] += part;
    }
    return mass;
}

template <int Dim>
std::vector<MassEntry> consistent_mass(const SolidMesh<Dim>& mesh, double density) {
    std::vector<MassEntry> entries;
    entries.reserve(mesh.elements.size() * (Dim + 1) * (Dim + 1));
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
        const double part = density * volume(mesh, e) / ((Dim + 1) * (Dim + 2));
        for (const int row : mesh.elements[static_cast<std::size_t>(e)])
            for (const int column : mesh.elements[static_cast<std::size_t>(e)])
                entries.push_back({row, column, row == column ? 2 * part : part});
    }
    std::stable_sort(entries.begin(), entries.end(), [](const MassEntry& a, const MassEntry& b) {
        return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    std::size_t count = 0;
    for (const MassEntry& entry : entries) {
        if (count > 0 && entries[count - 1].row == entry.row && entries[count - 1].column == entry.column)
            entries[count - 1].mass += entry.mass;
        else
            entries[count++] = entry;
    }
    entries.resize(count);
    return entries;
}

template <int Dim>
MeshReport<Dim> report(const SolidMesh<Dim>& mesh) {
    constexpr std::size_t kWorst = 10;
    MeshReport<Dim> out;
    out.points = static_cast<int>(mesh.points.size());
    out.elements = static_cast<int>(mesh.elements.size());
    if (mesh.elements.empty()) return out;
    out.angle_min = std::numbers::pi;
    out.volume_min = std::numeric_limits<double>::infinity();
    std::vector<typename MeshReport<Dim>::Element> all;
    for (int e = 0; e < out.elements; ++e) {
        all.push_back({e, centroid(mesh, e), volume(mesh, e), quality(mesh, e)});
        out.volume += all.back().volume;
        out.volume_min = std::min(out.volume_min, all.back().volume);
        out.quality_mean += all.back().quality / out.elements;
        out.slivers += all.back().quality < kSliver;
        for_angles(mesh, e, [&](double angle) {
            out.angle_min = std::min(out.angle_min, angle);
            out.angle_max = std::max(out.angle_max, angle);
        });
    }
    const std::size_t kept = std::min(kWorst, all.size());
    std::partial_sort(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
        [](const auto& a, const auto& b) { return std::tie(a.quality, a.index) < std::tie(b.quality, b.index); });
    all.resize(kept);
    out.quality_min = all.front().quality;
    out.worst = std::move(all);
    return out;
}

template <int Dim>
std::string describe(const MeshReport<Dim>& r) {
    constexpr double kDegrees = 180 / std::numbers::pi;
    return fmt::format("{} points, {} {}, volume {:.6g}, quality {:.3f} to 1 (mean {:.3f}), angles {:.1f} to {:.1f} degrees",
                       r.points, r.elements, Dim == 2 ? "triangles" : "tetrahedra", r.volume, r.quality_min, r.quality_mean,
                       kDegrees * r.angle_min, kDegrees * r.angle_max);
}

template <int Dim>
std::string describe_slivers(const MeshReport<Dim>& r) {
    if (r.slivers == 0) return "";
    const auto& worst = r.worst.front();
    return fmt::format(
        "{} of {} elements are slivers (quality below {}), the worst is element {} at {} with {:.2g}; they make "
        "the body stiffer and the steps slower: mesh it again",
        r.slivers, r.elements, kSliver, worst.index, place<Dim>(worst.place), worst.quality);
}

template <int Dim>
void check(const SolidMesh<Dim>& mesh) {
    if (mesh.elements.empty()) throw InputError("mesh: it has no elements; a surface must be filled first");
    const int count = static_cast<int>(mesh.points.size());
    for (int i = 0; i < count; ++i)
        if (!mesh.points[static_cast<std::size_t>(i)].allFinite())
            throw InputError(fmt::format("mesh: point {} has a coordinate that is not finite", i));
    std::vector<char> used(mesh.points.size(), 0);
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
        double longest = 0;
        for (const int node : mesh.elements[static_cast<std::size_t>(e)]) {
            if (node < 0 || node >= count)
                throw InputError(fmt::format("mesh: element {} has corner {}; there are {} points", e, node, count));
            used[static_cast<std::size_t>(node)] = 1;
        }
        for (int a = 0; a <= Dim; ++a)
            for (int b = 0; b < a; ++b) longest = std::max(longest, (corner(mesh, e, a) - corner(mesh, e, b)).norm());
        const double v = volume(mesh, e);
        if (v > kFlat * std::pow(longest, Dim)) continue;
        int bad = 1;
        for (int other = e + 1; other < static_cast<int>(mesh.elements.size()); ++other) {
            bool valid = true;
            for (const int node : mesh.elements[static_cast<std::size_t>(other)]) valid &= node >= 0 && node < count;
            bad += valid && !(volume(mesh, other) > 0);
        }
        const bool inverted = v < -kFlat * std::pow(longest, Dim);
        throw InputError(
            fmt::format("mesh: element {} at {} is {}: its volume is {:.3g} m^{}, its longest edge {:.3g} m; {} "
                        "element(s) in all; {}",
                        e, place<Dim>(centroid(mesh, e)), inverted ? "inverted" : "degenerate", v, Dim, longest, bad,
                        inverted ? "swap two of its corners" : "mesh the body again"));
    }
    const auto unused = std::count(used.begin(), used.end(), char{0});
    if (unused > 0) {
        const auto first = static_cast<std::size_t>(std::find(used.begin(), used.end(), char{0}) - used.begin());
        throw InputError(fmt::format("mesh: {} point(s) belong to no element, the first is point {} at {}; remove them",
                                     unused, first, place<Dim>(mesh.points[first])));
    }
    const std::vector<Face<Dim>> faces = sorted_faces(mesh);
    for (std::size_t i = 2; i < faces.size(); ++i)
        if (faces[i].key == faces[i - 2].key)
            throw InputError(fmt::format("mesh: elements {}, {} and {} share one face, near {}; elements must not overlap",
                                         faces[i - 2].element, faces[i - 1].element, faces[i].element,
                                         place<Dim>(centroid(mesh, faces[i].element))));
}

#define ASPERITY_INSTANTIATE(Dim)                                                        \
    template double volume<Dim>(const SolidMesh<Dim>&, int);                             \
    template std::vector<std::array<int, Dim>> boundary<Dim>(const SolidMesh<Dim>&);     \
    template std::vector<double> lumped_mass<Dim>(const SolidMesh<Dim>&, double);        \
    template std::vector<MassEntry> consistent_mass<Dim>(const SolidMesh<Dim>&, double); \
    template MeshReport<Dim> report<Dim>(const SolidMesh<Dim>&);                         \
    template std::string describe<Dim>(const MeshReport<Dim>&);                          \
    template std::string describe_slivers<Dim>(const MeshReport<Dim>&);                  \
    template void check<Dim>(const SolidMesh<Dim>&);
ASPERITY_INSTANTIATE(2)
ASPERITY_INSTANTIATE(3)
#undef ASPERITY_INSTANTIATE

}  // namespace asperity::deform
