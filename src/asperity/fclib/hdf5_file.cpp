#include "asperity/fclib/hdf5_file.h"

#include <hdf5.h>

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::fclib {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

/// RAII for an HDF5 id, with the close function of its type.
class Handle {
  public:
    Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    operator hid_t() const { return id_; }
    bool good() const { return id_ >= 0; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

/// Turns off HDF5's printing of its error stack on stderr; errors are reported by return values.
void silence() {
    static const bool done = (H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), true);
    (void)done;
}

constexpr std::size_t kIncrement = 1 << 16;  // growth of files in memory [bytes]

}  // namespace

Hdf5Reader::Hdf5Reader(std::string bytes, std::string name) : name_(std::move(name)), byte_count_(bytes.size()) {
    silence();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, kIncrement, false);
    if (bytes.empty() || H5Pset_file_image(access, bytes.data(), bytes.size()) < 0 ||
        (file_ = H5Fopen("problem", H5F_ACC_RDONLY, access)) < 0)  // the name is not used: the file is in memory
        throw InputError(
            fmt::format("{}: no HDF5 file, or cut off; FCLIB problems are HDF5 files (docs/problem-files.md)", name_));
}

Hdf5Reader::~Hdf5Reader() {
    if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Reader::fail(const std::string& path, const std::string& what) const {
    throw InputError(fmt::format("{}: {}: {}", name_, path, what));
}

bool Hdf5Reader::has(const std::string& path) const {
    for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {  // every group of the path must exist
        if (H5Lexists(file_, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
        if (slash == std::string::npos) return H5Oexists_by_name(file_, path.c_str(), H5P_DEFAULT) > 0;
    }
}

template <class T>
std::vector<T> Hdf5Reader::values(const std::string& path, bool whole_numbers) const {
    if (!has(path)) fail(path, "is missing");
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.good()) fail(path, "cannot be read; it should be an array");
    const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    const H5T_class_t kind = H5Tget_class(type);
    if (kind != H5T_INTEGER && (whole_numbers || kind != H5T_FLOAT))
        fail(path, whole_numbers ? "must hold whole numbers" : "must hold numbers");
    if (H5Tget_size(type) > sizeof(double))
        fail(path, fmt::format("has numbers of {} bytes; must have at most {}", H5Tget_size(type), sizeof(double)));
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    // A damaged length must not cause a huge allocation. FCLIB arrays are stored uncompressed, so their length is below the
    // file size.
    if (count < 0 || static_cast<std::size_t>(count) > byte_count_)
        fail(path, "is longer than the file; the file is damaged");
    std::vector<T> out(static_cast<std::size_t>(count));
    if (count > 0 &&
        H5Dread(set, whole_numbers ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
        fail(path, "cannot be read; the file is cut off or damaged");
    return out;
}

std::vector<int> Hdf5Reader::ints(const std::string& path) const { return values<int>(path, true); }
std::vector<double> Hdf5Reader::doubles(const std::string& path) const { return values<double>(path, false); }

int Hdf5Reader::one_int(const std::string& path) const {
    const std::vector<int> all = ints(path);
    if (all.size() != 1) fail(path, fmt::format("has {} numbers; must be one", all.size()));
    return all.front();
}

std::string Hdf5Reader::text(const std::string& path) const {
    if (!has(path)) return {};
    const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.good()) return {};
    const Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
    const std::size_t size = H5Tget_size(type);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || H5Sget_simple_extent_npoints(space) != 1 ||
        size > byte_count_)
        return {};
    std::string out(size, '\0');
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) return {};
    return out.substr(0, out.find('\0'));
}

Hdf5Writer::Hdf5Writer() {
    silence();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, kIncrement, false);
    file_ = H5Fcreate("problem", H5F_ACC_TRUNC, H5P_DEFAULT, access);  // in memory only
    if (file_ < 0) throw InputError("the HDF5 library cannot make a file in memory");
}

Hdf5Writer::~Hdf5Writer() { H5Fclose(file_); }

void Hdf5Writer::write_array(const std::string& path, const void* values, std::size_t count, std::int64_t file_type,
                             std::int64_t memory_type, Extent extent) {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);  // so that the same problem gives the same bytes
    const hsize_t length = count;
    const Handle space(extent == Extent::Scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &length, nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file_, path.c_str(), file_type, space, links, creation, H5P_DEFAULT), H5Dclose);
    if (!set.good() || (count > 0 && H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
        throw InputError(fmt::format("{}: the HDF5 library cannot write it", path));
}

void Hdf5Writer::write(const std::string& path, std::span<const int> values) {
    write_array(path, values.data(), values.size(), H5T_STD_I32LE, H5T_NATIVE_INT);
}
void Hdf5Writer::write(const std::string& path, std::span<const double> values) {
    write_array(path, values.data(), values.size(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
}
void Hdf5Writer::write(const std::string& path, const std::string& text) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, text.size() + 1);
    write_array(path, text.c_str(), 1, type, type, Extent::Scalar);
}

std::string Hdf5Writer::bytes() {
    H5Fflush(file_, H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    std::string out(static_cast<std::size_t>(size > 0 ? size : 0), '\0');
    if (size <= 0 || H5Fget_file_image(file_, out.data(), out.size()) != size)
        throw InputError("the HDF5 library cannot give its file in memory back");
    return out;
}

}  // namespace asperity::fclib
