#include "asperity/record/recording.h"

#include <gtest/gtest.h>

#include <optional>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/core/hash.h"
#include "asperity/core/random.h"
#include "asperity/record/check.h"
#include "asperity/record/detail/bytes.h"
#include "asperity/record/recording_file.h"
#include "tests/unit/record/deformable_sample.h"
#include "tests/unit/record/sample.h"

namespace asperity::record {
namespace {

/// The content of a file with one chunk of frames, taken apart, so that a test can damage the parts and seal them again.
struct Parts {
    std::string head, frames, index;  // payloads

    explicit Parts(const std::string& bytes) {
        ByteReader in(bytes, "x.asp");
        in.take(12);
        for (std::string* part : {&head, &frames, &index}) {
            in.take(16);
            const std::uint64_t size = in.u64();
            in.take(24);
            *part = in.take(size);
        }
    }
    /// A whole file with valid checksums. The index is made anew for one chunk of `count` frames.
    std::string sealed(std::uint32_t count, double first_time, double last_time) const {
        ByteWriter out;
        out.bytes = std::string("\211ASP\r\n\032\n", 8);
        out.u32(9);
        put(out, 0x44414548, 0, 0, 0, head);
        const std::size_t begin = out.bytes.size() + 48;
        const std::uint64_t sum = put(out, 0x4d415246, count, first_time, last_time, frames);
        ByteWriter list;
        list.u64(count), list.u64(1);
        list.u64(begin), list.u64(frames.size()), list.u64(0), list.u32(count);
        list.f64(first_time), list.f64(last_time), list.u64(sum);
        ByteWriter end;
        end.u64(out.bytes.size());
        end.u64(checksum(end.bytes));
        put(out, 0x58444e49, 0, 0, 0, list.bytes);
        return out.bytes + end.bytes + "\nASPEND\n";
    }

