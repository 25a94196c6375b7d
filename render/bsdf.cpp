#include "render/bsdf.h"

#include <array>

namespace asperity::render {
namespace {

float lambda(const Float3& v, float alpha) {
    const float z2 = v.z * v.z;
    return 0.5f * (std::sqrt(1 + alpha * alpha * std::max(0.0f, 1 - z2) / std::max(z2, 1e-12f)) - 1);
}

float ggx(float hz, float alpha) {
    const float a2 = alpha * alpha, d = hz * hz * (a2 - 1) + 1;
    return a2 / (pi * d * d);
}

// A visible normal of the GGX distribution: stretch the view, sample its projected hemisphere, stretch back.
Float3 visible_normal(const Float3& view, float alpha, Sample2 u) {
    const Float3 v = normalized({alpha * view.x, alpha * view.y, view.z});
    const float len2 = v.x * v.x + v.y * v.y;
    const Float3 t = len2 > 0 ? Float3{-v.y, v.x, 0} / std::sqrt(len2) : Float3{1, 0, 0};
    const Float3 b = cross(v, t);
    const float r = std::sqrt(u.x), phi = 2 * pi * u.y, s = 0.5f * (1 + v.z);
    const float p = r * std::cos(phi), q = mix(std::sqrt(std::max(0.0f, 1 - p * p)), r * std::sin(phi), s);
    const Float3 n = p * t + q * b + std::sqrt(std::max(0.0f, 1 - p * p - q * q)) * v;
    return normalized({alpha * n.x, alpha * n.y, std::max(1e-6f, n.z)});
}

Float3 reflect(const Float3& v, const Float3& h) { return 2 * dot(v, h) * h - v; }

float fifth_power(float x) { return x * x * x * x * x; }

// E(v) = F0 a + b: both parts over cos(v) and roughness, integrated with the same sampler as the pictures.
class AlbedoTable {
  public:
    struct Entry {
        float a = 0, b = 0;
    };
    AlbedoTable() {
        const SampleTable samples(sample_count, 1, 7);
        const PixelSampler sampler(samples, 0);
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) entries_[index(i, j)] = integrate(cosine(i), alpha_of(roughness(j)), sampler);
    }
    Entry at(float cosine_v, float rough) const {
        const float x = std::sqrt(std::clamp(cosine_v, 0.0f, 1.0f)) * (size - 1),
                    y = std::clamp(rough, 0.0f, 1.0f) * (size - 1);
        const int i = std::min(static_cast<int>(x), size - 2), j = std::min(static_cast<int>(y), size - 2);
        const float s = x - static_cast<float>(i), t = y - static_cast<float>(j);
        const Entry &p = entries_[index(i, j)], &q = entries_[index(i + 1, j)];
        const Entry &r = entries_[index(i, j + 1)], &w = entries_[index(i + 1, j + 1)];
        return {mix(mix(p.a, q.a, s), mix(r.a, w.a, s), t), mix(mix(p.b, q.b, s), mix(r.b, w.b, s), t)};
    }
    static float alpha_of(float rough) { return std::max(rough * rough, 0.0016f); }

  private:
    static constexpr int size = 24, sample_count = 256;
    std::array<Entry, std::size_t{size} * size> entries_;

    static std::size_t index(int i, int j) { return static_cast<std::size_t>(i * size + j); }
    // Finer steps towards grazing views, where the albedo changes fast.
    static float cosine(int i) {
        const float s = std::max(static_cast<float>(i) / (size - 1), 0.02f);
        return s * s;
    }
    static float roughness(int j) { return static_cast<float>(j) / (size - 1); }
    static Entry integrate(float cosine_v, float alpha, const PixelSampler& sampler) {
        const Float3 v{std::sqrt(1 - cosine_v * cosine_v), 0, cosine_v};
        Entry sum;
        for (int s = 0; s < sample_count; ++s) {
            const Float3 h = visible_normal(v, alpha, sampler.pair(0, s)), l = reflect(v, h);
            if (l.z <= 0) continue;
            const float g = (1 + lambda(v, alpha)) / (1 + lambda(v, alpha) + lambda(l, alpha));  // G2 / G1
            const float c = fifth_power(1 - std::max(0.0f, dot(v, h)));
            sum.a += g * (1 - c);
            sum.b += g * c;
        }
        return {sum.a / sample_count, sum.b / sample_count};
    }
};

const AlbedoTable& albedo_table() {
    static const AlbedoTable table;
    return table;
}

}  // namespace

Bsdf::Bsdf(const Float3& base, float roughness, float metallic, const Float3& view)
    : view_(view), f0_(mix(constant(0.04f), base, metallic)), alpha_(AlbedoTable::alpha_of(roughness)) {
    view_.z = std::max(view_.z, 1e-3f);
    const AlbedoTable::Entry e = albedo_table().at(view_.z, roughness);
    const float e1 = std::max(e.a + e.b, 0.05f);
    gain_ = constant(1) + (1 / e1 - 1) * f0_;
    const Float3 reflected = gain_ * (e.a * f0_ + constant(e.b));
    diffuse_ = (1 - metallic) * base * (constant(1) - reflected);
    // The probability of a lobe is its fraction of the reflected light. Clear reflections get more samples, because noise
    // in them is most visible.
    const float s = luminance(reflected), d = luminance(diffuse_);
    specular_chance_ = d <= 0 ? 1.0f : std::clamp(s / (s + d), roughness < 0.3f ? 0.25f : 0.08f, 0.95f);
}

Bsdf::Value Bsdf::evaluate(const Float3& light) const {
    if (light.z <= 0) return {};
    const Float3 h = normalize_or(view_ + light, {0, 0, 1});
    const float d = ggx(h.z, alpha_), lv = lambda(view_, alpha_), ll = lambda(light, alpha_);
    const float c = fifth_power(1 - std::clamp(dot(view_, h), 0.0f, 1.0f));
    const Float3 fresnel = f0_ + c * (constant(1) - f0_);
    const float specular = d / (4 * view_.z * (1 + lv + ll));
    Value value;
    value.f_cos = specular * gain_ * fresnel + (light.z / pi) * diffuse_;
    value.pdf = specular_chance_ * d / (4 * view_.z * (1 + lv)) + (1 - specular_chance_) * light.z / pi;
    return value;
}

Bsdf::Scatter Bsdf::sample(Sample2 u) const {
    Float3 l;
    if (u.x < specular_chance_) {
        l = reflect(view_, visible_normal(view_, alpha_, {u.x / specular_chance_, u.y}));
    } else {
        const float v = (u.x - specular_chance_) / (1 - specular_chance_), r = std::sqrt(v), phi = 2 * pi * u.y;
        l = {r * std::cos(phi), r * std::sin(phi), std::sqrt(std::max(0.0f, 1 - v))};
    }
    if (l.z <= 1e-5f) return {{0, 0, 1}, {}, 0};
    const Value value = evaluate(l);
    return {l, value.f_cos / value.pdf, value.pdf};
}

}  // namespace asperity::render
