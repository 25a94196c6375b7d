#include "asperity/core/one_line.h"

namespace asperity {

std::string one_line(std::string_view text, std::size_t limit) {
    std::string out;
    for (const char c : text.substr(0, limit)) out += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
    if (text.size() > limit) {
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80)
            out.pop_back();  // drop a cut UTF-8 character
        if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
        out += "...";
    }
    return out;
}

}  // namespace asperity
