// ODE: the iterative QuickStep (projected SOR on a friction pyramid), double precision.
#include <ode/ode.h>

#include <cstdint>
#include <deque>
#include <memory>

#include "asperity/core/error.h"
#include "peer_scene.h"

namespace asperity::peers {
namespace {

/// Data that dCreateConvex() refers to; it must outlive the geom.
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
    OdeWorld(const Scene& scene, int threads) : mu_(scene.mu), dt_(scene.dt) {
        if (threads > 1) use_threads(threads);
        dWorldSetGravity(world_, 0, 0, -scene.gravity);
        dRandSetSeed(0);  // QuickStep shuffles its rows: the same order in every run
        for (const Body& body : scene.bodies) add(body);
    }
    ~OdeWorld() {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
        if (!threading_) return;
        dThreadingImplementationShutdownProcessing(threading_);
        dThreadingFreeThreadPool(pool_);
        dThreadingFreeImplementation(threading_);
    }
    OdeWorld(const OdeWorld&) = delete;
    OdeWorld& operator=(const OdeWorld&) = delete;

    void set_iterations(int count) { dWorldSetQuickStepNumIterations(world_, count); }

    void step(bool direct, bool watched) {
        watched_ = watched;
        seen_.clear();
        dSpaceCollide(space_, this, &OdeWorld::on_near);
        direct ? dWorldStep(world_, dt_) : dWorldQuickStep(world_, dt_);
        dJointGroupEmpty(contacts_);
    }

    /// Contact points of the last step, if it was watched. ODE reports the force on a joint's first body, which is the only
    /// body of a contact with a fixed geom. The normal points from the second geom into the first.
    std::vector<PeerContact> peer_contacts() const {
        std::vector<PeerContact> points;
        for (const Seen& s : seen_) {
            const Vec3 force{s.feedback.f1[0], s.feedback.f1[1], s.feedback.f1[2]};
            points.push_back({s.b, s.a, s.point, s.point, s.normal, -s.depth, (s.first_is_a ? dt_ : -dt_) * force});
        }
        return points;
    }

    Twist twist(int i) const {
        const dReal *v = dBodyGetLinearVel(bodies_[i]), *w = dBodyGetAngularVel(bodies_[i]);
        return {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
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
            name(dCreatePlane(space_, n.x, n.y, n.z, dot(n, p)));
            return;
        }
        const dGeomID geom = make_geom(body.shape);
        name(geom);
        if (id) {
            dGeomSetBody(geom, id);
        } else {
            dGeomSetPosition(geom, p.x, p.y, p.z);
            dGeomSetQuaternion(geom, q);
        }
    }

    /// Stores the index of the body in its geom.
    void name(dGeomID geom) { dGeomSetData(geom, reinterpret_cast<void*>(bodies_.size() - 1)); }
    static int index(dGeomID geom) { return static_cast<int>(reinterpret_cast<std::uintptr_t>(dGeomGetData(geom))); }

    void use_threads(int count) {
        threading_ = dThreadingAllocateMultiThreadedImplementation();
        if (!threading_) throw InputError("this ODE library was built without threads");
        pool_ = dThreadingAllocateThreadPool(static_cast<unsigned>(count), 0, dAllocateMaskAll, nullptr);
        dThreadingThreadPoolServeMultiThreadedImplementation(pool_, threading_);
        dWorldSetStepThreadingImplementation(world_, dThreadingImplementationGetFunctions(threading_), threading_);
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
        constexpr int kMaxPoints = 8;  // the maximum of ODE's box-box test
        dContact contacts[kMaxPoints];
        const int count = dCollide(a, b, kMaxPoints, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
            // ODE's convex-convex test sometimes gives a contact without a normal, which would abort the next step.
            const dReal* n = contacts[i].geom.normal;
            if (!(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0.5)) continue;
            contacts[i].surface = {};
            contacts[i].surface.mode = dContactApprox1;  // friction is proportional to the normal force
            contacts[i].surface.mu = mu_;
            const dJointID joint = dJointCreateContact(world_, contacts_, &contacts[i]);
            dJointAttach(joint, body_a, body_b);
            if (!watched_) continue;
            const dContactGeom& g = contacts[i].geom;
            seen_.push_back(
                {index(a), index(b), {g.pos[0], g.pos[1], g.pos[2]}, {n[0], n[1], n[2]}, g.depth, body_a != nullptr, {}});
            dJointSetFeedback(joint, &seen_.back().feedback);
        }
    }

    struct Seen {
        int a, b;
        Vec3 point, normal;  // normal into a
        double depth;
        bool first_is_a;
        dJointFeedback feedback;
    };
    double mu_, dt_;
    bool watched_ = false;
    std::deque<Seen> seen_;  // joints point into it
    dThreadingImplementationID threading_ = nullptr;
    dThreadingThreadPoolID pool_ = nullptr;
    dWorldID world_ = dWorldCreate();
    dSpaceID space_ = dHashSpaceCreate(nullptr);
    dJointGroupID contacts_ = dJointGroupCreate(0);
    std::vector<dBodyID> bodies_;  // null for fixed bodies
    std::vector<std::unique_ptr<ConvexData>> hulls_;
};

void start() {
    [[maybe_unused]] static const bool started = (dInitODE2(0), dAllocateODEDataForThread(dAllocateMaskAll) != 0);
}

}  // namespace

std::string engine_name() { return "ode"; }
/// default: QuickStep with 20 iterations. high: 200. dantzig: the direct pivoting solver (cubic in the number of contacts).
std::vector<std::string> engine_configs() { return {"default", "high", "dantzig"}; }

/// Some builds of ODE have no thread support, so ask the library.
bool engine_has_threads() {
    start();
    const dThreadingImplementationID threading = dThreadingAllocateMultiThreadedImplementation();
    if (threading) dThreadingFreeImplementation(threading);
    return threading != nullptr;
}

Motion run(const Scene& scene, std::string_view config, int threads) {
    start();
    OdeWorld world(scene, threads);
    if (config == "high") world.set_iterations(200);
    return record(
        scene, [&](bool watched) { world.step(config == "dantzig", watched); }, [&](int i) { return world.pose(i); },
        [&](int i) { return world.twist(i); }, [&] { return world.peer_contacts(); });
}

}  // namespace asperity::peers
