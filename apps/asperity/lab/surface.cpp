// asperity lab surface: makes rough surfaces.
#include <fmt/format.h>

#include "asperity/commands.h"
#include "asperity/lab.h"
#include "asperity/lab/surfaces/profile.h"

namespace asperity::app {

int lab_surface(const LabSurfaceArgs& args) {
    lab::ProfileSpec spec;
    spec.spectrum.kind = lab::spectrum_kind(args.kind, "lab surface: --kind");
    spec.seed = args.seed;
    const lab::Profile profile = lab::make_profile(spec);
    fmt::print("sq {:.6g}, sdq {:.6g}\n", profile.sigma(), profile.rms_slope());
    return kGood;
}

}  // namespace asperity::app
