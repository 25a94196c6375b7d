#include "render/tracer.h"

#include "asperity/core/parallel.h"
#include "render/bsdf.h"

namespace asperity::render {
namespace {

// Sample dimensions in pairs: one pair for the pixel, then per bounce one each for sun, scattering and Russian roulette.
constexpr int pairs_per_bounce = 3;
constexpr int sampled_bounces = 6;   // later bounces reuse the numbers of the last one, because they carry little light
constexpr int batch = packet_size;   // samples of a pixel traced together
constexpr float kIndirectClamp = 8;  // upper limit of a single indirect contribution, against isolated bright pixels

/// One path being traced.
struct Path {
    Ray ray;
    Float3 throughput{1, 1, 1};
    float pdf = 0;             // density of the last scattering, for the weight of the sun
    int sample = 0, slot = 0;  // number within the pixel, index within the batch
};

/// Result of one sample of the pixel.
struct Result {
    Float3 lit, albedo, background, normal, position;
    float depth = 0;
    bool hit = false;
};

Float3 limited(const Float3& c) {
    const float m = max_component(c);
    return m > kIndirectClamp ? (kIndirectClamp / m) * c : c;
}

// Samples a tent filter of one pixel half width by inverting its distribution; smoother edges than a box filter.
float tent(float u) {
    const float v = 2 * u - 1;
    return std::copysign(1 - std::sqrt(std::max(0.0f, 1 - std::fabs(v))), v);
}

class PixelTracer {
  public:
    PixelTracer(const Scene& scene, const Sky& sky, const Camera& camera, const TraceSettings& settings,
                const SampleTable& table)
        : scene_(scene), sky_(sky), camera_(camera), settings_(settings), table_(table) {}

    /// Samples the pixels of a tile in rounds; each round doubles the number of samples of the pixels still noisy. A pixel
    /// is judged together with its neighbours: eight samples that all missed a light agree with each other, but not with
    /// the neighbours' samples.
    void trace_tile(int x0, int y0, int x1, int y1, std::vector<Pixel>& pixels) const {
        const int width = x1 - x0, height = y1 - y0;
        Totals totals[tile_size * tile_size];
        bool calm[tile_size * tile_size] = {};
        for (int first = 0; first < settings_.samples; first = first == 0 ? batch : 2 * first) {
            const int end = std::min(first == 0 ? batch : 2 * first, settings_.samples);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    if (!calm[y * width + x]) add_samples(totals[y * width + x], x0 + x, y0 + y, first, end);
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) calm[y * width + x] = is_converged(totals, x, y, width, height);
        }
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                pixels[static_cast<std::size_t>((y0 + y) * settings_.width + x0 + x)] = totals[y * width + x].pixel();
    }

    static constexpr int tile_size = 32;

  private:
    struct Totals {
        Result sum;
        float hits = 0, samples = 0, color_sum = 0, color_squares = 0, light_sum = 0, light_squares = 0;

        void add(const Result& r) {
            samples += 1;
            sum.background += r.background;
            sum.lit += r.lit, sum.albedo += r.albedo;
            // Perceived brightness is roughly the square root of the light.
            const float c = std::sqrt(luminance(r.lit + r.background));
            color_sum += c, color_squares += c * c;
            if (!r.hit) return;
            hits += 1;
            sum.normal += r.normal, sum.position += r.position, sum.depth += r.depth;
            const float l = luminance(r.lit) / std::max(luminance(r.albedo), 1e-3f);
            light_sum += l, light_squares += l * l;
        }
        Pixel pixel() const {
            Pixel p;
            p.background = sum.background / samples;
            if (hits == 0) return p;
            p.albedo = sum.albedo / samples;
            const Float3 safe{std::max(sum.albedo.x, 1e-3f), std::max(sum.albedo.y, 1e-3f), std::max(sum.albedo.z, 1e-3f)};
            p.irradiance = sum.lit / safe;
            p.normal = normalize_or(sum.normal, {0, 0, 1});
            p.position = sum.position / hits;
            p.depth = sum.depth / hits;
            const float mean = light_sum / hits;
            p.variance = std::max(0.0f, light_squares / hits - mean * mean) / hits;
            return p;
        }
    };

