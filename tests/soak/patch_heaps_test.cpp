#include <gtest/gtest.h>

#include "patch_heaps.h"

namespace asperity::soak {
namespace {

TEST(PatchHeaps, KeepTogetherAndGainNothing) { EXPECT_EQ(run_heaps(1, 100), ""); }

}  // namespace
}  // namespace asperity::soak
