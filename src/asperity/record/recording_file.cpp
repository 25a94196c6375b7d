#include "asperity/record/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <cerrno>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/core/hash.h"
#include "asperity/record/detail/recording_bytes.h"
#include "asperity/record/run_folder_names.h"

namespace asperity::record {
namespace {

using detail::ByteReader;
using detail::ByteWriter;
using detail::Chunk;

// As in PNG, the non-ASCII first byte and the line ends reveal a transfer in text mode.
constexpr std::string_view kMagic = "\211ASP\r\n\032\n", kEnd = "\nASPEND\n";
constexpr std::uint32_t kVersion = 9;
constexpr std::uint32_t kHead = 0x44414548, kFrames = 0x4d415246, kIndex = 0x58444e49;  // "HEAD", "FRAM", "INDX"
constexpr std::size_t kStart = 8 + 4, kChunkHeader = 4 + 4 + 8 + 8 + 2 * 8 + 8, kTrailer = 8 + 8 + 8;
constexpr std::size_t kIndexEntry = 4 * 8 + 4 + 2 * 8;
// A chunk is what a viewer must fetch and decode to show one moment. Smaller chunks lengthen the index.
constexpr std::size_t kChunkSize = std::size_t{1} << 18;  // 256 KiB

std::string start_of_file() {
    ByteWriter out;
    out.bytes = kMagic;
    out.u32(kVersion);
    return std::move(out.bytes);
}

/// The header without its checksum.
std::string header_of(std::uint32_t kind, const Chunk& chunk) {
    ByteWriter out;
    out.u32(kind), out.u32(chunk.count);
    out.u64(chunk.first_frame), out.u64(chunk.size);
    out.f64(chunk.first_time), out.f64(chunk.last_time);
    return out.bytes;
}

std::uint64_t sum_of(std::uint32_t kind, const Chunk& chunk, std::string_view payload) {
    Hash hash;
    hash.add(checksum(header_of(kind, chunk)));
    hash.add(checksum(payload));
    return hash.value();
}

std::string index_bytes(const std::vector<Chunk>& chunks, std::uint64_t frame_count) {
    ByteWriter out;
    out.u64(frame_count), out.u64(chunks.size());
    for (const Chunk& chunk : chunks) {
        out.u64(chunk.offset), out.u64(chunk.size), out.u64(chunk.first_frame), out.u32(chunk.count);
        out.f64(chunk.first_time), out.f64(chunk.last_time);
        out.u64(chunk.sum);
    }
    return std::move(out.bytes);
}

std::string head_bytes(const Recording& recording, const std::filesystem::path& path) {
    Recording head = recording;
    head.frames.clear();
    if (const std::string why = defect(head); !why.empty())
        throw InputError(fmt::format("{}: cannot save this recording: {}", path.string(), why));
    ByteWriter out;
    detail::put_head(out, head);
    return std::move(out.bytes);
}

}  // namespace

// ---- writing ----

RecordingWriter::RecordingWriter(const Recording& recording, const std::filesystem::path& path)
    : file_(path),
      head_(head_bytes(recording, path)),
      layout_(layout_of(recording)),
      last_time_(-std::numeric_limits<double>::infinity()) {
    file_.buffer += start_of_file();
    put_chunk(kHead, {}, head_);
}

namespace {

/// What save() returned.
struct Saved {
    std::uint64_t length = 0, frame_count = 0, head_sum = 0;
    double last_time = 0;
    Chunk next;
    std::vector<Chunk> chunks;
    std::string pending;
};

Saved read_saved(const std::string& bytes, const std::filesystem::path& path) {
    asperity::ByteReader in(bytes, path.string(), "checkpoint", "start the run again without --resume");
    Saved saved;
    saved.length = in.u64(), saved.frame_count = in.u64(), saved.head_sum = in.u64();
    saved.last_time = in.f64();
    saved.next.first_frame = in.u64(), saved.next.count = in.u32();
    saved.next.first_time = in.f64(), saved.next.last_time = in.f64();
    saved.chunks.resize(in.count(kIndexEntry));
    for (Chunk& chunk : saved.chunks) {
        chunk.offset = in.u64(), chunk.size = in.u64(), chunk.first_frame = in.u64(), chunk.count = in.u32();
        chunk.first_time = in.f64(), chunk.last_time = in.f64();
        chunk.sum = in.u64();
    }
    saved.pending = in.text();
    if (in.remaining() != 0) in.fail("bytes too many");
    return saved;
}

}  // namespace

RecordingWriter::RecordingWriter(const Recording& recording, const std::filesystem::path& path, const std::string& saved)
    : file_(path, read_saved(saved, path).length), head_(head_bytes(recording, path)), layout_(layout_of(recording)) {
    Saved from = read_saved(saved, path);
    chunks_ = std::move(from.chunks);
    pending_ = std::move(from.pending);
    next_ = from.next;
    frame_count_ = from.frame_count;
    last_time_ = from.last_time;
}

std::string RecordingWriter::save() {
    file_.flush();
    ByteWriter out;
    out.u64(file_.size()), out.u64(frame_count_), out.u64(checksum(head_));
    out.f64(last_time_);
    out.u64(next_.first_frame), out.u32(next_.count);
    out.f64(next_.first_time), out.f64(next_.last_time);
    out.u64(chunks_.size());
    for (const Chunk& chunk : chunks_) {
        out.u64(chunk.offset), out.u64(chunk.size), out.u64(chunk.first_frame), out.u32(chunk.count);
        out.f64(chunk.first_time), out.f64(chunk.last_time);
        out.u64(chunk.sum);
    }
    out.text(pending_);
    return std::move(out.bytes);
}

void RecordingWriter::put_chunk(std::uint32_t kind, Chunk chunk, const std::string& payload) {
    chunk.size = payload.size();
    chunk.sum = sum_of(kind, chunk, payload);
    ByteWriter sum;
    sum.u64(chunk.sum);
    file_.buffer += header_of(kind, chunk) + sum.bytes;
    chunk.offset = file_.size();
    file_.buffer += payload;
    if (kind == kFrames) chunks_.push_back(chunk);
    file_.write_if_large();
}

void RecordingWriter::end_chunk() {
    if (next_.count == 0) return;
    put_chunk(kFrames, next_, pending_);
    pending_.clear();
    next_ = {};
}

void RecordingWriter::add(const Frame& frame) {
    if (const std::string why = defect(frame, layout_, last_time_); !why.empty())
        throw InputError(fmt::format("{}: cannot save frame {}: it has {}", file_.path().string(), frame_count_, why));
    if (next_.count == 0) next_.first_frame = frame_count_, next_.first_time = frame.time;
    next_.last_time = last_time_ = frame.time;
    ++next_.count, ++frame_count_;
    ByteWriter out;
    out.bytes.swap(pending_);
    detail::put_frame(out, frame);
    out.bytes.swap(pending_);
    if (pending_.size() >= kChunkSize) end_chunk();
}

void RecordingWriter::finish() {
    end_chunk();
    const std::uint64_t offset = file_.size();
    put_chunk(kIndex, {}, index_bytes(chunks_, frame_count_));
    ByteWriter out;
    out.u64(offset);
    out.u64(checksum(out.bytes));
    out.bytes += kEnd;
    file_.buffer += out.bytes;
    file_.flush();
}

// ---- reading ----

class RecordingFile::Source {
  public:
    explicit Source(const std::filesystem::path& path) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (!std::filesystem::exists(status)) throw InputError(fmt::format("{}: no such file", path.string()));
        if (std::filesystem::is_directory(status))
            throw InputError(fmt::format("{}: is a folder, not a file", path.string()));
        file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat about {};
        if (file_ < 0 || ::fstat(file_, &about) != 0 || !S_ISREG(about.st_mode)) {
            if (file_ >= 0) ::close(file_);
            throw InputError(fmt::format("{}: cannot read: not a regular file, or no permission", path.string()));
        }
        size_ = static_cast<std::uint64_t>(about.st_size);
    }
    explicit Source(std::string_view content) : content_(content), size_(content.size()) {}
    ~Source() {
        if (file_ >= 0) ::close(file_);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::uint64_t size() const { return size_; }
    /// Up to `size` bytes; fewer at the end of the file.
    std::string read(std::uint64_t offset, std::uint64_t size) const {
        size = offset < size_ ? std::min(size, size_ - offset) : 0;
        if (file_ < 0) return std::string(content_.substr(static_cast<std::size_t>(std::min(offset, size_)), size));
        std::string bytes(size, '\0');
        std::size_t at = 0;
        while (at < bytes.size()) {
            const ssize_t got = ::pread(file_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(offset + at));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            at += static_cast<std::size_t>(got);
        }
        bytes.resize(at);
        return bytes;
    }

  private:
    std::string_view content_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

namespace {

/// A header as it is in the file; `sum` is the checksum in it. False if the bytes are too few.
bool get_header(const std::string& bytes, const std::string& name, std::uint32_t& kind, Chunk& chunk) {
    if (bytes.size() < kChunkHeader) return false;
    ByteReader in(bytes, name);
    kind = in.u32(), chunk.count = in.u32();
    chunk.first_frame = in.u64(), chunk.size = in.u64();
    chunk.first_time = in.f64(), chunk.last_time = in.f64();
    chunk.sum = in.u64();
    return true;
}

}  // namespace

RecordingFile::RecordingFile(const std::filesystem::path& path)
    : name_(path.string()), source_(std::make_unique<Source>(path)) {
    open(is_in_unfinished_folder(path));
}

RecordingFile::RecordingFile(std::string_view content, const std::string& name)
    : name_(name), source_(std::make_unique<Source>(content)) {
    open(false);
}

RecordingFile::~RecordingFile() = default;

void RecordingFile::fail(const std::string& why) const {
    throw InputError(fmt::format("{}: damaged recording: {}; copy it again, or run the scene again", name_, why));
}

void RecordingFile::open(bool may_be_cut) {
    const std::string start = source_->read(0, kStart);
    if (start.size() < kStart || !start.starts_with(kMagic))
        throw InputError(fmt::format("{}: not a recording; give the recording.asp that a run writes", name_));
    ByteReader in(std::string_view(start).substr(kMagic.size()), name_);
    if (const std::uint32_t version = in.u32(); version != kVersion)
        throw InputError(fmt::format("{}: recording of version {}, but this program reads version {}; run the scene again",
                                     name_, version, kVersion));
    std::uint32_t kind = 0;
    Chunk head;
    if (!get_header(source_->read(kStart, kChunkHeader), name_, kind, head)) fail("it is truncated");
    const std::uint64_t first = kStart + kChunkHeader;
    if (kind != kHead || head.size > source_->size() - first) fail("it is truncated within its head");
    {
        const std::string payload = source_->read(first, head.size);
        if (payload.size() != head.size || sum_of(kHead, head, payload) != head.sum)
            fail("the checksum of its head does not match");
        ByteReader bytes(payload, name_);
        head_ = detail::get_head(bytes);
        layout_ = layout_of(head_);
    }
    const std::uint64_t end = first + head.size;
    const std::string trailer = source_->size() >= end + kTrailer ? source_->read(source_->size() - kTrailer, kTrailer) : "";
    if (trailer.ends_with(kEnd))
        read_index(end);
    else if (may_be_cut)
        find_chunks();
    else
        fail("its end is missing");
}

void RecordingFile::read_index(std::uint64_t frames_begin) {
    const std::uint64_t trailer_at = source_->size() - kTrailer;
    const std::string trailer = source_->read(trailer_at, kTrailer);
    ByteReader end(trailer, name_);
    const std::uint64_t index_at = end.u64();
    if (end.u64() != checksum(std::string_view(trailer).substr(0, 8)) || index_at < frames_begin ||
        index_at > trailer_at - std::min<std::uint64_t>(trailer_at, kChunkHeader))
        fail("its end does not say where the index is");
    std::uint32_t kind = 0;
    Chunk index;
    get_header(source_->read(index_at, kChunkHeader), name_, kind, index);
    const std::uint64_t at = index_at + kChunkHeader;
    if (kind != kIndex || index.size != trailer_at - at) fail("the index does not reach to the end");
    const std::string payload = source_->read(at, index.size);
    if (payload.size() != index.size || sum_of(kIndex, index, payload) != index.sum)
        fail("the checksum of its index does not match");

    ByteReader in(payload, name_);
    frame_count_ = in.u64();
    chunks_.resize(in.count(kIndexEntry));
    std::uint64_t next = frames_begin, frame = 0;
    double time = -std::numeric_limits<double>::infinity();
    for (Chunk& chunk : chunks_) {
        chunk.offset = in.u64(), chunk.size = in.u64(), chunk.first_frame = in.u64(), chunk.count = in.u32();
        chunk.first_time = in.f64(), chunk.last_time = in.f64();
        chunk.sum = in.u64();
        if (chunk.offset != next + kChunkHeader || chunk.offset > index_at || chunk.size > index_at - chunk.offset ||
            chunk.count == 0 || chunk.first_frame != frame || !(chunk.first_time >= time) ||
            !(chunk.last_time >= chunk.first_time))
            in.fail("the index lists chunks that do not follow each other");
        next = chunk.offset + chunk.size;
        frame += chunk.count;
        time = chunk.last_time;
    }
    if (next != index_at || frame != frame_count_ || in.remaining() != 0)
        in.fail("the index does not list all chunks and frames");
}

/// Lists the whole chunks of a file without an index.
void RecordingFile::find_chunks() {
    std::uint32_t kind = 0;
    Chunk chunk;
    get_header(source_->read(kStart, kChunkHeader), name_, kind, chunk);
    std::uint64_t at = kStart + kChunkHeader + chunk.size;
    while (get_header(source_->read(at, kChunkHeader), name_, kind, chunk)) {
        chunk.offset = at + kChunkHeader;
        if (kind != kFrames || chunk.size > source_->size() - chunk.offset || chunk.first_frame != frame_count_ ||
            chunk.count == 0)
            break;
        chunks_.push_back(chunk);
        frame_count_ += chunk.count;
        at = chunk.offset + chunk.size;
    }
}

const Frame& RecordingFile::at(std::size_t i) const {
    if (i >= frame_count_)
        throw InputError(fmt::format("{}: frame {} does not exist; there are {}", name_, i, frame_count_));
    const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), i,
                                        [](std::size_t frame, const Chunk& chunk) { return frame < chunk.first_frame; });
    const auto number = static_cast<std::size_t>(after - chunks_.begin()) - 1;
    if (number != loaded_chunk_) load_chunk(number);
    return loaded_[i - static_cast<std::size_t>(chunks_[number].first_frame)];
}

