// shape = { height_field = { ... } }: ground from a formula, a table of numbers or a picture.
#include <cmath>

#include <fmt/format.h>

#include "asperity/geometry/mesh/height_field.h"
#include "asperity/importers/read_picture.h"
#include "asperity/scene/reader.h"

namespace asperity::scene {
namespace {

using geometry::HeightGrid;

// Height between the four nearest pixels, for grids whose points do not coincide with pixels.
double bilinear(const importers::GreyImage& image, double u, double v) {
    const double s = u * (image.width - 1), t = v * (image.height - 1);
    const int x = std::min(static_cast<int>(s), std::max(image.width - 2, 0)),
              y = std::min(static_cast<int>(t), std::max(image.height - 2, 0));
    const auto at = [&](int i, int j) {
        return image
            .values[static_cast<std::size_t>(std::min(y + j, image.height - 1)) * static_cast<std::size_t>(image.width) +
                    static_cast<std::size_t>(std::min(x + i, image.width - 1))];
    };
    return lerp(lerp(at(0, 0), at(1, 0), s - x), lerp(at(0, 1), at(1, 1), s - x), t - y);
}

/// Calls height(u, v) for every grid point, with u and v from 0 to 1.
template <class Height>
void fill(HeightGrid& grid, double scale, const Height& height) {
    for (int y = 0; y < grid.points_y; ++y)
        for (int x = 0; x < grid.points_x; ++x)
            grid.heights.push_back(
                scale * height(static_cast<double>(x) / (grid.points_x - 1), static_cast<double>(y) / (grid.points_y - 1)));
}

void read_table(const Node& heights, double scale, HeightGrid& grid) {
    const std::vector<Node> rows = heights.items();
    grid.points_y = static_cast<int>(rows.size());
    for (const Node& row : rows) {
        const std::vector<Node> numbers = row.items();
        if (grid.points_x == 0) grid.points_x = static_cast<int>(numbers.size());
        if (static_cast<int>(numbers.size()) != grid.points_x)
            row.fail(fmt::format("this row has {} heights, the first one {}; all rows must be equally long", numbers.size(),
                                 grid.points_x));
        for (const Node& number : numbers) grid.heights.push_back(scale * number.number({-1e6, 1e6}));
    }
}

}  // namespace

geometry::Shape read_height_field(Reader& reader, const Node& node) {
    HeightGrid grid;
    const std::vector<double> size = node.child("size").numbers(2, kSize);
    grid.size = {size[0], size[1]};
    const double scale = node.number_or("scale", 1, {-1e6, 1e6});
    if (node.has("heights") == node.has("image"))
        node.fail("needs either heights (a formula of x and y, or rows of numbers) or image (a file)");
    const Node source = node.child(node.has("image") ? "image" : "heights");
    const bool table = source.value().kind == Value::Kind::List;
    if (const std::optional<Node> cells = node.find("cells")) {
        if (table) cells->fail("a table of heights fixes the number of cells; leave it out");
        const std::vector<double> two = cells->numbers(2, {1, geometry::kMaxMeshTriangles});
        for (const double n : two)
            if (n != std::floor(n)) cells->fail("expected two whole numbers");
        grid.points_x = static_cast<int>(two[0]) + 1;
        grid.points_y = static_cast<int>(two[1]) + 1;
        if (2 * two[0] * two[1] > geometry::kMaxMeshTriangles)
            cells->fail(fmt::format("{:.0f} triangles; at most {} are taken; use fewer cells", 2 * two[0] * two[1],
                                    geometry::kMaxMeshTriangles));
    }
    std::string what = "height field";
    if (table) {
        read_table(source, scale, grid);
    } else if (node.has("image")) {
        const std::filesystem::path path = read_file_name(reader, source);
        what = path.filename().string();
        source.with_location([&] {
            const importers::GreyImage image = importers::read_grey(path);
            if (grid.points_x == 0) grid.points_x = image.width, grid.points_y = image.height;
            if (grid.points_x < 2 || grid.points_y < 2) return;  // reported below
            fill(grid, scale, [&](double u, double v) { return bilinear(image, u, v); });
        });
    } else {
        if (grid.points_x == 0) node.fail("a formula needs cells = [nx, ny], the number of cells along x and y");
        try {
            const std::function<double(double, double)> formula = source.source().formulas->of_position(source.text());
            fill(grid, scale, [&](double u, double v) { return formula((u - 0.5) * grid.size.x, (v - 0.5) * grid.size.y); });
        } catch (const FormulaError& error) { source.fail(error.what()); }
    }
    geometry::Shape shape = geometry::HalfSpace{};
    source.with_location([&] { shape = geometry::make_height_field(grid, what); });
    reader.scene.notes.push_back(fmt::format("{}: {} x {} cells of {:.3g} x {:.3g} m", what, grid.points_x - 1,
                                             grid.points_y - 1, grid.size.x / (grid.points_x - 1),
                                             grid.size.y / (grid.points_y - 1)));
    return shape;
}

}  // namespace asperity::scene
