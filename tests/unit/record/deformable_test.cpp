// Deformable bodies and forces: surfaces, recording.asp, forces.csv, the files for ParaView.
#include "asperity/record/deformable.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <regex>

#include "asperity/core/files.h"
#include "asperity/record/check.h"
#include "asperity/record/csv.h"
#include "asperity/record/plot.h"
#include "asperity/record/recording_file.h"
#include "asperity/record/vtu.h"
#include "tests/unit/record/deformable_sample.h"
#include "tests/unit/record/sample.h"

namespace asperity::record {
namespace {

/// Volume within the surface, by the divergence theorem: positive if the triangles face outwards.
double volume_within(const DeformableMesh& mesh, const std::vector<Vec3>& nodes) {
    std::vector<Vec3> p;
    const DeformableSurface surface(mesh);
    surface.positions(nodes, p);
    double six = 0;
    for (std::size_t t = 0; t < surface.triangle_count(); ++t) six += dot(p[3 * t], cross(p[3 * t + 1], p[3 * t + 2]));
    return six / 6;
}

TEST(DeformableSurface, EnclosesTheVolumeOfItsElementsAtAllScales) {
    for (const double scale : {1e-6, 1.0, 1e6}) {
        DeformableMesh solid = two_tetrahedra(), plane = square_of_the_plane(0.2 * scale);
        for (Vec3& p : solid.rest) p *= scale;
        for (Vec3& p : plane.rest) p *= scale;
        const double unit = scale * scale * scale;
        EXPECT_NEAR(volume_within(solid, solid.rest), unit / 2, 1e-14 * unit);
        EXPECT_NEAR(volume_within(plane, plane.rest), 0.2 * unit, 1e-14 * unit) << "whichever way elements are numbered";
        plane.rest[2].x += 0.5 * scale;
        EXPECT_NEAR(volume_within(plane, plane.rest), 0.2 * 1.25 * unit, 1e-14 * unit);
    }
}

TEST(DeformableSurface, IsSmoothAcrossSlightBendsAndSharpAcrossEdges) {
    // Two squares of the plane side by side, then bent by an angle about their common edge.
    DeformableMesh strip;
    strip.rest = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {1, 0, 1}, {2, 0, 1}};
    strip.elements = {{0, 1, 4, -1}, {0, 4, 3, -1}, {1, 2, 5, -1}, {1, 5, 4, -1}};
    strip.edges = {{0, 1}, {1, 2}, {2, 5}, {5, 4}, {4, 3}, {3, 0}};
    strip.depth = 1;
    const DeformableSurface surface(strip);
    for (const double angle_deg : {0.0, 20.0, 34.0, 36.0, 60.0}) {
        std::vector<Vec3> nodes = strip.rest;
        const double a = radians(angle_deg);
        for (const std::size_t i : {2u, 5u}) nodes[i] = nodes[i - 1] + Vec3{std::cos(a), 0, std::sin(a)};
        std::vector<Vec3> corners, normals;
        surface.positions(nodes, corners);
        surface.normals(nodes, normals);
        int below = 0;
        for (std::size_t i = 0; i < normals.size(); ++i) {
            EXPECT_NEAR(length(normals[i]), 1, 1e-15);
            const std::size_t t = i - i % 3;
            const Vec3 own = normalized(cross(corners[t + 1] - corners[t], corners[t + 2] - corners[t]));
            EXPECT_GT(dot(own, normals[i]), std::cos(radians(35))) << "corner " << i;
            if (std::fabs(own.y) > 0.5) { EXPECT_NEAR(std::fabs(normals[i].y), 1, 1e-15) << "front and back are flat"; }
            if (surface.corners()[i].node != 1 || std::fabs(own.y) > 0.5) continue;
            ++below;
            // Under the bend: halfway between both sides, or each its own.
            const double x = std::sin(a), half = std::sin(0.5 * a);
            if (angle_deg < 35)
                EXPECT_NEAR(normals[i].x, half, 1e-12);
            else
                EXPECT_TRUE(std::fabs(normals[i].x) < 1e-12 || std::fabs(normals[i].x - x) < 1e-12);
        }
        EXPECT_EQ(below, 6) << "three corners on either side";
    }
}

TEST(DeformableSurface, HasFiniteNormalsWhereTheMeshHasCollapsed) {
    const DeformableMesh mesh = two_tetrahedra();
    const std::vector<Vec3> point(mesh.rest.size(), Vec3{1, 2, 3});
    std::vector<Vec3> normals;
    DeformableSurface(mesh).normals(point, normals);
    for (const Vec3& n : normals) EXPECT_NEAR(length(n), 1, 1e-15);
}

TEST(DeformableSurface, LaysTexturesOnTheRestShape) {
    const DeformableMesh plane = square_of_the_plane(0.5);
    const DeformableSurface surface(plane);
    const std::vector<Vec2> uv = surface.uvs();
    std::vector<Vec3> at;
    surface.positions(plane.rest, at);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(length(uv[i] - Vec2{at[i].x, at[i].z}), 0) << "front and back";
    EXPECT_EQ(length(surface.tile(surface::TileSize(0.25, 2)) - Vec2{0.25, 0.5}), 0)
        << "a fraction of the longest edge, 1 m";
    EXPECT_EQ(length(surface.tile(surface::TileSize::in_metres(3)) - Vec2{3, 3}), 0);
}

TEST(NodalMeans, WeighElementsByVolume) {
    const std::vector<double> means = nodal_means(two_tetrahedra(), {6, 12});
    EXPECT_NEAR(means[0], 6, 1e-14);
    EXPECT_NEAR(means[1], 10, 1e-14) << "volumes 1/6 and 1/3";
    EXPECT_NEAR(means[4], 12, 1e-14);
    EXPECT_NEAR(nodal_means(square_of_the_plane(1), {1, 3})[2], 2, 1e-15);
}

// ---- recording.asp ----

TEST(DeformableRecording, ComesBackFromItsFileWithTheSameBits) {
    TemporaryFolder folder;
    Recording before = deformable_recording();
    before.frames[3].deformations[0].positions[1].x = std::numeric_limits<double>::quiet_NaN();  // a run that diverged
    save(before, folder / "a.asp");
    const Recording after = load(folder / "a.asp");
    save(after, folder / "b.asp");
    EXPECT_EQ(read_file(folder / "a.asp"), read_file(folder / "b.asp"));
    EXPECT_EQ(after.bodies[0].deformable, nullptr);
    for (const std::size_t b : {1u, 2u}) {
        ASSERT_TRUE(after.bodies[b].deformable);
        const DeformableMesh &now = *after.bodies[b].deformable, &then = *before.bodies[b].deformable;
        EXPECT_EQ(now.rest, then.rest);
        EXPECT_EQ(now.elements, then.elements);
        EXPECT_EQ(now.triangles, then.triangles);
        EXPECT_EQ(now.edges, then.edges);
        EXPECT_EQ(now.depth, then.depth);
    }
    EXPECT_EQ(after.regions, before.regions);
    EXPECT_TRUE(after.has_forces);
    for (const std::size_t i : {0u, 7u}) {
        ASSERT_EQ(after.frames[i].deformations.size(), 2u);
        EXPECT_EQ(after.frames[i].deformations[1].body, 2);
        EXPECT_EQ(after.frames[i].deformations[0].positions, before.frames[i].deformations[0].positions);
        EXPECT_EQ(after.frames[i].deformations[0].von_mises, before.frames[i].deformations[0].von_mises);
        EXPECT_EQ(after.frames[i].deformations[0].pressure, before.frames[i].deformations[0].pressure);
    }
    EXPECT_TRUE(std::isnan(after.frames[3].deformations[0].positions[1].x));
    ASSERT_EQ(after.frames[7].forces.size(), 2u);
    EXPECT_EQ(after.frames[7].forces[1].body_a, -3);
    EXPECT_EQ(after.frames[7].forces[0].force, (Vec3{0, 0, 9.5}));
    EXPECT_EQ(after.frames[7].forces[0].torque, (Vec3{0.1, 0, 0}));
    const Frame frame = frame_of_bytes(frame_bytes(before.frames[7]), before, "x");
    EXPECT_EQ(frame.deformations[0].positions, before.frames[7].deformations[0].positions);
}

TEST(DeformableRecording, IsRefusedByNameWhenItIsNotSound) {
    TemporaryFolder folder;
    const auto expect = [&](const char* reason, auto damage) {
        Recording r = deformable_recording();
        DeformableMesh solid = *r.bodies[1].deformable, plane = *r.bodies[2].deformable;
        damage(r, solid, plane);
        r.bodies[1].deformable = std::make_shared<DeformableMesh>(solid);
        r.bodies[2].deformable = std::make_shared<DeformableMesh>(plane);
        const std::string message = message_of([&] { save(r, folder / "x.asp"); });
        EXPECT_NE(message.find(reason), std::string::npos) << message;
    };
    using R = Recording&;
    using M = DeformableMesh&;
    expect("body 1 has a deformable mesh with a node that is not finite", [](R, M s, M) { s.rest[0].x = HUGE_VAL; });
    expect("an element with node 5 of 5", [](R, M s, M) { s.elements[1][3] = 5; });
    expect("triangles and tetrahedra in one mesh", [](R, M s, M) { s.elements[1][3] = -1; });
    expect("triangles and tetrahedra in one mesh", [](R, M, M p) { p.elements[0][3] = -2; });
    expect("an element with node -1 of 4", [](R, M, M p) { p.elements[0][2] = -1; });
    expect("no elements", [](R, M s, M) { s.elements.clear(); });
    expect("no boundary triangles", [](R, M s, M) { s.triangles.clear(); });
    expect("a boundary triangle with node 9 of 5", [](R, M s, M) { s.triangles[2][1] = 9; });
    expect("a boundary edge with node -1 of 4", [](R, M, M p) { p.edges[2][1] = -1; });
    expect("boundary edges, which only", [](R, M s, M) { s.edges = {{0, 1}}; });
    expect("boundary triangles, which a mesh of the plane", [](R, M, M p) { p.triangles = {{0, 1, 2}}; });
    expect("depth 0", [](R, M, M p) { p.depth = 0; });
    expect("no collider to say its material", [](R r, M, M) { r.bodies[1].colliders.clear(); });
    expect("frame 4 has 1 deformations for 2 deformable bodies", [](R r, M, M) { r.frames[4].deformations.pop_back(); });
    expect("a deformation of body 0 in the place of body 1", [](R r, M, M) { r.frames[4].deformations[0].body = 0; });
    expect("4 positions for the 5 nodes of body 1", [](R r, M, M) { r.frames[4].deformations[0].positions.pop_back(); });
    expect("1 stresses for the 2 elements of body 1", [](R r, M, M) { r.frames[4].deformations[0].pressure.pop_back(); });
    expect("a force between bodies -4 and 1 of 3, with 2 regions", [](R r, M, M) { r.frames[4].forces[0].body_a = -4; });
    expect("a force between bodies 0 and 3 of 3", [](R r, M, M) { r.frames[4].forces[0].body_b = 3; });
    expect("a force between bodies 0 and -2 of 3", [](R r, M, M) { r.frames[4].forces[0].body_b = -2; });
    expect("a force between bodies -2147483648 and",
           [](R r, M, M) { r.frames[4].forces[0].body_a = std::numeric_limits<int>::min(); });
}

// ---- forces.csv ----

TEST(Csv, ForcesNameBodiesAndHeldRegions) {
    const Recording r = deformable_recording();
    std::string text = forces_csv_header();
    append_forces_csv(text, r, r.frames[0]);
    append_forces_csv(text, r, r.frames[2]);
    EXPECT_EQ(text,
              "time,body_a,body_b,fx,fy,fz,tx,ty,tz\n"
              "0.2,ground,jelly,0,0,9.5,0.1,0,0\n"
              "0.2,\"plate.\"\"edge\"\"\",plate,1,0,0,0,0,0\n");
}

TEST(PlotFromRun, OffersForcesOfPairs) {
    TemporaryFolder folder;
    const Recording r = deformable_recording();
    std::string text = forces_csv_header();
    for (const Frame& frame : r.frames) append_forces_csv(text, r, frame);
    write_file(folder / "forces.csv", text);
    const PlotSpec all = plot_from_run(folder.path(), {"force"});
    ASSERT_EQ(all.series.size(), 2u);
    EXPECT_EQ(all.series[0].name, "ground on jelly");
    EXPECT_EQ(all.series[1].name, "plate.\"edge\" on plate");
    EXPECT_EQ(all.y_label, "force [N]");
    EXPECT_EQ(all.series[0].y, std::vector<double>(10, 9.5));
    const PlotSpec one = plot_from_run(folder.path(), {"tx", "torque"}, "time", {"jelly"});
    ASSERT_EQ(one.series.size(), 2u);
    EXPECT_EQ(one.series[1].name, "ground on jelly torque");
    EXPECT_EQ(one.y_label, "tx, torque [N m]");
    EXPECT_NE(message_of([&] { plot_from_run(folder.path(), {"fx"}, "time", {"jely"}); }).find("did you mean 'jelly'"),
              std::string::npos);
}

// ---- files for ParaView ----

/// The arrays of a .vtu file, read as ParaView does: by the offsets in the XML, each with its size before it.
class Vtu {
  public:
    explicit Vtu(const std::filesystem::path& path) : bytes_(read_file(path)) {
        const std::size_t data = bytes_.find("<AppendedData encoding=\"raw\">\n_");
        EXPECT_NE(data, std::string::npos);
        xml_ = bytes_.substr(0, data);
        EXPECT_NE(xml_.find("byte_order=\"LittleEndian\" header_type=\"UInt64\""), std::string::npos);
        EXPECT_TRUE(bytes_.ends_with("\n</AppendedData>\n</VTKFile>\n"));
        std::size_t end = data + std::strlen("<AppendedData encoding=\"raw\">\n_");
        const std::size_t start = end;
        const std::regex tag(
            R"re(<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"/>)re");
        for (auto i = std::sregex_iterator(xml_.begin(), xml_.end(), tag); i != std::sregex_iterator(); ++i) {
            EXPECT_EQ(start + std::stoul((*i)[4]), end) << "arrays follow each other";
            const auto size = read<std::uint64_t>(end);
            arrays_[(*i)[2]] = {(*i)[1], bytes_.substr(end + 8, size)};
            end += 8 + size;
        }
        EXPECT_EQ(end + std::strlen("\n</AppendedData>\n</VTKFile>\n"), bytes_.size());
    }
    template <class T>
    std::vector<T> values(const std::string& name, const std::string& type) const {
        EXPECT_EQ(arrays_.at(name).type, type);
        std::vector<T> out(arrays_.at(name).bytes.size() / sizeof(T));
        std::memcpy(out.data(), arrays_.at(name).bytes.data(), out.size() * sizeof(T));
        return out;
    }
    bool has(const std::string& name) const { return arrays_.contains(name); }
    const std::string& xml() const { return xml_; }

