#include "render/lettering.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace asperity::render {
namespace {

/// A letter: its width, and its strokes. A stroke is a chain of points, each of two digits: x, and y above the deepest
/// point, so that 2 is the base line, 6 the height of small letters and 8 that of capitals.
struct Letter {
    char sign;
    float width;
    const char* strokes;
};

constexpr Letter kLetters[] = {{'0', 4, "120307183847433212"},
                               {'1', 2, "072822"},
                               {'2', 4, "07183847460242"},
                               {'3', 4, "07183847463515 354443321203"},
                               {'4', 4, "32380444"},
                               {'5', 4, "480805354443321203"},
                               {'6', 4, "4738180703123243443505"},
                               {'7', 4, "084812"},
                               {'8', 4, "15060718384746351504031232434435"},
                               {'9', 4, "0312324347381807061545"},
                               {'-', 4, "0545"},
                               {'+', 4, "0545 2327"},
                               {'.', 0, "0202"},
                               {'[', 2, "29090121"},
                               {']', 2, "09292101"},
                               {'a', 4, "4642 4536160503123243"},
                               {'c', 4, "4536160503123243"},
                               {'d', 4, "4842 4536160503123243"},
                               {'e', 4, "04444536160503123243"},
                               {'g', 4, "4641301001 4536160503123243"},
                               {'i', 0, "0602 0808"},
                               {'k', 4, "0802 4604 2542"},
                               {'l', 0, "0802"},
                               {'m', 6, "0602 0516263532 3546566562"},
                               {'n', 4, "0602 0516364542"},
                               {'o', 4, "120305163645433212"},
                               {'p', 4, "0600 0516364543321203"},
                               {'r', 3, "0602 051636"},
                               {'s', 4, "45361605143443321203"},
                               {'t', 3, "18132232 0636"},
                               {'u', 4, "0603123243 4642"},
                               {'v', 4, "062246"},
                               {'\xb5', 4, "0600 03123243 4642"},
                               {'G', 4, "47381807031232434525"},
                               {'M', 4, "0208254842"},
                               {'P', 4, "02083847463505"}};
constexpr Letter kUnknown{'\0', 4, "0208484202"};
constexpr float kSpace = 3, kGap = 1.7f;  // width of a space; between two letters
constexpr float kPen = 0.8f;              // thickness of a stroke; from 1.2 on the loops of `e` and `8` close

const Letter& letter(char sign) {
    const auto* found =
        std::find_if(std::begin(kLetters), std::end(kLetters), [&](const Letter& l) { return l.sign == sign; });
    return found == std::end(kLetters) ? kUnknown : *found;
}

struct Segment {
    float ax, ay, bx, by;

    float distance(float x, float y) const {
        const float dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
        const float s = square > 0 ? std::clamp(((x - ax) * dx + (y - ay) * dy) / square, 0.0f, 1.0f) : 0.0f;
        return std::hypot(x - ax - s * dx, y - ay - s * dy);
    }
};

/// The strokes of a text in pixels.
std::vector<Segment> segments_of(std::string_view text, float x, float y, float unit) {
    std::vector<Segment> segments;
    for (const char sign : text) {
        if (sign == ' ') {
            x += unit * kSpace;
            continue;
        }
        const Letter& drawn = letter(sign);
        const std::string_view strokes = drawn.strokes;
        bool pen_down = false;
        float px = 0, py = 0;
        for (std::size_t i = 0; i < strokes.size();) {
            if (strokes[i] == ' ') {
                pen_down = false;
                ++i;
                continue;
            }
            const float qx = x + unit * static_cast<float>(strokes[i] - '0');
            const float qy = y - unit * (static_cast<float>(strokes[i + 1] - '0') - kDescender);
            if (pen_down) segments.push_back({px, py, qx, qy});
            px = qx, py = qy, pen_down = true;
            i += 2;
        }
        x += unit * (drawn.width + kGap);
    }
    return segments;
}

}  // namespace

void blend(Image& image, int x, int y, Rgb color, float opacity) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    std::uint8_t* pixel =
        &image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x))];
    const std::uint8_t channels[3] = {color.r, color.g, color.b};
    for (int k = 0; k < 3; ++k) {
        const float mixed = (1 - opacity) * static_cast<float>(pixel[k]) + opacity * static_cast<float>(channels[k]);
        pixel[k] = static_cast<std::uint8_t>(std::clamp(mixed, 0.0f, 255.0f) + 0.5f);
    }
}

bool is_known(char sign) { return sign == ' ' || &letter(sign) != &kUnknown; }

float text_width(std::string_view text) {
    float width = 0;
    for (const char sign : text) width += sign == ' ' ? kSpace : letter(sign).width + kGap;
    return text.empty() || text.back() == ' ' ? width : width - kGap;
}

void draw_text(Image& image, float x, float y, float unit, std::string_view text, Rgb color) {
    const float radius = std::max(0.4f, 0.5f * kPen * unit);
    const std::vector<Segment> segments = segments_of(text, x, y, unit);
    if (segments.empty()) return;
    const float reach = radius + 1;
    const int left = static_cast<int>(x - reach), right = static_cast<int>(x + unit * text_width(text) + reach) + 1;
    const int top = static_cast<int>(y - unit * (kCapital + 1) - reach),
              bottom = static_cast<int>(y + unit * kDescender + reach);
    for (int py = std::max(top, 0); py <= std::min(bottom, image.height - 1); ++py)
        for (int px = std::max(left, 0); px <= std::min(right, image.width - 1); ++px) {
            float nearest = reach;
            for (const Segment& s : segments)
                nearest = std::min(nearest, s.distance(static_cast<float>(px) + 0.5f, static_cast<float>(py) + 0.5f));
            if (nearest < radius + 0.5f) blend(image, px, py, color, std::min(1.0f, radius + 0.5f - nearest));
        }
}

}  // namespace asperity::render
