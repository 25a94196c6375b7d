// Surfaces in files: every format gives back what was written; what files do not say is asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "asperity/core/error.h"
#include "asperity/importers/zip.h"
#include "asperity/lab/surfaces/files.h"

namespace asperity::lab {
namespace {

Topography odd_map(int width = 13, int height = 9) {
    Topography map{.width = width, .height = height, .pixel_x = 2e-6, .pixel_y = 2e-6, .unit = "m"};
    for (int i = 0; i < width * height; ++i) map.heights.push_back(1e-7 * std::sin(0.7 * i) + 1e-9 * i);
    return map;
}

const Scale kScale{2e-6, "m", {}};

/// What the message of the InputError says; empty without one.
template <class Call>
std::string complaint(const Call& call) {
    try {
        call();
    } catch (const InputError& error) { return error.what(); }
    return "";
}

void expect_same(const Topography& a, const Topography& b, double tolerance) {
    ASSERT_EQ(a.width, b.width);
    ASSERT_EQ(a.height, b.height);
    EXPECT_DOUBLE_EQ(a.pixel_x, b.pixel_x);
    EXPECT_DOUBLE_EQ(a.pixel_y, b.pixel_y);
    EXPECT_EQ(a.unit, b.unit);
    for (std::size_t i = 0; i < a.heights.size(); ++i) {
        EXPECT_EQ(std::isnan(a.heights[i]), std::isnan(b.heights[i])) << i;
        if (!std::isnan(a.heights[i])) { EXPECT_NEAR(a.heights[i], b.heights[i], tolerance) << i; }
    }
}

TEST(SurfaceFiles, EveryFormatGivesBackWhatWasWritten) {
    for (const int rows : {9, 1}) {
        Topography map = odd_map(13, rows);
        map.heights[5] = std::nan("");
        for (const char* name : {"a.txt", "a.npy", "a.x3p", "a.sdf", "a.asc.sdf"}) {
            const bool own =
                std::string(name).find("x3p") != std::string::npos || std::string(name).find("sdf") != std::string::npos;
            const Topography back = parse_surface(write_surface(map, name).bytes, name, own ? Scale{} : kScale);
            expect_same(back, map, 0);  // doubles, or the shortest text that gives the same bits
        }
    }
    const Topography map = odd_map();
    const WrittenSurface png = write_surface(map, "a.png");
    Topography back = parse_surface(png.bytes, "a.png", {2e-6, "m", png.range});
    const double shift = map.heights[0] - back.heights[0];  // a picture begins at its lowest point
    for (double& h : back.heights) h += shift;
    expect_same(back, map, 2 * png.range / 65535);  // half a level at this point and at the first, and single precision
}

TEST(SurfaceFiles, UnitsBecomeMetresWhereTheFormatHoldsMetres) {
    Topography map = odd_map();
    map.unit = "um";
    for (const char* name : {"a.x3p", "a.sdf", "a.asc.sdf"}) {
        const Topography back = parse_surface(write_surface(map, name).bytes, name, {});
        EXPECT_EQ(back.unit, "m");
        EXPECT_NEAR(back.pixel_x, 2e-12, 1e-26);
        EXPECT_NEAR(back.heights[3], map.heights[3] * 1e-6, 1e-28);
    }
    map.unit = "unit";
    EXPECT_NE(complaint([&] { write_surface(map, "a.sdf"); }).find("--unit"), std::string::npos);
}

TEST(SurfaceFiles, SizesAreAskedForAndNeverGuessed) {
    const Topography map = odd_map();
    const auto read = [&](const char* name, const Scale& scale) {
        return complaint([&] { parse_surface(write_surface(map, name).bytes, name, scale); });
    };
    EXPECT_NE(read("a.txt", {}).find("--pixel"), std::string::npos);
    EXPECT_NE(read("a.npy", {1.0, {}, {}}).find("--unit"), std::string::npos);
    EXPECT_NE(read("a.png", {1.0, "mm", {}}).find("--height-range"), std::string::npos);
    EXPECT_NE(read("a.txt", {1.0, "mm", 2.0}).find("--height-range is for pictures"), std::string::npos);
    EXPECT_NE(read("a.sdf", {1.0, {}, {}}).find("holds its own sizes"), std::string::npos);
    EXPECT_NE(read("a.txt", {1.0, "inch", {}}).find("known: m, mm, um, nm, unit"), std::string::npos);
    EXPECT_NE(read("a.txt", {-1.0, "m", {}}).find("pixel size -1 m: must be in"), std::string::npos);
    EXPECT_NE(complaint([] { parse_surface("", "a.bmp", {}); }).find("known: .png"), std::string::npos);
    EXPECT_EQ(read("a.txt", kScale), "");
}

TEST(SurfaceFiles, TextTakesTheUsualSeparators) {
    const Topography map = parse_surface("# comment\n1, 2;\t3\r\n\n+4 nan -6e-1\n", "a.csv", kScale);
    ASSERT_EQ(map.width, 3);
    ASSERT_EQ(map.height, 2);
    EXPECT_EQ(map.at(0, 1), 4);
    EXPECT_TRUE(std::isnan(map.at(1, 1)));
    EXPECT_EQ(map.at(2, 1), -0.6);
    EXPECT_NE(complaint([] { parse_surface("1 2\n3\n", "a.txt", kScale); }).find("a.txt:2: 1 heights"), std::string::npos);
    EXPECT_NE(complaint([] { parse_surface("1 2\n3 x4\n", "a.txt", kScale); }).find("a.txt:2:3: 'x4'"), std::string::npos);
    EXPECT_NE(complaint([] { parse_surface("1 2e999\n", "a.txt", kScale); }), "");
    EXPECT_NE(complaint([] { parse_surface("1 inf\n", "a.txt", kScale); }).find("infinite"), std::string::npos);
}

// Arrays as NumPy writes them: np.array([[1, 2], [3, 4]], dtype).tofile after its header, of each kind.
TEST(SurfaceFiles, NpyTakesItsNumberTypesAndOrders) {
    const auto file = [](const std::string& type, const std::string& fortran, const std::string& shape,
                         const std::string& data) {
        const std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
        std::string out = "\x93NUMPY";
        out += {'\1', '\0', static_cast<char>(header.size()), '\0'};
        return out + header + data;
    };
    const auto bytes = [](const auto&... values) {
        std::string out;
        const auto add = [&](const auto& v) {
            char raw[sizeof v];
            std::memcpy(raw, &v, sizeof v);
            out.append(raw, sizeof v);
        };
        (add(values), ...);
        return out;
    };
    const auto second = [&](const std::string& content) {
        const Topography map = parse_surface(content, "a.npy", kScale);
        EXPECT_EQ(map.width, 2);
        EXPECT_EQ(map.height, 2);
        return map.at(1, 0);
    };
    EXPECT_EQ(second(file("<f4", "False", "(2, 2)", bytes(1.5f, -2.5f, 3.f, 4.f))), -2.5);
    EXPECT_EQ(second(file("<f8", "True", "(2, 2)", bytes(1.0, 3.0, 2.0, 4.0))), 2);
    EXPECT_EQ(
        second(file("|u1", "False", "(2, 2)", bytes(std::uint8_t{1}, std::uint8_t{250}, std::uint8_t{0}, std::uint8_t{0}))),
        250);
    EXPECT_EQ(
        second(file("<i2", "False", "(2, 2)", bytes(std::int16_t{1}, std::int16_t{-7}, std::int16_t{0}, std::int16_t{0}))),
        -7);
    EXPECT_EQ(second(file(">i2", "False", "(2, 2)", std::string("\0\1\xff\xf9\0\0\0\0", 8))), -7);
    EXPECT_NE(complaint([&] { second(file("<c8", "False", "(2, 2)", "")); }).find("known are f4"), std::string::npos);
    EXPECT_NE(complaint([&] { second(file("<f8", "False", "(2, 2, 2)", "")); }).find("more than two axes"),
              std::string::npos);
    EXPECT_NE(complaint([&] { second(file("<f8", "False", "(2, 2)", "1234")); }).find("is the file whole?"),
              std::string::npos);
    EXPECT_NE(complaint([&] { second(file("<f8", "False", "(4000000000, 4000000000)", "")); }).find("at most"),
              std::string::npos);
}

TEST(SurfaceFiles, X3pTakesIntegersOffsetsAndInvalidPoints) {
    const std::string xml =
        "<?xml version='1.0'?><!-- made by hand --><p:ISO5436_2 xmlns:p='x'><Record1><Axes>"
        "<CX><Increment>1e-6</Increment></CX><CY><Increment>2e-6</Increment></CY>"
        "<CZ><DataType>I</DataType><Increment>1e-9</Increment><Offset>5e-9</Offset></CZ></Axes></Record1>"
        "<Record3><MatrixDimension><SizeX>2</SizeX><SizeY>2</SizeY><SizeZ>1</SizeZ></MatrixDimension><DataLink>"
        "<PointDataLink><![CDATA[bindata/z.bin]]></PointDataLink><ValidPointsLink>bindata/v.bin</ValidPointsLink></DataLink>"
        "</Record3></p:ISO5436_2>";
    const std::string heights("\1\0\xff\xff\3\0\4\0", 8);
    const auto read = [&](const std::string& description) {
        return parse_surface(
            importers::write_zip({{"main.xml", description}, {"bindata/z.bin", heights}, {"bindata/v.bin", "\x0d"}}),
            "a.x3p", {});
    };
    const Topography map = read(xml);
    EXPECT_EQ(map.pixel_y, 2e-6);
    EXPECT_DOUBLE_EQ(map.at(0, 0), 6e-9);
    EXPECT_TRUE(std::isnan(map.at(1, 0)));  // bit 1 of 1101
    EXPECT_DOUBLE_EQ(map.at(1, 1), 9e-9);
    std::string broken = xml;
    broken.replace(broken.find("1e-6"), 4, "zero");
    EXPECT_NE(complaint([&] { read(broken); }).find("Record1/Axes/CX/Increment = 'zero'"), std::string::npos);
    EXPECT_NE(complaint([&] { read(xml.substr(0, 300)); }).find("main.xml"), std::string::npos);
}

// A deflated archive, made by Python's zipfile from 'main.xml' = 100 letters a.
TEST(SurfaceFiles, ZipUnpacksWhatOthersDeflated) {
    const unsigned char raw[] = {0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x64,
                                 0x7a, 0x70, 0xaf, 0x06, 0x00, 0x00, 0x00, 0x64, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00,
                                 0x6d, 0x61, 0x69, 0x6e, 0x2e, 0x78, 0x6d, 0x6c, 0x4b, 0x4c, 0xa4, 0x3d, 0x00, 0x00, 0x50,
                                 0x4b, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00,
                                 0x64, 0x7a, 0x70, 0xaf, 0x06, 0x00, 0x00, 0x00, 0x64, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00,
                                 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00,
                                 0x6d, 0x61, 0x69, 0x6e, 0x2e, 0x78, 0x6d, 0x6c, 0x50, 0x4b, 0x05, 0x06, 0x00, 0x00, 0x00,
                                 0x00, 0x01, 0x00, 0x01, 0x00, 0x36, 0x00, 0x00, 0x00, 0x2c, 0x00, 0x00, 0x00, 0x00, 0x00};
    const std::string zip(reinterpret_cast<const char*>(raw), sizeof raw);
    const auto all = [](std::string_view) { return true; };
    const auto entries = importers::read_zip(zip, "z", all, 1000);
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].content, std::string(100, 'a'));
    EXPECT_NE(complaint([&] { importers::read_zip(zip, "z", all, 50); }).find("at most 50"), std::string::npos);
    std::string damaged = zip;
    damaged[14] = '\0';  // the checksum that counts stands in the table
    EXPECT_NO_THROW(importers::read_zip(damaged, "z", all, 1000));
    damaged[44 + 16] = '\0';
    EXPECT_NE(complaint([&] { importers::read_zip(damaged, "z", all, 1000); }).find("checksum"), std::string::npos);
}

}  // namespace
}  // namespace asperity::lab
