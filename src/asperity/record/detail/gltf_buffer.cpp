#include "asperity/record/detail/gltf_buffer.h"

#include <algorithm>
#include <bit>

#include "asperity/record/detail/bytes.h"

namespace asperity::record::detail {
namespace {

using nlohmann::json;

constexpr int kFloat = 5126, kUnsignedShort = 5123, kUnsignedInt = 5125;  // component types (glTF specification)
constexpr const char* kTypes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};

}  // namespace

int GltfBuffer::view(std::string_view content, int target) {
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    json view = {{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", content.size()}};
    if (target != kNoTarget) view["target"] = target;
    bytes += content;
    views.push_back(std::move(view));
    return static_cast<int>(views.size()) - 1;
}

int GltfBuffer::floats(const std::vector<float>& values, std::size_t components, int target) {
    std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(components)), high = low;
    ByteWriter content;
    for (std::size_t i = 0; i < values.size(); ++i) {
        low[i % components] = std::min(low[i % components], values[i]);
        high[i % components] = std::max(high[i % components], values[i]);
        content.u32(std::bit_cast<std::uint32_t>(values[i]));
    }
    return accessor({{"bufferView", view(content.bytes, target)},
                     {"componentType", kFloat},
                     {"count", values.size() / components},
                     {"type", kTypes[components]},
                     {"min", low},
                     {"max", high}});
}

int GltfBuffer::indices(const std::vector<std::uint32_t>& values, std::size_t vertex_count) {
    const bool narrow = vertex_count < 65535;  // 65535 is reserved for primitive restart
    ByteWriter content;
    for (const std::uint32_t i : values) {
        if (narrow)
            content.u8(static_cast<std::uint8_t>(i & 0xff)), content.u8(static_cast<std::uint8_t>(i >> 8));
        else
            content.u32(i);
    }
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return accessor({{"bufferView", view(content.bytes, kIndexData)},
                     {"componentType", narrow ? kUnsignedShort : kUnsignedInt},
                     {"count", values.size()},
                     {"type", "SCALAR"},
                     {"min", {*low}},
                     {"max", {*high}}});
}

int GltfBuffer::later_floats(std::size_t count, std::span<const float> low, std::span<const float> high) {
    later_.push_back(views.size());
    views.push_back({{"buffer", 0}, {"byteOffset", 0}, {"byteLength", count * low.size() * sizeof(float)}});
    return accessor({{"bufferView", views.size() - 1},
                     {"componentType", kFloat},
                     {"count", count},
                     {"type", kTypes[low.size()]},
                     {"min", std::vector<float>(low.begin(), low.end())},
                     {"max", std::vector<float>(high.begin(), high.end())}});
}

std::size_t GltfBuffer::place_later() {
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    std::size_t end = bytes.size();
    for (const std::size_t view : later_) {
        views[view]["byteOffset"] = end;
        end += views[view]["byteLength"].get<std::size_t>();
    }
    return end;
}

int GltfBuffer::accessor(json description) {
    accessors.push_back(std::move(description));
    return static_cast<int>(accessors.size()) - 1;
}

}  // namespace asperity::record::detail
