#pragma once
namespace asperity {
inline constexpr const char* kVersion = "0.1.0";
}
