// Seeds from the command line of a soak.
#pragma once
#include <charconv>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::soak {

/// Throws InputError if `text` is not a whole number.
inline std::uint64_t seed_number(const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || read != end) throw InputError(fmt::format("a seed is a whole number, not '{}'", text));
    return value;
}

}  // namespace asperity::soak
