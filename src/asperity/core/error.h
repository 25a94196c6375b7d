// Invalid user input. Thrown only at the border: scene files, command line, API calls that build a world.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace asperity {

/// The message says what is wrong, where, and what would be right. The command line turns it into exit code 2.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The name in `known` closest to `word`; empty when none is close enough to be a misspelling.
std::string nearest_name(std::string_view word, const std::vector<std::string>& known);

}  // namespace asperity
