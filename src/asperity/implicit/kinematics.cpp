#include "asperity/implicit/kinematics.h"

#include <Eigen/SVD>

#include "asperity/math/dense.h"

namespace asperity::implicit {

template <int Dim>
void vertex_positions(const Model<Dim>& model, std::span<const Vector<Dim>> nodes,
                      std::span<const Vector<Dim>> obstacle_from, std::span<const Vector<Dim>> obstacle_to, double progress,
                      std::vector<Vector<Dim>>& out) {
    out.resize(model.carriers.size());
    for (std::size_t v = 0; v < out.size(); ++v) {
        const Carrier<Dim>& c = model.carriers[v];
        if (c.count == 0) {
            out[v] = obstacle_from[v] + progress * (obstacle_to[v] - obstacle_from[v]);
            continue;
        }
        out[v] = nodes[static_cast<std::size_t>(c.node)];
        for (int k = 1; k < c.count; ++k) out[v] += c.local[k - 1] * nodes[static_cast<std::size_t>(c.node + k)];
    }
}

template <int Dim>
void obstacle_positions(const Model<Dim>& model, double time, std::vector<Vector<Dim>>& out) {
    out.assign(model.carriers.size(), Vector<Dim>::Zero());
    for (const Body<Dim>& body : model.bodies) {
        if (body.kind != Kind::Obstacle) continue;
        const Pose pose = obstacle_pose(body, time);
        for (int v = body.first_vertex; v < body.first_vertex + body.vertex_count; ++v) {
            const auto i = static_cast<std::size_t>(v);
            out[i] = from_vec3<Dim>(pose * to_vec3(model.carriers[i].local));
        }
    }
}

namespace {

/// The rotation nearest to a matrix (polar decomposition).
template <int Dim>
Matrix<Dim, Dim> nearest_rotation(const Matrix<Dim, Dim>& m) {
    const Eigen::JacobiSVD<Eigen::Matrix<double, Dim, Dim>> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix<double, Dim, Dim> u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(Dim - 1) *= -1;
    return u * svd.matrixV().transpose();
}

/// A rotation of the plane x, z turns about -y when it takes x towards z.
Quat to_quat(const Matrix<2, 2>& r) { return rotation({0, -std::atan2(r(1, 0), r(0, 0)), 0}); }
Quat to_quat(const Matrix<3, 3>& r) {
    return quaternion({{{r(0, 0), r(0, 1), r(0, 2)}, {r(1, 0), r(1, 1), r(1, 2)}, {r(2, 0), r(2, 1), r(2, 2)}}});
}

}  // namespace

template <int Dim>
MeanMotion<Dim> mean_motion(const Model<Dim>& model, int body, std::span<const Vector<Dim>> rest,
                            std::span<const Vector<Dim>> x, std::span<const Vector<Dim>> v) {
    const Body<Dim>& b = model.bodies[static_cast<std::size_t>(body)];
    MeanMotion<Dim> out;
    Vector<Dim> centre = Vector<Dim>::Zero(), rest_centre = centre, velocity = centre;
    for (int k = b.first_node; k < b.first_node + b.node_count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        if (!model.node_translates[i]) continue;
        const double share = model.node_mass[i] / b.mass;
        centre += share * x[i];
        rest_centre += share * rest[i];
        velocity += share * v[i];
    }
    Matrix<Dim, Dim> spread = Matrix<Dim, Dim>::Zero();
    Vec3 spin;
    Mat3 inertia = Mat3::diagonal({0, 0, 0});
    for (int k = b.first_node; k < b.first_node + b.node_count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        const Vector<Dim> origin = model.node_translates[i] ? centre : Vector<Dim>(Vector<Dim>::Zero());
        const Vector<Dim> rest_origin = model.node_translates[i] ? rest_centre : Vector<Dim>(Vector<Dim>::Zero());
        const Vector<Dim> drift = model.node_translates[i] ? velocity : Vector<Dim>(Vector<Dim>::Zero());
        const Vector<Dim> arm = x[i] - origin;
        if (b.kind == Kind::Soft) spread += model.node_mass[i] * arm * (rest[i] - rest_origin).transpose();
        const Vec3 r = to_vec3(arm);
        spin += model.node_mass[i] * cross(r, to_vec3(Vector<Dim>(v[i] - drift)));
        inertia = inertia + model.node_mass[i] * (dot(r, r) * Mat3::identity() + -1.0 * outer(r, r));
    }
    if (b.kind == Kind::Affine) {
        Matrix<Dim, Dim> a;
        for (int k = 0; k < Dim; ++k) a.col(k) = x[static_cast<std::size_t>(b.first_node + 1 + k)];
        spread = a * b.principal.transpose();
    }
    out.pose = {to_vec3(centre), to_quat(nearest_rotation<Dim>(spread))};
    out.velocity = to_vec3(velocity);
    if constexpr (Dim == 2) {
        out.angular_velocity = {0, inertia.r[1].y > 0 ? spin.y / inertia.r[1].y : 0, 0};
    } else {
        Vec3 values;
        Mat3 vectors;
        symmetric_eigen(inertia, values, vectors);
        for (int k = 0; k < 3; ++k)  // a body on a line does not spin about it
            if (values[k] > 1e-12 * values.x)
                out.angular_velocity += (dot(vectors.column(k), spin) / values[k]) * vectors.column(k);
    }
    return out;
}

template void vertex_positions<2>(const Model<2>&, std::span<const Vector<2>>, std::span<const Vector<2>>,
                                  std::span<const Vector<2>>, double, std::vector<Vector<2>>&);
template void vertex_positions<3>(const Model<3>&, std::span<const Vector<3>>, std::span<const Vector<3>>,
                                  std::span<const Vector<3>>, double, std::vector<Vector<3>>&);
template void obstacle_positions<2>(const Model<2>&, double, std::vector<Vector<2>>&);
template void obstacle_positions<3>(const Model<3>&, double, std::vector<Vector<3>>&);
template MeanMotion<2> mean_motion<2>(const Model<2>&, int, std::span<const Vector<2>>, std::span<const Vector<2>>,
                                      std::span<const Vector<2>>);
template MeanMotion<3> mean_motion<3>(const Model<3>&, int, std::span<const Vector<3>>, std::span<const Vector<3>>,
                                      std::span<const Vector<3>>);

}  // namespace asperity::implicit