  private:
    using ByteReader = detail::ByteReader;
    using ByteWriter = detail::ByteWriter;
    static std::uint64_t put(ByteWriter& out, std::uint32_t kind, std::uint32_t count, double first, double last,
                             const std::string& payload) {
        ByteWriter header;
        header.u32(kind), header.u32(count), header.u64(0), header.u64(payload.size());
        header.f64(first), header.f64(last);
        Hash hash;
        hash.add(checksum(header.bytes));
        hash.add(checksum(payload));
        out.bytes += header.bytes;
        out.u64(hash.value());
        out.bytes += payload;
        return hash.value();
    }
};

std::string file_bytes(const Recording& recording) {
    TemporaryFolder folder;
    save(recording, folder / "file.asp");
    return read_file(folder / "file.asp");
}

Recording from_bytes(const std::string& bytes) {
    const RecordingFile file(bytes, "x.asp");
    Recording recording = file.head();
    for (std::size_t i = 0; i < file.size(); ++i) recording.frames.push_back(file.at(i));
    return recording;
}

TEST(Recording, ComesBackFromItsFileWithTheSameBits) {
    TemporaryFolder folder;
    const Recording before = sample_recording();
    save(before, folder / "a.asp");
    const Recording after = load(folder / "a.asp");
    save(after, folder / "b.asp");
    EXPECT_EQ(read_file(folder / "a.asp"), read_file(folder / "b.asp"));

    // Equal bytes could both lack a field, so check one field of each kind.
    EXPECT_EQ(after.title, before.title);
    ASSERT_EQ(after.materials.size(), 2u);
    EXPECT_EQ(after.materials[1].name, before.materials[1].name);
    EXPECT_EQ(after.materials[1].density, 700);
    EXPECT_EQ(after.materials[1].mu, 0.4);
    EXPECT_FALSE(after.materials[1].restitution);
    EXPECT_EQ(after.materials[1].grain, before.materials[1].grain);
    EXPECT_EQ(after.materials[1].surface_velocity, before.materials[1].surface_velocity);
    EXPECT_TRUE(after.materials[0].appearance.checker);
    EXPECT_EQ(after.materials[1].appearance.color, before.materials[1].appearance.color);
    EXPECT_EQ(after.materials[1].appearance.metallic, 0.25);
    EXPECT_EQ(after.materials[1].appearance.texture_size, 0.5);
    ASSERT_EQ(after.bodies.size(), 3u);
    EXPECT_EQ(after.bodies[1].name, "mover, left");
    EXPECT_EQ(after.bodies[2].motion, rigid::Motion::Kinematic);
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(after.bodies[i].colliders.size(), before.bodies[i].colliders.size());
        for (std::size_t k = 0; k < before.bodies[i].colliders.size(); ++k) {
            const rigid::Collider &a = after.bodies[i].colliders[k], &b = before.bodies[i].colliders[k];
            EXPECT_EQ(a.shape.index(), b.shape.index());
            EXPECT_EQ(a.local, b.local);
            EXPECT_EQ(a.material, b.material);
        }
    }
    EXPECT_TRUE(after.bodies[0].slopes.empty());
    ASSERT_EQ(after.bodies[1].slopes.size(), 4u);
    EXPECT_EQ(after.bodies[1].slopes[0].map, nullptr);
    EXPECT_EQ(after.bodies[1].slopes[1].map, after.bodies[1].slopes[2].map) << "one map, once";
    EXPECT_EQ(after.bodies[1].slopes[1].map->width, 3);
    EXPECT_EQ(after.bodies[1].slopes[1].map->height, 2);
    EXPECT_EQ(after.bodies[1].slopes[1].map->slopes[4].y, -0.5f);
    EXPECT_EQ(after.bodies[1].slopes[1].map->slopes[5].x, 0) << "what does not count is kept as it is drawn";
    EXPECT_EQ(after.bodies[1].slopes[2].offset.y, 0.75);
    EXPECT_EQ(after.bodies[1].slopes[3].tile, 0.25);
    EXPECT_EQ(std::get<geometry::Box>(after.bodies[1].colliders[0].shape).half, (Vec3{0.1, 0.2, 0.3}));
    EXPECT_EQ(std::get<geometry::Capsule>(after.bodies[2].colliders[0].shape).half_length, 0.2);
    EXPECT_EQ(std::get<geometry::Cylinder>(after.bodies[2].colliders[1].shape).half_height, 0.2);
    ASSERT_EQ(after.links.size(), 2u);
    EXPECT_EQ(after.links[1].body_a, -1);
    EXPECT_EQ(after.links[1].local_a, (Vec3{0, 0, 2}));
    ASSERT_TRUE(after.view);
    EXPECT_EQ(after.view->eye, (Vec3{3, -4, 2}));
    EXPECT_EQ(after.view->field_of_view_deg, 40);
    ASSERT_EQ(after.frames.size(), 11u);
    EXPECT_EQ(after.frames[7].time, before.frames[7].time);
    EXPECT_EQ(after.frames[7].poses, before.frames[7].poses);
    EXPECT_EQ(after.frames[7].velocities, before.frames[7].velocities);
    EXPECT_EQ(after.frames[7].angular_velocities, before.frames[7].angular_velocities);
    ASSERT_EQ(after.frames[7].contacts.size(), 2u);
    EXPECT_EQ(after.frames[7].contacts[0].force, before.frames[7].contacts[0].force);
    EXPECT_EQ(after.frames[7].contacts[0].mu_b, 0.6);
    EXPECT_EQ(after.frames[7].contacts[0].face_b, 5);
    EXPECT_EQ(after.frames[7].contacts[0].uv_a.x, 0.25);
    EXPECT_EQ(after.frames[7].contacts[0].uv_b.y, 0.125);
    EXPECT_EQ(after.frames[7].contacts[0].gap, -1e-5);
    EXPECT_EQ(after.frames[7].contacts[0].spin_torque, 0.002);
    EXPECT_EQ(after.frames[7].contacts[0].margin, 0.25);
    EXPECT_EQ(after.frames[7].contacts[0].limit, 3);
    EXPECT_EQ(after.frames[7].contacts[0].spare, 0.5);
    EXPECT_EQ(after.frames[7].contacts[0].creep_bound, 1e-9);
    EXPECT_EQ(after.frames[7].contacts[1].body_a, -1);
    EXPECT_EQ(after.frames[7].contacts[1].patch, -1);
}

TEST(Recording, KeepsPatchesAndWhichPointsAreTheirs) {
    TemporaryFolder folder;
    Recording before = sample_recording();
    Frame& frame = before.frames[7];
    frame.patches = {{.body_a = 0, .body_b = 1},
                     {.body_a = 0,
                      .body_b = 1,
                      .force = {1, 2, 3},
                      .torque = {4, 5, 6},
                      .pressure = {7, 8, 9},
                      .spin_torque = 10,
                      .outline = {{1, 0, 0}, {0, 1, 0}}}};
    frame.contacts[0].patch = 1;
    save(before, folder / "r.asp");
    const Frame after = load(folder / "r.asp").frames[7];
    EXPECT_EQ(after.contacts[0].patch, 1);
    ASSERT_EQ(after.patches.size(), 2u);
    EXPECT_EQ(after.patches[1].force, (Vec3{1, 2, 3}));
    EXPECT_EQ(after.patches[1].torque, (Vec3{4, 5, 6}));
    EXPECT_EQ(after.patches[1].pressure, (Vec3{7, 8, 9}));
    EXPECT_EQ(after.patches[1].spin_torque, 10);
    EXPECT_EQ(after.patches[1].outline.size(), 2u);
}

TEST(Recording, KeepsMeshesWithAllThatTheirCornersCarry) {
    const auto triangles = [](const Recording& r) {
        return std::get<geometry::Mesh>(r.bodies[2].colliders[2].shape).triangles;
    };
    Recording r = sample_recording();
    r.bodies[2].colliders.push_back(r.bodies[2].colliders[2]);
    const Recording again = from_bytes(file_bytes(r));
    const auto &before = *triangles(r), &after = *triangles(again);
    EXPECT_EQ(before.positions, after.positions);
    EXPECT_EQ(before.triangles, after.triangles);
    EXPECT_EQ(before.normals, after.normals);
    EXPECT_EQ(before.tangents, after.tangents);
    ASSERT_EQ(before.uvs.size(), after.uvs.size());
    for (std::size_t i = 0; i < before.uvs.size(); ++i) EXPECT_EQ(length(before.uvs[i] - after.uvs[i]), 0);
    EXPECT_EQ(before.integrals.volume, after.integrals.volume);
    EXPECT_EQ(triangles(again), std::get<geometry::Mesh>(again.bodies[2].colliders[3].shape).triangles);
}

TEST(Recording, StoresEqualHullsOnce) {
    TemporaryFolder folder;
    Recording r = sample_recording();
    save(r, folder / "a.asp");
    const Recording loaded = load(folder / "a.asp");
    const auto hull = [](const rigid::Collider& c) { return std::get<geometry::Hull>(c.shape).polyhedron; };
    EXPECT_NE(hull(r.bodies[1].colliders[2]), hull(r.bodies[1].colliders[3])) << "the sample should hold two objects";
    EXPECT_EQ(hull(loaded.bodies[1].colliders[2]), hull(loaded.bodies[1].colliders[3]));
    EXPECT_EQ(hull(loaded.bodies[1].colliders[2])->loop, hull(r.bodies[1].colliders[2])->loop);

    // A hundred more equal stones add only their colliders (61 bytes and a hull number), not a hundred polyhedra.
    const auto small = std::filesystem::file_size(folder / "a.asp");
    for (int i = 0; i < 100; ++i) r.bodies[2].colliders.push_back({geometry::Hull{cube(0.05)}, {}, {}});
    save(r, folder / "b.asp");
    EXPECT_EQ(std::filesystem::file_size(folder / "b.asp") - small, 100u * (1 + 4 + 56 + 4));
}

TEST(Recording, MayBeEmptyAndMayHoldARunThatBlewUp) {
    TemporaryFolder folder;
    save(Recording{}, folder / "empty.asp");
    EXPECT_TRUE(load(folder / "empty.asp").frames.empty());
    Recording r = sample_recording();
    r.frames[5].poses[1].position.x = std::numeric_limits<double>::quiet_NaN();
    r.frames[5].velocities.clear();
    save(r, folder / "nan.asp");
    const Recording loaded = load(folder / "nan.asp");
    EXPECT_TRUE(std::isnan(loaded.frames[5].poses[1].position.x));
    EXPECT_TRUE(loaded.frames[5].velocities.empty());
    EXPECT_EQ(loaded.frames[5].angular_velocities.size(), 3u);
}

TEST(Recording, IsRefusedByNameWhenItIsNotSound) {
    TemporaryFolder folder;
    const auto why = [&](auto damage) {
        Recording r = sample_recording();
        damage(r);
        EXPECT_FALSE(defect(r).empty());
        const std::string message = message_of([&] { save(r, folder / "x.asp"); });
        EXPECT_FALSE(std::filesystem::exists(folder / "x.asp"));
        return message;
    };
    using testing::internal::RE;
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.bodies[1].colliders[0].material = MaterialId{2}; }),
                                 RE("body 1 has material 2 of 2")));
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.bodies[1].colliders[0].material = MaterialId{-1}; }),
                                 RE("material -1 of 2")));
    const auto break_hull = [](Recording& r) {
        auto hull = geometry::box_polyhedron({1, 1, 1});
        hull.loop[3] = -1;
        r.bodies[1].colliders[0].shape = geometry::Hull{std::make_shared<geometry::Polyhedron>(hull)};
    };
    EXPECT_TRUE(RE::PartialMatch(why(break_hull), RE("a face corner at vertex -1 of 8")));
    EXPECT_TRUE(
        RE::PartialMatch(why([](Recording& r) { r.frames[3].poses.pop_back(); }), RE("frame 3 has 2 poses for 3 bodies")));
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.frames[4].time = 0; }), RE("frame 4 has time 0 after 0.3")));
    EXPECT_TRUE(
        RE::PartialMatch(why([](Recording& r) { r.bodies[1].colliders[1].shape = geometry::Sphere{-1}; }), RE("radius -1")));
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.links[0].body_b = 3; }), RE("link 0")));
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.view->target = r.view->eye; }), RE("view")));
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.frames[2].contacts[0].body_a = -2; }), RE("contact")));
    EXPECT_TRUE(
        RE::PartialMatch(why([](Recording& r) { r.frames[2].contacts[0].patch = 0; }), RE("a contact in patch 0 of 0")));
    EXPECT_TRUE(
        RE::PartialMatch(why([](Recording& r) { r.bodies[1].slopes.pop_back(); }), RE("3 normal maps for 4 shapes")));
    EXPECT_TRUE(RE::PartialMatch(why([](Recording& r) { r.bodies[1].slopes[1].tile = 0; }), RE("tile size")));
}

