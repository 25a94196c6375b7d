// recording.asp, written and read in chunks: neither needs more memory than a chunk, however long the run.
//
//   magic 8 | version u32 | chunk: head | chunk: frames | ... | chunk: index | index offset u64, checksum u64 | end magic 8
//
// A chunk is kind u32, frame count u32, number of its first frame u64, payload size u64, times of its first and last frame
// 2 x f64, checksum u64 of all before and of the payload, payload. The index lists all chunks of frames, so that a viewer
// that fetches the end of the file knows where each moment is. Everything is little-endian.
#pragma once
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "asperity/core/files.h"
#include "asperity/record/check.h"
#include "asperity/record/frames.h"

namespace asperity::record {

namespace detail {

struct Chunk {
    std::uint64_t offset = 0, size = 0;  ///< of the payload [bytes]; the header lies before it
    std::uint64_t first_frame = 0;
    std::uint32_t count = 0;               ///< frames
    double first_time = 0, last_time = 0;  ///< [s]
    std::uint64_t sum = 0;                 ///< checksum
};

}  // namespace detail

/// Appends frames. Chunks end where their size says, so an interrupted and resumed run makes the same file.
class RecordingWriter {
  public:
    /// Starts a file with the head of `recording`; its frames are not written. Throws InputError for a defect of the head.
    RecordingWriter(const Recording& recording, const std::filesystem::path& path);
    /// Continues a file from what save() returned. Check first with `fits`.
    RecordingWriter(const Recording& recording, const std::filesystem::path& path, const std::string& saved);
    /// Why a file cannot be continued from these bytes, in one line; empty if it can. Reads the file up to there.
    static std::string objection(const Recording& recording, const std::filesystem::path& path, const std::string& saved);

    void add(const Frame& frame);
    /// Flushes all whole chunks. The bytes hold the frames after them and continue the file with the second constructor.
    std::string save();
    /// The last chunk, the index and the end of the file.
    void finish();
    std::uint64_t frame_count() const { return frame_count_; }

  private:
    void put_chunk(std::uint32_t kind, detail::Chunk chunk, const std::string& payload);
    void end_chunk();

    StreamFile file_;
    std::string head_;
    FrameLayout layout_;
    std::vector<detail::Chunk> chunks_;
    std::string pending_;  // frames of the chunk that is not full
    detail::Chunk next_;
    std::uint64_t frame_count_ = 0;
    double last_time_;
};

/// One frame as it is in a chunk, and back. Throws InputError, which names `file`, for a defect.
std::string frame_bytes(const Frame& frame);
Frame frame_of_bytes(const std::string& bytes, const Recording& recording, const std::string& file);

/// A recording on disk. Opening reads the head and the index; frames are read when asked for.
class RecordingFile final : public Frames {
  public:
    /// Throws InputError for a file that RecordingWriter did not finish. In the folder of an unfinished run
    /// (run_folder_names.h) the end may be missing: then all whole chunks count.
    explicit RecordingFile(const std::filesystem::path& path);
    /// The same for the content of a file in memory, which must outlive it. `name` stands for the file in messages.
    RecordingFile(std::string_view content, const std::string& name);
    ~RecordingFile() override;

    const Recording& head() const { return head_; }  ///< without frames
    std::size_t size() const override { return static_cast<std::size_t>(frame_count_); }
    const Frame& at(std::size_t i) const override;

  private:
    friend class RecordingWriter;  // objection() reads with a Source
    class Source;
    void open(bool may_be_cut);
    void read_index(std::uint64_t end);
    void find_chunks();
    void load_chunk(std::size_t number) const;
    [[noreturn]] void fail(const std::string& why) const;

    std::string name_;
    std::unique_ptr<Source> source_;
    Recording head_;
    FrameLayout layout_;  // of its frames
    std::vector<detail::Chunk> chunks_;
    std::uint64_t frame_count_ = 0;
    mutable std::vector<Frame> loaded_;  // frames of one chunk
    mutable std::size_t loaded_chunk_ = static_cast<std::size_t>(-1);
};

}  // namespace asperity::record
