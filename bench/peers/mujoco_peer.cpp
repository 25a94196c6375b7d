// MuJoCo: soft contacts by convex optimisation, double precision. Scenes are passed as MJCF text in its virtual file system.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "asperity/core/error.h"
#include "peer_scene.h"

namespace asperity::peers {
namespace {

std::string text(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v.x, v.y, v.z); }
std::string text(const Pose& p) {
    const Quat& q = p.orientation;
    return fmt::format("pos=\"{}\" quat=\"{:.17g} {:.17g} {:.17g} {:.17g}\"", text(p.position), q.w, q.x, q.y, q.z);
}

/// The geom of body i without its pose.
std::string geom(const BodyShape& shape, int i) {
    if (const auto* box = std::get_if<geometry::Box>(&shape))
        return fmt::format("type=\"box\" size=\"{}\"", text(box->half));
    if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) {
        return fmt::format("type=\"capsule\" size=\"{:.17g} {:.17g}\"", capsule->radius, capsule->half_length);
    }
    if (std::holds_alternative<ConvexHull>(shape)) return fmt::format("type=\"mesh\" mesh=\"hull{}\"", i);
    return "type=\"plane\" size=\"0 0 1\"";
}

/// Array sizes for contacts. MuJoCo 2 allocates all arrays at load time, two of them as (rows x rows), and counts bytes
/// in an int.
struct Capacity {
    int contacts, rows;
    std::int64_t stack;

    explicit Capacity(const Scene& scene) {
        std::int64_t moving = 0;
        for (const Body& body : scene.bodies) moving += body.fixed ? 0 : 1;
        const std::int64_t dofs = 6 * moving, c = 100 + 8 * moving, r = 4 * c;
        contacts = static_cast<int>(c);
        rows = static_cast<int>(r);
        stack = 4 * dofs * dofs + 100 * r + 1000000;
        // efc_AR, efc_J, efc_JT: a double and a column index per entry
        const std::int64_t bytes = 12 * r * r + 24 * r * dofs;
        if (bytes >= std::numeric_limits<int>::max()) {
            throw InputError(
                fmt::format("{} moving bodies need {} MB of constraint arrays; MuJoCo 2 stops at 2147 MB (about 350 "
                            "bodies in a pile)",
                            moving, bytes / 1000000));
        }
    }
};

/// default: Newton, pyramidal cone, 100 iterations to 1e-8. high: elliptic cone, tangents ten times stiffer than normals,
/// iterations to 1e-12, several points per pair of meshes. elliptic: defaults except for the cone.
std::string options(const Scene& scene, std::string_view config) {
    std::string extra;
    if (config == "elliptic") extra = "cone=\"elliptic\"";
    if (config == "high") extra = "cone=\"elliptic\" impratio=\"10\" iterations=\"1000\" tolerance=\"1e-12\"";
    return fmt::format("<option timestep=\"{}\" gravity=\"0 0 {}\" {}>{}</option>", scene.dt, -scene.gravity, extra,
                       config == "high" ? "<flag multiccd=\"enable\"/>" : "");
}

std::string mjcf(const Scene& scene, std::string_view config) {
    const Capacity capacity(scene);
    std::string assets, world;
    for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
        const Body& body = scene.bodies[i];
        if (const auto* hull = std::get_if<ConvexHull>(&body.shape)) {
            std::string vertices;
            for (const Vec3& v : hull->vertices) vertices += text(v) + " ";
            assets += fmt::format("<mesh name=\"hull{}\" vertex=\"{}\"/>", i, vertices);
        }
        if (body.fixed) {
            world += fmt::format("<geom {} {}/>", geom(body.shape, i), text(body.pose));
        } else {
            world += fmt::format(
                "<body {}><freejoint/><inertial pos=\"0 0 0\" mass=\"{:.17g}\" diaginertia=\"{}\"/><geom {}/></body>",
                text(body.pose), body.mass, text(body.inertia), geom(body.shape, i));
        }
    }
    // MuJoCo uses the larger coefficient of two geoms, so one default for all geoms is the coefficient of every pair.
    return fmt::format(
        "<mujoco>{}<size nconmax=\"{}\" njmax=\"{}\" nstack=\"{}\"/><default><geom friction=\"{:.17g} 0.005 "
        "0.0001\"/></default>"
        "<asset>{}</asset><worldbody>{}</worldbody></mujoco>",
        options(scene, config), capacity.contacts, capacity.rows, capacity.stack, scene.mu, assets, world);
}

struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
};

std::unique_ptr<mjModel, Delete> load(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();  // 2 MB: too large for the stack
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    char message[1000] = "";
    std::unique_ptr<mjModel, Delete> model(mj_loadXML("scene.xml", files.get(), message, sizeof message));
    mj_deleteVFS(files.get());
    if (!model) throw InputError(fmt::format("MuJoCo does not take the scene: {}", message));
    return model;
}

/// The normal is the first row of the contact frame, from geom 1 to geom 2; the force acts on geom 2. Geoms are in the
/// order of the scene's bodies, including fixed ones, after the world's own geoms.
std::vector<PeerContact> peer_contacts(const mjModel* model, mjData* data, const std::vector<int>& body_of_geom, double dt) {
    std::vector<PeerContact> points;
    for (int i = 0; i < data->ncon; ++i) {
        const mjContact& c = data->contact[i];
        mjtNum force[6];
        mj_contactForce(model, data, i, force);
        Vec3 axis[3];
        for (int k = 0; k < 3; ++k) axis[k] = {c.frame[3 * k], c.frame[3 * k + 1], c.frame[3 * k + 2]};
        const Vec3 point{c.pos[0], c.pos[1], c.pos[2]};
        points.push_back({body_of_geom[c.geom1], body_of_geom[c.geom2], point, point, axis[0], c.dist,
                          dt * (force[0] * axis[0] + force[1] * axis[1] + force[2] * axis[2])});
    }
    return points;
}

}  // namespace

std::string engine_name() { return "mujoco"; }
std::vector<std::string> engine_configs() { return {"default", "high", "elliptic"}; }

bool engine_has_threads() { return false; }

Motion run(const Scene& scene, std::string_view config, int) {
    // The default handlers would write a log file into the current folder.
    mju_user_warning = [](const char* message) { std::fprintf(stderr, "mujoco: %s\n", message); };
    mju_user_error = [](const char* message) {
        std::fprintf(stderr, "mujoco: %s\n", message);
        std::abort();
    };
    const auto model = load(mjcf(scene, config));
    const std::unique_ptr<mjData, Delete> data(mj_makeData(model.get()));
    std::vector<int> joint_of(scene.bodies.size(), -1);
    int joints = 0;
    for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
        if (scene.bodies[i].fixed) continue;
        joint_of[i] = joints;
        const Vec3& v = scene.bodies[i].velocity;
        for (int k = 0; k < 3; ++k) data->qvel[6 * joints + k] = v[k];
        ++joints;
    }
    std::vector<int> body_of_geom;
    for (const bool fixed : {true, false}) {
        for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
            if (scene.bodies[i].fixed == fixed) body_of_geom.push_back(i);
        }
    }
    const auto pose = [&](int i) {
        const mjtNum* q = data->qpos + 7 * joint_of[i];
        return Pose{{q[0], q[1], q[2]}, normalized(Quat{q[3], q[4], q[5], q[6]})};
    };
    const auto twist = [&](int i) {  // velocities of a free joint: angular in body axes, linear in world axes
        const mjtNum* v = data->qvel + 6 * joint_of[i];
        return Twist{{v[0], v[1], v[2]}, rotate(pose(i).orientation, {v[3], v[4], v[5]})};
    };
    Motion motion = record(
        scene, [&](bool) { mj_step(model.get(), data.get()); }, pose, twist,
        [&] { return peer_contacts(model.get(), data.get(), body_of_geom, scene.dt); });
    // After a bad step MuJoCo restarts from the first pose; such a motion is useless.
    for (const int warning : {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC}) {
        if (data->warning[warning].number > 0) {
            throw InputError(fmt::format("MuJoCo: {} ({} times)", mju_warningText(warning, data->warning[warning].lastinfo),
                                         data->warning[warning].number));
        }
    }
    return motion;
}

}  // namespace asperity::peers
