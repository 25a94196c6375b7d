#include "asperity/deform/detail/xml_scanner.h"

namespace asperity::deform::detail {

XmlScanner::Tag XmlScanner::next() {
    for (;;) {
        const std::size_t open = bytes_.find('<', at_);
        if (open == std::string_view::npos) {
            at_ = bytes_.size();
            return {};
        }
        const std::string_view rest = bytes_.substr(open);
        if (rest.starts_with("<!--") || rest.starts_with("<?") || rest.starts_with("<!")) {
            const std::string_view end = rest.starts_with("<!--") ? "-->" : rest.starts_with("<?") ? "?>" : ">";
            const std::size_t close = bytes_.find(end, open);
            if (close == std::string_view::npos) fail(open, "a comment or declaration has no end");
            at_ = close + end.size();
            continue;
        }
        Tag tag;
        tag.at = open;
        at_ = open + 1;
        const std::size_t first = at_;
        while (at_ < bytes_.size() && !is_blank(bytes_[at_]) && bytes_[at_] != '>' && !(bytes_[at_] == '/' && at_ > first))
            ++at_;
        tag.name = bytes_.substr(first, at_ - first);
        if (tag.name.empty()) fail(open, "a tag without a name");
        for (;;) {
            skip_blanks();
            if (at_ >= bytes_.size()) fail(open, "a tag has no end; the file may have been cut off");
            if (bytes_[at_] == '>') break;
            if (bytes_[at_] == '/') {
                tag.empty = true;
                ++at_;
                continue;
            }
            const std::size_t key = at_;
            while (at_ < bytes_.size() && !is_blank(bytes_[at_]) && bytes_[at_] != '=' && bytes_[at_] != '>') ++at_;
            const std::string_view name = bytes_.substr(key, at_ - key);
            skip_blanks();
            if (at_ >= bytes_.size() || bytes_[at_] != '=') fail(key, "an attribute without a value");
            ++at_;
            skip_blanks();
            if (at_ >= bytes_.size() || (bytes_[at_] != '"' && bytes_[at_] != '\'')) fail(key, "a value without quotes");
            const std::size_t close = bytes_.find(bytes_[at_], at_ + 1);
            if (close == std::string_view::npos) fail(key, "a value has no closing quote");
            tag.attributes[name] = bytes_.substr(at_ + 1, close - at_ - 1);
            at_ = close + 1;
        }
        ++at_;
        return tag;
    }
}

}  // namespace asperity::deform::detail
