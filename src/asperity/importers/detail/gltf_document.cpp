#include "asperity/importers/detail/gltf_document.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "asperity/core/one_line.h"

namespace asperity::importers::detail {
namespace {

using json_type = nlohmann::json;

constexpr int kSignedByte = 5120, kByte = 5121, kSignedShort = 5122, kShort = 5123, kInt = 5125, kFloat = 5126;

constexpr std::string_view kReadExtensions[] = {"KHR_materials_anisotropy", "KHR_texture_transform", "KHR_mesh_quantization",
                                                "EXT_mesh_gpu_instancing"};
/// Prefixes of extensions that change the appearance only, not the triangles.
constexpr std::string_view kLooks[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_"};

/// "my%20mesh.bin" -> "my mesh.bin". A percent sign without two hexadecimal digits after it is kept.
std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned char byte = 0;
        const bool encoded = text[i] == '%' && i + 2 < text.size() &&
                             std::from_chars(&text[i + 1], &text[i + 1] + 2, byte, 16).ptr == &text[i + 1] + 2;
        out += encoded ? static_cast<char>(byte) : text[i];
        if (encoded) i += 2;
    }
    return out;
}

}  // namespace

GltfDocument::GltfDocument(std::string_view bytes, const std::string& name, const ReadSibling& sibling)
    : name_(name), sibling_(sibling) {
    std::string_view text = bytes;
    if (bytes.starts_with("glTF")) text = open_container(bytes);
    document_ = json_type::parse(text, nullptr, false);
    if (document_.is_discarded() || !document_.is_object()) fail("not glTF: its JSON does not parse; is it truncated?");
    checked([&] {
        check_version();
        check_extensions();
    });
}

void GltfDocument::check_version() const {
    const auto version = document_.value("asset", json_type::object()).value("version", std::string());
    if (version.empty())
        fail("has no asset.version, so it is not known to be glTF 2.x, which is what is read; export it as glTF 2.0");
    if (!version.starts_with("2."))
        fail(fmt::format("is glTF {}; only 2.x is read; export it as glTF 2.0", one_line(version, 40)));
}

void GltfDocument::check_extensions() {
    for (const json_type& extension : document_.value("extensionsRequired", json_type::array())) {
        const auto word = extension.get<std::string>();
        if (std::ranges::find(kReadExtensions, word) != std::end(kReadExtensions)) continue;
        if (std::ranges::none_of(kLooks, [&](std::string_view family) { return word.starts_with(family); }))
            fail(fmt::format("needs the extension {}, which is not read; export it without", one_line(word, 100)));
        unread_extensions_.push_back(word);
    }
}

void GltfDocument::fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

/// GLB: header of 12 bytes, then chunks of length, type and content. Returns the JSON chunk.
std::string_view GltfDocument::open_container(std::string_view bytes) {
    const auto word = [&](std::size_t offset) {
        if (offset + 4 > bytes.size()) fail("truncated GLB");
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < 4; ++i)
            value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
        return value;
    };
    if (word(4) != 2) fail(fmt::format("GLB of version {}; only version 2 is read", word(4)));
    if (word(8) > bytes.size()) fail(fmt::format("truncated GLB: {} bytes where {} should be", bytes.size(), word(8)));
    std::string_view text;
    for (std::size_t at = 12; at + 8 <= word(8);) {
        const std::uint32_t length = word(at), type = word(at + 4);
        if (length > bytes.size() - at - 8) fail("truncated GLB: a chunk ends beyond the file");
        const std::string_view content = bytes.substr(at + 8, length);
        if (type == 0x4e4f534a && text.empty()) text = content;
        if (type == 0x004e4942 && !has_chunk_) chunk_ = content, has_chunk_ = true;
        at += 8 + (static_cast<std::size_t>(length) + 3) / 4 * 4;
    }
    return text;
}

const json_type& GltfDocument::at(const char* list, long long index) const {
    if (!document_.contains(list) || !document_[list].is_array() || index < 0 ||
        index >= static_cast<long long>(document_[list].size()))
        fail(fmt::format("names number {} of its {}, which does not exist", index, list));
    return document_[list][static_cast<std::size_t>(index)];
}

std::string GltfDocument::decode_base64(std::string_view text) const {
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 26
                          : c >= '0' && c <= '9' ? c - '0' + 52
                          : c == '+' || c == '-' ? 62
                          : c == '/' || c == '_' ? 63
                                                 : -1;
        if (c == '=') break;
        if (value < 0) fail("a data URI is not base64");
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) count -= 8, out.push_back(static_cast<char>(bits >> count & 0xff));
    }
    return out;
}

// The check applies to the path that is read: decoded and normalised.
std::string GltfDocument::file_of_uri(const std::string& uri) const {
    const std::size_t mark = uri.find_first_of(":/");
    const bool has_scheme = mark != std::string::npos && uri[mark] == ':';  // http:, file:, C:
    const std::filesystem::path file = std::filesystem::path(percent_decoded(uri)).lexically_normal();
    if (has_scheme || file.empty() || file.is_absolute() || *file.begin() == ".." ||
        file.native().find('\0') != std::string::npos)
        fail(
            fmt::format("a part of it is at '{}'; only files in its folder and below are read; put the part there and name "
                        "it without '..'",
                        one_line(uri, 100)));
    return file.string();
}

