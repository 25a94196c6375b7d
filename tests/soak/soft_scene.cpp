// Draws a random world: the scales first, then the bodies of its kind.
#include "soft_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "asperity/core/random.h"
#include "asperity/deform/meshes/generators.h"
#include "asperity/implicit/kinematics.h"

namespace asperity::soak {
namespace {

using namespace implicit;
using deform::SolidMesh;
using std::numbers::pi;

constexpr double kGravity = 9.81;

/// Boundary of a mesh, as a skin.
template <int Dim>
Skin<Dim> skin_of(const SolidMesh<Dim>& mesh) {
    Skin<Dim> skin;
    std::map<int, int> number;
    for (const auto& face : deform::boundary(mesh)) {
        std::array<int, Dim> local{};
        for (std::size_t k = 0; k < Dim; ++k) {
            const auto [at, is_new] = number.try_emplace(face[k], static_cast<int>(number.size()));
            if (is_new) skin.points.push_back(mesh.points[static_cast<std::size_t>(face[k])]);
            local[k] = at->second;
        }
        skin.faces.push_back(local);
    }
    return skin;
}

template <int Dim>
Vector<Dim> low_corner(const SolidMesh<Dim>& mesh) {
    Vector<Dim> low = mesh.points[0];
    for (const Vector<Dim>& p : mesh.points) low = low.cwiseMin(p);
    return low;
}
template <int Dim>
Vector<Dim> high_corner(const SolidMesh<Dim>& mesh) {
    Vector<Dim> high = mesh.points[0];
    for (const Vector<Dim>& p : mesh.points) high = high.cwiseMax(p);
    return high;
}
template <int Dim>
void move(SolidMesh<Dim>& mesh, const Vector<Dim>& by) {
    for (Vector<Dim>& p : mesh.points) p += by;
}
/// Puts the centre of the box around it at the origin and makes the longest side of that box `size`.
template <int Dim>
void fit(SolidMesh<Dim>& mesh, double size) {
    const Vector<Dim> low = low_corner(mesh), high = high_corner(mesh);
    for (Vector<Dim>& p : mesh.points) p = size / (high - low).maxCoeff() * (p - 0.5 * (low + high));
}

template <int Dim>
double shortest_edge(const SolidMesh<Dim>& mesh) {
    double least = 1e300;
    for (const auto& face : deform::boundary(mesh))
        for (std::size_t k = 0; k < Dim; ++k) {
            const auto a = static_cast<std::size_t>(face[k]), b = static_cast<std::size_t>(face[(k + 1) % Dim]);
            least = std::min(least, (mesh.points[a] - mesh.points[b]).norm());
        }
    return least;
}

/// Each draw is a separate statement, because compilers evaluate the arguments of a call in different orders.
template <int Dim>
class SoftWriter {
  public:
    SoftWriter(std::uint64_t seed, SoftKind kind) : random_(seed, 7), kind_(kind) {}

    SoftScene<Dim> write() {
        scales();
        switch (kind_) {
            case SoftKind::Drop: drop(); break;
            case SoftKind::Squeeze: squeeze(); break;
            case SoftKind::Twist: twist(); break;
            case SoftKind::Collision: collision(); break;
            case SoftKind::Pressed: pressed(); break;
            default: hanging(); break;
        }
        contact();
        const Settings& s = world().model.settings;
        scene_.about =
            fmt::format("{}D {}, {}, {} bodies, {} elements, size {:.2g} m, E {:.1e} Pa, dt {:.1e} s, dhat {:.1e} m", Dim,
                        kSoftKindNames[static_cast<std::size_t>(kind_)], name(s.integrator), world().model.bodies.size(),
                        world().model.elements.nodes.size(), size_, young_, scene_.dt, s.dhat);
        return std::move(scene_);
    }

  private:
    World<Dim>& world() { return scene_.world; }
    bool chance(double p) { return random_.uniform() < p; }
    double log_uniform(double low, double high) { return low * std::pow(high / low, random_.uniform()); }
    Vector<Dim> down() { return -Vector<Dim>::Unit(Dim - 1); }
    double wave_speed() const { return std::sqrt(young_ / density_); }  ///< of the softest body, about [m/s]
    double duration() const { return scene_.dt * scene_.steps; }

