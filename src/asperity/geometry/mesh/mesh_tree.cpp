// Top-down construction of the box tree of a mesh.
#include "asperity/geometry/mesh/mesh_tree.h"

#include <algorithm>
#include <numeric>

namespace asperity::geometry {
namespace {

Aabb around(const std::vector<Aabb>& boxes, const int* items, int count) {
    Aabb box = boxes[static_cast<size_t>(items[0])];
    for (int i = 1; i < count; ++i) {
        box.low = min(box.low, boxes[static_cast<size_t>(items[i])].low);
        box.high = max(box.high, boxes[static_cast<size_t>(items[i])].high);
    }
    return box;
}

/// Moves the items left of the splitting plane to the front and returns their number: neither 0 nor all.
int split(const std::vector<Aabb>& boxes, int* items, int count, bool by_median) {
    const auto center = [&](int i, int axis) {
        return 0.5 * (boxes[static_cast<size_t>(i)].low[axis] + boxes[static_cast<size_t>(i)].high[axis]);
    };
    Vec3 low{center(items[0], 0), center(items[0], 1), center(items[0], 2)}, high = low;
    for (int i = 1; i < count; ++i) {
        const Vec3 c{center(items[i], 0), center(items[i], 1), center(items[i], 2)};
        low = min(low, c);
        high = max(high, c);
    }
    const Vec3 size = high - low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    if (!by_median) {
        const double middle = 0.5 * (low[axis] + high[axis]);
        int* end = std::stable_partition(items, items + count, [&](int i) { return center(i, axis) < middle; });
        const int left = static_cast<int>(end - items);
        if (left >= count / 8 && left <= count - count / 8 && left > 0 && left < count) return left;
    }
    std::sort(items, items + count, [&](int i, int j) {
        return center(i, axis) < center(j, axis) || (center(i, axis) == center(j, axis) && i < j);
    });
    return count / 2;
}

}  // namespace

void MeshTree::build(const std::vector<Aabb>& boxes) {
    nodes_.clear();
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
    if (boxes.empty()) return;
    struct Task {
        int node, first, count;
    };
    nodes_.emplace_back();
    std::vector<Task> tasks{{0, 0, static_cast<int>(boxes.size())}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        int* items = order_.data() + task.first;
        Node node{around(boxes, items, task.count), task.first, task.count};
        if (task.count > kLeafSize) {
            const int left = split(boxes, items, task.count, false);
            node.first = static_cast<int>(nodes_.size());
            node.count = 0;
            nodes_.resize(nodes_.size() + 2);
            tasks.push_back({node.first, task.first, left});
            tasks.push_back({node.first + 1, task.first + left, task.count - left});
        }
        nodes_[static_cast<size_t>(task.node)] = node;
    }
}

}  // namespace asperity::geometry
