// Ploughing in scenes: meaning of a pair's keys, refused values, and list-valued params.
#include <gtest/gtest.h>

#include "asperity/surface/footprint_sampler.h"
#include "scenes.h"

namespace asperity::scene {
namespace {

#define EXPECT_SAYS(message, words) EXPECT_NE((message).find(words), std::string::npos) << (message)

std::string with_pair(const std::string& keys) {
    return "[material.a]\n[material.b]\n[world]\ndefault = { mu = 0.5 }\n[pair.a-b]\nlaw = \"ploughing\"\n" + keys +
           "\n[[body]]\nname = \"ground\"\nshape = { half_space = true }\nmaterial = \"a\"\nfixed = true\n"
           "[[body]]\nname = \"block\"\nshape = { box = [1, 1, 1] }\nmaterial = \"b\"\n";
}
const surface::Pair& pair_of(const Scene& scene) { return scene.world.model.pairs.pair(1, 2); }  // 0 is the default material

TEST(PloughingScene, KeysAndWhatTheyAreWhenMissing) {
    const Scene plain = read(with_pair("mu_0 = 0.2"));
    const surface::Pair& p = pair_of(plain);
    const auto& law = std::get<friction::Ploughing>(p.friction.base);
    EXPECT_EQ(law.mu_0, 0.2);
    EXPECT_EQ(law.k_a, 1);
    EXPECT_EQ(law.k_b, 1);
    EXPECT_EQ(law.directions, 16);
    EXPECT_EQ(law.weight, friction::FacetWeight::Projected);
    EXPECT_EQ(p.footprint.width, 0.02);
    EXPECT_EQ(p.footprint.sampling, surface::FootprintSettings::Sampling::Tables);
    EXPECT_EQ(p.footprint.frame, surface::FootprintSettings::Frame::Axis);
    EXPECT_TRUE((p.footprint.axis == Vec3{1, 0, 0}));

    const Scene full =
        read(with_pair("mu_0 = 0.1\nk_a = 4\nk_b = 2\nweight = \"true_area\"\ndirections = 4\npatch = 0.01\nresolution = "
                       "32\nsampling = \"rays\"\nframe = \"slip\""));
    const surface::Pair& q = pair_of(full);
    const auto& other = std::get<friction::Ploughing>(q.friction.base);
    EXPECT_EQ(other.k_a, 4);
    EXPECT_EQ(other.k_b, 2);
    EXPECT_EQ(other.weight, friction::FacetWeight::TrueArea);
    EXPECT_EQ(other.directions, 4);
    EXPECT_EQ(q.footprint.width, 0.01);
    EXPECT_EQ(q.footprint.resolution, 32);
    EXPECT_EQ(q.footprint.sampling, surface::FootprintSettings::Sampling::Rays);
    EXPECT_EQ(q.footprint.frame, surface::FootprintSettings::Frame::AlongSlip);
    EXPECT_NEAR(pair_of(read(with_pair("mu_0 = 0.1\nframe = [0, 3, 4]"))).footprint.axis.y, 0.6, 1e-15);
}

TEST(PloughingScene, RefusesWhatMeansNothing) {
    EXPECT_SAYS(complaint(with_pair("mu = 0.2")), "belongs to law = \"coulomb\"");
    EXPECT_SAYS(complaint(with_pair("k_a = 2")), "mu_0");
    EXPECT_SAYS(complaint(with_pair("mu_0 = 0.2\ndirections = 7")), "directions = 7");
    EXPECT_SAYS(complaint(with_pair("mu_0 = 0.2\nweight = \"heavy\"")), "projected, true_area, salience");
    EXPECT_SAYS(complaint(with_pair("mu_0 = 0.2\nframe = [0, 0, 0]")), "needs a direction");
    EXPECT_SAYS(complaint(with_pair("mu_0 = 0.2\nframe = \"world\"")), "grain, slip");
    EXPECT_SAYS(complaint(with_pair("mu_0 = 0.2\npatch = 0")), "pair.a-b.patch");
    EXPECT_SAYS(complaint(with_pair("mu_0 = 0.2\ndrilling = 0.1")), "does not go with ploughing");
    EXPECT_SAYS(complaint(kGround + "[material.x]\n[pair.x-x]\nmu = 0.1\nk_a = 2\n"), "belongs to law = \"ploughing\"");
}

TEST(ListParams, AreKnownByNumber) {
    const std::string text = "[params]\na = [1, \"a_1 + 1\", \"b + 2\"]\nb = \"a_2\"\nk = 7\n" + kBlock +
                             "velocity = [\"a_1\", \"a_3\", \"k\"]\n";
    const Scene scene = read(text);
    const Vec3& v = scene.world.state.bodies.velocity[index_of(scene, "block")];
    EXPECT_EQ(v.x, 1);
    EXPECT_EQ(v.y, 4);
    EXPECT_EQ(v.z, 7);  // outside [[generate]], k is an ordinary name
    EXPECT_EQ(scene.params.at("a_2"), 2);
    EXPECT_FALSE(scene.params.contains("a"));
    const Scene other = read(text, {{"params.a", "[5, 6, 8]"}});
    EXPECT_EQ(other.world.state.bodies.velocity[index_of(other, "block")].y, 8);
}

TEST(ListParams, RefuseWhatIsThereTwiceOrNoNumber) {
    EXPECT_SAYS(complaint("[params]\na = [1, 2]\na_2 = 3\n" + kBlock), "'a_2' is already defined");
    EXPECT_SAYS(complaint("[params]\na = [1, true]\n" + kBlock), "expected a number");
    EXPECT_SAYS(complaint("[params]\na = [1]\n" + kBlock + "velocity = [\"a_2\", 0, 0]\n"), "unknown name 'a_2'");
    EXPECT_SAYS(complaint("[params]\na = [\"a_1\"]\n" + kBlock + "velocity = [\"a_1\", 0, 0]\n"), "depends on itself");
}

}  // namespace
}  // namespace asperity::scene
