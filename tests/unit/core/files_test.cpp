// Files are complete or absent, whatever fails.
#include "asperity/core/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
  protected:
    Files() : folder_(fs::temp_directory_path() / fmt::format("asperity_files_{}", ::getpid())) {
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    ~Files() override { fs::remove_all(folder_); }
    size_t count() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    fs::path folder_;
};

template <class Action>
std::string complaint(const Action& action) {
    try {
        action();
    } catch (const InputError& error) { return error.what(); }
    return "";
}
bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(Files, ComeBackAsTheyWereWritten) {
    std::string text = "line\n";
    text += '\0';
    text += "\xff end";
    write_file(folder_ / "a", text);
    EXPECT_EQ(read_file(folder_ / "a"), text);
    write_file(folder_ / "a", "");
    EXPECT_EQ(read_file(folder_ / "a"), "");
    EXPECT_EQ(count(), 1u);  // no temporary file is left
}

TEST_F(Files, GrowingOneAppearsOnlyWhenFinished) {
    write_file(folder_ / "a", "old");
    {
        GrowingFile file(folder_ / "a");
        file.write("new, ");
        EXPECT_EQ(read_file(folder_ / "a"), "old");
        file.write("longer");
        file.finish();
    }
    EXPECT_EQ(read_file(folder_ / "a"), "new, longer");
    EXPECT_EQ(count(), 1u);
}

TEST_F(Files, AbandonedOneVanishesAndTheOldOneStays) {
    write_file(folder_ / "a", "old");
    { GrowingFile(folder_ / "a").write("half"); }
    EXPECT_EQ(read_file(folder_ / "a"), "old");
    EXPECT_EQ(count(), 1u);
}

TEST_F(Files, StreamGoesOnWhereItWasFlushed) {
    {
        StreamFile file(folder_ / "a");
        file.buffer += "one\n";
        file.flush();
        EXPECT_EQ(file.size(), 4u);
        EXPECT_TRUE(is_being_written(folder_ / "a"));
        EXPECT_TRUE(mentions(complaint([&] { StreamFile second(folder_ / "a"); }), "another run writes to it"));
        file.buffer += "lost";
    }
    EXPECT_FALSE(is_being_written(folder_ / "a"));
    EXPECT_EQ(read_file(folder_ / "a"), "one\n");
    EXPECT_TRUE(mentions(complaint([&] { StreamFile file(folder_ / "a", 5); }), "shorter"));
    {
        StreamFile file(folder_ / "a", 4);
        file.buffer += "two\n";
        file.flush();
    }
    { StreamFile file(folder_ / "a", 6); }
    EXPECT_EQ(read_file(folder_ / "a"), "one\ntw");
    { StreamFile file(folder_ / "a"); }
    EXPECT_EQ(read_file(folder_ / "a"), "");
}

TEST_F(Files, StaleTemporariesAreThoseOfDeadProcesses) {
    for (const char* name : {"a.4194305.tmp", "b.4194305.tmp.log", "c.tmp", "d.x1.tmp", ".4194305.tmp"})
        write_file(folder_ / name, "");
    write_file(folder_ / fmt::format("e.{}.tmp", ::getpid()), "");
    remove_stale_temporaries(folder_);
    EXPECT_EQ(count(), 4u);
    EXPECT_FALSE(fs::exists(folder_ / "a.4194305.tmp"));
    EXPECT_FALSE(fs::exists(folder_ / "b.4194305.tmp.log"));
}

// The name of the temporary file is predictable: a link of that name to /dev/full simulates a full disk.
TEST_F(Files, FullDiskKeepsTheOldFileAndSaysSo) {
    ASSERT_TRUE(fs::exists("/dev/full")) << "every Linux has it";
    write_file(folder_ / "a", "old");
    for (const size_t size : {size_t{10}, size_t{10'000'000}}) {  // fails in flush(), and in write()
        ASSERT_EQ(::symlink("/dev/full", (folder_ / fmt::format("a.{}.tmp", ::getpid())).c_str()), 0);
        const std::string what = complaint([&] { write_file(folder_ / "a", std::string(size, 'x')); });
        EXPECT_TRUE(mentions(what, "full")) << what;
        EXPECT_TRUE(mentions(what, (folder_ / "a").string())) << what;
        EXPECT_EQ(read_file(folder_ / "a"), "old");
        EXPECT_EQ(count(), 1u);
    }
}

TEST_F(Files, UnwritablePlaceIsNamedWithTheReason) {
    const std::string what = complaint([&] { write_file("/dev/null/x", "text"); });
    EXPECT_TRUE(mentions(what, "/dev/null/x")) << what;
    EXPECT_TRUE(mentions(what, "--out")) << what;
    EXPECT_TRUE(mentions(complaint([&] { write_file(folder_ / "no/such/folder/a", "x"); }), "no/such/folder/a"));
}

TEST_F(Files, ReadingNamesWhatIsWrong) {
    EXPECT_TRUE(mentions(complaint([&] { read_file(folder_ / "none"); }), "no such file"));
    EXPECT_TRUE(mentions(complaint([&] { read_file(folder_); }), "folder"));
    write_file(folder_ / "large", std::string(1001, 'x'));
    EXPECT_TRUE(mentions(complaint([&] { read_file(folder_ / "large", 1000); }), "larger than 1000 bytes"));
    EXPECT_EQ(read_file(folder_ / "large", 1001).size(), 1001u);
}

TEST_F(Files, OutputFolderIsMadeWithItsParentsAndStaysEmpty) {
    make_output_folder(folder_ / "a/b/c");
    EXPECT_TRUE(fs::is_directory(folder_ / "a/b/c"));
    EXPECT_TRUE(fs::is_empty(folder_ / "a/b/c"));
    write_file(folder_ / "file", "kept");
    EXPECT_TRUE(mentions(complaint([&] { make_output_folder(folder_ / "file/x"); }), "file/x"));
    EXPECT_TRUE(mentions(complaint([&] { make_output_folder(folder_ / "file"); }), "file"));
    EXPECT_EQ(read_file(folder_ / "file"), "kept");
}

}  // namespace
}  // namespace asperity
