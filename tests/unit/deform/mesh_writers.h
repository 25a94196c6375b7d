// Writes meshes in the forms that the readers know, for round trips.
#pragma once
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "asperity/deform/meshes/solid_mesh.h"

namespace asperity::deform {

template <class Number>
void put(std::string& out, Number value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

template <int Dim>
Vector<3> in_space(const Vector<Dim>& p) {
    Vector<3> out = Vector<3>::Zero();
    out.template head<Dim>() = p;
    return out;
}

/// Version 2.2. The first half of the elements is in a group "soft", the rest in group 7 without a name; nodes are numbered
/// from 10 in steps of 3; node 1 is used by nothing; a boundary face is in a group "top".
template <int Dim>
std::string old_msh(const SolidMesh<Dim>& mesh, bool binary) {
    std::string out = fmt::format("$MeshFormat\n2.2 {} 8\n", binary ? 1 : 0);
    if (binary) put<std::int32_t>(out, 1), out += '\n';
    out +=
        fmt::format("$EndMeshFormat\n$PhysicalNames\n2\n{} 5 \"soft\"\n{} 9 \"the top\"\n$EndPhysicalNames\n", Dim, Dim - 1);
    out += fmt::format("$Nodes\n{}\n", mesh.points.size() + 1);
    const auto node = [&](int tag, const Vector<3>& p) {
        if (!binary) {
            out += fmt::format("{} {} {} {}\n", tag, p[0], p[1], p[2]);
        } else {
            put<std::int32_t>(out, tag);
            for (int d = 0; d < 3; ++d) put(out, p[d]);
        }
    };
    node(1, {5, 5, 5});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) node(static_cast<int>(10 + 3 * i), in_space<Dim>(mesh.points[i]));
    out += fmt::format("$EndNodes\n$Elements\n{}\n", mesh.elements.size() + 1);
    const auto cell = [&](int tag, int type, int physical, const auto& corners) {
        if (binary) {
            for (const int n : {type, 1, 2, tag, physical, 1}) put<std::int32_t>(out, n);
            for (const int c : corners) put<std::int32_t>(out, 10 + 3 * c);
        } else {
            out += fmt::format("{} {} 2 {} 1", tag, type, physical);
            for (const int c : corners) out += fmt::format(" {}", 10 + 3 * c);
            out += '\n';
        }
    };
    cell(1, Dim == 2 ? 1 : 2, 9, boundary(mesh)[0]);
    for (std::size_t e = 0; e < mesh.elements.size(); ++e)
        cell(static_cast<int>(e) + 2, Dim == 2 ? 2 : 4, 2 * e < mesh.elements.size() ? 5 : 7, mesh.elements[e]);
    return out + (binary ? "\n" : "") + "$EndElements\n";
}

/// Version 4.1 with two entities, the first in the group "soft"; an unknown section; parametric nodes.
template <int Dim>
std::string new_msh(const SolidMesh<Dim>& mesh, bool binary) {
    std::string out = fmt::format("$MeshFormat\n4.1 {} 8\n", binary ? 1 : 0);
    if (binary) put<std::int32_t>(out, 1), out += '\n';
    out +=
        fmt::format("$EndMeshFormat\n$Comments\nwritten by a test\n$EndComments\n$PhysicalNames\n1\n{} 5 \"soft\"\n", Dim);
    out += "$EndPhysicalNames\n$Entities\n";
    const auto size = [&](std::size_t n) { binary ? put<std::uint64_t>(out, n) : void(out += fmt::format("{} ", n)); };
    const auto integer = [&](int n) { binary ? put<std::int32_t>(out, n) : void(out += fmt::format("{} ", n)); };
    const auto real = [&](double x) { binary ? put(out, x) : void(out += fmt::format("{} ", x)); };
    for (int d = 0; d < 4; ++d) size(d == Dim ? 2 : 0);
    for (int entity = 1; entity <= 2; ++entity) {
        integer(entity);
        for (int k = 0; k < 6; ++k) real(0);
        size(entity == 1 ? 1 : 0);
        if (entity == 1) integer(5);
        size(2);
        integer(3);
        integer(-4);
    }
    out += "\n$EndEntities\n$Nodes\n";
    size(1), size(mesh.points.size()), size(1), size(mesh.points.size());
    integer(2), integer(1), integer(1), size(mesh.points.size());
    for (std::size_t i = 0; i < mesh.points.size(); ++i) size(i + 1);
    for (const Vector<Dim>& p : mesh.points) {
        for (int d = 0; d < 3; ++d) real(in_space<Dim>(p)[d]);
        real(0.5), real(0.25);
    }
    out += "\n$EndNodes\n$Elements\n";
    const std::size_t half = (mesh.elements.size() + 1) / 2;
    size(2), size(mesh.elements.size()), size(1), size(mesh.elements.size());
    for (int entity = 1; entity <= 2; ++entity) {
        const std::size_t first = entity == 1 ? 0 : half, last = entity == 1 ? half : mesh.elements.size();
        integer(Dim), integer(entity), integer(Dim == 2 ? 2 : 4), size(last - first);
        for (std::size_t e = first; e < last; ++e) {
            size(e + 1);
            for (const int c : mesh.elements[e]) size(static_cast<std::size_t>(c) + 1);
        }
    }
    return out + "\n$EndElements\n";
}

inline std::string base64(const std::string& bytes) {
    constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kLetters[group >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

enum class VtuForm { Ascii, Binary, AppendedRaw, AppendedBase64 };

template <int Dim>
std::string vtu(const SolidMesh<Dim>& mesh, VtuForm form, bool wide) {
    std::string appended,
        out = "<?xml version=\"1.0\"?>\n<!-- a <test> -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" ";
    out += fmt::format("byte_order=\"LittleEndian\" header_type=\"{}\">\n<UnstructuredGrid>\n", wide ? "UInt64" : "UInt32");
    out += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells='{}'>\n", mesh.points.size(), mesh.elements.size());
    const auto array = [&]<class Number>(const char* name, const char* type, const std::vector<Number>& values,
                                         int components) {
        out += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" ", type, name, components);
        std::string bytes;
        const std::size_t length = values.size() * sizeof(Number);
        wide ? put<std::uint64_t>(bytes, length) : put<std::uint32_t>(bytes, static_cast<std::uint32_t>(length));
        for (const Number v : values) put(bytes, v);
        switch (form) {
            case VtuForm::Ascii: {
                out += "format=\"ascii\">\n";
                for (const Number v : values) out += fmt::format(" {}", v);
                out += "\n</DataArray>\n";
                return;
            }
            case VtuForm::Binary: out += "format=\"binary\">\n  " + base64(bytes) + "\n</DataArray>\n"; return;
            default: out += fmt::format("format=\"appended\" offset=\"{}\"/>\n", appended.size());
        }
        appended += form == VtuForm::AppendedRaw ? bytes : base64(bytes);
    };
    std::vector<double> x;
    for (const Vector<Dim>& p : mesh.points)
        for (int d = 0; d < 3; ++d) x.push_back(in_space<Dim>(p)[d]);
    std::vector<std::int64_t> corners;
    std::vector<std::int32_t> ends, markers;
    std::vector<std::uint8_t> types;
    for (const auto& e : mesh.elements) {
        for (const int c : e) corners.push_back(c);
        ends.push_back(static_cast<std::int32_t>(corners.size()));
        types.push_back(Dim == 2 ? 5 : 10);
        markers.push_back(2 * markers.size() < mesh.elements.size() ? 3 : 8);
    }
    out += "<CellData>\n";
    array("region", "Int32", markers, 1);
    out += "</CellData>\n<Points>\n";
    array("Points", "Float64", x, 3);
    out += "</Points>\n<Cells>\n";
    array("connectivity", "Int64", corners, 1);
    array("offsets", "Int32", ends, 1);
    array("types", "UInt8", types, 1);
    out += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
    if (!appended.empty())
        out += fmt::format("<AppendedData encoding=\"{}\">\n_{}\n</AppendedData>\n",
                           form == VtuForm::AppendedRaw ? "raw" : "base64", appended);
    return out + "</VTKFile>\n";
}

}  // namespace asperity::deform
