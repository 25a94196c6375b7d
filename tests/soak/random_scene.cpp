// Draws a random scene, in the order of the file.
#include "random_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "asperity/core/random.h"

namespace asperity::soak {
namespace {

std::string text(const Vec3& v) { return fmt::format("[{:.4f}, {:.4f}, {:.4f}]", v.x, v.y, v.z); }

/// A shape and the radius of its bounding ball, about the origin of the shape's axes.
struct RandomShape {
    double radius;
    std::string toml;  ///< inside the braces
};

struct Placed {
    Vec3 position;
    double radius;
};

/// Each draw is a separate statement, because compilers evaluate the arguments of a call in different orders.
class Writer {
  public:
    Writer(std::uint64_t seed, std::string mesh_folder, bool bounce)
        : random_(seed), mesh_folder_(std::move(mesh_folder)), seed_(seed), bounce_(bounce) {}

    std::string write() {
        settings();
        const int materials = 1 + random_.below(3);
        for (int i = 0; i < materials; ++i) material(i);
        for (int a = 0; a < materials; ++a) {
            for (int b = a; b < materials; ++b) pair(a, b);
        }
        room();
        const int bodies = 3 + random_.below(23);
        for (int i = 0; i < bodies; ++i) body(i, materials);
        if (chance(0.5)) joints();
        return std::move(out_);
    }

  private:
    bool chance(double p) { return random_.uniform() < p; }
    double log_uniform(double low, double high) { return low * std::pow(high / low, random_.uniform()); }
    Vec3 within(double size) {
        return {random_.uniform(-size, size), random_.uniform(-size, size), random_.uniform(-size, size)};
    }
    Vec3 direction() { return normalized(Vec3{random_.normal(), random_.normal(), random_.normal()}); }
    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        out_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
    }

    void settings() {
        const char* const steps[] = {"1/60", "1/100", "1/240"};
        const int sweeps[] = {50, 200, 2000};
        line("# Made by: soak --seed {}{} --out FILE", seed_, bounce_ ? "" : " --no-bounce");
        line("title = \"Soak {}\"", seed_);
        const int sweep = random_.below(3), step = random_.below(3);
        line("[step]\ndt = \"{}\"\nduration = 10\nmax_sweeps = {}", steps[step], sweeps[sweep]);
        if (chance(0.1)) line("solver = \"pgs\"");
        // Mostly downwards; else in a random direction, or zero.
        const double kind = random_.uniform();
        const Vec3 gravity = kind < 0.7 ? Vec3{0, 0, -9.81} : kind < 0.9 ? 9.81 * direction() : Vec3{};
        line("[world]\ngravity = {}", text(gravity));
    }

    void material(int i) {
        const char* const colors[] = {"oak", "brick", "ocean"};
        const Vec3 grain = direction();
        line("[material.m{}]\ndensity = {:.1f}\ngrain = {}\ncolor = \"{}\"", i, log_uniform(200, 4000), text(grain),
             colors[i]);
    }

    void pair(int a, int b) {
        line("[pair.m{}-m{}]", a, b);
        if (chance(0.3)) {
            const double mu_b = random_.uniform(0, 1), mu_t = random_.uniform(0, 1);
            line("law = \"elliptic\"\nmu_t = {:.3f}\nmu_b = {:.3f}", mu_t, mu_b);
        } else {
            line("mu = {:.3f}", chance(0.1) ? 0 : random_.uniform(0, 1.2));
        }
        if (chance(0.5)) {
            // drawn in both cases, so that the rest of the scene stays the same
            const double restitution = random_.uniform(0, 1);
            if (bounce_) line("restitution = {:.3f}", restitution);
        }
        if (chance(0.2)) line("drilling = {:.4f}", random_.uniform(0, 0.02));
        const double wrapper = random_.uniform();
        if (wrapper < 0.15) {
            line("static_ratio = {:.3f}", random_.uniform(1, 1.5));
        } else if (wrapper < 0.3) {
            const double speed = random_.uniform(0.01, 0.5), ratio = random_.uniform(1, 2);
            line("stribeck = {{ ratio = {:.3f}, speed = {:.3f} }}", ratio, speed);
        } else if (wrapper < 0.4) {
            const double exponent = random_.uniform(0.67, 1), reference = log_uniform(1, 100);
            line("load = {{ reference = {:.2f}, exponent = {:.3f} }}", reference, exponent);
        }
    }