    /// Sizes, stiffness, time step, integrator.
    void scales() {
        young_ = log_uniform(1e3, 1e10);
        density_ = log_uniform(300, 8000);
        // The weight of a body strains it by at most about a third: a softer one collapses to a puddle under its own weight.
        size_ = std::min(log_uniform(0.01, 2), 0.3 * young_ / (density_ * kGravity));
        scene_.dt = log_uniform(1e-4, 0.1);
        scene_.steps = 10 + random_.below(31);
        Settings& s = world().model.settings;
        s.check = true;
        if (chance(0.5)) s.tolerance = log_uniform(1e-8, 1e-4);
        const double which = random_.uniform();
        s.integrator = which < 0.5 ? Integrator::BackwardEuler : which < 0.75 ? Integrator::Newmark : Integrator::Bdf2;
        s.project_always = chance(0.1);
        damped_ = chance(0.3);
        small_strain_ =
            chance(0.15) && (kind_ == SoftKind::Drop || kind_ == SoftKind::Collision || kind_ == SoftKind::Pressed);
        if (chance(0.2)) thickness_ = random_.uniform(0, 0.1);
    }

    /// Contact distance and stiffness. Edges of bodies that can touch themselves are longer than the contact distance, as
    /// the documentation asks for; so are the gaps at the start, or nearly.
    void contact() {
        Settings& s = world().model.settings;
        s.dhat = gap_;
        s.tolerance = std::min(s.tolerance, 1e-3 * gap_ / scene_.dt);  // forces of contacts are to be resolved
        // Well below the default, ten times the smallest modulus, gaps fall to a millionth of the contact distance
        // (docs/soft.md). Without soft bodies none is softest.
        if (chance(0.3)) s.stiffness = log_uniform(1, 1000) * std::min(softest_, 10 * young_);
        if (chance(0.2)) s.affine_stiffness = log_uniform(1e7, 1e10);
    }

    // === Bodies

    deform::Elasticity elasticity() {
        deform::Elasticity out;
        using enum deform::Hyperelastic;
        const std::array models = {NeoHookean, StableNeoHookean, FixedCorotated};
        const int model = random_.below(3);
        out.model = small_strain_ ? Linear : models[static_cast<std::size_t>(model)];
        out.young = young_ * (chance(0.2) ? log_uniform(1, 1e3) : log_uniform(1, 10));
        const double nu = random_.uniform();
        out.poisson = nu < 0.6    ? random_.uniform(0, 0.45)
                      : nu < 0.95 ? random_.uniform(0.45, 0.495)
                                  : random_.uniform(-0.3, 0);
        if (out.model == FixedCorotated) out.poisson = std::max(out.poisson, 0.0);
        if (chance(0.3)) out.plane = deform::Plane::Stress;
        softest_ = std::min(softest_, out.young);
        return out;
    }

    SolidMesh<3> solid(Vector<3>*) {
        const int shape = random_.below(6), cells = 1 + random_.below(3);
        const double a = random_.uniform(0.3, 1), b = random_.uniform(0.3, 1);
        switch (shape) {
            case 0: return deform::ball(1, 4);
            case 1: return deform::cylinder(a, 1 + b, 4);
            case 2: return deform::capsule(0.5, b, 4);
            case 3: return deform::tube(0.7 * a, a, b, {1, 6 + cells, 2});
            default: return deform::box<3>({1, a, b}, {cells + 1, cells, cells});
        }
    }
    SolidMesh<2> solid(Vector<2>*) {
        const int shape = random_.below(4), cells = 1 + random_.below(4);
        const double a = random_.uniform(0.3, 1);
        switch (shape) {
            case 0: return deform::disc(1, 4 + cells);
            case 1: return deform::ring(0.7 * a, a, {2, 8 + 2 * cells});
            default: return deform::box<2>({1, a}, {2 * cells, cells});
        }
    }

