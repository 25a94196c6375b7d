// Zip archives in memory: what the surface format .x3p is packed in.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::importers {

struct ZipEntry {
    std::string name;
    std::string content;
};

/// The entries whose names `wanted` accepts, stored or deflated. `name` stands for the file in messages. Throws
/// InputError for damaged archives (checksums are compared), encrypted or split ones, other compressions, and entries
/// larger than `limit` bytes.
std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& name, bool (*wanted)(std::string_view entry),
                               std::size_t limit);

/// An archive with all entries stored as they are.
std::string write_zip(const std::vector<ZipEntry>& entries);

/// CRC-32 of ISO 3309, as in zip archives and PNG files.
std::uint32_t crc32(std::string_view bytes);

}  // namespace asperity::importers
