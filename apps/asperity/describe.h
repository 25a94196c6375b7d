// The program's own description, taken from its parser: the manual page and the shell completions. So they name the commands
// and options that there are.
#pragma once
#include <string>
#include <vector>

namespace asperity::app {

struct OptionText {
    std::string names;  ///< "--out", "--help,-h"; the name of a positional argument
    std::string value;  ///< what it takes, as "TEXT"; empty for a flag
    std::string text;
    bool positional = false;
};
struct CommandText {
    std::string name, text;
    std::vector<OptionText> options;
};
struct ProgramText {
    std::string text, version;
    std::vector<CommandText> commands;
};

/// The manual page in the man macros of troff.
std::string man_page(const ProgramText& program);
/// Completion of commands, options, scene names and files. `shell`: "bash" or "zsh". Throws InputError for others.
std::string completion(const ProgramText& program, const std::string& shell);

}  // namespace asperity::app
