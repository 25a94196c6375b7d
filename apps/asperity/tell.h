// Messages for the user, on standard error.
#pragma once
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace asperity::app {

/// Prints to standard error. Unlike fmt::print it does not throw where that cannot be written: a full disk under a log must
/// not end the work, nor the report of another error.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
    const std::string text = fmt::format(format, std::forward<Args>(args)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace asperity::app
