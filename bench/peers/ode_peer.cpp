// ODE: the iterative QuickStep (projected SOR on a friction pyramid), double precision.
#include <ode/ode.h>

#include <memory>

#include "peer_scene.h"

namespace asperity::peers {
namespace {

/// What dCreateConvex points into; it must outlive the geom.
struct ConvexData {
    std::vector<dReal> planes, points;
    std::vector<unsigned> polygons;
};

std::unique_ptr<ConvexData> convex_data(const ConvexHull& hull) {
    auto data = std::make_unique<ConvexData>();
    for (const Vec3& v : hull.vertices) data->points.insert(data->points.end(), {v.x, v.y, v.z});
    for (const std::vector<int>& face : hull.faces) {
        const Vec3& a = hull.vertices[face[0]];
        const Vec3 n = normalized(cross(hull.vertices[face[1]] - a, hull.vertices[face[2]] - a));
        data->planes.insert(data->planes.end(), {n.x, n.y, n.z, dot(n, a)});
        data->polygons.push_back(static_cast<unsigned>(face.size()));
        for (const int v : face) data->polygons.push_back(static_cast<unsigned>(v));
    }
    return data;
}

class OdeWorld {
  public:
    explicit OdeWorld(const Scene& scene) : mu_(scene.mu) {
        dWorldSetGravity(world_, 0, 0, -scene.gravity);
        dRandSetSeed(0);  // QuickStep shuffles its rows: the same shuffle in every run
        for (const Body& body : scene.bodies) add(body);
    }
    ~OdeWorld() {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }
    OdeWorld(const OdeWorld&) = delete;
    OdeWorld& operator=(const OdeWorld&) = delete;

    void set_iterations(int count) { dWorldSetQuickStepNumIterations(world_, count); }

    void step(double dt, bool direct) {
        dSpaceCollide(space_, this, &OdeWorld::on_near);
        direct ? dWorldStep(world_, dt) : dWorldQuickStep(world_, dt);
        dJointGroupEmpty(contacts_);
    }

    Pose pose(int i) const {
        const dReal* p = dBodyGetPosition(bodies_[i]);
        const dReal* q = dBodyGetQuaternion(bodies_[i]);
        return {{p[0], p[1], p[2]}, normalized(Quat{q[0], q[1], q[2], q[3]})};
    }

  private:
    void add(const Body& body) {
        const dQuaternion q = {body.pose.orientation.w, body.pose.orientation.x, body.pose.orientation.y,
                               body.pose.orientation.z};
        const Vec3& p = body.pose.position;
        dBodyID id = nullptr;
        if (!body.fixed) {
            id = dBodyCreate(world_);
            dMass mass;
            dMassSetParameters(&mass, body.mass, 0, 0, 0, body.inertia.x, body.inertia.y, body.inertia.z, 0, 0, 0);
            dBodySetMass(id, &mass);
            dBodySetPosition(id, p.x, p.y, p.z);
            dBodySetQuaternion(id, q);
            dBodySetLinearVel(id, body.velocity.x, body.velocity.y, body.velocity.z);
        }
        bodies_.push_back(id);
        if (std::holds_alternative<geometry::HalfSpace>(body.shape)) {
            const Vec3 n = rotate(body.pose.orientation, {0, 0, 1});
            dCreatePlane(space_, n.x, n.y, n.z, dot(n, p));
            return;
        }
        const dGeomID geom = make_geom(body.shape);
        if (id) {
            dGeomSetBody(geom, id);
        } else {
            dGeomSetPosition(geom, p.x, p.y, p.z);
            dGeomSetQuaternion(geom, q);
        }
    }

    dGeomID make_geom(const BodyShape& shape) {
        if (const auto* box = std::get_if<geometry::Box>(&shape)) {
            return dCreateBox(space_, 2 * box->half.x, 2 * box->half.y, 2 * box->half.z);
        }
        if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) {
            return dCreateCapsule(space_, capsule->radius, 2 * capsule->half_length);
        }
        hulls_.push_back(convex_data(std::get<ConvexHull>(shape)));
        const ConvexData& d = *hulls_.back();
        return dCreateConvex(space_, d.planes.data(), static_cast<unsigned>(d.planes.size() / 4), d.points.data(),
                             static_cast<unsigned>(d.points.size() / 3), d.polygons.data());
    }

    static void on_near(void* self, dGeomID a, dGeomID b) { static_cast<OdeWorld*>(self)->make_contacts(a, b); }
    void make_contacts(dGeomID a, dGeomID b) {
        const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
        if (!body_a && !body_b) return;
        constexpr int kMaxPoints = 8;  // what ODE's box-box test can give
        dContact contacts[kMaxPoints];
        const int count = dCollide(a, b, kMaxPoints, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
            // Its convex-convex test now and then gives a contact without a normal, which aborts the next step.
            const dReal* n = contacts[i].geom.normal;
            if (!(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0.5)) continue;
            contacts[i].surface = {};
            contacts[i].surface.mode = dContactApprox1;  // friction scales with the normal force
            contacts[i].surface.mu = mu_;
            dJointAttach(dJointCreateContact(world_, contacts_, &contacts[i]), body_a, body_b);
        }
    }

    double mu_;
    dWorldID world_ = dWorldCreate();
    dSpaceID space_ = dHashSpaceCreate(nullptr);
    dJointGroupID contacts_ = dJointGroupCreate(0);
    std::vector<dBodyID> bodies_;  // null for fixed ones
    std::vector<std::unique_ptr<ConvexData>> hulls_;
};

}  // namespace

std::string engine_name() { return "ode"; }
/// default: QuickStep with 20 iterations. high: 200. dantzig: the direct pivoting solver (cubic in the number of contacts).
std::vector<std::string> engine_configs() { return {"default", "high", "dantzig"}; }

Motion run(const Scene& scene, std::string_view config) {
    [[maybe_unused]] static const bool started = (dInitODE2(0), dAllocateODEDataForThread(dAllocateMaskAll) != 0);
    OdeWorld world(scene);
    if (config == "high") world.set_iterations(200);
    return record(
        scene, [&] { world.step(scene.dt, config == "dantzig"); }, [&](int i) { return world.pose(i); });
}

}  // namespace asperity::peers
