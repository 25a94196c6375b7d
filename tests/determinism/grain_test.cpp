// Bitwise equal results on one and two threads with each kind of grain field. The fields are read inside the parallel loop
// over batches of contacts.
#include "grain_worlds.h"

#include "asperity/core/parallel.h"

namespace asperity {
namespace {

class GrainThreads : public testing::TestWithParam<std::string> {
  protected:
    ~GrainThreads() override { set_thread_count(1); }
    static std::vector<std::string> hashes(int threads) {
        set_thread_count(threads);
        sim::World world = verify::boxes_on(GetParam(), 0.2);
        std::vector<std::string> result;
        for (int i = 0; i < 60; ++i) {
            const sim::StepReport report = sim::step(world, 0.01);
            result.push_back(world.state_hash());
            EXPECT_GE(report.contacts, 3 * 36) << "step " << i;  // more than one batch of 64, so that threads share the work
        }
        return result;
    }
};

TEST_P(GrainThreads, OneAndTwoGiveTheSameHashAfterEveryStep) {
    const std::vector<std::string> one = hashes(1), two = hashes(2);
    for (size_t i = 0; i < one.size(); ++i) ASSERT_EQ(one[i], two[i]) << "step " << i + 1;
    EXPECT_NE(one[58], one[59]);  // something slides
}
INSTANTIATE_TEST_SUITE_P(Fields, GrainThreads, testing::ValuesIn(verify::kFieldKinds),
                         [](const auto& p) { return p.param; });

// Each kind of field affects the motion: the boxes end in different positions.
TEST(GrainFields, LeadTheBoxesToDifferentPlaces) {
    std::vector<std::vector<Pose>> ends;
    for (const std::string& kind : verify::kFieldKinds) {
        sim::World world = verify::boxes_on(kind, 0.2);
        verify::run(world, 0.01, 60);
        ends.push_back(world.state.bodies.pose);
    }
    for (size_t i = 0; i < ends.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            double farthest = 0;
            for (size_t body = 0; body < ends[i].size(); ++body)
                farthest = std::fmax(farthest, length(ends[i][body].position - ends[k][body].position));
            EXPECT_GT(farthest, 1e-4) << verify::kFieldKinds[i] << " and " << verify::kFieldKinds[k];
        }
}

}  // namespace
}  // namespace asperity
