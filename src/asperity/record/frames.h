// The frames of a recording in the order of time, wherever they are: in memory or in a file (recording_file.h).
#pragma once
#include "asperity/record/recording.h"

namespace asperity::record {

class Frames {
  public:
    virtual ~Frames() = default;
    virtual std::size_t size() const = 0;
    /// The frame is valid until the next call. Throws InputError for a damaged file.
    virtual const Frame& at(std::size_t i) const = 0;

    double time(std::size_t i) const { return at(i).time; }
    /// The frame nearest in time. There must be one.
    std::size_t nearest(double time) const;
};

class FramesInMemory final : public Frames {
  public:
    explicit FramesInMemory(const std::vector<Frame>& frames) : frames_(frames) {}
    std::size_t size() const override { return frames_.size(); }
    const Frame& at(std::size_t i) const override { return frames_[i]; }

  private:
    const std::vector<Frame>& frames_;
};

/// The input of pictures: bodies, materials and frames, in memory or in a file; either must outlive it.
class Footage {
  public:
    Footage(const Recording& recording)  // NOLINT: a recording is footage
        : head_(&recording), memory_(std::make_shared<FramesInMemory>(recording.frames)), frames_(memory_.get()) {}
    Footage(const Recording& head, const Frames& frames) : head_(&head), frames_(&frames) {}
    const Recording& head() const { return *head_; }
    const Frames& frames() const { return *frames_; }

  private:
    const Recording* head_;
    std::shared_ptr<const FramesInMemory> memory_;
    const Frames* frames_;
};

}  // namespace asperity::record