    void room() {
        line("[[body]]\nname = \"floor\"\nfixed = true\nmaterial = \"m0\"\nshape = {{ half_space = true }}");
        constexpr double kThick = 0.2, kLength = 2 * (kRoomHalf + kThick), kUp = kRoomHeight / 2;
        const auto slab = [&](const char* name, const Vec3& size, const Vec3& at) {
            line("[[body]]\nname = \"{}\"\nfixed = true\nmaterial = \"m0\"\nshape = {{ box = {} }}\nposition = {}", name,
                 text(size), text(at));
        };
        const double out = kRoomHalf + kThick / 2;
        slab("wall_west", {kThick, kLength, kRoomHeight}, {-out, 0, kUp});
        slab("wall_east", {kThick, kLength, kRoomHeight}, {out, 0, kUp});
        slab("wall_south", {kLength, kThick, kRoomHeight}, {0, -out, kUp});
        slab("wall_north", {kLength, kThick, kRoomHeight}, {0, out, kUp});
        slab("ceiling", {kLength, kLength, kThick}, {0, 0, kRoomHeight + kThick / 2});
    }

    RandomShape primitive() {
        switch (random_.below(5)) {
            case 0: {
                const double r = random_.uniform(0.08, 0.25);
                return {r, fmt::format("sphere = {:.4f}", r)};
            }
            case 1: {
                const Vec3 size{random_.uniform(0.08, 0.5), random_.uniform(0.08, 0.5), random_.uniform(0.08, 0.5)};
                return {0.5 * length(size), fmt::format("box = {}", text(size))};
            }
            case 2: {
                const double r = random_.uniform(0.05, 0.15), l = random_.uniform(0.05, 0.4);
                return {r + l / 2, fmt::format("capsule = [{:.4f}, {:.4f}]", r, l)};
            }
            case 3: {
                const double r = random_.uniform(0.06, 0.2), h = random_.uniform(0.06, 0.4);
                return {std::hypot(r, h / 2), fmt::format("cylinder = [{:.4f}, {:.4f}]", r, h)};
            }
            default: {
                // Points on an ellipsoid whose axes differ by a factor of 4 at most, to avoid needles.
                const Vec3 axes{random_.uniform(0.08, 0.3), random_.uniform(0.08, 0.3), random_.uniform(0.08, 0.3)};
                std::string points;
                for (int i = 6 + random_.below(15); i > 0; --i) points += text(scaled(axes, direction())) + ", ";
                return {max_component(axes), fmt::format("hull = [{}]", points)};
            }
        }
    }

    RandomShape mesh() {
        const double scale = random_.uniform(0.3, 0.7);
        return {0.75 * scale,
                fmt::format("mesh = \"{}/{}.obj\", scale = {:.4f}", mesh_folder_, chance(0.5) ? "ell" : "ring", scale)};
    }

