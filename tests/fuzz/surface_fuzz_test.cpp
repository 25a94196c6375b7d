// Damaged surface files. For any bytes, reading must end in a surface or in an InputError on one line.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/lab/surfaces/files.h"
#include "asperity/lab/surfaces/filter.h"
#include "asperity/lab/surfaces/roughness.h"

namespace asperity::lab {
namespace {

constexpr int kMutants = 5000;  // of each format; the same on every machine

std::string mutated(std::string bytes, Random& random) {
    static const char* const words[] = {"nan", "inf", "-1", "0", "999999999999", "1e308", "1e-320", "BAD", "*", "=",
                                        "<",   "</",  "'",  "(", "65536",        "\n"};
    const auto place = [&] { return static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()))); };
    for (int changes = 1 + random.below(5); changes > 0 && !bytes.empty(); --changes) {
        const std::size_t at = place();
        switch (random.below(7)) {
            case 0: bytes[at] = static_cast<char>(random.below(256)); break;
            case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8))); break;
            case 2:
                if (random.below(4) == 0) bytes.resize(at);
                break;
            case 3: bytes.erase(at, static_cast<std::size_t>(1 + random.below(20))); break;
            case 4: bytes.insert(at, bytes.substr(place(), static_cast<std::size_t>(random.below(40)))); break;
            case 5: {
                const std::string word = words[static_cast<std::size_t>(random.below(static_cast<int>(std::size(words))))];
                bytes.replace(at, std::min(word.size(), bytes.size() - at), word);
                break;
            }
            default: {
                const std::uint32_t count[] = {0, 1, 0xffffffffu, 0x80000000u, 65536};
                const std::uint32_t value = count[random.below(5)];
                for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
                    bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
            }
        }
    }
    return bytes;
}

/// Reads and measures the surface; returns whether it was accepted.
bool survives(const std::string& bytes, const std::string& name, const Scale& scale) {
    try {
        const Topography map = parse_surface(bytes, name, scale);
        EXPECT_EQ(map.heights.size(), static_cast<std::size_t>(map.width) * static_cast<std::size_t>(map.height));
        EXPECT_TRUE(map.pixel_x > 0 && map.pixel_y > 0);
        if (map.heights.size() > 4096) return true;  // a huge picture of zeros: reading it is the test
        const Topography whole = detrended(filled(map), Trend::Plane);
        if (bytes.size() % 16 == 0) roughness(whole);  // a share of them: measuring takes longer than reading
        return true;
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        EXPECT_LT(std::string(error.what()).size(), 500u) << error.what();
        return false;
    }
}

TEST(SurfaceFuzz, EveryMutantIsTakenOrRefusedCleanly) {
    Topography map{.width = 12, .height = 10, .pixel_x = 1e-6, .pixel_y = 1e-6, .unit = "m"};
    for (int i = 0; i < 120; ++i) map.heights.push_back(1e-7 * std::sin(1.3 * i));
    Random random(28);
    for (const char* name : {"a.png", "a.txt", "a.npy", "a.x3p", "a.sdf", "a.asc.sdf"}) {
        const std::string kind = name;
        Scale scale;
        if (kind != "a.x3p" && !kind.ends_with("sdf")) scale = {1e-6, "m", {}};
        if (kind == "a.png") scale.height_range = 1e-6;
        const std::string bytes = write_surface(map, name).bytes;
        ASSERT_TRUE(survives(bytes, name, scale)) << name;
        int taken = 0, refused = 0;
        for (int i = 0; i < kMutants; ++i) survives(mutated(bytes, random), name, scale) ? ++taken : ++refused;
        // If mutation always or never broke a file, the test would be void. Checksums guard the
        // bytes of .x3p and .png, so few pass.
        EXPECT_GT(taken, kind == "a.x3p" || kind == "a.png" ? 0 : 50) << name;
        EXPECT_GT(refused, 50) << name;
    }
}

}  // namespace
}  // namespace asperity::lab
