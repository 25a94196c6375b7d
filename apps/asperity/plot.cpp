// asperity plot DIR --y residual: plots columns of a run's tables over time, as SVG.
#include "asperity/record/plot.h"

#include <fmt/format.h>
#include <filesystem>

#include "asperity/commands.h"
#include "asperity/core/error.h"
#include "asperity/core/files.h"

namespace asperity::app {

int plot_command(const PlotArgs& args) {
    if (!std::filesystem::is_directory(args.folder))
        throw InputError(fmt::format("{}: no such folder; 'asperity run SCENE --out DIR' makes one", args.folder));
    record::PlotSpec spec = record::plot_from_run(args.folder, args.y, args.x, args.bodies);
    if (!args.title.empty()) spec.title = args.title;
    if (args.log_y) spec.log_y = true;
    if (args.linear_y) spec.log_y = false;
    std::string out = args.out;
    if (out.empty()) {
        out = (std::filesystem::path(args.folder) / args.y.front()).string();
        for (size_t i = 1; i < args.y.size(); ++i) out += "_" + args.y[i];
        out += ".svg";
    }
    write_file(out, record::svg_plot(spec));
    fmt::print("{}\n", out);
    return kGood;
}

}  // namespace asperity::app
