#include "asperity/importers/zip.h"

#include <array>
#include <cstdint>

#include <fmt/format.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC  // for its inflate alone
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

#include "asperity/core/bytes.h"
#include "asperity/core/error.h"
#include "asperity/core/one_line.h"

// Source: APPNOTE.TXT, "ZIP File Format Specification", 6.3.4: 4.3.7 local headers, 4.3.12 central directory, 4.3.16 its
// end.
namespace asperity::importers {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;

/// Little-endian numbers at any place of the archive; a place beyond its end is a broken archive.
struct Archive {
    std::string_view bytes;
    const std::string& name;

    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(fmt::format("{}: not a zip archive that can be read: {}; is it whole?", name, why));
    }
    std::string_view part(std::size_t at, std::size_t size) const {
        if (at > bytes.size() || size > bytes.size() - at) refuse("it ends too early");
        return bytes.substr(at, size);
    }
    std::uint32_t number(std::size_t at, int size) const {
        std::uint32_t value = 0;
        const std::string_view raw = part(at, static_cast<std::size_t>(size));
        for (int i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(raw[static_cast<std::size_t>(i)]);
        return value;
    }
    /// The record at the end; a comment of up to 65535 bytes may follow it.
    std::size_t end_record() const {
        if (bytes.size() < kEndSize) refuse("it is too short");
        for (std::size_t at = bytes.size() - kEndSize;; --at) {
            if (number(at, 4) == kEnd) return at;
            if (at == 0 || bytes.size() - at > kEndSize + 65535) refuse("it has no table of contents");
        }
    }
};

void append(std::string& out, std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

/// The fields that local and central headers share: versions, flags, method, time, sizes, lengths of the name and of extras.
void append_common(std::string& out, const ZipEntry& entry) {
    append(out, 20, 2);                    // version 2.0
    append(out, 0, 2);                     // flags
    append(out, 0, 2);                     // stored
    append(out, (1u << 5 | 1u) << 16, 4);  // 1 January 1980, the first day of the format
    append(out, crc32(entry.content), 4);
    append(out, static_cast<std::uint32_t>(entry.content.size()), 4);
    append(out, static_cast<std::uint32_t>(entry.content.size()), 4);
    append(out, static_cast<std::uint32_t>(entry.name.size()), 2);
    append(out, 0, 2);
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
    static const auto table = [] {  // reflected polynomial edb88320
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t c = i;
            for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1) != 0 ? 0xedb88320U : 0U);
            t[i] = c;
        }
        return t;
    }();
    std::uint32_t crc = 0xffffffffU;
    for (const char c : bytes) crc = table[(crc ^ static_cast<std::uint8_t>(c)) & 0xff] ^ (crc >> 8);
    return ~crc;
}

std::vector<ZipEntry> read_zip(std::string_view bytes, const std::string& name, bool (*wanted)(std::string_view entry),
                               std::size_t limit) {
    const Archive zip{bytes, name};
    const std::size_t end = zip.end_record();
    const std::uint32_t count = zip.number(end + 10, 2);
    std::size_t at = zip.number(end + 16, 4);
    std::vector<ZipEntry> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (zip.number(at, 4) != kCentral) zip.refuse("its table of contents is damaged");
        const std::uint32_t flags = zip.number(at + 8, 2), method = zip.number(at + 10, 2), crc = zip.number(at + 16, 4);
        const std::size_t packed = zip.number(at + 20, 4), size = zip.number(at + 24, 4);
        const std::size_t name_size = zip.number(at + 28, 2), extra = zip.number(at + 30, 2),
                          remark = zip.number(at + 32, 2);
        const std::size_t local = zip.number(at + 42, 4);
        const std::string entry(zip.part(at + kCentralSize, name_size));
        at += kCentralSize + name_size + extra + remark;
        if (!wanted(entry)) continue;
        const std::string shown = one_line(entry, 60);
        if ((flags & 1) != 0) zip.refuse(fmt::format("'{}' is encrypted", shown));
        if (size > limit) zip.refuse(fmt::format("'{}' has {} bytes, at most {} are read", shown, size, limit));
        if (zip.number(local, 4) != kLocal) zip.refuse(fmt::format("'{}' is not where its table says", shown));
        const std::size_t data = local + kLocalSize + zip.number(local + 26, 2) + zip.number(local + 28, 2);
        const std::string_view content = zip.part(data, packed);
        ZipEntry& out = entries.emplace_back(ZipEntry{entry, {}});
        if (method == 0) {
            if (packed != size) zip.refuse(fmt::format("'{}' has two different sizes", shown));
            out.content = content;
        } else if (method == 8) {
            // Deflate packs 1032 to 1 at best; more is a damaged size, which must not be allocated.
            if (size > packed * 1032 + 64) zip.refuse(fmt::format("'{}' has an impossible size", shown));
            out.content.resize(size);
            // stb reads ahead of the last code, as far as the checksum that ends a zlib stream.
            const std::string padded = std::string(content) + std::string(4, '\0');
            if (stbi_zlib_decode_noheader_buffer(out.content.data(), static_cast<int>(size), padded.data(),
                                                 static_cast<int>(padded.size())) != static_cast<int>(size))
                zip.refuse(fmt::format("'{}' cannot be unpacked", shown));
        } else {
            zip.refuse(fmt::format("'{}' is compressed by method {}, known are stored and deflated", shown, method));
        }
        if (crc32(out.content) != crc) zip.refuse(fmt::format("the checksum of '{}' is wrong", shown));
    }
    return entries;
}

std::string write_zip(const std::vector<ZipEntry>& entries) {
    std::string out, table;
    for (const ZipEntry& entry : entries) {
        const auto local = static_cast<std::uint32_t>(out.size());
        append(out, kLocal, 4);
        append_common(out, entry);
        out += entry.name + entry.content;
        append(table, kCentral, 4);
        append(table, 20, 2);  // made by version 2.0
        append_common(table, entry);
        append(table, 0, 2);  // remark
        append(table, 0, 2);  // disk
        append(table, 0, 2);  // internal attributes
        append(table, 0, 4);  // external attributes
        append(table, local, 4);
        table += entry.name;
    }
    const auto first = static_cast<std::uint32_t>(out.size()), size = static_cast<std::uint32_t>(table.size());
    const auto count = static_cast<std::uint32_t>(entries.size());
    out += table;
    append(out, kEnd, 4);
    append(out, 0, 4);  // disks
    append(out, count, 2);
    append(out, count, 2);
    append(out, size, 4);
    append(out, first, 4);
    append(out, 0, 2);  // remark
    return out;
}

}  // namespace asperity::importers
