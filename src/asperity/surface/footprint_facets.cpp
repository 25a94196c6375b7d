// Reads the facets at the hits of a footprint, eight grid points at a time.
#include <bit>
#include <numbers>

#include "asperity/geometry/mesh/mesh.h"
#include "asperity/geometry/shape/surface_point.h"
#include "asperity/math/lane_angles.h"
#include "asperity/surface/footprint_hits.h"

namespace asperity::surface {
namespace {

struct FacetLanes {
    Lanes x, y, resist, weight;
};

/// The facets at eight texture coordinates. Lanes whose bit is not set get zero `resist` and zero `weight`.
FacetLanes facets_at(const SlopeTable& table, const TextureLanes& places) {
    const LaneWords at = table.texels_at(places);
    using Four = float __attribute__((vector_size(16), may_alias));
    const auto* facets = reinterpret_cast<const Four*>(table.facets().data());
    Lanes row[4];  // lanes 0-3: facet k, lanes 4-7: facet k + 4
    for (int k = 0; k < 4; ++k) row[k] = __builtin_shufflevector(facets[at[k]], facets[at[k + 4]], 0, 1, 2, 3, 4, 5, 6, 7);
    const auto first = [](Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13); };
    const auto second = [](Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15); };
    const Lanes xy02 = first(row[0], row[2]), xy13 = first(row[1], row[3]), rw02 = second(row[0], row[2]),
                rw13 = second(row[1], row[3]);
    const LaneInts mask = lanes_of(places.which);
    return {first(xy02, xy13), second(xy02, xy13), keep(mask, first(rw02, rw13)), keep(mask, second(rw02, rw13))};
}
static_assert(sizeof(Facet) == 4 * sizeof(float));

Lanes one_over_length(const Lanes3& v) {  // 0 for a zero vector
    const Lanes square = dot(v, v);
    return keep(square > 1e-30F, all_lanes(1) / sqrt(square));
}

}  // namespace

void FootprintSurface::add(const RowBits& points, SlopeSums& sums) {
    if (!curve_)
        add_face_facets(points, sums);
    else if (const auto* ball = std::get_if<geometry::Sphere>(side_.shape))
        add_ball(ball->radius, points, sums);
    else
        add_curve(points, sums);
}

void FootprintSurface::add_face_facets(const RowBits& points, SlopeSums& sums) {
    for (int j = 0; j < grid_.points; ++j)
        for (int i = 0; i < grid_.points; i += kLanes) {
            auto bits = static_cast<unsigned>(points[static_cast<size_t>(j)] >> i) & 0xff;
            if (bits == 0) continue;
            if (alone_) {
                add_flat(scratch_.flat[0], i, j, bits, sums);
                continue;
            }
            const int* owner = &scratch_.owner[static_cast<size_t>(j * stride_ + i)];
            const LaneInts owners = *reinterpret_cast<const LaneInts*>(owner);
            while (bits != 0) {  // one pass for each face among these eight points
                const int piece = owner[std::countr_zero(bits)];
                const unsigned own = bits & bits_of(owners == all_ints(piece));
                if (scratch_.flat.empty())
                    add_smooth(scratch_.smooth[static_cast<size_t>(piece)], i, j, own, sums);
                else
                    add_flat(scratch_.flat[static_cast<size_t>(piece)], i, j, own, sums);
                bits &= ~own;
            }
        }
}

void FootprintSurface::add_flat(const FootprintScratch::RasterFace& piece, int i, int j, unsigned bits,
                                SlopeSums& sums) const {
    const FacetLanes f = facets_at(
        *piece.slopes, {lane_numbers() * piece.u.dx + piece.u(i, j), lane_numbers() * piece.v.dx + piece.v(i, j), bits});
    const auto turned = [&](double along_u, double along_v) {
        return mul_add(all_lanes(static_cast<float>(along_u)), f.x, all_lanes(static_cast<float>(along_v)) * f.y);
    };
    sums.add(turned(piece.along_u.x, piece.along_v.x), turned(piece.along_u.y, piece.along_v.y), f.resist, f.weight);
}

/// As slope_axes(), with normal and tangent interpolated from the corners at every point; x, y, z are along t, b and out.
void FootprintSurface::add_smooth(FootprintScratch::ShadedTriangle& piece, int i, int j, unsigned bits,
                                  SlopeSums& sums) const {
    if (!piece.framed) {
        const geometry::TriangleSet& mesh = *std::get<geometry::Mesh>(*side_.shape).triangles;
        for (int k = 0; k < 3; ++k) {
            const auto corner = 3 * static_cast<size_t>(piece.triangle) + static_cast<size_t>(k);
            // a sheet seen from behind: flip the normal
            const Vec3 n = piece.behind ? -mesh.normals[corner] : mesh.normals[corner], t = mesh.tangents[corner];
            const Vec3* axes[3] = {&frame_.t, &frame_.b, &frame_.out};
            for (int a = 0; a < 3; ++a) {
                piece.normal[k][a] = static_cast<float>(dot(n, *axes[a]));
                piece.tangent[k][a] = static_cast<float>(dot(t, *axes[a]));
            }
        }
        piece.framed = true;
    }
    const auto steps = [&](const GridFunction& s) { return lane_numbers() * s.dx + s(i, j); };
    Lanes share[3];
    for (int k = 0; k < 3; ++k) share[k] = all_lanes(piece.at.share[k]) * as_floats(as_ints(steps(piece.at.border[k])));
    const auto mixed = [&](const float v[3][3]) {
        const auto axis = [&](int a) {
            return mul_add(share[0], all_lanes(v[0][a]), mul_add(share[1], all_lanes(v[1][a]), share[2] * v[2][a]));
        };
        return Lanes3{axis(0), axis(1), axis(2)};
    };
    Lanes3 n = mixed(piece.normal), t = mixed(piece.tangent);
    n = one_over_length(n) * n;
    t = add_scaled(t, -dot(t, n), n);
    t = one_over_length(t) * t;
    const float side = static_cast<float>(sign_) * (piece.mirrored ? -1.0F : 1.0F);  // (t, b, out) is left-handed for B
    const Lanes3 up = all_lanes(side) * cross(n, t);
    FacetLanes f = facets_at(*piece.slopes, {steps(piece.at.u), steps(piece.at.v), bits});
    const LaneInts outward = n.z > 0;  // facets that face away do not count
    f.resist = keep(outward, f.resist);
    f.weight = keep(outward, f.weight);
    const Lanes3 slope = add_scaled(f.x * t, f.y, up);
    const Lanes back = keep(outward, slope.z / (1.0F + n.z));
    sums.add(slope.x - back * n.x, slope.y - back * n.y, f.resist, f.weight);
}