    /// A shape, often turned and sheared, that is `size` long.
    SolidMesh<Dim> shape(double size) {
        SolidMesh<Dim> mesh = solid(static_cast<Vector<Dim>*>(nullptr));
        if (chance(0.6)) {
            const Vec3 axis{Dim == 3 ? random_.normal() : 0, random_.normal(), Dim == 3 ? random_.normal() : 0};
            const double shear = random_.uniform(-0.3, 0.3);
            for (Vector<Dim>& p : mesh.points) {
                p[0] += shear * p[Dim - 1];
                p = from_vec3<Dim>(rotate(rotation(axis), to_vec3(p)));
            }
        }
        fit(mesh, size);
        return mesh;
    }

    double thickness(const SolidMesh<Dim>& mesh) const { return thickness_ * shortest_edge(mesh); }
    void keep_gap(const SolidMesh<Dim>& mesh) { gap_ = std::min(gap_, share_ * shortest_edge(mesh)); }

    int add_soft(const SolidMesh<Dim>& mesh, const Vector<Dim>& velocity = Vector<Dim>::Zero(), const Vec3& spin = {}) {
        SoftDesc<Dim> desc;
        desc.name = fmt::format("soft{}", world().model.bodies.size());
        desc.mesh = mesh;
        desc.elasticity = elasticity();
        desc.density = density_ * log_uniform(0.3, 3);
        if (damped_) desc.damping_stiffness = log_uniform(1e-3, 1) * size_ / wave_speed();
        // drag would be an outside force in a collision, whose momentum is checked
        if (damped_ && kind_ != SoftKind::Collision) desc.damping_mass = log_uniform(0.01, 1) / duration();
        desc.velocity = to_vec3(velocity);
        desc.angular_velocity = spin;
        desc.thickness = thickness(mesh);
        return world().add(desc);
    }

    int add_affine(SolidMesh<Dim> mesh, const Vector<Dim>& velocity = Vector<Dim>::Zero(), const Vec3& spin = {}) {
        AffineDesc<Dim> desc;
        desc.name = fmt::format("affine{}", world().model.bodies.size());
        const std::vector<double> mass = deform::lumped_mass(mesh, density_ * log_uniform(0.3, 10));
        Vector<Dim> centre = Vector<Dim>::Zero();
        for (std::size_t i = 0; i < mass.size(); ++i) {
            desc.mass += mass[i];
            centre += mass[i] * mesh.points[i];
        }
        centre /= desc.mass;
        move<Dim>(mesh, -centre);
        desc.inertia = Mat3::diagonal({0, 0, 0});
        for (std::size_t i = 0; i < mass.size(); ++i) {
            const Vec3 r = to_vec3(mesh.points[i]);
            desc.inertia = desc.inertia + mass[i] * (dot(r, r) * Mat3::identity() + -1.0 * outer(r, r));
        }
        for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) desc.volume += deform::volume(mesh, e);
        desc.skin = skin_of(mesh);
        desc.pose = {to_vec3(centre), {}};
        desc.velocity = to_vec3(velocity);
        desc.angular_velocity = spin;
        desc.thickness = thickness(mesh);
        return world().add(desc);
    }

    int add_any(const SolidMesh<Dim>& mesh, const Vector<Dim>& velocity = Vector<Dim>::Zero(), const Vec3& spin = {}) {
        keep_gap(mesh);
        return chance(0.7) ? add_soft(mesh, velocity, spin) : add_affine(mesh, velocity, spin);
    }

    int add_obstacle(const std::string& name, const Skin<Dim>& skin, const Pose& pose,
                     std::function<Pose(double)> path = {}) {
        ObstacleDesc<Dim> desc;
        desc.name = name;
        desc.skin = skin;
        desc.pose = pose;
        desc.path = std::move(path);
        return world().add(desc);
    }

    /// A flat box whose top is at z = 0 of its axes.
    Skin<Dim> slab(double width, double height) {
        Vector<Dim> size = Vector<Dim>::Constant(width);
        size[Dim - 1] = height;
        std::array<int, Dim> cells;
        cells.fill(1 + random_.below(3));
        cells[Dim - 1] = 1;
        SolidMesh<Dim> mesh = deform::box<Dim>(size, cells);
        move<Dim>(mesh, 0.5 * height * down());
        return skin_of(mesh);
    }

