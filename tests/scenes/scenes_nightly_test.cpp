// The thousand-body piles, in full size.
#include "run_scene.h"

namespace asperity::scene {
namespace {

TEST(FullPile, ThousandBoxesMeetTheirExpectations) { expect_good({"box_pile.toml", {}}); }
TEST(FullPile, ThousandCapsulesMeetTheirExpectations) { expect_good({"capsule_pile.toml", {}}); }
TEST(FullPile, ThousandCapsulesLeaveTheHopper) { expect_good({"hopper_1000.toml", {}}); }
TEST(FullPile, ThousandOfEverythingMeetTheirExpectations) { expect_good({"mixed_pile.toml", {}}); }

}  // namespace
}  // namespace asperity::scene