    void body(int i, int materials) {
        std::string shapes;
        double radius = 0;
        const double kind = random_.uniform();
        if (kind < 0.2) {  // a compound of overlapping parts
            for (int part = 2 + random_.below(3); part > 0; --part) {
                const RandomShape shape = primitive();
                const Vec3 at = within(0.1);
                radius = std::max(radius, shape.radius + length(at));
                const double pitch = random_.uniform(-90, 90), roll = random_.uniform(-180, 180);
                shapes += fmt::format("  {{ {}, position = {}, roll_deg = {:.1f}, pitch_deg = {:.1f} }},\n", shape.toml,
                                      text(at), roll, pitch);
            }
            shapes = fmt::format("shapes = [\n{}]", shapes);
        } else {
            const RandomShape shape = kind < 0.3 ? mesh() : primitive();
            radius = shape.radius;
            shapes = fmt::format("shape = {{ {} }}", shape.toml);
        }
        // No body starts inside another body or a wall. The centre of mass may lie off the origin of the axes, but inside
        // the same ball.
        const auto free = [&](const Vec3& p) {
            return std::all_of(placed_.begin(), placed_.end(),
                               [&](const Placed& o) { return length(p - o.position) > radius + o.radius; });
        };
        Vec3 position;
        int tries = 0;
        do {
            const double room = kRoomHalf - radius;
            position = {random_.uniform(-room, room), random_.uniform(-room, room),
                        random_.uniform(radius, kRoomHeight - radius)};
        } while (!free(position) && ++tries < 1000);
        if (tries == 1000) return;  // the room is full
        placed_.push_back({position, radius});
        names_.push_back(fmt::format("body_{}", i));
        const bool still = chance(0.3);
        line("[[body]]\nname = \"{}\"\nmaterial = \"m{}\"\n{}\nposition = {}", names_.back(), random_.below(materials),
             shapes, text(position));
        const double z = random_.normal(), y = random_.normal(), x = random_.normal(), w = random_.normal();
        line("quaternion = [{:.4f}, {:.4f}, {:.4f}, {:.4f}]", w, x, y, z);
        if (still) return;
        const Vec3 spin = within(8), velocity = within(4);
        line("velocity = {}\nangular_velocity = {}", text(velocity), text(spin));
    }

    /// A forest: every body is joined to an earlier one or to the world, so that no joints contradict each other.
    void joints() {
        const char* const kinds[] = {"ball", "hinge", "slider", "weld", "distance", "rope", "spring"};
        for (std::size_t b = 0; b < names_.size(); ++b) {
            if (!chance(0.4)) continue;
            const bool world = b == 0 || chance(0.2);
            const std::size_t a = world ? 0 : static_cast<std::size_t>(random_.below(static_cast<int>(b)));
            const std::string kind = kinds[random_.below(7)];
            const Vec3 anchor = placed_[b].position + within(0.5);
            const Vec3 at = world ? anchor : 0.5 * (placed_[a].position + placed_[b].position);
            line("[[joint]]\nkind = \"{}\"\nb = \"{}\"", kind == "rope" ? "distance" : kind, names_[b]);
            if (!world) line("a = \"{}\"", names_[a]);
            if (kind == "distance" || kind == "rope" || kind == "spring") {
                if (world) line("at_a = {}", text(anchor));
                if (kind == "rope") line("rope = true");
                if (kind == "spring") {
                    const double damping = random_.uniform(0, 5), stiffness = log_uniform(5, 500);
                    line("stiffness = {:.2f}\ndamping = {:.3f}", stiffness, damping);
                }
                continue;
            }
            line("at = {}", text(at));
            if (kind == "hinge" || kind == "slider") line("axis = {}", text(direction()));
            if (kind == "hinge" && chance(0.5)) {
                const double high = random_.uniform(5, 150), low = random_.uniform(-150, -5);
                line("limits_deg = [{:.1f}, {:.1f}]", low, high);
            }
            if (kind == "slider") {
                const double high = random_.uniform(0.05, 0.6), low = random_.uniform(-0.6, -0.05);
                line("limits = [{:.3f}, {:.3f}]", low, high);
            }
        }
    }

    Random random_;
    std::string mesh_folder_, out_;
    std::uint64_t seed_;
    bool bounce_;
    std::vector<Placed> placed_;
    std::vector<std::string> names_;
};

}  // namespace

std::string random_scene(std::uint64_t seed, const std::string& mesh_folder, bool bounce) {
    return Writer(seed, mesh_folder, bounce).write();
}

}  // namespace asperity::soak