    /// A ground that bodies fall on or stand on; its highest point is at z = 0.
    void add_ground() {
        const double which = random_.uniform();
        if (which < 0.5 || kind_ == SoftKind::Pressed) {
            add_obstacle("ground", {}, {});
            return;
        }
        if (which < 0.75) {
            add_obstacle("slab", slab(4 * size_, 0.3 * size_), {});
            return;
        }
        add_obstacle("ground", {}, {{0, 0, -0.6 * size_}, {}});
        const int posts = 1 + random_.below(3);
        for (int i = 0; i < posts; ++i) {
            SolidMesh<Dim> mesh = shape(0.5 * size_);
            Vector<Dim> to = Vector<Dim>::Zero();
            to[0] = 0.6 * size_ * (i - 0.5 * (posts - 1));
            to[Dim - 1] = -high_corner(mesh)[Dim - 1];
            move<Dim>(mesh, to);
            add_obstacle(fmt::format("post{}", i), skin_of(mesh), {});
        }
    }

    /// A tower of shapes, each above the one before, from z = 0 on; sizes in descending order, so that no small body carries
    /// one that is a hundred times as large. Returns the meshes; gap_ is the least distance.
    std::vector<SolidMesh<Dim>> tower(int count, double ratio) {
        std::vector<double> sizes{size_};
        for (int i = 1; i < count; ++i) sizes.push_back(size_ * std::pow(ratio, -random_.uniform()));
        if (count > 1) sizes[1] = size_ / ratio;
        std::sort(sizes.rbegin(), sizes.rend());
        std::vector<SolidMesh<Dim>> out;
        for (const double size : sizes) {
            out.push_back(shape(size));
            keep_gap(out.back());
        }
        double top = 0, thick = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            Vector<Dim> to = Vector<Dim>::Zero();
            for (int k = 0; k + 1 < Dim; ++k) to[k] = random_.uniform(-0.3, 0.3) * sizes[i == 0 ? 0 : i - 1];
            const double own = thickness(out[i]);
            to[Dim - 1] = top + 0.5 * (thick + own) + gap_ * random_.uniform(0.3, 3) - low_corner(out[i])[Dim - 1];
            thick = own;
            move<Dim>(out[i], to);
            top = high_corner(out[i])[Dim - 1];
        }
        top_ = top + 0.5 * thick;
        return out;
    }

    /// A speed at which bodies strain by up to about 0.4 when they hit something, and move by less than their size in a
    /// step. With small strains: a thousandth.
    double speed() {
        const double fast = (small_strain_ ? 1e-3 : 0.4) * wave_speed();
        const double share = log_uniform(0.01, 1);
        return share * std::min({fast, 0.5 * size_ / scene_.dt, 30.0});
    }
    /// In a step a body turns by a third of a radian, give or take.
    Vec3 spin_of(double fast) {
        const double rate = std::min(fast / size_, 0.3 / scene_.dt) * random_.normal();
        return small_strain_ ? Vec3{} : Vec3{0, rate, 0};
    }
    double size_ratio() {
        const double ratio = log_uniform(1, 100);
        return chance(0.5) ? 1 : ratio;
    }

    // === Kinds

    void drop() {
        world().model.gravity = kGravity * down();
        if (chance(0.2)) world().model.gravity[0] = random_.uniform(-5, 5);
        add_ground();
        const int count = 1 + random_.below(4);
        const double ratio = size_ratio(), fast = speed();
        for (const SolidMesh<Dim>& mesh : tower(count, ratio)) {
            const Vec3 spin = spin_of(fast);
            add_any(mesh, fast * down(), spin);
        }
        if (count > 2 && chance(0.15)) world().ignore(1, static_cast<int>(world().model.bodies.size()) - 1);
    }

