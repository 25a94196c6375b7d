#include "render/camera.h"

namespace asperity::render {
namespace {

/// The bounding ball of a body in one frame, or a corner of the bounding box of a deformable body.
struct Ball {
    Vec3 center;
    double radius;
    double size;  ///< radius of the body
};

// Number of frames examined: enough to follow a motion, few enough for long recordings.
constexpr std::size_t max_moments = 60;

std::vector<std::size_t> sampled_frames(const record::Frames& frames) {
    const std::size_t count = frames.size(), moments = std::min(count, max_moments);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < moments; ++i) numbers.push_back(moments == 1 ? 0 : i * (count - 1) / (moments - 1));
    return numbers;
}

bool has_solid_shape(const record::RecordedBody& body) {
    return std::any_of(body.colliders.begin(), body.colliders.end(),
                       [](const rigid::Collider& c) { return !std::holds_alternative<geometry::HalfSpace>(c.shape); });
}

// A body that is farther away has diverged and is not drawn [m]; squares of such numbers must stay finite.
constexpr double farthest = 1e9;

/// A ball round a long deformed beam would be much larger than the beam, so the corners of its box stand for it. Nodes that
/// are not finite or too far away do not count.
void add_corners(const record::DeformableMesh& mesh, const record::Deformation& now, std::vector<Ball>& list) {
    Vec3 low{1e30, 1e30, 1e30}, high = -low;
    for (const Vec3& p : now.positions)
        if (length(p) < farthest) low = min(low, p), high = max(high, p);
    if (low.x > high.x) return;
    low.y -= 0.5 * mesh.depth, high.y += 0.5 * mesh.depth;
    const double size = 0.5 * length(high - low);
    for (int i = 0; i < 8; ++i)
        list.push_back({{i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z}, 0, size});
}

std::vector<Ball> balls(const record::Footage& footage, bool moving) {
    const std::vector<record::RecordedBody>& bodies = footage.head().bodies;
    std::vector<double> radius(bodies.size(), -1);  // negative: the body does not count
    for (std::size_t b = 0; b < bodies.size(); ++b)
        if (!bodies[b].deformable && (bodies[b].motion != rigid::Motion::Fixed) == moving && has_solid_shape(bodies[b]))
            radius[b] = bounding_radius(bodies[b]);
    std::vector<Ball> result;
    for (const std::size_t f : sampled_frames(footage.frames())) {
        const record::Frame& frame = footage.frames().at(f);
        for (std::size_t b = 0; b < bodies.size(); ++b)
            if (const Vec3 center = frame.poses[b].position; radius[b] >= 0 && length(center) < farthest)
                result.push_back({center, radius[b], radius[b]});
        if (moving)
            for (const record::Deformation& now : frame.deformations)
                add_corners(*bodies[static_cast<std::size_t>(now.body)].deformable, now, result);
        if (!moving) break;
    }
    return result;
}

double quantile(std::vector<double> values, double q) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

// Removes balls far outside the middle half of all centres along any axis, so that a ball that rolled off a table does not
// shrink the rest.
std::vector<Ball> without_outliers(const std::vector<Ball>& all) {
    if (all.size() < 4) return all;
    std::vector<double> radii;
    for (const Ball& ball : all) radii.push_back(ball.size);
    const double radius = quantile(radii, 0.5);
    Vec3 low, high;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> x;
        for (const Ball& ball : all) x.push_back(ball.center[axis]);
        const double a = quantile(x, 0.25), b = quantile(x, 0.75), reach = 3 * (b - a) + 8 * radius;
        low[axis] = a - reach, high[axis] = b + reach;
    }
    std::vector<Ball> kept;
    for (const Ball& ball : all) {
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) inside &= ball.center[axis] >= low[axis] && ball.center[axis] <= high[axis];
        if (inside) kept.push_back(ball);
    }
    return kept;
}

Extent extent_of(const std::vector<Ball>& list) {
    Extent e{{1e30, 1e30, 1e30}, {-1e30, -1e30, -1e30}, 1};
    std::vector<double> radii;
    for (const Ball& ball : list) {
        const Vec3 r{ball.radius, ball.radius, ball.radius};
        e.low = min(e.low, ball.center - r), e.high = max(e.high, ball.center + r);
        radii.push_back(ball.size);
    }
    e.body_radius = std::fmax(quantile(radii, 0.5), 1e-6);
    return e;
}

// The balls that a picture must contain: all moving bodies, and fixed bodies as far as they extend into the same region.
std::vector<Ball> subjects(const record::Footage& footage) {
    std::vector<Ball> moving = without_outliers(balls(footage, true));
    std::vector<Ball> fixed = balls(footage, false);
    if (moving.empty()) return fixed.empty() ? std::vector<Ball>{{{0, 0, 0}, 1, 1}} : without_outliers(fixed);
    const Extent e = extent_of(moving);
    const double size = length(e.high - e.low), radius = e.body_radius;
    const Vec3 low = e.low - Vec3{size, size, size} / 3, high = e.high + Vec3{size, size, size} / 3;
    for (const Ball& ball : fixed) {
        // A long ramp counts only near the motion; a post beside it counts as a whole.
        const Vec3 center = max(low, min(high, ball.center));
        const double reach = ball.radius - length(ball.center - center);
        const double shown = std::fmin(reach, std::fmax(radius, 0.25 * size));
        if (reach > 0) moving.push_back({center, shown, shown});
    }
    return moving;
}

}  // namespace

