// Watches a run for its expectations: those with `from` or `until` see that part of the run alone, as if it were the whole
// of it.
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
    /// All expectations in the order of the scene. One whose part has not begun has no value: NaN, and not ok.
    std::vector<ExpectResult> check(const Scene& scene) const;

    /// As bytes, so that a resumed run judges the whole run.
    std::string save() const;
    void restore(const std::string& bytes, const Scene& scene);

  private:
    struct Part {
        std::size_t expectation;           // index in the scene
        std::optional<Observer> observer;  // from `from` on
        std::optional<double> value;       // from `until` on
    };
    Observer whole_;
    std::vector<Part> parts_;
};

}  // namespace asperity::scene
