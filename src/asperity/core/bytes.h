// Little-endian writer and reader. The reader checks every announced length against the remaining bytes before allocating.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);

/// Converts between native and little-endian byte order, in both directions.
template <class Unsigned>
Unsigned little_endian(Unsigned value) {
    if constexpr (std::endian::native == std::endian::little) return value;
    Unsigned turned = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
        turned = static_cast<Unsigned>((turned << 8) | ((value >> (8 * i)) & 0xff));
    return turned;
}

class ByteWriter {
  public:
    std::string bytes;

    void u8(std::uint8_t value) { bytes.push_back(static_cast<char>(value)); }
    void u32(std::uint32_t value) { put(value); }
    void i32(int value) { put(static_cast<std::uint32_t>(value)); }
    void u64(std::uint64_t value) { put(value); }
    void f64(double value) { put(std::bit_cast<std::uint64_t>(value)); }
    void text(std::string_view t) {
        u64(t.size());
        bytes.append(t);
    }

  private:
    template <class Unsigned>
    void put(Unsigned value) {
        value = little_endian(value);
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes.append(raw, sizeof raw);
    }
};

class ByteReader {
  public:
    /// Error messages name the file and what it is, such as "recording"; `remedy` ends them.
    ByteReader(std::string_view bytes, std::string file, std::string_view kind, std::string_view remedy)
        : bytes_(bytes), file_(std::move(file)), kind_(kind), remedy_(remedy) {}

    std::size_t remaining() const { return bytes_.size() - at_; }
    std::uint8_t u8() { return static_cast<std::uint8_t>(take(1)[0]); }
    std::uint32_t u32() { return get<std::uint32_t>(); }
    int i32() { return static_cast<int>(get<std::uint32_t>()); }
    std::uint64_t u64() { return get<std::uint64_t>(); }
    double f64() { return std::bit_cast<double>(get<std::uint64_t>()); }
    std::string text() { return std::string(take(count(1))); }
    std::string_view take(std::size_t size) {
        if (size > remaining()) fail("it is truncated");
        at_ += size;
        return bytes_.substr(at_ - size, size);
    }
    /// Reads a number of items. They take at least `item_size` bytes each and must fit into the remaining bytes.
    std::size_t count(std::size_t item_size) {
        const std::uint64_t n = u64();
        if (n > remaining() / item_size)
            fail(fmt::format("it announces {} items, but at most {} fit", n, remaining() / item_size));
        return static_cast<std::size_t>(n);
    }
    /// Reads 0 or 1; fails on anything else.
    bool flag() {
        const int value = u8();
        if (value > 1) fail(fmt::format("{} instead of 0 or 1", value));
        return value == 1;
    }
    [[noreturn]] void fail(std::string_view why) const {
        throw InputError(fmt::format("{}: damaged {}: {}, at byte {}; {}", file_, kind_, why, at_, remedy_));
    }

  private:
    template <class Unsigned>
    Unsigned get() {
        Unsigned value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return little_endian(value);
    }
    std::string_view bytes_;
    std::string file_, kind_, remedy_;
    std::size_t at_ = 0;
};

}  // namespace asperity