    /// The upper plate closes by up to 0.8 of the height of the lowest body, and in some scenes opens again. A tower also
    /// holds affine bodies, but one between two plates alone would have no way out.
    void squeeze() {
        if (chance(0.5)) world().model.gravity = kGravity * down();
        const int count = 1 + random_.below(3);
        const std::vector<SolidMesh<Dim>> meshes = tower(count, chance(0.3) ? 3 : 1);
        const double height = high_corner(meshes[0])[Dim - 1] - low_corner(meshes[0])[Dim - 1];
        // faster than a part of the speed of sound the lowest layer of elements would be flat before the rest hears of it
        const double way = std::min(random_.uniform(0.05, 0.8) * height, 0.2 * wave_speed() * duration());
        const double time = duration(), from = top_ + gap_;
        const bool opens = chance(0.4), flat = chance(0.5);
        const auto travel = [=](double t) { return opens ? 0.5 * way * (1 - std::cos(2 * pi * t / time)) : way * t / time; };
        const Quat turned = rotation({0, pi, 0});
        add_obstacle("lower", flat ? Skin<Dim>{} : slab(5 * size_, 0.3 * size_), {});
        add_obstacle("upper", flat ? Skin<Dim>{} : slab(5 * size_, 0.3 * size_), {}, [=](double t) {
            return Pose{{0, 0, from - travel(t)}, turned};
        });
        for (std::size_t i = 0; i < meshes.size(); ++i)
            if (i == 1) {
                keep_gap(meshes[i]);
                add_affine(meshes[i]);
            } else {
                add_soft(meshes[i]);
            }
    }

    /// A bar along z, twice to six times as long as wide, whose ends turn against each other by up to two turns.
    void twist_bar(double rate) {
        const double width = size_ / random_.uniform(2, 6), half = 0.5 * size_;
        const int cells = 1 + random_.below(2);
        SolidMesh<3> bar = deform::box<3>({width, width, size_}, {cells, cells, 4 + 2 * cells});
        if (chance(0.3)) bar = deform::tube(0.3 * width, 0.5 * width, size_, {1, 8, 6});
        keep_gap(bar);
        const int body = add_soft(bar);
        const double pull = random_.uniform(-0.1, 0.1) * std::min(size_, 0.2 * wave_speed() * duration()) / duration();
        for (const double side : {-1.0, 1.0})
            world().prescribe(
                body, side < 0 ? "lower end" : "upper end",
                [=](const Vector<3>& x) { return side * x[2] > half * (1 - 1e-6); },
                [=](const Vector<3>& x, double t) {
                    const Vec3 turned = rotate(rotation({0, 0, 0.5 * side * rate * t}), to_vec3(x));
                    return Vector<3>{turned.x, turned.y, turned.z + side * pull * t};
                });
    }
    void twist_ring(double rate) {
        const double inner = random_.uniform(0.3, 0.6);
        SolidMesh<2> ring = deform::ring(inner, 1, {3, 20});
        fit(ring, size_);
        keep_gap(ring);
        const int body = add_soft(ring);
        const double hole = 0.5 * inner * size_, rim = 0.5 * size_;
        world().prescribe(body, "rim", [=](const Vector<2>& x) { return x.norm() > rim * (1 - 1e-6); });
        world().prescribe(
            body, "hole", [=](const Vector<2>& x) { return x.norm() < hole * (1 + 1e-6); },
            [=](const Vector<2>& x, double t) {
                return from_vec3<2>(rotate(rotation({0, rate * t, 0}), to_vec3(x)));
            });
    }
    void twist() {
        if (chance(0.3)) world().model.settings.integrator = Integrator::QuasiStatic, damped_ = false;
        // In a step the ends turn by at most a sixth of a turn: they take straight lines, which would cross the axis at half
        // a turn.
        const double most = std::min(
            {random_.uniform(0.5, Dim == 2 ? 3 : 4 * pi), 1.0 * scene_.steps, 0.5 * wave_speed() * duration() / size_});
        const double rate = most / duration();
        if constexpr (Dim == 3)
            twist_bar(rate);
        else
            twist_ring(rate);
    }

