// A glTF document and its binary data: JSON, GLB chunk, buffers, accessors and pictures. Khronos Group, "glTF 2.0
// Specification", 3.6 (binary data) and 4.4 (GLB).
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "asperity/importers/load.h"

namespace asperity::importers::detail {

class GltfDocument {
  public:
    /// `bytes` must outlive the document. Fails for versions other than 2.x, and for a required extension without which the
    /// file cannot be read.
    GltfDocument(std::string_view bytes, const std::string& name, const ReadSibling& sibling);

    const nlohmann::json& json() const { return document_; }
    /// Required extensions that are ignored, since they change the appearance only.
    const std::vector<std::string>& unread_extensions() const { return unread_extensions_; }
    /// Throws InputError that starts with the file's name.
    [[noreturn]] void fail(const std::string& what) const;
    /// Result of read(). A JSON value of the wrong type becomes a failure of the file.
    template <class Read>
    auto checked(const Read& read) const {
        try {
            return read();
        } catch (const nlohmann::json::exception& error) {
            fail(std::string("not as glTF should be: ") + std::string(error.what()).substr(0, 200));
        }
    }
    /// Entry `index` of a list of the document.
    const nlohmann::json& at(const char* list, long long index) const;
    /// Numbers of an accessor, `width` per element.
    std::vector<double> numbers(long long index, std::size_t width);
    /// The bytes of an image file, PNG or JPEG.
    std::string image(long long index);

  private:
    std::string_view open_container(std::string_view bytes);
    void check_version() const;
    void check_extensions();
    std::string decode_base64(std::string_view text) const;
    /// The path of a URI relative to the document's folder. Fails for URIs that lead out of that folder.
    std::string file_of_uri(const std::string& uri) const;
    std::string from_uri(const std::string& uri) const;
    const std::string& buffer(long long index);
    /// The bytes of a buffer view, within its buffer.
    std::string_view view(long long index);

    std::string name_;
    const ReadSibling& sibling_;
    nlohmann::json document_;
    std::string_view chunk_;
    bool has_chunk_ = false;
    std::vector<std::string> unread_extensions_;
    std::map<long long, std::string> buffers_;
};

}  // namespace asperity::importers::detail
