// CPU time from patch requests to limit surfaces, on one thread, with 16 directions and a map of 256 x 256 texels on every
// side. Boxes stand on their corners on a plane and on other boxes, as in a stack; or balls, exact or as meshes of 9,216
// triangles. 123 contacts is the number in the stack of Andrews et al. 2021 (4.1 ms there). OpenGL, if it was built, is
// measured by wall time, because a graphics card does the work.
#include <fmt/format.h>
#include <time.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "asperity/friction/law.h"
#include "asperity/geometry/mesh/mesh.h"
#include "asperity/surface/footprint_sampler.h"
#include "asperity/surface/make_slopes.h"
#include "bench/bench.h"
#ifdef ASPERITY_HAS_OPENGL
#include "asperity/core/error.h"
#include "asperity/gl/opengl_sampler.h"
#endif

using namespace asperity;

namespace {

/// CPU time of this thread, or wall time [s].
double now(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Contacts {
    std::vector<surface::FootprintRequest> requests;
    std::vector<friction::FacetAverages> facets;
    std::vector<Vec2> corners;
    std::vector<friction::ConeInput> inputs;
    std::vector<friction::LimitSurface> cones;
};

/// `round`: replaces the upper boxes, or null.
Contacts stack(int count, const geometry::Shape& ground, const geometry::Shape& box, const geometry::Shape* round,
               const surface::SlopeTable& map) {
    Contacts c;
    Random random(1);
    for (int i = 0; i < count; ++i) {  // four corners per pair, randomly rotated; every third pair is box on box
        const bool on_box = i / 4 % 3 == 2;
        const Pose below{{0.3 * (i / 4 % 100), 0.3 * (i / 400), on_box ? -0.1 : 0.0}, {}};
        const Pose above{below.position + Vec3{0.02, 0.01, on_box ? 0.2 : 0.1},
                         // balls touch at their equators
                         rotation({0, 0, random.uniform(0, 0.3)}) * (round ? rotation({1.5, 0, 0}) : Quat{})};
        const Vec3 corner =
            round ? above.position - Vec3{0, 0, 0.1} : above * Vec3{i % 2 == 0 ? 0.1 : -0.1, i % 4 < 2 ? 0.1 : -0.1, -0.1};
        surface::FootprintRequest r{
            {0, 0, 1},
            {1, 0, 0},
            0.02,
            2e-4,
            16,
            {on_box ? &box : &ground, on_box ? below : Pose{}, corner, &map, on_box ? 1.28 : 0.256, {}},
            {round ? round : &box, above, corner, &map, 1.28, {}}};
        c.requests.push_back(r);
    }
    c.facets.resize(c.requests.size());
    c.corners.resize(c.requests.size() * friction::kMostDirections);
    c.inputs.resize(c.requests.size());
    c.cones.resize(c.requests.size());
    return c;
}

double microseconds(Contacts& c, surface::FootprintSampler& sampler, int goes, clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
    const friction::Law law{friction::Ploughing{0.2, 1, 1}};
    double best = 1e300;
    for (int go = 0; go < goes; ++go) {
        const double start = now(clock);
        sampler.sample(c.requests, c.facets);
        for (size_t i = 0; i < c.requests.size(); ++i) {
            c.inputs[i].normal = c.requests[i].normal;
            c.inputs[i].facets = &c.facets[i];
            c.inputs[i].corners = std::span(c.corners).subspan(i * friction::kMostDirections, friction::kMostDirections);
        }
        friction::generate(law, c.inputs, c.cones);
        best = std::min(best, now(clock) - start);
    }
    return 1e6 * best;
}

}  // namespace

int asperity::bench::ploughing(int argc, char** argv) {
    int goes = 20;
    std::string_view only;
    std::vector<int> counts{123, 1000, 10000};
    for (int i = 1; i < argc; i += 2) {
        const std::string_view key = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        if (key == "--goes" && !value.empty())
            goes = std::atoi(argv[i + 1]);
        else if (key == "--by" && !value.empty())
            only = value;
        else if (key == "--contacts" && !value.empty())
            counts = {std::atoi(argv[i + 1])};
        else
            return fmt::print(stderr, "asperity bench ploughing [--goes N] [--by tables|rays|OpenGL] [--contacts N]\n"), 2;
    }
    set_thread_count(1);
    const geometry::Shape ground = geometry::HalfSpace{}, box = geometry::Box{{0.1, 0.1, 0.1}}, ball = geometry::Sphere{0.1};
    const geometry::TriangleMesh drawn = geometry::triangulate(ball, 96);
    geometry::MeshData data;
    data.positions = drawn.positions;
    data.triangles = drawn.triangles;
    for (const std::uint32_t i : drawn.triangles) data.normals.push_back(drawn.normals[i]), data.uvs.push_back(drawn.uvs[i]);
    const geometry::Shape mesh = geometry::make_mesh(data);
    const surface::SlopeTable map(surface::gaussian_slopes({256, 256}, {0.3, 0.3}, 1), friction::FacetWeight::Projected);
    surface::TableSampler tables;
    surface::RaySampler rays;
    std::vector<std::pair<std::string, surface::FootprintSampler*>> samplers{{"tables", &tables}, {"rays", &rays}};
#ifdef ASPERITY_HAS_OPENGL
    std::unique_ptr<gl::OpenGlSampler> card;
    if (only.empty() || only == "OpenGL") try {
            card = std::make_unique<gl::OpenGlSampler>();
            samplers.emplace_back("OpenGL", card.get());
            fmt::print("OpenGL: {}\n", card->context().renderer());
        } catch (const InputError& error) { fmt::print("{}\n", error.what()); }
#endif
    fmt::print("{:>10} {:>18} {:>10} {:>14} {:>10}\n", "contacts", "bodies", "by", "all [ms]", "each [us]");
    for (const int count : counts)
        for (const auto& [bodies, round] :
             {std::pair<const char*, const geometry::Shape*>{"boxes", nullptr}, {"balls", &ball}, {"meshes", &mesh}})
            for (const auto& [name, sampler] : samplers) {
                // tables fall back to rays on balls
                if ((round && sampler == &tables) || (!only.empty() && only != name)) continue;
                Contacts c = stack(count, ground, box, round, map);
                const double all =
                    microseconds(c, *sampler, goes, name == "OpenGL" ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID);
                fmt::print("{:10} {:>18} {:>10} {:14.4f} {:10.3f}\n", count, bodies, name, all / 1000, all / count);
            }
    return 0;
    return 0;
}