double bounding_radius(const record::RecordedBody& body) {
    double radius = 0;
    for (const rigid::Collider& collider : body.colliders) {
        if (std::holds_alternative<geometry::HalfSpace>(collider.shape)) continue;
        if (const auto* sphere = std::get_if<geometry::Sphere>(&collider.shape)) {
            radius = std::fmax(radius, length(collider.local.position) + sphere->radius);
            continue;
        }
        // The origin of a hull may lie far from its shape.
        const geometry::Aabb box = geometry::bounds(collider.shape, collider.local);
        radius = std::fmax(radius, length(max(abs(box.low), abs(box.high))));
    }
    return radius;
}

Extent motion_extent(const record::Footage& footage) {
    const std::vector<Ball> moving = without_outliers(balls(footage, true));
    return extent_of(moving.empty() ? subjects(footage) : moving);
}

record::View automatic_view(const record::Footage& footage, double aspect) {
    const std::vector<Ball> list = subjects(footage);
    const Extent extent = extent_of(list);
    const Vec3 size = extent.high - extent.low;
    record::View view;
    view.field_of_view_deg = 30;
    const double tan_y = std::tan(0.5 * radians(view.field_of_view_deg)), tan_x = aspect * tan_y;
    // View the side on which the motion is widest, turned by 32 degrees to show depth.
    const double azimuth = radians(size.x >= size.y ? -90 + 32 : 180 + 32);
    for (double elevation_deg = 19; elevation_deg < 85; elevation_deg += 6) {
        const double el = radians(elevation_deg);
        const Vec3 back{std::cos(el) * std::cos(azimuth), std::cos(el) * std::sin(azimuth), std::sin(el)};
        const Vec3 right{-std::sin(azimuth), std::cos(azimuth), 0}, up = cross(back, right);
        // A ball of radius r at (x, y) across and z towards the eye stays in view while
        // |x| + r sqrt(1 + tan^2) <= tan (d - z). Per axis this gives two lower bounds on the distance; the best target
        // meets both.
        const auto fit = [&](const Vec3& axis, double tangent, double& middle) {
            double plus = -1e300, minus = -1e300;
            for (const Ball& ball : list) {
                const double z = dot(back, ball.center), r = ball.radius * std::hypot(1.0, tangent) / tangent;
                plus = std::fmax(plus, z + r + dot(axis, ball.center) / tangent);
                minus = std::fmax(minus, z + r - dot(axis, ball.center) / tangent);
            }
            middle = 0.5 * tangent * (plus - minus);
            return 0.5 * (plus + minus);
        };
        double x = 0, y = 0;
        const double margin = 1.1;
        const double depth = std::fmax(fit(right, tan_x / margin, x), fit(up, tan_y / margin, y));
        const Vec3 middle = 0.5 * (extent.low + extent.high);
        const double z = dot(back, middle), distance = depth - z;
        // Place the picture's centre slightly above the subjects' centre, for headroom.
        view.target = x * right + (y + 0.03 * distance * tan_y) * up + z * back;
        view.eye = view.target + distance * back;
        // Stay above every floor and slope.
        bool above = true;
        for (std::size_t b = 0; b < footage.head().bodies.size(); ++b) {
            for (const rigid::Collider& collider : footage.head().bodies[b].colliders) {
                if (!std::holds_alternative<geometry::HalfSpace>(collider.shape) || footage.frames().size() == 0) continue;
                const Pose pose = footage.frames().at(0).poses[b] * collider.local;
                const Vec3 normal = rotate(pose.orientation, {0, 0, 1});
                if (normal.z > 0.3 && dot(normal, view.eye - pose.position) < 0.2 * distance) above = false;
            }
        }
        if (above) break;
    }
    return view;
}

Camera::Camera(const record::View& view, int width, int height)
    : width_(static_cast<float>(width)), height_(static_cast<float>(height)) {
    const Vec3 look = normalize_or(view.target - view.eye, {0, 1, 0});
    const Vec3 side = normalize_or(cross(look, Vec3{0, 0, 1}), {1, 0, 0});  // view straight down: x points right
    const double tangent = std::tan(0.5 * radians(view.field_of_view_deg));
    eye = to_float(view.eye - view.target);
    forward = to_float(look);
    right = to_float(tangent * width / height * side);
    up = to_float(tangent * cross(side, look));
    pixel_spread = static_cast<float>(2 * tangent / height);
}

}  // namespace asperity::render
