#include "asperity/scene/watch.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include "asperity/core/error.h"

namespace asperity::scene {
namespace {

/// A time of an expectation is reached by the step that ends nearest to it.
bool reached(const Scene& scene, double time) { return scene.world.state.time > time - 0.5 * scene.dt; }

Observer observer_of(const Scene& scene, const Expectation& e) {
    return Observer(scene, e.by.empty() ? -1 : scene.world.find_body(e.by).index);
}

template <class T>
void put(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put_text(std::string& bytes, const std::string& text) {
    put(bytes, static_cast<std::uint64_t>(text.size()));
    bytes += text;
}

struct Cursor {
    const std::string& in;
    std::size_t at = 0;

    void need(std::uint64_t size) const {
        if (in.size() - at < size)
            throw InputError("the saved observables are truncated; start the run again without --resume");
    }
    template <class T>
    T get() {
        T value{};
        need(sizeof value);
        std::memcpy(&value, in.data() + at, sizeof value);
        at += sizeof value;
        return value;
    }
    std::string text() {
        const auto size = get<std::uint64_t>();
        need(size);
        at += size;
        return in.substr(at - size, size);
    }
};

}  // namespace

Watch::Watch(const Scene& scene) : whole_(scene) {
    for (std::size_t i = 0; i < scene.expectations.size(); ++i) {
        const Expectation& e = scene.expectations[i];
        if (e.from == 0 && !e.until && e.by.empty()) continue;
        parts_.push_back({i, {}, {}});
        if (e.from == 0) parts_.back().observer.emplace(observer_of(scene, e));
    }
}

void Watch::after_step(const Scene& scene, const sim::StepReport& report) {
    whole_.after_step(scene, report);
    for (Part& part : parts_) {
        const Expectation& e = scene.expectations[part.expectation];
        if (part.value) continue;
        if (part.observer)
            part.observer->after_step(scene, report);
        else if (reached(scene, e.from))
            part.observer.emplace(observer_of(scene, e));
        if (part.observer && e.until && reached(scene, *e.until)) part.value = observed(e, *part.observer, scene);
    }
}

std::vector<ExpectResult> Watch::check(const Scene& scene) const {
    std::vector<ExpectResult> results = scene::check(scene, whole_);
    for (const Part& part : parts_) {
        const Expectation& e = scene.expectations[part.expectation];
        double value = std::numeric_limits<double>::quiet_NaN();
        if (part.value)
            value = *part.value;
        else if (part.observer)
            value = observed(e, *part.observer, scene);
        results[part.expectation] = judged(e, value);
    }
    return results;
}

std::string Watch::save() const {
    std::string bytes;
    put_text(bytes, whole_.save());
    for (const Part& part : parts_) {
        put_text(bytes, part.observer ? part.observer->save() : "");
        put(bytes, static_cast<std::uint64_t>(part.value.has_value()));
        put(bytes, part.value.value_or(0));
    }
    return bytes;
}

void Watch::restore(const std::string& bytes, const Scene& scene) {
    Cursor cursor{bytes};
    whole_.restore(cursor.text());
    for (Part& part : parts_) {
        const std::string saved = cursor.text();
        part.observer.reset();
        if (!saved.empty()) part.observer.emplace(observer_of(scene, scene.expectations[part.expectation])).restore(saved);
        const bool has_value = cursor.get<std::uint64_t>() != 0;
        const double value = cursor.get<double>();
        part.value = has_value ? std::optional(value) : std::nullopt;
    }
}

}  // namespace asperity::scene