void RecordingFile::load_chunk(std::size_t number) const {
    const Chunk& chunk = chunks_[number];
    loaded_chunk_ = static_cast<std::size_t>(-1);
    loaded_.clear();
    const std::string bytes = source_->read(chunk.offset - kChunkHeader, kChunkHeader + chunk.size);
    const std::string_view payload = std::string_view(bytes).substr(std::min(kChunkHeader, bytes.size()));
    ByteWriter header;
    header.bytes = header_of(kFrames, chunk);
    header.u64(chunk.sum);
    if (payload.size() != chunk.size || !bytes.starts_with(header.bytes) || sum_of(kFrames, chunk, payload) != chunk.sum)
        fail(fmt::format("the checksum of frames {} to {} does not match", chunk.first_frame,
                         chunk.first_frame + chunk.count - 1));
    ByteReader in(payload, name_);
    double time = chunk.first_time;
    for (std::uint32_t i = 0; i < chunk.count; ++i) {
        loaded_.push_back(detail::get_frame(in, layout_));
        if (const std::string why = defect(loaded_.back(), layout_, time); !why.empty())
            in.fail(fmt::format("frame {} has {}", chunk.first_frame + i, why));
        time = loaded_.back().time;
    }
    if (loaded_.front().time != chunk.first_time || time != chunk.last_time)
        in.fail(fmt::format("frame {} has another time than the index says", chunk.first_frame));
    if (in.remaining() != 0) in.fail(fmt::format("{} bytes too many", in.remaining()));
    loaded_chunk_ = number;
}

