#include "asperity/scene/schema.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "asperity/scene/node.h"
#include "asperity/scene/scene.h"

namespace asperity::scene {
namespace {

using Is = Key::Is;

const Table kStep{"step",
                  {{"dt"},
                   {"duration"},
                   {"substeps"},
                   {"solver"},
                   {"tolerance"},
                   {"max_sweeps"},
                   {"exact_contacts"},
                   {"relaxation"},
                   {"contact_margin"},
                   {"contact_model"},
                   {"patch_overlap"},
                   {"target_volume"},
                   {"patch_compliance"},
                   {"contact_reuse"},
                   {"sleep_speed"},
                   {"sleep_time"},
                   {"bounce_threshold"},
                   {"implicit_passes"},
                   {"halfway_contacts"},
                   {"position_sweeps"},
                   {"method"},
                   {"integrator"},
                   {"contact_distance"},
                   {"contact_stiffness"},
                   {"affine_stiffness"},
                   {"newton_iterations"},
                   {"halvings"},
                   {"check"},
                   {"friction"},
                   {"friction_tolerance"},
                   {"friction_passes"},
                   {"eps_v"}}};
// These numbers were metres on half-spaces and fractions of a face elsewhere.
constexpr std::string_view kTileRemedy =
    "is no longer a key, since it was metres on half-spaces and a fraction of a face elsewhere; write tile_size = {0} for "
    "metres on every shape, or tiles_per_face = {1} for what it was on all shapes but half-spaces";
const Table kGrainField{"grain_field",
                        {{"kind"},
                         {"origin"},
                         {"axis"},
                         {"angle_deg"},
                         {"angle"},
                         {"turn_deg"},
                         {"texture"},
                         {"encoding"},
                         {"rotation_deg"},
                         {"strength"},
                         {"tile_size"},
                         {"tiles_per_face"},
                         {"footprint"}},
                        {{"tile", kTileRemedy}}};
const Table kNormalMap{
    "normal_map",
    {{"file"},   {"height_image"},  {"height"},     {"gaussian"}, {"ra_mm"},        {"brushed"},        {"sawtooth"},
     {"thread"}, {"finish"},        {"emblem"},     {"ramp"},     {"height_scale"}, {"pixel_mm"},       {"length"},
     {"period"}, {"direction_deg"}, {"turns"},      {"starts"},   {"left_handed"},  {"bevel_width"},    {"size"},
     {"seed"},   {"scale"},         {"green_down"}, {"level"},    {"tile_size"},    {"tiles_per_face"}, {"salience"}},
    {{"tile", kTileRemedy}}};
const Table kMaterial{"material",
                      {{"density"},
                       {"mu"},
                       {"restitution"},
                       {"grain"},
                       {"grain_field", Is::Table, &kGrainField},
                       {"surface_velocity"},
                       {"color"},
                       {"roughness"},
                       {"metallic"},
                       {"checker"},
                       {"texture"},
                       {"normal_map", Is::TableOrText, &kNormalMap},
                       {"tile_size"},
                       {"tiles_per_face"}},
                      {{"texture_size", kTileRemedy}}};
const Table kStribeck{"pair.stribeck", {{"ratio"}, {"speed"}, {"exponent"}, {"viscous"}}};
const Table kLoad{"pair.load", {{"reference"}, {"exponent"}, {"floor"}}};
const Table kLoadCurve{"pair.load_curve", {{"points"}, {"quadratic"}}};
const Table kPair{"pair",
                  {{"law"},
                   {"mu"},
                   {"mu_t"},
                   {"mu_b"},
                   {"mu_along"},
                   {"mu_across"},
                   {"lone_grain"},
                   {"blend"},
                   {"tensor"},
                   {"tensor_b"},
                   {"kappa"},
                   {"form"},
                   {"mu_0"},
                   {"k_a"},
                   {"k_b"},
                   {"weight"},
                   {"directions"},
                   {"patch"},
                   {"resolution"},
                   {"sampling"},
                   {"frame"},
                   {"drilling"},
                   {"drilling_parallel"},
                   {"restitution"},
                   {"contact_model"},
                   {"spin_model"},
                   {"patch_radius"},
                   {"patch_overlap"},
                   {"target_volume"},
                   {"patch_compliance"},
                   {"static_ratio"},
                   {"static_speed"},
                   {"stribeck", Is::Table, &kStribeck},
                   {"load", Is::Table, &kLoad},
                   {"load_curve", Is::Table, &kLoadCurve}}};
const Table kWorld{"world", {{"gravity"}, {"dimension"}, {"combine"}, {"default", Is::Table, &kPair}}};
const Table kHeightField{"shape.height_field", {{"heights"}, {"image"}, {"size"}, {"cells"}, {"scale"}}};
const Table kBumpyBox{"shape.bumpy_box", {{"size"}, {"height"}, {"bumps"}, {"cells"}}};
const Table kShape{"shape",
                   {{"sphere"},
                    {"box"},
                    {"capsule"},
                    {"cylinder"},
                    {"half_space"},
                    {"hull"},
                    {"mesh"},
                    {"hull_of"},
                    {"height_field", Is::Table, &kHeightField},
                    {"bumpy_box", Is::Table, &kBumpyBox},
                    {"scale"},
                    {"position"},
                    {"roll_deg"},
                    {"pitch_deg"},
                    {"yaw_deg"},
                    {"material"}}};
const Table kKinematic{"body.kinematic", {{"position"}, {"roll_deg"}, {"pitch_deg"}, {"yaw_deg"}}};
const Table kHold{"soft.hold", {{"name"}, {"box"}, {"position"}, {"about"}, {"roll_deg"}, {"pitch_deg"}, {"yaw_deg"}}};
const Table kSoftLoad{"soft.load", {{"name"}, {"box"}, {"force"}, {"pressure"}}};
const Table kSoft{"body.soft",
                  {{"young"},
                   {"poisson"},
                   {"model"},
                   {"plane"},
                   {"damping"},
                   {"damping_mass"},
                   {"cells"},
                   {"cell_size"},
                   {"mesh"},
                   {"hollow"},
                   {"self_contact"},
                   {"hold", Is::Tables, &kHold},
                   {"load", Is::Tables, &kSoftLoad}}};
const Table kBody{"body",
                  {{"name"},
                   {"shape", Is::Table, &kShape},
                   {"shapes", Is::Tables, &kShape},
                   {"material"},
                   {"grain"},
                   {"grain_field", Is::Table, &kGrainField},
                   {"normal_map", Is::TableOrText, &kNormalMap},
                   {"mass"},
                   {"fixed"},
                   {"kinematic", Is::Table, &kKinematic},
                   {"position"},
                   {"roll_deg"},
                   {"pitch_deg"},
                   {"yaw_deg"},
                   {"quaternion"},
                   {"random_orientation"},
                   {"velocity"},
                   {"angular_velocity"},
                   {"on"},
                   {"soft", Is::Table, &kSoft},
                   {"thickness"},
                   {"ignore"}}};
const Table kMotor{"joint.motor", {{"speed"}, {"max_effort"}}};
const Table kDrive{"joint.drive", {{"target"}, {"target_deg"}, {"stiffness"}, {"damping"}, {"max_effort"}}};
const Table kBrake{"joint.brake", {{"max_effort"}}};
const Table kJoint{"joint",
                   {{"name"},
                    {"kind"},
                    {"a"},
                    {"b"},
                    {"at"},
                    {"axis"},
                    {"limits"},
                    {"limits_deg"},
                    {"motor", Is::Table, &kMotor},
                    {"drive", Is::Table, &kDrive},
                    {"brake", Is::Table, &kBrake},
                    {"at_a"},
                    {"at_b"},
                    {"length"},
                    {"rope"},
                    {"stiffness"},
                    {"damping"},
                    {"max_force"},
                    {"collide"}}};
const Table kGenerate{
    "generate",
    {{"name"}, {"count"}, {"body", Is::Table, &kBody}, {"first_on"}, {"joint", Is::Table, &kJoint}, {"joint_count"}}};
const Table kExpect{"expect",
                    {{"name"},
                     {"body"},
                     {"observable"},
                     {"over"},
                     {"by"},
                     {"equals"},
                     {"below"},
                     {"above"},
                     {"within"},
                     {"within_percent"},
                     {"from"},
                     {"until"},
                     {"point"}}};
const Table kView{"view", {{"eye"}, {"target"}, {"fov_deg"}}};
const Table kScene{"",
                   {{"title"},
                    {"seed"},
                    {"params", Is::Named},
                    {"step", Is::Table, &kStep},
                    {"world", Is::Table, &kWorld},
                    {"material", Is::Named, &kMaterial},
                    {"pair", Is::Named, &kPair},
                    {"body", Is::Tables, &kBody},
                    {"joint", Is::Tables, &kJoint},
                    {"generate", Is::Tables, &kGenerate},
                    {"expect", Is::Tables, &kExpect},
                    {"view", Is::Table, &kView}}};

void list_keys(const Table& table, std::set<std::string>& done, std::vector<std::string>& out) {
    if (!done.insert(std::string(table.name)).second)
        return;  // body tables also occur in [[generate]], pairs also in [world]
    for (const Key& key : table.keys)
        out.push_back(table.name.empty() ? std::string(key.name) : std::string(table.name) + "." + std::string(key.name));
    for (const Key& key : table.keys)
        if (key.table) list_keys(*key.table, done, out);
}

}  // namespace

const Key* Table::find(std::string_view key) const {
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
    return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> Table::key_names() const {
    std::vector<std::string> names;
    for (const Key& key : keys) names.emplace_back(key.name);
    return names;
}

bool Table::is_retired(std::string_view key) const {
    return std::ranges::any_of(retired, [&](const RetiredKey& old) { return old.name == key; });
}

std::string Table::why_unknown(std::string_view key, const Value& value) const {
    const bool number = value.kind == Value::Kind::Number || value.kind == Value::Kind::Integer;
    for (const RetiredKey& old : retired)
        if (old.name == key)
            return fmt::format(fmt::runtime(old.remedy), shown(value),
                               number && value.number > 0 ? fmt::format("{:g}", 1 / value.number)
                                                          : fmt::format("\"1/({})\"", one_line(value.text, 60)));
    return "unknown key" + hint(std::string(key), key_names());
}

const Table& scene_table() { return kScene; }

std::vector<std::string> known_keys() {
    std::set<std::string> done;
    std::vector<std::string> keys;
    list_keys(kScene, done, keys);
    return keys;
}

}  // namespace asperity::scene
