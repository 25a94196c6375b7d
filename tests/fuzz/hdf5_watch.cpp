#include "hdf5_watch.h"

#include <hdf5.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

// Defined only under the address sanitizer.
extern "C" void* __asan_region_is_poisoned(void* begin, std::size_t size) __attribute__((weak));

namespace asperity::fuzz {
namespace {

constexpr int kExitedAsTold = 1 << 20;  // larger than any count of nested calls

/// Number of library calls running in the child; kExitedAsTold once its work has returned.
volatile int& running() {
    static void* const shared = ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) std::abort();
    return *static_cast<volatile int*>(shared);
}

struct Hdf5Call {
    Hdf5Call() { running() = running() + 1; }
    ~Hdf5Call() { running() = running() - 1; }
};

}  // namespace

Outcome run_apart(const std::function<int()>& work) {
    running() = 0;
    const pid_t child = ::fork();
    if (child == 0) {
        const int code = work();
        running() = kExitedAsTold;
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && running() == kExitedAsTold) return {End::Exited, WEXITSTATUS(status)};
    return {running() > 0 && running() != kExitedAsTold ? End::InHdf5 : End::InOurCode, 0};
}

}  // namespace asperity::fuzz

// The HDF5 functions that fclib/hdf5_file.cpp calls to read. A function missing here counts as our own code, so an omission
// fails the test instead of hiding a defect.
#define WATCH(result, name, parameters, arguments) \
    extern "C" result __real_##name parameters;    \
    extern "C" result __wrap_##name parameters;    \
    extern "C" result __wrap_##name parameters {   \
        const asperity::fuzz::Hdf5Call call;       \
        return __real_##name arguments;            \
    }

WATCH(hid_t, H5Pcreate, (hid_t kind), (kind))
WATCH(herr_t, H5Pclose, (hid_t list), (list))
WATCH(herr_t, H5Pset_fapl_core, (hid_t list, size_t increment, hbool_t store), (list, increment, store))
WATCH(herr_t, H5Pset_file_image, (hid_t list, void* bytes, size_t size), (list, bytes, size))
WATCH(hid_t, H5Fopen, (const char* name, unsigned flags, hid_t list), (name, flags, list))
WATCH(herr_t, H5Fclose, (hid_t file), (file))
WATCH(htri_t, H5Lexists, (hid_t place, const char* name, hid_t list), (place, name, list))
WATCH(htri_t, H5Oexists_by_name, (hid_t place, const char* name, hid_t list), (place, name, list))
WATCH(hid_t, H5Dopen2, (hid_t place, const char* name, hid_t list), (place, name, list))
WATCH(herr_t, H5Dclose, (hid_t set), (set))
WATCH(hid_t, H5Dget_type, (hid_t set), (set))
WATCH(hid_t, H5Dget_space, (hid_t set), (set))
WATCH(herr_t, H5Tclose, (hid_t type), (type))
WATCH(H5T_class_t, H5Tget_class, (hid_t type), (type))
WATCH(size_t, H5Tget_size, (hid_t type), (type))
WATCH(htri_t, H5Tis_variable_str, (hid_t type), (type))
WATCH(herr_t, H5Sclose, (hid_t space), (space))
WATCH(hssize_t, H5Sget_simple_extent_npoints, (hid_t space), (space))

extern "C" herr_t __real_H5Dread(hid_t, hid_t, hid_t, hid_t, hid_t, void*);
extern "C" herr_t __wrap_H5Dread(hid_t, hid_t, hid_t, hid_t, hid_t, void*);
/// The only call that writes to our memory. If our buffer is too small, a crash inside the library is our error.
extern "C" herr_t __wrap_H5Dread(hid_t set, hid_t type, hid_t memory, hid_t file, hid_t list, void* to) {
    const hid_t space = __wrap_H5Dget_space(set);
    const hssize_t count = __wrap_H5Sget_simple_extent_npoints(space);
    const size_t size = __wrap_H5Tget_size(type);
    __wrap_H5Sclose(space);
    if (count > 0 && __asan_region_is_poisoned && __asan_region_is_poisoned(to, static_cast<size_t>(count) * size))
        std::abort();
    const asperity::fuzz::Hdf5Call call;
    return __real_H5Dread(set, type, memory, file, list, to);
}
