// Reads the tags of an XML file one by one: names, attributes, and where the text behind a tag is. No entities, no
// namespaces.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "asperity/deform/meshes/mesh_file.h"

namespace asperity::deform::detail {

class XmlScanner {
  public:
    XmlScanner(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    struct Tag {
        std::string_view name;  ///< with a leading '/' if it ends an element; empty at the end of the file
        std::map<std::string_view, std::string_view> attributes;
        bool empty = false;  ///< <.../>
        std::size_t at = 0;  ///< of '<'
        std::string_view attribute(std::string_view key) const {
            const auto found = attributes.find(key);
            return found == attributes.end() ? std::string_view() : found->second;
        }
    };
    /// The next tag; comments and declarations are skipped.
    Tag next();
    /// From behind the last tag to the next '<'.
    std::string_view text() const { return bytes_.substr(at_, bytes_.find('<', at_) - at_); }
    /// From behind the last tag to the end of the file.
    std::string_view rest() const { return bytes_.substr(at_); }
    std::size_t at() const { return at_; }
    [[noreturn]] void fail(std::size_t at, const std::string& what) const { fail_at(name_, bytes_, at, what); }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    void skip_blanks() {
        while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
    }
    std::string_view bytes_;
    const std::string& name_;
    std::size_t at_ = 0;
};

}  // namespace asperity::deform::detail
