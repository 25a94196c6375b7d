// What is thrown for a scene whose bodies overlap at the start: the message, and what a picture of the place needs.
#pragma once
#include "asperity/core/error.h"
#include "asperity/implicit/start_check.h"
#include "asperity/record/recording.h"
#include "asperity/scene/scene.h"

namespace asperity::scene {

class OverlapError : public InputError {
  public:
    OverlapError(const std::string& message, record::Recording recording)
        : InputError(message), picture(std::move(recording)) {}
    /// The two bodies in two colours, red balls where their surfaces cross, and a view of that place; one frame.
    record::Recording picture;
};

/// That recording. The implicit world of the scene must exist, with its bodies where they overlap.
record::Recording picture_of_overlap(const Scene& scene, const implicit::StartOverlap& overlap);

}  // namespace asperity::scene