    void add_samples(Totals& totals, int x, int y, int first, int end) const {
        const PixelSampler sampler(table_, static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(settings_.width) +
                                               static_cast<std::uint64_t>(x));
        for (; first < end; first += batch) {
            Result results[batch];
            const int count = std::min(batch, end - first);
            trace_batch(sampler, x, y, first, count, results);
            for (int i = 0; i < count; ++i) totals.add(results[i]);
        }
    }

    /// Whether the standard error of the mean is below the noise that the denoiser removes.
    static bool is_converged(const Totals* totals, int x, int y, int width, int height) {
        float n = 0, sum = 0, squares = 0, hits = 0;
        for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v) {
            for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
                const Totals& t = totals[v * width + u];
                n += t.samples, sum += t.color_sum, squares += t.color_squares, hits += t.hits;
            }
        }
        if (hits == 0) return true;
        const float mean = sum / n, variance = std::max(0.0f, squares / n - mean * mean) / totals[y * width + x].samples;
        const float error = 0.03f + 0.02f * mean;
        return variance < error * error;
    }

    void trace_batch(const PixelSampler& sampler, int x, int y, int first, int count, Result* results) const {
        Path paths[batch];
        Ray rays[batch], shadow[batch];
        Hit hits[batch];
        Float3 from_sun[batch];
        int shadow_slot[batch];
        bool blocked[batch];
        for (int i = 0; i < count; ++i) {
            const Sample2 u = sampler.pair(0, first + i);
            paths[i].ray = {camera_.eye, camera_.direction(static_cast<float>(x) + 0.5f + tent(u.x),
                                                           static_cast<float>(y) + 0.5f + tent(u.y))};
            paths[i].sample = first + i, paths[i].slot = i;
        }
        int alive = count;
        for (int bounce = 0; alive > 0; ++bounce) {
            for (int i = 0; i < alive; ++i) rays[i] = paths[i].ray;
            bounce == 0 ? scene_.intersect_packet(rays, hits, alive) : scene_.intersect(rays, hits, alive);
            int next = 0, shadows = 0;
            for (int i = 0; i < alive; ++i) {
                Path path = paths[i];
                Result& result = results[path.slot];
                if (hits[i].object == Hit::none) {
                    if (bounce == 0)
                        result.background = sky_.radiance(path.ray.direction);
                    else
                        result.lit += escaped(path);
                    continue;
                }
                if (bounce > settings_.max_bounces) continue;
                const SurfacePoint s = scene_.surface(path.ray, hits[i], camera_.pixel_spread, bounce > 0);
                if (bounce == 0) path.throughput *= first_hit(s, path.ray, hits[i], result);
                // Indirect light treats surfaces as matt: no noise from caustics, and half the work.
                const bool matt = bounce > 0;
                const Float3 base = matt ? albedo(s.paint.color, s.paint.metallic) : s.paint.color;
                const Basis frame(s.normal);
                const Float3 view = frame.to_local(-path.ray.direction);
                const int pair = 1 + pairs_per_bounce * std::min(bounce, sampled_bounces - 1);
                const Sample2 u_sun = sampler.pair(pair, path.sample), u_scatter = sampler.pair(pair + 1, path.sample);
                Bsdf::Scatter scatter;
                Float3 light_direction;
                Float3 light;
                const bool lit = sky_.has_sun() && sun_above(s, u_sun, light_direction);
                if (matt) {
                    if (lit) light = (dot(light_direction, s.normal) / pi) * base;
                    const float r = std::sqrt(u_scatter.x), phi = 2 * pi * u_scatter.y;
                    scatter.direction = {r * std::cos(phi), r * std::sin(phi), std::sqrt(1 - u_scatter.x)};
                    scatter.weight = base, scatter.pdf = scatter.direction.z / pi;
                } else {
                    const Bsdf bsdf(base, s.paint.roughness, s.paint.metallic, view);
                    if (lit) {
                        const Bsdf::Value value = bsdf.evaluate(frame.to_local(light_direction));
                        const float sun_pdf = sky_.sun_pdf(sky_.sun_direction());
                        light = (sun_pdf / (sun_pdf + value.pdf)) * value.f_cos;
                    }
                    scatter = bsdf.sample(u_scatter);
                }
                if (lit) {
                    Float3 sun = path.throughput * light * (sky_.sun_radiance() / sky_.sun_pdf(sky_.sun_direction()));
                    if (bounce > 0) sun = limited(sun);
                    shadow[shadows] = {s.position, light_direction};
                    from_sun[shadows] = sun;
                    shadow_slot[shadows++] = path.slot;
                }
                if (scatter.pdf <= 0) continue;
                path.ray = {s.position, frame.to_world(scatter.direction)};
                path.throughput *= scatter.weight;
                // For matt indirect light the sun was already sampled above; only first reflections weight it again (0 in
                // `escaped`).
                path.pdf = matt ? -1 : scatter.pdf;
                // the smooth normal allowed a direction into the body
                if (dot(path.ray.direction, s.geometric) <= 0) continue;
                if (bounce > 0) {
                    const float survive = std::clamp(luminance(path.throughput), 0.05f, 0.95f);
                    if (sampler.pair(pair + 2, path.sample).x >= survive) continue;
                    path.throughput *= 1 / survive;
                }
                paths[next++] = path;
            }
            alive = next;
            if (shadows == 0) continue;
            bounce == 0 ? scene_.occluded_packet(shadow, blocked, shadows) : scene_.occluded(shadow, blocked, shadows);
            for (int i = 0; i < shadows; ++i)
                if (!blocked[i]) results[shadow_slot[i]].lit += from_sun[i];
        }
    }

    /// Stores the features of the visible point; returns the fraction of its light that the haze lets through.
    Float3 first_hit(const SurfacePoint& s, const Ray& ray, const Hit& hit, Result& result) const {
        float clear = 1;
        if (s.ground) {
            const float far = hit.t / settings_.fade_distance;
            clear = std::exp(-far * far);
            result.background = (1 - clear) * sky_.haze(ray.direction);
        }
        result.hit = true;
        result.albedo = clear * albedo(s.paint.color, s.paint.metallic);
        result.normal = s.normal, result.position = s.position, result.depth = hit.t;
        return constant(clear);
    }

    /// Samples a point of the sun; returns whether it is on this side of the surface.
    bool sun_above(const SurfacePoint& s, Sample2 u, Float3& direction) const {
        direction = sky_.sample_sun(u.x, u.y);
        return dot(direction, s.normal) > 0 && dot(direction, s.geometric) > 0;
    }

    /// Light from outside the scene at the end of a path.
    Float3 escaped(const Path& path) const {
        Float3 light = sky_.radiance(path.ray.direction);
        if (path.pdf > 0) {
            const float sun_pdf = sky_.sun_pdf(path.ray.direction);
            if (sun_pdf > 0) light += (path.pdf / (path.pdf + sun_pdf)) * sky_.sun_radiance();
        }
        return limited(path.throughput * light);
    }

    const Scene& scene_;
    const Sky& sky_;
    const Camera& camera_;
    const TraceSettings& settings_;
    const SampleTable& table_;
};

}  // namespace

std::vector<Pixel> trace(const Scene& scene, const Sky& sky, const Camera& camera, const TraceSettings& settings) {
    const SampleTable table(settings.samples, 1 + pairs_per_bounce * sampled_bounces, settings.seed);
    const PixelTracer tracer(scene, sky, camera, settings, table);
    std::vector<Pixel> pixels(static_cast<std::size_t>(settings.width) * static_cast<std::size_t>(settings.height));
    constexpr int tile = PixelTracer::tile_size;
    const int across = (settings.width + tile - 1) / tile, down = (settings.height + tile - 1) / tile;
    const auto trace_tile = [&](int i) {
        const int x = tile * (i % across), y = tile * (i / across);
        tracer.trace_tile(x, y, std::min(x + tile, settings.width), std::min(y + tile, settings.height), pixels);
    };
    parallel_for(across * down, trace_tile, 1);
    return pixels;
}

}  // namespace asperity::render
