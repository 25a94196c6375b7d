// Numbers from the command line of a measurement.
#pragma once
#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::bench {

/// The number that all of `text` stands for. Throws InputError, with the option's name `key`, if it is not a whole number
/// from `low` to `high`.
inline int whole_number(std::string_view key, const std::string& text, int low, int high) {
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || read != end || value < low || value > high)
        throw InputError(fmt::format("{} = '{}': must be a whole number from {} to {}", key, text, low, high));
    return value;
}

}  // namespace asperity::bench