TEST(Recording, SaysWhatIsWrongWithAFileThatIsNoRecording) {
    TemporaryFolder folder;
    const auto why = [&](const std::string& content) {
        write_file(folder / "x.asp", content);
        const std::string message = message_of([&] { load(folder / "x.asp"); });
        EXPECT_EQ(message.find('\n'), std::string::npos);
        EXPECT_NE(message.find("x.asp: "), std::string::npos);
        return message;
    };
    save(sample_recording(), folder / "good.asp");
    const std::string good = read_file(folder / "good.asp");
    EXPECT_NE(why("").find("not a recording"), std::string::npos);
    EXPECT_NE(why("time,body,px\n0,block,1\n and more of the same").find("not a recording"), std::string::npos);
    EXPECT_NE(why(good.substr(0, good.size() - 1)).find("its end is missing"), std::string::npos);
    EXPECT_NE(why(good + "x").find("its end is missing"), std::string::npos);
    Parts longer(good);
    longer.frames += 'x';
    EXPECT_NE(why(longer.sealed(11, 0, 1)).find("1 bytes too many"), std::string::npos);
    std::string newer = good, flipped = good;
    newer[8] = 99;
    flipped[good.size() / 2] ^= 1;
    EXPECT_NE(why(newer).find("version 99"), std::string::npos);
    EXPECT_NE(why(flipped).find("checksum"), std::string::npos);
    EXPECT_NE(message_of([&] { load(folder / "absent.asp"); }).find("no such file"), std::string::npos);
}

