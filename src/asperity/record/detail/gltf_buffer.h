// Private to record/: the binary chunk of a glTF file, with the buffer views and accessors that refer to it.
#pragma once
#include <cstdint>
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

    std::string bytes;
    nlohmann::json views = nlohmann::json::array(), accessors = nlohmann::json::array();

  private:
    int accessor(nlohmann::json description);
};

}  // namespace asperity::record::detail
