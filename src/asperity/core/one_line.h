// Makes foreign text fit for a message.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace asperity {

/// `text` on one line: control characters become spaces; text longer than `limit` bytes is cut and ends in "...".
std::string one_line(std::string_view text, std::size_t limit);

}  // namespace asperity
