#include <gtest/gtest.h>

#include "asperity/core/error.h"
#include "asperity/core/random.h"
#include "asperity/deform/meshes/generators.h"
#include "asperity/deform/meshes/read_msh.h"
#include "asperity/deform/meshes/read_vtu.h"
#include "tests/unit/deform/mesh_writers.h"

namespace asperity::deform {
namespace {

/// The points are numbered anew in the order of the elements: compare corner by corner.
template <int Dim>
void expect_same(const SolidMesh<Dim>& read, const SolidMesh<Dim>& written) {
    ASSERT_EQ(read.elements.size(), written.elements.size());
    EXPECT_EQ(read.points.size(), written.points.size());
    for (std::size_t e = 0; e < read.elements.size(); ++e)
        for (std::size_t a = 0; a <= Dim; ++a)
            ASSERT_EQ(read.points[static_cast<std::size_t>(read.elements[e][a])],
                      written.points[static_cast<std::size_t>(written.elements[e][a])]);
}

template <class Read>
std::string message_of(const Read& read) {
    try {
        read();
    } catch (const InputError& error) { return error.what(); }
    return "";
}

TEST(ReadMsh, RoundTripsAllVersionsInBothDimensions) {
    const SolidMesh<3> solid = ball(0.3, 5);
    const SolidMesh<2> flat = disc(0.3, 5);
    for (const bool binary : {false, true}) {
        const MarkedMesh<3> old = read_msh<3>(old_msh(solid, binary), "ball.msh");
        expect_same(old.mesh, solid);
        EXPECT_EQ(old.unused, 1);
        EXPECT_EQ(old.turned, 0);
        ASSERT_EQ(old.groups.size(), 3u);
        EXPECT_EQ(old.groups[0].name, "the top");
        EXPECT_EQ(old.groups[0].elements.size(), 0u);
        EXPECT_EQ(old.groups[0].points.size(), 3u);
        EXPECT_EQ(old.groups[1].name, "soft");
        EXPECT_EQ(old.groups[1].elements.size(), (solid.elements.size() + 1) / 2);
        EXPECT_EQ(old.groups[2].name, "7");
        EXPECT_EQ(old.groups[1].elements.size() + old.groups[2].elements.size(), solid.elements.size());
        const MarkedMesh<3> recent = read_msh<3>(new_msh(solid, binary), "ball.msh");
        expect_same(recent.mesh, solid);
        ASSERT_EQ(recent.groups.size(), 1u);
        EXPECT_EQ(recent.groups[0].name, "soft");
        EXPECT_EQ(recent.groups[0].elements.size(), (solid.elements.size() + 1) / 2);
        expect_same(read_msh<2>(old_msh(flat, binary), "disc.msh").mesh, flat);
        expect_same(read_msh<2>(new_msh(flat, binary), "disc.msh").mesh, flat);
    }
}

TEST(ReadMsh, TurnsInvertedElements) {
    SolidMesh<3> mesh = box<3>({1, 1, 1}, {1, 1, 1});
    for (auto& e : mesh.elements) std::swap(e[0], e[1]);
    EXPECT_EQ(read_msh<3>(old_msh(mesh, false), "box.msh").turned, 6);
}

TEST(ReadMsh, SaysWhatIsWrongAndWhere) {
    const std::string good = old_msh(box<3>({1, 1, 1}, {1, 1, 1}), false);
    const auto message = [&](std::string from, std::string to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        return message_of([&] { read_msh<3>(text, "m.msh"); });
    };
    EXPECT_EQ(message("2.2", "2.2"), "");
    EXPECT_NE(message("2.2 0 8", "3.0 0 8").find("m.msh:2: version 3"), std::string::npos) << message("2.2 0 8", "3.0 0 8");
    EXPECT_NE(message("$MeshFormat", "solid").find("is it a Gmsh mesh?"), std::string::npos);
    EXPECT_NE(message("13 ", "10 ").find("node 10 occurs twice"), std::string::npos) << message("13 ", "10 ");
    EXPECT_NE(message("2 4 2 5 1 ", "2 11 2 5 1 ").find("ElementOrder = 1"), std::string::npos);
    EXPECT_NE(message("2 4 2 5 1 ", "2 4 2 5 1 99 ").find("node 99 does not exist"), std::string::npos);
    EXPECT_NE(message("$EndNodes", "$EndNode").find("expected $EndNodes"), std::string::npos);
    EXPECT_NE(message_of([&] { read_msh<3>(good.substr(0, good.size() / 2), "m.msh"); }), "");
    EXPECT_NE(message_of([&] { read_msh<2>(good, "m.msh"); }).find("must lie in a plane"), std::string::npos);
    EXPECT_NE(message_of([&] { read_msh<3>(old_msh(disc(1, 4), false), "d.msh"); }).find("no tetrahedra"),
              std::string::npos);
    EXPECT_NE(message_of([&] { read_msh<3>(std::filesystem::path("/no/such/file.msh")); }), "");
}

TEST(ReadVtu, RoundTripsAllFormsInBothDimensions) {
    const SolidMesh<3> solid = ball(0.3, 5);
    const SolidMesh<2> flat = disc(0.3, 5);
    for (const VtuForm form : {VtuForm::Ascii, VtuForm::Binary, VtuForm::AppendedRaw, VtuForm::AppendedBase64})
        for (const bool wide : {false, true}) {
            const MarkedMesh<3> read = read_vtu<3>(vtu(solid, form, wide), "ball.vtu");
            expect_same(read.mesh, solid);
            ASSERT_EQ(read.groups.size(), 2u);
            EXPECT_EQ(read.groups[0].name, "region=3");
            EXPECT_EQ(read.groups[1].name, "region=8");
            EXPECT_EQ(read.groups[0].elements.size(), (solid.elements.size() + 1) / 2);
            expect_same(read_vtu<2>(vtu(flat, form, wide), "disc.vtu").mesh, flat);
        }
}

TEST(ReadVtu, SaysWhatIsWrongAndWhere) {
    const std::string good = vtu(box<3>({1, 1, 1}, {1, 1, 1}), VtuForm::Ascii, false);
    const auto message = [&](std::string from, std::string to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        return message_of([&] { read_vtu<3>(text, "m.vtu"); });
    };
    EXPECT_EQ(message("1.0", "1.0"), "");
    EXPECT_NE(message("UnstructuredGrid", "PolyData").find("m.vtu:3: type \"PolyData\""), std::string::npos)
        << message("UnstructuredGrid", "PolyData");
    EXPECT_NE(message("byte_order", "compressor=\"vtkZLibDataCompressor\" byte_order").find("compressed"),
              std::string::npos);
    EXPECT_NE(message("LittleEndian", "BigEndian").find("byte order"), std::string::npos);
    EXPECT_NE(message(" 10 10", " 12 10").find("type 12"), std::string::npos) << message(" 10 10", " 12 10");
    EXPECT_NE(message("NumberOfPoints=\"8\"", "NumberOfPoints=\"9\"").find("NumberOfPoints = 9"), std::string::npos);
    EXPECT_NE(message(" 4 8 12", " 4 3 12").find("out of order"), std::string::npos);
    EXPECT_NE(message(" -0.5", " x").find("is not a number"), std::string::npos);
    EXPECT_NE(message("<Points>", "<Punkte>"), "");
    EXPECT_NE(message_of([&] { read_vtu<3>("<html></html>", "m.vtu"); }).find("no <VTKFile>"), std::string::npos);
    EXPECT_NE(message_of([&] { read_vtu<3>("", "m.vtu"); }), "");
}

/// Bytes changed, removed or repeated: a mesh or a message, never a crash, and no exception of another kind.
TEST(MeshReaders, SurviveDamagedFiles) {
    const SolidMesh<3> mesh = box<3>({1, 2, 1}, {2, 1, 1});
    std::vector<std::string> files;
    for (const bool binary : {false, true}) files.insert(files.end(), {old_msh(mesh, binary), new_msh(mesh, binary)});
    for (const VtuForm form : {VtuForm::Ascii, VtuForm::Binary, VtuForm::AppendedRaw, VtuForm::AppendedBase64})
        files.push_back(vtu(mesh, form, false));
    Random random(5);
    int refused = 0;
    for (std::size_t f = 0; f < files.size(); ++f)
        for (int trial = 0; trial < 1500; ++trial) {
            std::string text = files[f];
            for (int k = 0; k <= trial % 3; ++k) {
                const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
                const auto length = static_cast<std::size_t>(random.below(20));
                switch (random.below(4)) {
                    case 0: text[at] = static_cast<char>(random.below(256)); break;
                    case 1: text.erase(at, length); break;
                    case 2: text.insert(at, text.substr(at / 2, length)); break;
                    default: text[at] = "0123456789-.<>/\"= "[random.below(18)];
                }
                if (text.empty()) text = " ";
            }
            if (trial % 50 == 0) text.resize(static_cast<std::size_t>(random.below(static_cast<int>(text.size()))));
            try {
                f < 4 ? read_msh<3>(text, "x") : read_vtu<3>(text, "x");
            } catch (const InputError&) { ++refused; }
        }
    EXPECT_GT(refused, 3000);
}

}  // namespace
}  // namespace asperity::deform
