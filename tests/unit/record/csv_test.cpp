#include "asperity/record/csv.h"

#include <gtest/gtest.h>
#include <cmath>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "tests/unit/record/sample.h"

namespace asperity::record {
namespace {

Table read_text(const TemporaryFolder& folder, const std::string& text, const std::vector<std::string>& keep_text = {}) {
    write_file(folder / "t.csv", text);
    return read_csv(folder / "t.csv", keep_text);
}

TEST(Csv, BodiesComeBackWithTheSameBits) {
    TemporaryFolder folder;
    const Recording r = sample_recording();
    std::string text = bodies_csv_header();
    EXPECT_EQ(text, "time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
    for (const Frame& frame : r.frames) append_bodies_csv(text, r, frame);
    const Table table = read_text(folder, text);
    ASSERT_EQ(table.row_count, 33u);
    EXPECT_TRUE(table.find("body")->is_text);
    EXPECT_EQ(table.find("body")->text[1], "mover, left");
    for (std::size_t i = 0; i < r.frames.size(); ++i) {
        const Pose& pose = r.frames[i].poses[1];
        EXPECT_EQ(table.find("time")->numbers[3 * i], r.frames[i].time);
        EXPECT_EQ(table.find("px")->numbers[3 * i + 1], pose.position.x);
        EXPECT_EQ(table.find("qw")->numbers[3 * i + 1], pose.orientation.w);
        EXPECT_EQ(table.find("qz")->numbers[3 * i + 1], pose.orientation.z);
        EXPECT_EQ(table.find("wz")->numbers[3 * i + 1], 11);
    }
}

TEST(Csv, ValuesThatWereNotRecordedAreNan) {
    TemporaryFolder folder;
    Recording r = sample_recording();
    r.frames[0].velocities.clear();
    std::string text = bodies_csv_header();
    append_bodies_csv(text, r, r.frames[0]);
    const Table table = read_text(folder, text);
    EXPECT_TRUE(std::isnan(table.find("vx")->numbers[0]));
    EXPECT_EQ(table.find("wz")->numbers[1], 11);
}

TEST(Csv, StepsHaveOneColumnForEachStage) {
    TemporaryFolder folder;
    sim::StepReport report;
    report.step = 3, report.time = 0.003, report.contacts = 4, report.joints = 2, report.sweeps = 17,
    report.position_sweeps = 5;
    report.residual = 1.5e-11, report.kinetic_energy = 0.1, report.potential_energy = 0.2, report.penetration = 1e-7;
    for (std::size_t i = 0; i < report.stage_ms.size(); ++i) report.stage_ms[i] = 0.25 * static_cast<double>(i);
    std::string text = steps_csv_header();
    EXPECT_TRUE(
        text.starts_with("step,time,contacts,joints,sweeps,status,residual,position_sweeps,kinetic_energy,potential_energy,"
                         "energy,penetration,ms_find_pairs,"));
    append_steps_csv(text, report);
    const Table table = read_text(folder, text);
    ASSERT_EQ(table.columns.size(), 12 + sim::kStageNames.size());
    EXPECT_EQ(table.find("sweeps")->numbers[0], 17);
    EXPECT_EQ(table.find("status")->text[0], solvers::name(solvers::SolveStatus::Converged));
    EXPECT_EQ(table.find("residual")->numbers[0], 1.5e-11);
    EXPECT_EQ(table.find("position_sweeps")->numbers[0], 5);
    EXPECT_EQ(table.find("energy")->numbers[0], 0.1 + 0.2);
    EXPECT_EQ(table.find("penetration")->numbers[0], 1e-7);
    EXPECT_EQ(table.columns.back().numbers[0], 0.25 * static_cast<double>(sim::kStageNames.size() - 1));
}

TEST(Csv, ContactsNameTheirBodiesAndTheWorld) {
    TemporaryFolder folder;
    const Recording r = sample_recording();
    std::string text = contacts_csv_header();
    EXPECT_EQ(text,
              "time,body_a,body_b,px,py,pz,nx,ny,nz,fx,fy,fz,tx,ty,tz,mu_t,mu_b,face_a,u_a,v_a,face_b,u_b,v_b,gap,"
              "patch,taux,tauy,tauz,frx,fry,frz,spin_torque,limit,margin,spare,creep_bound\n");
    append_contacts_csv(text, r, r.frames[2]);
    const Table table = read_text(folder, text);
    ASSERT_EQ(table.row_count, 2u);
    EXPECT_EQ(table.find("body_a")->text, (std::vector<std::string>{"ground", "world"}));
    EXPECT_EQ(table.find("body_b")->text, (std::vector<std::string>{"mover, left", "stander"}));
    EXPECT_EQ(table.find("fx")->numbers[0], -0.1 / 3);
    EXPECT_EQ(table.find("fz")->numbers[0], 9.81);
    EXPECT_EQ(table.find("mu_b")->numbers[0], 0.6);
    EXPECT_EQ(table.find("face_b")->numbers[0], 5);
    EXPECT_EQ(table.find("u_a")->numbers[0], 0.25);
    EXPECT_EQ(table.find("v_b")->numbers[0], 0.125);
    EXPECT_EQ(table.find("gap")->numbers[0], -1e-5);
    EXPECT_EQ(table.find("patch")->numbers[0], -1);
    EXPECT_EQ(table.find("tauz")->numbers[0], 0.002);
    EXPECT_EQ(table.find("frx")->numbers[0], -0.1 / 3);
    EXPECT_EQ(table.find("frz")->numbers[0], 0);
    EXPECT_EQ(table.find("spin_torque")->numbers[0], 0.002);
    EXPECT_EQ(table.find("limit")->numbers[0], 3);
    EXPECT_EQ(table.find("margin")->numbers[0], 0.25);
    EXPECT_EQ(table.find("spare")->numbers[0], 0.5);
    EXPECT_EQ(table.find("creep_bound")->numbers[0], 1e-9);
    EXPECT_TRUE(std::isnan(table.find("margin")->numbers[1]));
}

TEST(Csv, PairsHaveARowWhereTheyPress) {
    TemporaryFolder folder;
    const Recording r = sample_recording();
    std::string text = pairs_csv_header();
    EXPECT_EQ(text,
              "time,body_a,body_b,points,patches,px,py,pz,nx,ny,nz,fx,fy,fz,taux,tauy,tauz,frx,fry,frz,frtaux,frtauy,frtauz,"
              "spin_torque\n");
    append_pairs_csv(text, r, r.frames[2]);
    const Table table = read_text(folder, text);
    ASSERT_EQ(table.row_count, 1u) << "the other one does not press";
    EXPECT_EQ(table.find("body_b")->text[0], "mover, left");
    EXPECT_EQ(table.find("points")->numbers[0], 1);
    EXPECT_EQ(table.find("patches")->numbers[0], 0);
    EXPECT_EQ(table.find("px")->numbers[0], 0.4);
    EXPECT_EQ(table.find("nz")->numbers[0], 1);
    EXPECT_EQ(table.find("fz")->numbers[0], 9.81);
    EXPECT_EQ(table.find("tauz")->numbers[0], 0.002);
    EXPECT_EQ(table.find("frx")->numbers[0], -0.1 / 3);
    EXPECT_EQ(table.find("frtauz")->numbers[0], 0.002);
    EXPECT_EQ(table.find("spin_torque")->numbers[0], 0.002);
}

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
    TemporaryFolder folder;
    const Table t = read_text(folder,
                              "\xef\xbb\xbf"
                              "a,\"b \"\"c\"\"\",d\r\n1, 2.5 ,\"x\r\ny\"\r\n+3,,z\r\n-inf,1e-400,nan\r\n\r\n");
    ASSERT_EQ(t.row_count, 3u);
    EXPECT_EQ(t.names(), (std::vector<std::string>{"a", "b \"c\"", "d"}));
    EXPECT_EQ(t.columns[0].numbers[1], 3);
    EXPECT_EQ(t.columns[0].numbers[2], -std::numeric_limits<double>::infinity());
    EXPECT_EQ(t.columns[1].numbers[0], 2.5);
    EXPECT_TRUE(std::isnan(t.columns[1].numbers[1]));
    EXPECT_EQ(t.columns[1].numbers[2], 0);
    EXPECT_EQ(t.columns[2].text, (std::vector<std::string>{"x\r\ny", "z", "nan"}));
    EXPECT_EQ(t.find("absent"), nullptr);
    EXPECT_EQ(read_text(folder, "a,b\n1,").columns[1].numbers.size(), 1u) << "no line end after the last row";
}

TEST(Csv, KeepsNamesThatLookLikeNumbersWhenAsked) {
    TemporaryFolder folder;
    EXPECT_EQ(read_text(folder, "body,x\n1,5\n02,6\n", {"body"}).columns[0].text, (std::vector<std::string>{"1", "02"}));
    EXPECT_EQ(read_text(folder, "body,x\n1,5\n02,6\n").columns[0].numbers, (std::vector<double>{1, 2}));
}

TEST(Csv, NamesTheLineThatIsWrong) {
    TemporaryFolder folder;
    const auto why = [&](const std::string& text) { return message_of([&] { read_text(folder, text); }); };
    EXPECT_NE(why("a,b\n1,2\n1,2,3\n").find("t.csv:3: 3 fields where the header names 2 columns"), std::string::npos);
    EXPECT_NE(why("a,b\n\"x\ny\",2\n1\n").find("t.csv:4: 1 fields"), std::string::npos)
        << "a quoted line end is a line, too";
    EXPECT_NE(why("a,b\n1,2\n\n1,2\n").find("t.csv:3: an empty line"), std::string::npos);
    EXPECT_NE(why("a,b\n1,\"2\n").find("t.csv:2: a quote opens here"), std::string::npos);
    EXPECT_NE(why("a,b\n\"1\"x,2\n").find("t.csv:2: text after"), std::string::npos);
    EXPECT_NE(why("a,a\n").find("two columns are called 'a'"), std::string::npos);
    EXPECT_NE(why("").find("no column names"), std::string::npos);
    EXPECT_NE(why("\n1,2\n").find("no column names"), std::string::npos);
    EXPECT_EQ(read_text(folder, "a,b\n").row_count, 0u);
}

}  // namespace
}  // namespace asperity::record
