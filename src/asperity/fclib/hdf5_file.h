// HDF5 files in memory: bytes to named arrays, and back. The only file that includes HDF5's header is the source of this
// one.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace asperity::fclib {

/// An HDF5 file open for reading. Paths are absolute: "/fclib_local/W/i". A missing, mistyped or unreadable array throws an
/// InputError that names the file and the path.
class Hdf5Reader {
  public:
    /// Throws InputError when the bytes are no HDF5 file. `name` starts every message.
    Hdf5Reader(std::string bytes, std::string name);
    ~Hdf5Reader();
    Hdf5Reader(const Hdf5Reader&) = delete;
    Hdf5Reader& operator=(const Hdf5Reader&) = delete;

    bool has(const std::string& path) const;  ///< whether a group or an array of that name exists
    std::vector<int> ints(const std::string& path) const;
    std::vector<double> doubles(const std::string& path) const;
    int one_int(const std::string& path) const;
    std::string text(const std::string& path) const;  ///< empty if missing

    const std::string& name() const { return name_; }
    /// Throws InputError: "name: path: what".
    [[noreturn]] void fail(const std::string& path, const std::string& what) const;

  private:
    template <class T>
    std::vector<T> values(const std::string& path, bool whole_numbers) const;

    std::string name_;
    std::size_t byte_count_;
    std::int64_t file_ = -1;
};

/// An HDF5 file open for writing. Missing groups of a path are created.
class Hdf5Writer {
  public:
    Hdf5Writer();
    ~Hdf5Writer();
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    void write(const std::string& path, std::span<const int> values);
    void write(const std::string& path, std::span<const double> values);
    void write(const std::string& path, int value) { write(path, std::span<const int>(&value, 1)); }
    void write(const std::string& path, const std::string& text);
    std::string bytes();  ///< the whole file

  private:
    enum class Extent { Array, Scalar };
    void write_array(const std::string& path, const void* values, std::size_t count, std::int64_t file_type,
                     std::int64_t memory_type, Extent extent = Extent::Array);
    std::int64_t file_ = -1;
};

}  // namespace asperity::fclib