    /// A row along x. Bodies fly towards its middle, so that neighbours meet.
    void collision() {
        if (chance(0.15)) {  // explicit steps follow waves through elements; contacts may still be too stiff for them
            world().model.settings.integrator = Integrator::SymplecticEuler;
            scene_.dt = std::min(scene_.dt, 0.003 * size_ / wave_speed());
        }
        const int count = 2 + random_.below(4);
        const double ratio = size_ratio(), fast = speed();
        std::vector<SolidMesh<Dim>> meshes;
        for (int i = 0; i < count; ++i) {
            const double size = size_ * std::pow(ratio, -random_.uniform());
            meshes.push_back(shape(size));
            keep_gap(meshes.back());
        }
        double at = 0, thick = 0;
        for (int i = 0; i < count; ++i) {
            SolidMesh<Dim>& mesh = meshes[static_cast<std::size_t>(i)];
            const double own = thickness(mesh);
            Vector<Dim> to = Vector<Dim>::Zero();
            to[0] = at + 0.5 * (thick + own) + gap_ * random_.uniform(0.3, 3) - low_corner(mesh)[0];
            thick = own;
            to[Dim - 1] = 0.2 * (high_corner(mesh) - low_corner(mesh)).norm() * random_.uniform(-1, 1);
            move<Dim>(mesh, to);
            at = high_corner(mesh)[0];
            Vector<Dim> velocity = Vector<Dim>::Zero();
            velocity[0] = fast * (count - 1 - 2 * i) / (count - 1) * random_.uniform(0.5, 1.5);
            velocity[Dim - 1] = 0.1 * fast * random_.normal();
            const Vec3 spin = spin_of(fast);
            add_any(mesh, velocity, spin);
        }
        if (chance(0.2)) world().ignore(0, 1);
    }

    /// Faces that look up are loaded, or all of them by a pressure. The load grows to its end value over the scene. The mean
    /// strain is up to 0.4.
    void pressed() {
        const bool held = chance(0.5);
        if (chance(0.5)) world().model.gravity = kGravity * down();
        // without a hold a body under load may roll for ever, and has no equilibrium
        if (held && chance(0.5)) world().model.settings.integrator = Integrator::QuasiStatic, damped_ = false;
        const int count = world().model.settings.integrator == Integrator::QuasiStatic ? 1 : 1 + random_.below(2);
        add_ground();
        const double share = (small_strain_ ? 1e-3 : 0.4) * random_.uniform();
        const double strain = share * (chance(0.2) ? -0.5 : 1), time = duration();
        const bool all_round = chance(0.4);
        for (const SolidMesh<Dim>& mesh : tower(count, 1)) {
            const int body = add_soft(mesh);
            const double low = low_corner(mesh)[Dim - 1], high = high_corner(mesh)[Dim - 1], height = high - low;
            const double stress = strain * young_;
            if (held && body == 1)
                world().prescribe(body, "foot", [=](const Vector<Dim>& x) { return x[Dim - 1] < low + 0.2 * height; });
            if (all_round) {
                world().load(
                    body, [](const Vector<Dim>&) { return true; }, {}, [=](double t) { return stress * t / time; });
                continue;
            }
            const auto upper = [=](const Vector<Dim>& x) { return x[Dim - 1] > high - 0.4 * height; };
            const double area = world().load(body, upper, {}, {});
            world().load(body, upper,
                         [=](double t) {
                             Vector<Dim> force = Vector<Dim>::Zero();
                             force[Dim - 1] = -0.5 * stress * area * t / time;
                             force[0] = 0.1 * stress * area * t / time;
                             return force;
                         },
                         {});
        }
    }

    /// A beam along x, held at its left end, which may be shaken. Other bodies hang below its right end.
    void hanging() {
        const Vec3 turn{0, random_.uniform(-0.5, 0.5), 0};
        world().model.gravity = from_vec3<Dim>(rotate(rotation(turn), {0, 0, -kGravity}));
        const bool still = chance(0.5);
        if (chance(0.3)) world().model.settings.integrator = Integrator::QuasiStatic, damped_ = false;
        Vector<Dim> size = Vector<Dim>::Constant(0.2 * size_);
        size[0] = size_;
        std::array<int, Dim> cells;
        cells.fill(2);
        cells[0] = 5;
        const SolidMesh<Dim> beam = deform::box<Dim>(size, cells);
        keep_gap(beam);
        const int body = add_soft(beam);
        const double half = 0.5 * size_, time = duration();
        const double way = std::min(0.2 * size_, 0.05 * wave_speed() * time);
        const auto left = [=](const Vector<Dim>& x) { return x[0] < -half * (1 - 1e-6); };
        if (still)
            world().prescribe(body, "hold", left);
        else
            world().prescribe(body, "hold", left, [=](const Vector<Dim>& x, double t) {
                Vector<Dim> to = x;
                to[Dim - 1] += way * std::sin(2 * pi * t / time);
                return to;
            });
        hang_bodies(body, 0.5 * size[Dim - 1]);
    }

