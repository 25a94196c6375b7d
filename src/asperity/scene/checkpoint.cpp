#include "asperity/scene/checkpoint.h"

#include <fmt/format.h>
#include <cmath>

#include "asperity/core/bytes.h"
#include "asperity/core/files.h"
#include "asperity/core/hash.h"

namespace asperity::scene {
namespace {

constexpr std::string_view kMagic = "\211ASC\r\n\032\n", kOldMagic = "ASPCHKP";  // old: up to version 4
constexpr std::uint32_t kVersion = 7;
constexpr std::size_t kHeader = 8 + 4 + 8 + 8;
constexpr std::size_t kLargest = std::size_t{1} << 34;  // 16 GiB; read_file() needs a bound
constexpr std::string_view kRemedy = "start the run again without --resume";

}  // namespace

std::string to_bytes(const Checkpoint& c) {
    ByteWriter body;
    body.text(c.fingerprint);
    body.f64(c.wall_s);
    body.i32(c.unconverged), body.i32(c.sweeps_max);
    body.u64(c.stage_ms.size());
    for (const double ms : c.stage_ms) body.f64(ms);
    body.i32(c.newton_iterations), body.i32(c.halved_steps), body.i32(c.friction_misses);
    body.f64(c.gap_min);
    for (const double ms : c.part_ms) body.f64(ms);
    body.f64(c.last_frame_time);
    for (const std::string* part : {&c.watch, &c.state, &c.files, &c.frame}) body.text(*part);
    ByteWriter out;
    out.bytes = kMagic;
    out.u32(kVersion);
    out.u64(body.bytes.size());
    out.u64(checksum(body.bytes));
    return out.bytes + body.bytes;
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    const std::string bytes = read_file(path, kLargest), file = path.string();
    if (bytes.starts_with(kOldMagic))
        throw InputError(fmt::format("{}: checkpoint of an older version than {}, which this program reads; {}", file,
                                     kVersion, kRemedy));
    if (!bytes.starts_with(kMagic) || bytes.size() < kHeader)
        throw InputError(fmt::format("{}: not a checkpoint, or truncated; {}", file, kRemedy));
    ByteReader in(bytes, file, "checkpoint", kRemedy);
    in.take(kMagic.size());
    if (const std::uint32_t version = in.u32(); version != kVersion)
        throw InputError(fmt::format("{}: checkpoint of version {}, but this program reads version {}; {}", file, version,
                                     kVersion, kRemedy));
    const std::uint64_t size = in.u64(), sum = in.u64();
    if (size != in.remaining()) in.fail(fmt::format("{} bytes instead of {}", in.remaining(), size));
    if (sum != checksum(std::string_view(bytes).substr(kHeader))) in.fail("the checksum does not match");

    Checkpoint c;
    c.fingerprint = in.text();
    c.wall_s = in.f64();
    c.unconverged = in.i32(), c.sweeps_max = in.i32();
    if (in.u64() != c.stage_ms.size()) in.fail("it times other passes than this program has");
    for (double& ms : c.stage_ms) ms = in.f64();
    c.newton_iterations = in.i32(), c.halved_steps = in.i32(), c.friction_misses = in.i32();
    c.gap_min = in.f64();
    for (double& ms : c.part_ms) ms = in.f64();
    c.last_frame_time = in.f64();
    for (std::string* part : {&c.watch, &c.state, &c.files, &c.frame}) *part = in.text();
    if (in.remaining() != 0) in.fail(fmt::format("{} bytes too many", in.remaining()));
    bool sound = std::isfinite(c.wall_s) && c.wall_s >= 0 && c.unconverged >= 0 && c.sweeps_max >= 0 &&
                 std::isfinite(c.last_frame_time);
    for (const double ms : c.stage_ms) sound = sound && std::isfinite(ms);
    for (const double ms : c.part_ms) sound = sound && std::isfinite(ms);
    sound = sound && c.newton_iterations >= 0 && c.halved_steps >= 0 && c.friction_misses >= 0 && !(c.gap_min < 0) &&
            !std::isnan(c.gap_min);
    if (!sound) in.fail("a time or a counter that is negative or not finite");
    return c;
}

bool looks_like_checkpoint(const std::filesystem::path& path) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file) return false;
    char start[8] = {};
    const std::size_t got = std::fread(start, 1, sizeof start, file);
    std::fclose(file);
    const std::string_view bytes(start, got);
    return bytes == kMagic || bytes.starts_with(kOldMagic);
}

}  // namespace asperity::scene
