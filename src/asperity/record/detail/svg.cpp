#include "asperity/record/detail/svg.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "asperity/core/assert.h"

namespace asperity::record::detail {
namespace {

/// Length of the UTF-8 sequence at the start of `text`; 0 when it is not valid UTF-8 or not allowed in XML.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0u;
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned b = byte(0);
    if (b < 0x80) return 1;
    if (b >= 0xc2 && b <= 0xdf && follows(1)) return 2;
    if (b >= 0xe0 && b <= 0xef && follows(1) && follows(2)) {
        const unsigned code = ((b & 0x0fu) << 12) | ((byte(1) & 0x3fu) << 6) | (byte(2) & 0x3fu);
        return code >= 0x800 && !(code >= 0xd800 && code <= 0xdfff) && code < 0xfffe ? 3 : 0;
    }
    if (b >= 0xf0 && b <= 0xf4 && follows(1) && follows(2) && follows(3)) {
        const unsigned code = ((b & 0x07u) << 18) | ((byte(1) & 0x3fu) << 12);
        return code >= 0x10000 && code <= 0x10ffff ? 4 : 0;
    }
    return 0;
}

std::string superscript(int number) {
    static constexpr std::array<const char*, 10> kDigits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out = number < 0 ? "⁻" : "";
    for (const char c : fmt::format("{}", std::abs(number))) out += kDigits[static_cast<std::size_t>(c - '0')];
    return out;
}

/// Uses the minus sign U+2212, which has the height of plus and digits.
std::string decimal(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.starts_with('-'))
        text = text.find_first_not_of("-0.") == std::string::npos ? text.substr(1) : "−" + text.substr(1);
    return text;
}

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }
int exponent_of(double value) {
    int e = static_cast<int>(std::floor(std::log10(value)));
    if (power_of_ten(e + 1) <= value) ++e;  // log10 may round down
    return e;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const char c = text[0];
        if (length == 0)
            out += '?';
        else if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\'')
            out += "&#39;";
        else if (length == 1 && static_cast<unsigned char>(c) < 0x20)
            out += c == '\t' || c == '\n' ? " " : "";
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string shortened(std::string_view text, std::size_t limit) {
    std::vector<std::size_t> starts;  // of each character
    for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(sequence_length(text.substr(at)), 1))
        starts.push_back(at);
    if (starts.size() <= limit) return std::string(text);
    const std::size_t front = limit / 2, back = limit - 1 - front;
    const std::string_view tail = back == 0 ? std::string_view() : text.substr(starts[starts.size() - back]);
    return std::string(text.substr(0, starts[front])) + "…" + std::string(tail);
}

double text_width(std::string_view text, double font_size) {
    std::size_t count = 0;
    for (const char c : text)
        if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++count;
    return 0.6 * font_size * static_cast<double>(count);
}

const char* series_color(std::size_t index) {
    static constexpr std::array<const char*, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                           "#56b4e9", "#e69f00", "#444444"};
    return kColors[index % kColors.size()];
}

const char* series_dash(std::size_t index) {
    static constexpr std::array<const char*, 4> kDashes = {"", "7 4", "2 3", "9 3 2 3"};
    return kDashes[index / 7 % kDashes.size()];
}

Ticks linear_ticks(double low, double high, int limit) {
    ASPERITY_ASSERT(low < high && std::isfinite(high - low) && limit >= 2);
    // The smallest step m 10^e, m = 1, 2 or 5, with no more ticks than `limit`.
    const double span = high - low;
    int e = exponent_of(span / limit), m = 1;
    const auto count = [&] {
        const double step = m * power_of_ten(e);
        return std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1;
    };
    while (count() > limit) {
        if (m == 5)
            m = 1, ++e;
        else
            m = m == 1 ? 2 : 5;
    }
    const double step = m * power_of_ten(e);

    // Far from zero all labels would start with the same digits, so the note states these as an offset.
    const double largest = std::fmax(std::fabs(low), std::fabs(high));
    double offset = 0;
    if (span < 1e-4 * largest) {
        const double round = power_of_ten(exponent_of(span) + 1);
        offset = std::floor(low / round + 1e-9) * round;
    }
    // Very large and very small numbers share a factor, a power of 10^3.
    const double shown = std::fmax(std::fabs(low - offset), std::fabs(high - offset));
    const int exponent = exponent_of(shown);
    const int shared = exponent >= 5 || exponent <= -3 ? 3 * static_cast<int>(std::floor(exponent / 3.0)) : 0;

    Ticks ticks;
    const int decimals = std::max(0, shared - e);
    for (double i = std::ceil(low / step - 1e-9); i <= high / step + 1e-9; i += 1) {
        const double value = i * step;
        ticks.values.push_back(value);
        ticks.labels.push_back(decimal((value - offset) / power_of_ten(shared), decimals));
    }
    if (shared != 0) ticks.note = "×10" + superscript(shared);
    if (offset != 0) {
        const double size = std::fabs(offset);
        const bool plain = size < 1e9;
        const std::string number = plain ? decimal(size, std::max(0, -exponent_of(span) - 1)) : fmt::format("{:.10g}", size);
        ticks.note += fmt::format("{}{} {}", ticks.note.empty() ? "" : " ", offset < 0 ? "−" : "+", number);
    }
    return ticks;
}

Ticks log_ticks(double low, double high, int limit) {
    ASPERITY_ASSERT(low > 0 && low < high && limit >= 2);
    const int first = exponent_of(low), last = exponent_of(high) + 1;
    const double decades = std::log10(high / low);
    const bool plain = low >= 1e-3 && high < 1e5;  // all labels as decimals, or all as powers
    Ticks ticks;
    const auto add = [&](int e, int m) {
        const double value = m * power_of_ten(e);
        if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) return;
        ticks.values.push_back(value);
        if (plain)
            ticks.labels.push_back(decimal(value, std::max(0, -e)));
        else
            ticks.labels.push_back((m == 1 ? "" : fmt::format("{}·", m)) + "10" + superscript(e));
    };
    // One label every `stride` decades; with few decades also at 2 and 5.
    const int stride = std::max(1, static_cast<int>(std::ceil((decades + 1) / limit)));
    const bool finer = 3 * (decades + 1) <= limit;
    for (int e = first; e <= last; ++e) {
        if (e % stride == 0)
            for (const int m : {1, 2, 5})
                if (m == 1 || finer) add(e, m);
        for (int m = 1; m <= 9; ++m) {
            const bool labelled = e % stride == 0 && (m == 1 || (finer && (m == 2 || m == 5)));
            const double value = m * power_of_ten(e);
            if (value >= low && value <= high && !labelled && (m == 1 || stride == 1)) ticks.minor.push_back(value);
        }
    }
    return ticks;
}

std::string px(double value) {
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string svg_open(int width, int height, std::string_view title) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
        "<title>{2}</title>\n"
        "<style>\n"
        "text {{ font-family: Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif; font-size: 12px; fill: "
        "#333333; }}\n"
        ".title {{ font-size: 16px; font-weight: 600; fill: #111111; }}\n"
        ".label {{ font-size: 13px; fill: #111111; }}\n"
        ".grid {{ stroke: #e3e6ea; stroke-width: 1; fill: none; }}\n"
        ".minor {{ stroke: #f1f3f5; stroke-width: 1; fill: none; }}\n"
        ".axis {{ stroke: #555b63; stroke-width: 1; fill: none; }}\n"
        ".line {{ fill: none; stroke-width: 1.75; stroke-linejoin: round; stroke-linecap: round; }}\n"
        "</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        width, height, escaped(title));
}

}  // namespace asperity::record::detail
