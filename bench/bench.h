// The measurements behind `asperity bench NAME`. Each parses its own options and prints its own table. Programs that link
// other engines or replace malloc stand apart: peers/, fclib/, memory/.
#pragma once
#include <span>
#include <string_view>

namespace asperity::bench {

int composition(int argc, char** argv);
int grain(int argc, char** argv);
int lab(int argc, char** argv);
int ploughing(int argc, char** argv);
int scaling(int argc, char** argv);
int sixd(int argc, char** argv);
int soft(int argc, char** argv);
int volumes(int argc, char** argv);

struct Bench {
    std::string_view name, what;
    int (*run)(int argc, char** argv);  ///< like main(); argv[0] is the name. Returns the exit code
};
std::span<const Bench> benches();
/// Null where there is none of that name.
const Bench* find(std::string_view name);

}  // namespace asperity::bench
