// Names of the things that a world holds. Strong types: a body cannot be passed where a material is expected. The engine
// gives them out; its own arrays are indexed by int.
#pragma once
#include <cstdint>

namespace asperity {

/// A body, or the world. `index` is its slot in the arrays of a world; slots of removed bodies are used again, with the next
/// generation, so the id of a removed body stays stale for ever.
struct BodyId {
    int index = -1;  ///< -1: the world
    std::uint32_t generation = 0;
    constexpr BodyId() = default;
    constexpr explicit BodyId(int i, std::uint32_t g = 0) : index(i), generation(g) {}
    constexpr bool is_world() const { return index < 0; }
    bool operator==(const BodyId&) const = default;
};

/// One shape of a body. Its generation is that of the body.
struct ColliderId {
    int index = -1;
    std::uint32_t generation = 0;
    constexpr ColliderId() = default;
    constexpr explicit ColliderId(int i, std::uint32_t g = 0) : index(i), generation(g) {}
    bool operator==(const ColliderId&) const = default;
};

/// A material. Materials are never removed. Default: the first material of the world.
struct MaterialId {
    int index = 0;
    constexpr MaterialId() = default;
    constexpr explicit MaterialId(int i) : index(i) {}
    bool operator==(const MaterialId&) const = default;
};

/// A joint. `number` counts the joints that a world was given; a number is never given twice.
struct JointId {
    int number = -1;
    constexpr JointId() = default;
    constexpr explicit JointId(int n) : number(n) {}
    bool operator==(const JointId&) const = default;
};

/// A drag. `number` counts the drags of a world; a number is never given twice.
struct DragId {
    int number = -1;
    constexpr DragId() = default;
    constexpr explicit DragId(int n) : number(n) {}
    bool operator==(const DragId&) const = default;
};

}  // namespace asperity
