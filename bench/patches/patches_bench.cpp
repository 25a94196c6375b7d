// Time for the coefficients of many contacts at once, by tables, rays and OpenGL: boxes on a flat ground, and balls with waves on it, for a table
// of flat places and one of curved ones. 123 contacts are those of the source's stack (Table 1: 4.1 ms there).
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <numbers>
#include <string_view>

#include "asperity/core/error.h"
#include "asperity/core/parallel.h"
#include "asperity/core/random.h"
#include "asperity/geometry/mesh.h"
#include "asperity/surface/patch_sampler.h"
#ifdef ASPERITY_HAS_OPENGL
#include "asperity/gl/opengl_sampler.h"
#endif

using namespace asperity;

namespace {

using std::numbers::pi;

geometry::Mesh wavy_ball() {
    constexpr int kRound = 96, kUp = 48;
    geometry::MeshData data;
    for (int j = 0; j <= kUp; ++j)
        for (int i = 0; i < kRound; ++i) {
            const double u = 2 * pi * i / kRound, v = pi * (static_cast<double>(j) / kUp - 0.5), r = 0.1 + 0.002 * std::sin(5 * u) * std::cos(v);
            data.positions.push_back(r * Vec3{std::cos(u) * std::cos(v), std::sin(u) * std::cos(v), std::sin(v)});
        }
    for (int j = 0; j < kUp; ++j)
        for (int i = 0; i < kRound; ++i)
            for (const auto& [di, dj] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}) {
                data.triangles.push_back(static_cast<std::uint32_t>((j + dj) * kRound + (i + di) % kRound));
                data.uvs.push_back({6.0 * (i + di) / kRound, 3.0 * (j + dj) / kUp});
            }
    return make_mesh(data);
}

surface::SlopeMap rough_map() {
    Random random(1);
    surface::SlopeMap map{256, 256, {}, {}, {}};
    for (int i = 0; i < 256 * 256; ++i) map.slopes.push_back({static_cast<float>(0.3 * random.normal()), static_cast<float>(0.3 * random.normal())});
    return map;
}

/// Contacts at random places of the lower side of bodies that stand on the ground.
std::vector<surface::PatchRequest> contacts(int count, const geometry::Shape& ground, const geometry::Shape& body, const surface::SlopeTable& rough) {
    Random random(2);
    std::vector<surface::PatchRequest> requests;
    const bool box = std::holds_alternative<geometry::Box>(body);
    for (int i = 0; i < count; ++i) {
        const Vec3 at{random.uniform(-20, 20), random.uniform(-20, 20), 0};
        const Quat about = rotation({0, 0, random.uniform(0, 6)}), turn = box ? about : about * rotation({0, pi / 2, 0});   // a ball's equator down
        const Vec3 up = box ? Vec3{random.uniform(-0.08, 0.08), random.uniform(-0.08, 0.08), 0.1} : Vec3{0, 0, 0.1};
        requests.push_back({{0, 0, 1}, {1, 0, 0}, 0.02, 0.002, 16, {&ground, {}, at, &rough, 0.256, {}}, {&body, {at + up, turn}, at, &rough, 1, {}}});
    }
    return requests;
}

/// Best time of several goes [s], on the clock: a graphics card does its work elsewhere.
double seconds(surface::PatchSampler& sampler, const std::vector<surface::PatchRequest>& requests, int goes) {
    std::vector<friction::FacetAverages> out(requests.size());
    sampler.sample(requests, out);   // shapes and maps go to the card, buffers grow
    double best = 1e300;
    for (int go = 0; go < goes; ++go) {
        const auto start = std::chrono::steady_clock::now();
        sampler.sample(requests, out);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace

int main(int argc, char** argv) {
    int goes = 20, only = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string_view(argv[i]) == "--goes") goes = std::max(1, std::atoi(argv[i + 1]));
        if (std::string_view(argv[i]) == "--contacts") only = std::atoi(argv[i + 1]);
    }
    set_thread_count(1);
    const geometry::Shape ground = geometry::HalfSpace{}, box = geometry::Box{{0.1, 0.1, 0.1}}, ball = wavy_ball();
    const surface::SlopeTable rough(rough_map(), friction::FacetWeight::Projected);
    surface::TableSampler tables;
    surface::RaySampler rays;
    std::vector<std::pair<std::string, surface::PatchSampler*>> samplers{{"tables", &tables}, {"rays", &rays}};
#ifdef ASPERITY_HAS_OPENGL
    std::unique_ptr<gl::OpenGlSampler> card;
    try {
        card = std::make_unique<gl::OpenGlSampler>();
        samplers.emplace_back("OpenGL", card.get());
        fmt::print("OpenGL: {}\n", card->context().renderer());
    } catch (const InputError& error) {
        fmt::print("no OpenGL: {}\n", error.what());
    }
#endif
    fmt::print("Coefficients of contacts in 16 directions from 16 x 16 points, one thread; best of {}\n\n", goes);
    fmt::print("| bodies on the ground | contacts | by | ms | us per contact |\n|---|---|---|---|---|\n");
    for (const auto& [name, body] : {std::pair{"boxes", &box}, {"wavy balls (9,216 triangles)", &ball}})
        for (const int count : only ? std::vector{only} : std::vector{123, 1000, 10000}) {
            const std::vector<surface::PatchRequest> requests = contacts(count, ground, *body, rough);
            for (const auto& [way, sampler] : samplers) {
                if (sampler == &tables && body == &ball) continue;   // it would ask the rays
                const double s = seconds(*sampler, requests, goes);
                fmt::print("| {} | {} | {} | {:.3f} | {:.2f} |\n", name, count, way, 1e3 * s, 1e6 * s / count);
            }
        }
}