/// A ball in lanes: x, y, z are along t, b and out, from its centre. Tangents point east and north, as in surface_point().
void FootprintSurface::add_ball(double radius, const RowBits& points, SlopeSums& sums) const {
    const double x_from = dot(frame_.from, frame_.t), y_from = dot(frame_.from, frame_.b);
    const auto along = [](double x, double y, double z) {
        return Lanes3{all_lanes(static_cast<float>(x)), all_lanes(static_cast<float>(y)), all_lanes(static_cast<float>(z))};
    };
    const Lanes3 axis_x = along(frame_.t.x, frame_.b.x, frame_.out.x), axis_y = along(frame_.t.y, frame_.b.y, frame_.out.y),
                 axis_z = along(frame_.t.z, frame_.b.z, frame_.out.z);  // the axes of the ball, in the contact frame
    const FaceLayer layer = side_.layer(0);
    Lanes3 n{};
    int filled = 0;
    const auto flush = [&] {
        n.z = sqrt(max(1.0F - n.x * n.x - n.y * n.y, Lanes{}));
        const Lanes x = dot(n, axis_x), y = dot(n, axis_y), z = dot(n, axis_z), rho = sqrt(x * x + y * y);
        constexpr auto kPerTurn = static_cast<float>(0.5 / std::numbers::pi);
        const Lanes turn = kPerTurn * atan2(y, x), rise = 0.5F + 2 * kPerTurn * atan2(z, rho);
        TextureLanes places;
        for (int k = 0; k < filled; ++k) {
            const double u = static_cast<double>(turn[k]);
            const Vec2 uv = layer.at({u < 0 ? u + 1 : u, static_cast<double>(rise[k])});
            places.u[k] = texture_word(uv.x), places.v[k] = texture_word(uv.y);
        }
        places.which = (1U << filled) - 1;
        filled = 0;
        const Lanes one_over_rho = keep(rho > 1e-12F, 1.0F / rho);  // no east or north at a pole
        const Lanes3 east = one_over_rho * (all_lanes(static_cast<float>(sign_)) * cross(axis_z, n)),
                     north = one_over_rho * (axis_z - z * n);
        const FacetLanes f = facets_at(*side_.slopes, places);
        const Lanes3 slope = add_scaled(f.x * east, f.y, north);
        const Lanes back = slope.z / (1.0F + n.z);
        sums.add(slope.x - back * n.x, slope.y - back * n.y, f.resist, f.weight);
    };
    for (int j = 0; j < grid_.points; ++j)
        for (std::uint64_t bits = points[static_cast<size_t>(j)]; bits != 0; bits &= bits - 1) {
            n.x[filled] = static_cast<float>((grid_.at(std::countr_zero(bits)) + x_from) / radius);
            n.y[filled] = static_cast<float>((grid_.at(j) + y_from) / radius);
            if (++filled == kLanes) flush();
        }
    if (filled > 0) flush();
}

void FootprintSurface::add_curve(const RowBits& points, SlopeSums& sums) const {
    TextureLanes places;
    Lanes u_x{}, u_y{}, v_x{}, v_y{};  // slope_axes() of each lane
    int filled = 0;
    const auto flush = [&] {
        places.which = (1U << filled) - 1;
        filled = 0;
        const FacetLanes f = facets_at(*side_.slopes, places);
        sums.add(mul_add(u_x, f.x, v_x * f.y), mul_add(u_y, f.x, v_y * f.y), f.resist, f.weight);
    };
    for (int j = 0; j < grid_.points; ++j)
        for (std::uint64_t bits = points[static_cast<size_t>(j)]; bits != 0; bits &= bits - 1) {
            const double x = grid_.at(std::countr_zero(bits)), y = grid_.at(j);
            double height;
            on_curve(x, y, height);
            const Vec3 p = frame_.from + x * frame_.t + y * frame_.b + height * frame_.out;
            const geometry::SurfacePoint at = geometry::surface_point(*side_.shape, p, frame_.out);
            Vec2 along_u, along_v;
            if (!slope_axes(frame_, at.normal, at.tangent, at.mirrored, along_u, along_v)) continue;
            const Vec2 uv = side_.layer(at.face).at(at.uv);
            places.u[filled] = texture_word(uv.x), places.v[filled] = texture_word(uv.y);
            u_x[filled] = static_cast<float>(along_u.x), u_y[filled] = static_cast<float>(along_u.y);
            v_x[filled] = static_cast<float>(along_v.x), v_y[filled] = static_cast<float>(along_v.y);
            if (++filled == kLanes) flush();
        }
    if (filled > 0) flush();
}

}  // namespace asperity::surface
