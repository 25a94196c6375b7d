// Pictures of a run: the two blocks coloured by stress, and the force over the slide.
#pragma once
#include <string>
#include <vector>

#include "asperity/lab/tribometer/tribometer.h"

namespace asperity::lab {

/// Shapes and stresses of a run, one frame per `every` units of slide, at most kMost of them.
class Film {
  public:
    explicit Film(double every = 0.5) : every_(every) {}
    void add(const Tribometer& tribometer, const Sample& sample);

    /// Both blocks at the end, and the places of the highest stress at the start and at the end, enlarged.
    std::string svg() const;
    int frames() const { return static_cast<int>(frames_.size()); }
    /// A frame as width x height pixels of red, green, blue; `height` follows from the blocks and the width.
    std::vector<unsigned char> picture(int frame, int width, int& height) const;

    static constexpr int kMost = 600;

  private:
    struct Frame {
        std::vector<Vector<2>> x;
        std::vector<double> stress;  // von Mises, per triangle
        double slide = 0, push = 0;
    };
    struct Window {
        double left, bottom, right, top;
    };
    Window whole() const;
    double top_stress() const;

    double every_;
    std::vector<Frame> frames_;
    std::vector<std::array<int, 3>> triangles_;
};

/// Force over weight against slide.
std::string svg_of_curve(const std::string& title, const std::vector<Sample>& curve);

}  // namespace asperity::lab