std::string GltfDocument::from_uri(const std::string& uri) const {
    const std::size_t comma = uri.find(',');
    return uri.starts_with("data:") && comma != std::string::npos ? decode_base64(std::string_view(uri).substr(comma + 1))
                                                                  : sibling_(file_of_uri(uri));
}

const std::string& GltfDocument::buffer(long long index) {
    if (const auto known = buffers_.find(index); known != buffers_.end()) return known->second;
    const json_type& description = at("buffers", index);
    std::string content;
    if (description.contains("uri")) {
        content = from_uri(description["uri"].get<std::string>());
    } else if (index == 0 && has_chunk_) {
        content = chunk_;
    } else {
        fail(fmt::format("buffer {} has no content: no uri and no GLB chunk", index));
    }
    const auto length = description.value("byteLength", 0LL);
    if (length < 0 || static_cast<std::size_t>(length) > content.size())
        fail(
            fmt::format("buffer {} has {} bytes where {} should be; is the file truncated?", index, content.size(), length));
    return buffers_[index] = std::move(content);
}

std::string_view GltfDocument::view(long long index) {
    const json_type& description = at("bufferViews", index);
    const std::string& bytes = buffer(description.at("buffer").get<long long>());
    const auto offset = description.value("byteOffset", 0LL), length = description.at("byteLength").get<long long>();
    const auto size = static_cast<long long>(bytes.size());
    if (offset < 0 || length < 0 || offset > size || length > size - offset)
        fail(fmt::format("buffer view {} reaches beyond its buffer; the file is damaged", index));
    return std::string_view(bytes).substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

std::string GltfDocument::image(long long index) {
    const json_type& description = at("images", index);
    if (description.contains("uri")) return from_uri(description["uri"].get<std::string>());
    return std::string(view(description.at("bufferView").get<long long>()));
}

std::vector<double> GltfDocument::numbers(long long index, std::size_t width) {
    const json_type& accessor = at("accessors", index);
    const auto type = accessor.at("type").get<std::string>();
    const std::size_t given = type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
    if (given != width) fail(fmt::format("accessor {} holds {} where {} numbers were expected", index, type, width));
    if (accessor.contains("sparse") || !accessor.contains("bufferView"))
        fail(fmt::format("accessor {} is sparse, which is not read", index));
    const int component = accessor.at("componentType").get<int>();
    const std::size_t size = component == kByte || component == kSignedByte     ? 1
                             : component == kShort || component == kSignedShort ? 2
                             : component == kInt || component == kFloat         ? 4
                                                                                : 0;
    if (size == 0) fail(fmt::format("accessor {} has components of type {}, which is not read", index, component));
    const auto count = accessor.at("count").get<long long>();
    const json_type& view = at("bufferViews", accessor["bufferView"].get<long long>());
    const std::string& bytes = buffer(view.at("buffer").get<long long>());
    const auto view_offset = view.value("byteOffset", 0LL), view_length = view.at("byteLength").get<long long>(),
               offset = accessor.value("byteOffset", 0LL),
               stride = view.value("byteStride", static_cast<long long>(size * width));
    const auto element = static_cast<long long>(size * width);
    if (count < 0 || count > 3LL * geometry::kMaxMeshTriangles)
        fail(fmt::format("accessor {} has {} elements; meshes of up to {} triangles are taken; simplify it first", index,
                         count, geometry::kMaxMeshTriangles));
    const bool sane = view_offset >= 0 && view_length >= 0 && offset >= 0 && stride >= element && stride <= 4096 &&
                      view_offset <= static_cast<long long>(bytes.size()) &&
                      view_length <= static_cast<long long>(bytes.size()) - view_offset &&
                      (count == 0 || (offset <= view_length && (count - 1) * stride + element <= view_length - offset));
    if (!sane) fail(fmt::format("accessor {} reaches beyond its buffer; the file is damaged", index));
    std::vector<double> out(static_cast<std::size_t>(count) * width);
    const char* from = bytes.data() + view_offset + offset;
    const bool normalized_integers = accessor.value("normalized", false);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const char* p = from + static_cast<std::size_t>(stride) * (i / width) + size * (i % width);
        if (component == kFloat) {
            float value;
            std::memcpy(&value, p, 4);
            out[i] = value;
            continue;
        }
        std::uint32_t value = 0;
        std::memcpy(&value, p, size);
        if (component == kSignedByte || component == kSignedShort) {
            const double whole = size == 1 ? static_cast<double>(static_cast<std::int8_t>(value))
                                           : static_cast<double>(static_cast<std::int16_t>(value));
            out[i] = normalized_integers ? std::max(whole / (size == 1 ? 127.0 : 32767.0), -1.0) : whole;
        } else {
            out[i] = normalized_integers ? value / (size == 1 ? 255.0 : 65535.0) : value;
        }
    }
    return out;
}

}  // namespace asperity::importers::detail
