#include "asperity/record/vtu.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "asperity/core/error.h"
#include "asperity/core/files.h"
#include "asperity/record/detail/bytes.h"

namespace asperity::record {
namespace fs = std::filesystem;
namespace {

constexpr std::uint8_t kTriangle = 5, kTetrahedron = 10;  // cell types (VTK file formats, "Legacy cell types")

std::string frame_name(std::size_t number) { return fmt::format("frame_{:06}.vtu", number); }

bool is_frame_name(const std::string& name) {
    constexpr std::string_view kStart = "frame_", kEnd = ".vtu";
    if (!name.starts_with(kStart) || !name.ends_with(kEnd) || name.size() < kStart.size() + 6 + kEnd.size()) return false;
    const std::string digits = name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size());
    return digits.find_first_not_of("0123456789") == std::string::npos;
}

/// Removes all frames.
void remove_frames(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (is_frame_name(entry.path().filename().string()) && entry.is_regular_file(ignored)) old.push_back(entry.path());
    for (const fs::path& path : old) fs::remove(path, ignored);
}

/// The arrays behind the XML: each is its size in bytes u64, then its values.
class Appended {
  public:
    /// The element that refers to the next array. `values` writes it.
    template <class Values>
    std::string array(const char* type, const char* name, int components, const Values& values) {
        const std::size_t offset = bytes_.size();
        detail::ByteWriter out;
        values(out);
        detail::ByteWriter size;
        size.u64(out.bytes.size());
        bytes_ += size.bytes + out.bytes;
        return fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
                           "\n",
                           type, name, components, offset);
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

void put(detail::ByteWriter& out, float x) { out.u32(std::bit_cast<std::uint32_t>(x)); }

/// The deformable bodies of a frame, which is sound (check.h).
struct Bodies {
    const Recording& head;
    const Frame& frame;

    template <class Use>
    void each(const Use& use) const {
        for (const Deformation& now : frame.deformations)
            use(*head.bodies[static_cast<std::size_t>(now.body)].deformable, now);
    }
};

std::string point_arrays(const Bodies& bodies, Appended& data) {
    std::string xml = "<PointData Vectors=\"displacement\">\n";
    xml += data.array("Float32", "displacement", 3, [&](detail::ByteWriter& out) {
        bodies.each([&](const DeformableMesh& mesh, const Deformation& now) {
            for (std::size_t i = 0; i < mesh.rest.size(); ++i)
                for (int k = 0; k < 3; ++k) put(out, static_cast<float>(now.positions[i][k] - mesh.rest[i][k]));
        });
    });
    return xml + "</PointData>\n";
}

std::string cell_arrays(const Bodies& bodies, Appended& data) {
    std::string xml = "<CellData>\n";
    const auto stress = [&](const char* name, std::vector<float> Deformation::*values) {
        bool any = false;
        bodies.each([&](const DeformableMesh&, const Deformation& now) { any = any || !(now.*values).empty(); });
        if (!any) return;
        xml += data.array("Float32", name, 1, [&](detail::ByteWriter& out) {
            bodies.each([&](const DeformableMesh& mesh, const Deformation& now) {
                for (std::size_t e = 0; e < mesh.elements.size(); ++e)
                    put(out, (now.*values).empty() ? std::numeric_limits<float>::quiet_NaN() : (now.*values)[e]);
            });
        });
    };
    stress("von_mises", &Deformation::von_mises);
    stress("pressure", &Deformation::pressure);
    xml += data.array("Int32", "body", 1, [&](detail::ByteWriter& out) {
        bodies.each([&](const DeformableMesh& mesh, const Deformation& now) {
            for (std::size_t e = 0; e < mesh.elements.size(); ++e) out.i32(now.body);
        });
    });
    return xml + "</CellData>\n";
}

std::string points(const Bodies& bodies, Appended& data) {
    return "<Points>\n" + data.array("Float64", "points", 3, [&](detail::ByteWriter& out) {
        bodies.each([&](const DeformableMesh&, const Deformation& now) {
            for (const Vec3& p : now.positions) out.vec3(p);
        });
    }) + "</Points>\n";
}

std::string cells(const Bodies& bodies, Appended& data) {
    const auto corners = [](const DeformableMesh& mesh) { return std::size_t{mesh.is_plane() ? 3u : 4u}; };
    std::string xml = "<Cells>\n";
    xml += data.array("Int64", "connectivity", 1, [&](detail::ByteWriter& out) {
        std::size_t first = 0;
        bodies.each([&](const DeformableMesh& mesh, const Deformation&) {
            for (const auto& element : mesh.elements)
                for (std::size_t k = 0; k < corners(mesh); ++k) out.u64(first + static_cast<std::size_t>(element[k]));
            first += mesh.rest.size();
        });
    });
    xml += data.array("Int64", "offsets", 1, [&](detail::ByteWriter& out) {
        std::size_t end = 0;
        bodies.each([&](const DeformableMesh& mesh, const Deformation&) {
            for (std::size_t e = 0; e < mesh.elements.size(); ++e) out.u64(end += corners(mesh));
        });
    });
    xml += data.array("UInt8", "types", 1, [&](detail::ByteWriter& out) {
        bodies.each([&](const DeformableMesh& mesh, const Deformation&) {
            out.bytes.append(mesh.elements.size(), static_cast<char>(mesh.is_plane() ? kTriangle : kTetrahedron));
        });
    });
    return xml + "</Cells>\n";
}

}  // namespace

bool has_deformables(const Recording& head) {
    return std::any_of(head.bodies.begin(), head.bodies.end(),
                       [](const RecordedBody& b) { return b.deformable != nullptr; });
}

void save_vtu(const Recording& head, const Frame& frame, const fs::path& path) {
    const Bodies bodies{head, frame};
    std::size_t point_count = 0, cell_count = 0;
    bodies.each([&](const DeformableMesh& mesh, const Deformation&) {
        point_count += mesh.rest.size(), cell_count += mesh.elements.size();
    });
    Appended data;
    // header_type is the type of the size before each array.
    std::string xml =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<UnstructuredGrid>\n";
    xml += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", point_count, cell_count);
    xml += point_arrays(bodies, data);
    xml += cell_arrays(bodies, data);
    xml += points(bodies, data);
    xml += cells(bodies, data);
    xml += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";  // the data begin after the underscore
    GrowingFile file(path);
    file.write(xml);
    file.write(data.bytes());
    file.write("\n</AppendedData>\n</VTKFile>\n");
    file.finish();
}

void save_deformed(const Recording& head, const Frames& frames, const fs::path& folder) {
    const fs::path files = folder / kDeformedFolder;
    make_output_folder(files);
    remove_stale_temporaries(files);
    std::string list =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n";
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Frame& frame = frames.at(i);
        list += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n", frame.time, kDeformedFolder,
                            frame_name(i));
        save_vtu(head, frame, files / frame_name(i));
    }
    write_file(folder / kDeformedList, list + "</Collection>\n</VTKFile>\n");
}

void remove_deformed(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(folder / kDeformedList, ignored);
    const fs::path files = folder / kDeformedFolder;
    if (!fs::is_directory(fs::symlink_status(files, ignored))) return;
    remove_frames(files);
    fs::remove(files, ignored);  // does nothing to a folder that is not empty
}

}  // namespace asperity::record
