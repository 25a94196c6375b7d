#include "asperity/lab/study/plan.h"

#include <fmt/format.h>

namespace asperity::lab {

std::vector<StudyJob> jobs_of(const StudyPlan& plan) {
    std::vector<StudyJob> out;
    for (const int seed : plan.seeds)
        for (std::size_t s = 0; s < plan.settings.size(); ++s) {
            StudyJob& job = out.emplace_back();
            job.setting = static_cast<int>(s);
            job.seed = seed;
            for (std::size_t k = 0; k < plan.names.size(); ++k) {
                const std::string assignment = fmt::format("{}={}", plan.names[k], plan.settings[s][k]);
                job.key += assignment + " ";
                job.set.push_back("params." + assignment);
            }
            job.key += fmt::format("seed={}", seed);
            job.set.push_back(fmt::format("params.seed={}", seed));
        }
    return out;
}

}  // namespace asperity::lab
