// The content of a recording.asp file, in memory: what save and load put around a file, and what fuzz tests feed.
#pragma once
#include <string>
#include <string_view>

#include "asperity/record/recording.h"

namespace asperity::record::detail {

/// The recording must be sound (check.h).
std::string to_bytes(const Recording& recording);
/// Throws InputError that starts with `file` for anything that to_bytes did not make.
Recording from_bytes(std::string_view bytes, const std::string& file);

}  // namespace asperity::record::detail
