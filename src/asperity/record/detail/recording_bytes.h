// The content of a recording.asp file in memory: used by save() and load(), and by fuzz tests.
#pragma once
#include <string>
#include <string_view>

#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// The recording must be valid (check.h).
std::string to_bytes(const Recording& recording);
/// Throws InputError starting with `file` for bytes that to_bytes() did not produce.
Recording from_bytes(std::string_view bytes, const std::string& file);

}  // namespace asperity::record::detail