std::string RecordingWriter::objection(const Recording& recording, const std::filesystem::path& path,
                                       const std::string& saved) {
    const Saved from = read_saved(saved, path);
    if (from.head_sum != checksum(head_bytes(recording, path))) return "it shows another scene";
    const RecordingFile::Source source(path);
    if (source.size() < from.length) return "it is shorter than it was";
    std::uint32_t kind = 0;
    Chunk chunk;
    std::uint64_t at = kStart, frames = 0;
    if (source.read(0, kStart) != start_of_file()) return "it is not a recording of this version";
    double time = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= from.chunks.size(); ++i) {
        if (!get_header(source.read(at, kChunkHeader), path.string(), kind, chunk)) return "it is truncated";
        chunk.offset = at + kChunkHeader;
        if (kind != (i == 0 ? kHead : kFrames) || chunk.size > source.size() - chunk.offset ||
            sum_of(kind, chunk, source.read(chunk.offset, chunk.size)) != chunk.sum)
            return fmt::format("it is damaged at byte {}", at);
        if (i > 0) {
            const Chunk& expected = from.chunks[i - 1];
            if (expected.sum != chunk.sum || expected.offset != chunk.offset || expected.size != chunk.size ||
                expected.first_frame != frames || expected.count != chunk.count || expected.first_time != chunk.first_time ||
                expected.last_time != chunk.last_time)
                return "it belongs to another run";
            frames += chunk.count;
            time = chunk.last_time;
        }
        at = chunk.offset + chunk.size;
    }
    if (at != from.length) return "it belongs to another run";
    // The frames behind the last whole chunk, which only the checkpoint holds.
    ByteReader in(from.pending, path.string());
    const FrameLayout layout = layout_of(recording);
    for (std::uint32_t i = 0; i < from.next.count; ++i) {
        const Frame frame = detail::get_frame(in, layout);
        if (const std::string why = defect(frame, layout, time); !why.empty())
            return fmt::format("frame {} in the checkpoint has {}", frames + i, why);
        if (i == 0 && frame.time != from.next.first_time) return "the frames in the checkpoint have other times";
        time = frame.time;
    }
    if (in.remaining() != 0 || from.frame_count != frames + from.next.count ||
        (from.next.count > 0 && (from.next.first_frame != frames || from.next.last_time != time)) ||
        (from.frame_count > 0 && from.last_time != time))
        return "the frames in the checkpoint do not follow those in the file";
    return {};
}

// ---- frames ----

std::string frame_bytes(const Frame& frame) {
    ByteWriter out;
    detail::put_frame(out, frame);
    return std::move(out.bytes);
}

Frame frame_of_bytes(const std::string& bytes, const Recording& recording, const std::string& file) {
    ByteReader in(bytes, file);
    const FrameLayout layout = layout_of(recording);
    Frame frame = detail::get_frame(in, layout);
    const std::string why = defect(frame, layout, -std::numeric_limits<double>::infinity());
    if (!why.empty() || in.remaining() != 0) in.fail(why.empty() ? "bytes too many" : "a frame has " + why);
    return frame;
}

std::size_t Frames::nearest(double time) const {
    std::size_t low = 0, high = size();  // frames before `low` are earlier, those from `high` on are not
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (this->time(middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return 0;
    if (low == size()) return size() - 1;
    const double before = this->time(low - 1), after = this->time(low);
    return after - time < time - before ? low : low - 1;
}

}  // namespace asperity::record