  private:
    struct Array {
        std::string type, bytes;
    };
    template <class T>
    T read(std::size_t at) const {
        T value;
        std::memcpy(&value, bytes_.data() + at, sizeof value);
        return value;
    }
    std::string bytes_, xml_;
    std::map<std::string, Array> arrays_;
};

TEST(Vtu, HoldsAllBodiesOfAFrame) {
    TemporaryFolder folder;
    const Recording r = deformable_recording();
    save_vtu(r, r.frames[4], folder / "frame.vtu");
    const Vtu vtu(folder / "frame.vtu");
    EXPECT_NE(vtu.xml().find("<Piece NumberOfPoints=\"9\" NumberOfCells=\"4\">"), std::string::npos);
    const auto points = vtu.values<double>("points", "Float64");
    ASSERT_EQ(points.size(), 27u);
    EXPECT_EQ(points[12], 1 + 0.1 * 4) << "x of node 4 of the first body";
    EXPECT_EQ(points[14], 1 + 0.05 * 4);
    const auto moved = vtu.values<float>("displacement", "Float32");
    EXPECT_FLOAT_EQ(moved[0], 0.4f);
    EXPECT_FLOAT_EQ(moved[14], 0.2f);
    EXPECT_EQ(moved[26], 0);
    EXPECT_EQ(vtu.values<std::int64_t>("connectivity", "Int64"),
              (std::vector<std::int64_t>{0, 1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 5, 8, 7}));
    EXPECT_EQ(vtu.values<std::int64_t>("offsets", "Int64"), (std::vector<std::int64_t>{4, 8, 11, 14}));
    EXPECT_EQ(vtu.values<std::uint8_t>("types", "UInt8"), (std::vector<std::uint8_t>{10, 10, 5, 5}));
    EXPECT_EQ(vtu.values<std::int32_t>("body", "Int32"), (std::vector<std::int32_t>{1, 1, 2, 2}));
    const auto stress = vtu.values<float>("von_mises", "Float32"), pressure = vtu.values<float>("pressure", "Float32");
    EXPECT_EQ(stress[1], 16000);
    EXPECT_EQ(pressure[0], -200);
    EXPECT_TRUE(std::isnan(stress[2])) << "the other body has none";
    save_vtu(r, r.frames[0], folder / "first.vtu");
    EXPECT_FALSE(Vtu(folder / "first.vtu").has("von_mises"));
}

TEST(Vtu, FramesAreListedWithTheirTimesAndRemovedAgain) {
    TemporaryFolder folder;
    const Recording r = deformable_recording(3);
    EXPECT_TRUE(has_deformables(r));
    EXPECT_FALSE(has_deformables(sample_recording()));
    save_deformed(r, FramesInMemory(r.frames), folder.path());
    const std::string list = read_file(folder / "deformed.pvd");
    EXPECT_NE(list.find("<DataSet timestep=\"0.2\" part=\"0\" file=\"deformed/frame_000002.vtu\"/>"), std::string::npos)
        << list;
    EXPECT_FLOAT_EQ(Vtu(folder / "deformed/frame_000002.vtu").values<float>("displacement", "Float32")[0], 0.2f);
    write_file(folder / "deformed/notes.txt", "mine");
    write_file(folder / "deformed/frame_x00002.vtu", "mine");
    remove_deformed(folder.path());
    EXPECT_FALSE(std::filesystem::exists(folder / "deformed.pvd"));
    EXPECT_FALSE(std::filesystem::exists(folder / "deformed/frame_000000.vtu"));
    EXPECT_EQ(read_file(folder / "deformed/notes.txt"), "mine");
    EXPECT_EQ(read_file(folder / "deformed/frame_x00002.vtu"), "mine");
    std::filesystem::remove(folder / "deformed/notes.txt");
    std::filesystem::remove(folder / "deformed/frame_x00002.vtu");
    remove_deformed(folder.path());
    EXPECT_FALSE(std::filesystem::exists(folder / "deformed"));
}

}  // namespace
}  // namespace asperity::record
