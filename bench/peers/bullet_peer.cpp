// Bullet: sequential impulses with one friction direction (default); single precision in the packaged library.
#include <LinearMath/btConvexHullComputer.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>

#include "peer_scene.h"

namespace asperity::peers {
namespace {

btVector3 to_bullet(const Vec3& v) {
    return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}
btTransform to_bullet(const Pose& pose) {
    const Quat& q = pose.orientation;
    return btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z),
                                    static_cast<btScalar>(q.w)),
                       to_bullet(pose.position));
}
Pose from_bullet(const btTransform& t) {
    const btQuaternion q = t.getRotation();
    return {{t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()}, normalized(Quat{q.w(), q.x(), q.y(), q.z()})};
}

/// Bullet adds its margin around a hull, so the hull is first shrunk by the margin and keeps its size. With polyhedral
/// features Bullet clips whole faces; without them a hull gains only one contact point per step.
std::unique_ptr<btCollisionShape> hull_shape(const ConvexHull& hull) {
    constexpr btScalar kMargin = 0.001f;
    std::vector<float> coordinates;
    for (const Vec3& v : hull.vertices) {
        for (int k = 0; k < 3; ++k) coordinates.push_back(static_cast<float>(v[k]));
    }
    btConvexHullComputer computer;
    computer.compute(coordinates.data(), 3 * sizeof(float), static_cast<int>(hull.vertices.size()), kMargin, 0);
    auto shape = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < computer.vertices.size(); ++i) shape->addPoint(computer.vertices[i], false);
    shape->recalcLocalAabb();
    shape->setMargin(kMargin);
    shape->initializePolyhedralFeatures(1);  // 1: moves the faces by the margin
    return shape;
}

std::unique_ptr<btCollisionShape> make_shape(const Body& body, btTransform& transform) {
    if (const auto* box = std::get_if<geometry::Box>(&body.shape)) {
        return std::make_unique<btBoxShape>(to_bullet(box->half));
    }
    if (const auto* capsule = std::get_if<geometry::Capsule>(&body.shape)) {
        return std::make_unique<btCapsuleShapeZ>(static_cast<btScalar>(capsule->radius),
                                                 static_cast<btScalar>(2 * capsule->half_length));
    }
    if (const auto* hull = std::get_if<ConvexHull>(&body.shape)) return hull_shape(*hull);
    // A plane has its own normal and offset; its body stays at the origin.
    const Vec3 normal = rotate(body.pose.orientation, {0, 0, 1});
    transform.setIdentity();
    return std::make_unique<btStaticPlaneShape>(to_bullet(normal), static_cast<btScalar>(dot(normal, body.pose.position)));
}

Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Bullet stores the impulses of a step in its persistent manifolds. Its normal points from body 1 to body 0, and all three
/// impulses act on body 0. The second lateral impulse is only used with two friction directions.
std::vector<PeerContact> peer_contacts(btCollisionDispatcher& dispatcher, bool two_directions) {
    std::vector<PeerContact> points;
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
        const int body0 = manifold.getBody0()->getUserIndex(), body1 = manifold.getBody1()->getUserIndex();
        for (int k = 0; k < manifold.getNumContacts(); ++k) {
            const btManifoldPoint& p = manifold.getContactPoint(k);
            const Vec3 normal = from_bullet(p.m_normalWorldOnB);
            Vec3 impulse = static_cast<double>(p.m_appliedImpulse) * normal +
                           static_cast<double>(p.m_appliedImpulseLateral1) * from_bullet(p.m_lateralFrictionDir1);
            if (two_directions)
                impulse += static_cast<double>(p.m_appliedImpulseLateral2) * from_bullet(p.m_lateralFrictionDir2);
            points.push_back({body1, body0, from_bullet(p.getPositionWorldOnB()), from_bullet(p.getPositionWorldOnA()),
                              normal, p.getDistance(), impulse});
        }
    }
    return points;
}

}  // namespace

std::string engine_name() { return "bullet"; }
/// default: 10 iterations. high: 100 iterations, and full manifolds on planes. high2dir: high with a second friction
/// direction, which gives a pyramid instead of one line.
std::vector<std::string> engine_configs() { return {"default", "high", "high2dir"}; }

/// Debian's library is built without BT_THREADSAFE.
bool engine_has_threads() { return false; }

Motion run(const Scene& scene, std::string_view config, int) {
    btDefaultCollisionConfiguration collision;
    btCollisionDispatcher dispatcher(&collision);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &collision);
    world.setGravity({0, 0, static_cast<btScalar>(-scene.gravity)});
    if (config != "default") {
        world.getSolverInfo().m_numIterations = 100;
        collision.setPlaneConvexMultipointIterations();  // all vertices on a plane at once, instead of one more per step
    }
    const bool two_directions = config == "high2dir";
    if (two_directions) world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;

    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    for (const Body& body : scene.bodies) {
        btTransform transform = to_bullet(body.pose);
        shapes.push_back(make_shape(body, transform));
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(body.mass), nullptr, shapes.back().get(),
                                                      to_bullet(body.inertia));
        info.m_startWorldTransform = transform;
        // Bullet multiplies the coefficients of the two bodies.
        info.m_friction = static_cast<btScalar>(std::sqrt(scene.mu));
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setLinearVelocity(to_bullet(body.velocity));
        // no sleeping: bodies at rest must show their cost and creep
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        bodies.back()->setUserIndex(static_cast<int>(bodies.size()) - 1);
        world.addRigidBody(bodies.back().get());
    }
    // No substeps: stepSimulation(dt, 0) makes exactly one step of dt.
    Motion motion = record(
        scene, [&](bool) { world.stepSimulation(static_cast<btScalar>(scene.dt), 0); },
        [&](int i) { return from_bullet(bodies[i]->getWorldTransform()); },
        [&](int i) {
            return Twist{from_bullet(bodies[i]->getLinearVelocity()), from_bullet(bodies[i]->getAngularVelocity())};
        },
        [&] { return peer_contacts(dispatcher, two_directions); });
    for (const auto& body : bodies) world.removeRigidBody(body.get());
    return motion;
}

}  // namespace asperity::peers
