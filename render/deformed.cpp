#include "render/deformed.h"

namespace asperity::render {
namespace {

constexpr double kFarthest = 1e7;  // float32 steps are 1 m there; as for rigid bodies in scene.cpp

}  // namespace

Deformed::Deformed(const record::DeformableMesh& mesh, const Look& look, const std::optional<ColorScale>& scale,
                   RTCDevice device)
    : mesh_(mesh), surface_(mesh), scale_(scale), looks_{look}, tile_(surface_.tile(look.tile)) {
    Look& own = looks_.front();
    own.normal_map = nullptr;
    if (scale_) {
        own = {};  // rough: a reflection would change the colours
        own.color = constant(0.4f);
        own.roughness = 1;
    }
    surface_.positions(mesh.rest, positions_);
    surface_.normals(mesh.rest, normals_);
    for (const Vec3& p : positions_) shape_.positions.push_back(to_float(p));
    for (const Vec3& n : normals_) shape_.normals.push_back(to_float(n));
    for (std::uint32_t i = 0; i < shape_.positions.size(); ++i) shape_.triangles.push_back(i);
    shape_.faces.assign(surface_.triangle_count(), 0);
    shape_.uvs = surface_.uvs();
    shape_.curved = true;
    build(shape_, device, true);
}

bool Deformed::follow(const record::Deformation& now, const Vec3& origin) {
    surface_.positions(now.positions, positions_);
    for (const Vec3& p : positions_)
        if (!(length(p - origin) < kFarthest)) return false;
    surface_.normals(now.positions, normals_);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        shape_.positions[i] = to_float(positions_[i] - origin);
        shape_.normals[i] = to_float(normals_[i]);
    }
    update(shape_);
    if (!scale_) return true;
    shape_.values.clear();
    const std::vector<double> values = node_values(mesh_, now, scale_->quantity);
    if (values.empty()) return true;  // a frame without stresses is grey
    for (const auto& corner : surface_.corners()) {
        const double x = (values[static_cast<std::size_t>(corner.node)] - scale_->low) / (scale_->high - scale_->low);
        shape_.values.push_back(static_cast<float>(x > 0 ? std::min(x, 1.0) : 0.0));  // NaN is 0
    }
    return true;
}

}  // namespace asperity::render
