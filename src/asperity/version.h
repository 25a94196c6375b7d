// The version that the program and its files speak of.
#pragma once
namespace asperity {
inline constexpr const char* kVersion = "0.1.0";
}
