// Text that others wrote, made fit for a message.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace asperity {

/// `text` on one line: control characters become spaces, and what is longer than `limit` bytes ends in "...".
std::string one_line(std::string_view text, std::size_t limit);

}  // namespace asperity
