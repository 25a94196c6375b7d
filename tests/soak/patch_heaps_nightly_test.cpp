#include <gtest/gtest.h>

#include "patch_heaps.h"

namespace asperity::soak {
namespace {

TEST(PatchHeaps, ManyMoreKeepTogetherAndGainNothing) { EXPECT_EQ(run_heaps(101, 1500).failures, ""); }

}  // namespace
}  // namespace asperity::soak
