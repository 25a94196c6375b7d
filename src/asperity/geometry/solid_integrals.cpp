// Moments of a solid from its faces, four lanes at a time: x, y, z and one to spare.
#include "asperity/geometry/detail/clipped_solid.h"
#include "asperity/geometry/detail/four.h"

namespace asperity::geometry::detail {
namespace {

Four yzx(const Four& a) { return __builtin_shuffle(a, FourFlags{1, 2, 0, 3}); }
Four zxy(const Four& a) { return __builtin_shuffle(a, FourFlags{2, 0, 1, 3}); }
Vec3 first_three(const Four& a) { return {a[0], a[1], a[2]}; }

/// A corner with what every triangle at it needs.
struct Corner {
    Four at, next, after, squares, products;  // xyz, yzx, zxy; xx yy zz; yz zx xy
    explicit Corner(const Four& p) : at(p), next(yzx(p)), after(zxy(p)), squares(p * p), products(next * after) {}
};
Four cross(const Corner& a, const Corner& b) { return a.next * b.after - a.after * b.next; }

}  // namespace

/// Moments::add_tetrahedron for a fan over each face, its factors taken out of the sums.
void SolidFaces::integrate(const Vec3& origin, Moments& volume, AreaMoments& second_surface) const {
    Four first{}, squares{}, products{}, area{}, turning{}, determinants{};
    for (const Face& face : faces) {
        const int* at = loop.data() + face.first;
        const auto corner = [&](int i) {
            const Vec3& p = corners[static_cast<size_t>(at[i])];
            return Corner(Four{p.x, p.y, p.z, 0} - Four{origin.x, origin.y, origin.z, 0});
        };
        const Corner a = corner(0);
        Corner b = corner(1);
        Four double_area{};
        for (int i = 2; i < face.count; ++i) {
            const Corner c = corner(i), s(a.at + b.at + c.at);
            const Four terms = a.at * cross(b, c), det = all_four(terms[0] + terms[1] + terms[2]);
            determinants += det;
            first += det * s.at;
            squares += det * (a.squares + b.squares + c.squares + s.squares);
            products += det * (a.products + b.products + c.products + s.products);
            if (face.second) {
                const Four normal = cross(Corner(b.at - a.at), Corner(c.at - a.at));
                double_area += normal;
                turning += s.next * zxy(normal) - s.after * yzx(normal);
            }
            b = c;
        }
        area += double_area;
    }
    volume.volume += determinants[0] / 6;
    volume.first += (1 / 24.0) * first_three(first);
    volume.squares += (1 / 120.0) * first_three(squares);
    volume.products += (1 / 120.0) * first_three(products);
    second_surface.area += 0.5 * first_three(area);
    second_surface.turning += (1 / 6.0) * first_three(turning);
}

}  // namespace asperity::geometry::detail
