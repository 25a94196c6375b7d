// Private to record/: the binary chunk of a glTF file, with the buffer views and accessors that refer to it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace asperity::record::detail {

// Targets of a buffer view (glTF specification); kNoTarget leaves the target out.
constexpr int kVertexData = 34962, kIndexData = 34963, kNoTarget = 0;

class GltfBuffer {
  public:
    int view(std::string_view content, int target);
    /// `values` holds `components` floats per element.
    int floats(const std::vector<float>& values, std::size_t components, int target);
    int indices(const std::vector<std::uint32_t>& values, std::size_t vertex_count);

    /// An accessor of values that are written later, behind `bytes`, in the order of these calls. `low` and `high`: bounds.
    int later_floats(std::size_t count, std::span<const float> low, std::span<const float> high);
    /// Gives the later values their places; `bytes` does not grow afterwards. Returns the size of everything.
    std::size_t place_later();

    std::string bytes;
    nlohmann::json views = nlohmann::json::array(), accessors = nlohmann::json::array();

  private:
    int accessor(nlohmann::json description);
    std::vector<std::size_t> later_;  // views
};

}  // namespace asperity::record::detail