class DamagedRecording : public testing::TestWithParam<bool> {
  protected:
    static Recording sample() { return GetParam() ? deformable_recording() : sample_recording(); }
};
INSTANTIATE_TEST_SUITE_P(All, DamagedRecording, testing::Bool(),
                         [](const auto& one) { return one.param ? "Deformable" : "Rigid"; });

TEST_P(DamagedRecording, IsRefusedAtEveryTruncation) {
    Recording r = sample();
    r.frames.resize(2);
    const std::string good = file_bytes(r);
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_THROW(from_bytes(good.substr(0, size)), InputError) << "cut to " << size;
    // With matching checksums the parser itself must detect the damage.
    for (std::string Parts::*part : {&Parts::head, &Parts::frames})
        for (std::size_t size = 0; size < (Parts(good).*part).size(); ++size) {
            Parts cut(good);
            (cut.*part).resize(size);
            EXPECT_THROW(from_bytes(cut.sealed(2, r.frames[0].time, r.frames[1].time)), InputError) << "sealed, " << size;
        }
}

TEST_P(DamagedRecording, IsNoticedAtEveryFlippedBit) {
    Recording r = sample();
    r.frames.resize(2);
    const std::string good = file_bytes(r);
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string bytes = good;
        bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
        EXPECT_THROW(from_bytes(bytes), InputError) << "byte " << i;
    }
}