    /// A ball joint, or a weld of as many joints as there are dimensions, and one. In a static analysis always a weld: a
    /// body that can swing is far from its equilibrium.
    void hang_bodies(int above, double depth) {
        const bool fixed = world().model.settings.integrator == Integrator::QuasiStatic;
        const int count = random_.below(3);
        double z = -depth;
        for (int i = 0; i < count; ++i) {
            SolidMesh<Dim> mesh = shape(0.3 * size_);
            keep_gap(mesh);
            Vector<Dim> to = Vector<Dim>::Zero();
            to[0] = 0.35 * size_;
            to[Dim - 1] = z - 2 * gap_ - 0.01 * size_ - high_corner(mesh)[Dim - 1];
            move<Dim>(mesh, to);
            const int below = add_any(mesh);
            const Vec3 place{to[0], 0, z - gap_ - 0.005 * size_};
            const double stiffness = chance(0.3) ? log_uniform(0.01, 1) * young_ * (Dim == 2 ? 1 : size_) : 0;
            world().attach(above, below, place, stiffness);
            if (fixed || chance(0.4))
                for (int k = 0; k < Dim; ++k) {
                    Vector<Dim> arm = Vector<Dim>::Zero();
                    arm[k] = 0.1 * size_;
                    world().attach(above, below, place + to_vec3(arm), stiffness);
                }
            if (chance(0.3)) world().ignore(above, below);
            above = below;
            z = low_corner(mesh)[Dim - 1];
        }
    }

    Random random_;
    SoftKind kind_;
    SoftScene<Dim> scene_;
    double young_ = 0, density_ = 0, size_ = 0;  ///< of the softest bodies, of all, of the largest
    double softest_ = 1e300;
    double thickness_ = 0;  ///< over the shortest edge of a body
    /// Of the contact distance over the shortest edge. Below a hundredth edges that cross near their ends touch so weakly
    /// (ipc/edge_factor.h) that gaps fall to a millionth of the contact distance, and rounding ends the step.
    double share_ = log_uniform(0.01, 0.3);  ///< contact distance over the shortest edge of all
    double gap_ = 1e300;                     ///< contact distance [m]
    double top_ = 0;                         ///< of the last tower [m]
    bool damped_ = false, small_strain_ = false;
};

}  // namespace

SoftKind soft_kind(std::uint64_t seed) { return static_cast<SoftKind>(seed % static_cast<std::uint64_t>(SoftKind::count)); }
int soft_dimension(std::uint64_t seed) { return Random(seed, 11).below(4) == 0 ? 2 : 3; }

template <int Dim>
SoftScene<Dim> soft_scene(std::uint64_t seed) {
    return SoftWriter<Dim>(seed, soft_kind(seed)).write();
}
template SoftScene<2> soft_scene<2>(std::uint64_t);
template SoftScene<3> soft_scene<3>(std::uint64_t);

template <int Dim>
void add_friction(SoftScene<Dim>& scene, std::uint64_t seed) {
    implicit::Model<Dim>& model = scene.world.model;
    if (model.settings.integrator == Integrator::SymplecticEuler) return;
    Random random(seed + 1000000);
    surface::Pair pair;
    const double mu = random.uniform(0.05, 1);
    if (random.uniform() < 0.5)
        pair.friction.base = friction::Coulomb{mu};
    else
        pair.friction.base = friction::Elliptic{mu, random.uniform(0.05, 1)};
    model.materials.resize(1);
    model.materials[0].name = "any";
    model.materials[0].grain = {1, 0, 0};
    model.pairs.set_default(pair);
    scene.about += fmt::format(", mu {:.2f}", mu);
}

template void add_friction(SoftScene<2>&, std::uint64_t);
template void add_friction(SoftScene<3>&, std::uint64_t);

}  // namespace asperity::soak
