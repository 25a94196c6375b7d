// Observes a run for its expectations. An expectation with `from` or `until` observes only that interval, as if it were the
// whole run.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "asperity/scene/expect.h"

namespace asperity::scene {

class Watch {
  public:
    explicit Watch(const Scene& scene);
    void after_step(const Scene& scene, const sim::StepReport& report);

    const Observer& whole() const { return whole_; }
    /// All expectations in the order of the scene. Before the start of its interval an expectation has the value NaN and
    /// fails.
    std::vector<ExpectResult> check(const Scene& scene) const;

    /// The state as bytes, so that a resumed run is judged as a whole.
    std::string save() const;
    void restore(const std::string& bytes, const Scene& scene);

  private:
    struct Part {
        std::size_t expectation;           // index in the scene
        std::optional<Observer> observer;  // created at time `from`
        std::optional<double> value;       // fixed at time `until`
    };
    Observer whole_;
    std::vector<Part> parts_;
};

}  // namespace asperity::scene