TEST_P(DamagedRecording, BehindValidChecksumsIsReadOrRefused) {
    Recording r = sample();
    r.frames.resize(3);  // small, so that most changed bytes are lengths, tags and indices
    const Parts good(file_bytes(r));
    Random random(7);
    int refused = 0, read = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Parts parts = good;
        std::string& bytes = trial % 2 == 0 ? parts.head : parts.frames;
        const int flips = 1 + random.below(4);
        for (int i = 0; i < flips; ++i) {
            const auto at = static_cast<std::size_t>(random.below(static_cast<int>(bytes.size())));
            // Changes whole bytes, single bits, and to extreme values: lengths become huge, indices negative, numbers not
            // finite.
            const int kind = random.below(3);
            if (kind == 0)
                bytes[at] = static_cast<char>(random.below(256));
            else if (kind == 1)
                bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
            else
                bytes[at] = '\xff';
        }
        if (trial % 8 < 2) bytes.resize(static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()))));
        try {
            const Recording loaded = from_bytes(parts.sealed(3, r.frames[0].time, r.frames[2].time));
            EXPECT_EQ(defect(loaded), "") << "trial " << trial;
            ++read;
        } catch (const InputError&) {
            ++refused;
        }  // any other exception, such as std::bad_alloc or std::length_error, fails the test
    }
    EXPECT_GE(refused, 5000) << "the truncated quarter at least";
    EXPECT_GT(read, 1000) << "flipped coordinates are still numbers: the parser was reached";
}

/// A long recording whose frames lie in several chunks.
Recording long_recording(int frames) {
    Recording r = sample_recording();
    const Frame sample = r.frames[7];
    r.frames.clear();
    for (int i = 0; i < frames; ++i) {
        r.frames.push_back(sample);
        r.frames.back().time = 0.01 * i;
        r.frames.back().poses[1].position.x = i;
    }
    return r;
}

TEST(RecordingFile, FindsAnyFrameInItsChunk) {
    TemporaryFolder folder;
    const Recording r = long_recording(2000);
    save(r, folder / "long.asp");
    EXPECT_GT(std::filesystem::file_size(folder / "long.asp"), std::size_t{4} << 18) << "too short for several chunks";
    const RecordingFile file(folder / "long.asp");
    ASSERT_EQ(file.size(), 2000u);
    Random random(3);
    for (int trial = 0; trial < 100; ++trial) {
        const auto i = static_cast<std::size_t>(random.below(2000));
        EXPECT_EQ(file.at(i).poses[1].position.x, static_cast<double>(i));
        EXPECT_EQ(file.nearest(r.frames[i].time + 0.004), i);
    }
    EXPECT_EQ(file.nearest(-1), 0u);
    EXPECT_EQ(file.nearest(1e9), 1999u);
    EXPECT_THROW(file.at(2000), InputError);
}

// A writer that stops anywhere and continues from what save() gave makes the same file as one that never stops.
TEST(RecordingFile, IsTheSameHoweverOftenItsWriterStops) {
    TemporaryFolder folder;
    const Recording r = long_recording(2000);
    save(r, folder / "whole.asp");
    std::string saved;
    for (std::size_t begin = 0; begin < r.frames.size(); begin += 331) {
        std::optional<RecordingWriter> writer;
        if (begin == 0) {
            writer.emplace(r, folder / "parts.asp");
        } else {
            ASSERT_EQ(RecordingWriter::objection(r, folder / "parts.asp", saved), "");
            writer.emplace(r, folder / "parts.asp", saved);
        }
        for (std::size_t i = begin; i < std::min(begin + 331, r.frames.size()); ++i) writer->add(r.frames[i]);
        saved = writer->save();
        if (begin + 331 >= r.frames.size()) writer->finish();
        if (begin == 331) writer->add(r.frames.back());  // lost: it comes after save()
    }
    EXPECT_TRUE(read_file(folder / "parts.asp") == read_file(folder / "whole.asp"));
}

TEST(RecordingFile, OfAnotherRunIsNotContinued) {
    TemporaryFolder folder;
    const Recording r = long_recording(2000);
    std::string saved;
    {
        RecordingWriter writer(r, folder / "a.asp");
        for (std::size_t i = 0; i < 1500; ++i) writer.add(r.frames[i]);
        saved = writer.save();
    }
    const auto objection = [&](const Recording& head) { return RecordingWriter::objection(head, folder / "a.asp", saved); };
    EXPECT_EQ(objection(r), "");
    Recording other = r;
    other.title = "another";
    EXPECT_NE(objection(other).find("another scene"), std::string::npos);
    std::string bytes = read_file(folder / "a.asp");
    bytes[bytes.size() / 2] ^= 1;
    write_file(folder / "a.asp", bytes);
    EXPECT_NE(objection(r).find("damaged at byte"), std::string::npos);
    Recording moved = r;
    moved.frames[0].poses[0].position.x += 1;
    {
        RecordingWriter writer(moved, folder / "a.asp");
        for (std::size_t i = 0; i < 1500; ++i) writer.add(moved.frames[i]);
        writer.save();
    }
    EXPECT_NE(objection(r).find("another run"), std::string::npos);
}

}  // namespace
}  // namespace asperity::record
