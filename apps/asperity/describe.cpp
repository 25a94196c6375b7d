#include "asperity/describe.h"

#include <fmt/format.h>

#include "asperity/core/error.h"

namespace asperity::app {
namespace {

/// Text for troff: a backslash, a dash or a dot at the start of a line would be commands.
std::string roff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
    return out;
}

std::string names_of(const CommandText& command, bool positional) {
    std::string words;
    for (const OptionText& option : command.options) {
        if (option.positional != positional) continue;
        std::string all = option.names;
        for (char& c : all)
            if (c == ',') c = ' ';
        words += (words.empty() ? "" : " ") + all;
    }
    return words;
}

bool takes_scene(const CommandText& command) {
    for (const OptionText& option : command.options)
        if (option.positional && (option.names == "scene" || option.names == "scenes" || option.names == "input"))
            return true;
    return false;
}

/// A text between single quotes in a shell.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

/// Whether the command stands below another one, as `lab surface`.
bool is_nested(const CommandText& command) { return command.name.find(' ') != std::string::npos; }

/// The names of the commands below it, without its own.
std::string nested_in(const ProgramText& program, const CommandText& command) {
    std::string names;
    for (const CommandText& other : program.commands)
        if (other.name.starts_with(command.name + " "))
            names += (names.empty() ? "" : " ") + other.name.substr(command.name.size() + 1);
    return names;
}

/// A pattern of `case`. A name with a blank must be quoted.
std::string pattern(const CommandText& command) { return is_nested(command) ? quoted(command.name) : command.name; }

std::string bash_completion(const ProgramText& program) {
    std::string commands, cases;
    for (const CommandText& command : program.commands) {
        if (!is_nested(command)) commands += (commands.empty() ? "" : " ") + command.name;
        cases += fmt::format("    {})\n      options={}\n", pattern(command), quoted(names_of(command, false)));
        cases += fmt::format("      words={}\n", quoted(nested_in(program, command)));
        if (takes_scene(command)) cases += "      words=\"$(asperity scenes --names 2>/dev/null)\"\n";
        cases += "      ;;\n";
    }
    return fmt::format(R"(# Completion of asperity for bash. Made by: asperity completion bash
_asperity() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command= options= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W {} -- "$word"))
    return
  fi
  for command in "${{COMP_WORDS[1]}}" "${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}"; do case $command in
{}  esac; done
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _asperity asperity
)",
                       quoted(commands + " --help --version"), cases);
}

std::string zsh_completion(const ProgramText& program) {
    std::string commands, cases;
    for (const CommandText& command : program.commands) {
        // a colon separates the name from the description
        if (!is_nested(command)) commands += fmt::format("    {}\n", quoted(command.name + ":" + command.text));
        cases += fmt::format("    {})\n      options=({})\n      words=({})\n", pattern(command), names_of(command, false),
                             nested_in(program, command));
        if (takes_scene(command)) cases += "      words=(${(f)\"$(asperity scenes --names 2>/dev/null)\"})\n";
        cases += "      ;;\n";
    }
    return fmt::format(R"(#compdef asperity
# Completion of asperity for zsh. Made by: asperity completion zsh
_asperity() {{
  local command
  local -a commands options words
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  for command in "$words_so_far[2]" "$words_so_far[2] $words_so_far[3]"; do case $command in
{}  esac; done
  if [[ $PREFIX == -* ]]; then
    compadd -- $options
  else
    compadd -- $words
    _files
  fi
}}
_asperity_start() {{
  local -a words_so_far
  words_so_far=("${{words[@]}}")
  _asperity
}}
_asperity_start "$@"
)",
                       commands, cases);
}

}  // namespace

std::string man_page(const ProgramText& program) {
    std::string out = fmt::format(
        ".TH ASPERITY 1 \"\" \"asperity {}\" \"User Commands\"\n.SH NAME\nasperity \\- {}\n.SH SYNOPSIS\n.B asperity\n"
        ".I command\n[\n.I arguments\n]\n.SH DESCRIPTION\nScenes are TOML files. They are run, drawn, plotted and measured "
        "with the commands below.\n.SH COMMANDS\n",
        program.version, roff(program.text));
    for (const CommandText& command : program.commands) {
        const std::string arguments = names_of(command, true);
        out += fmt::format(".SS \"asperity {}{}\"\n{}\n", roff(command.name), arguments.empty() ? "" : " " + roff(arguments),
                           roff(command.text));
        for (const OptionText& option : command.options)
            out +=
                fmt::format(".TP\n.B {}{}\n{}\n", roff(option.names), option.value.empty() ? "" : " " + roff(option.value),
                            option.text.empty() ? "\\&" : roff(option.text));
    }
    return out +
           ".SH EXIT STATUS\n.TP\n.B 0\ngood\n.TP\n.B 1\nan expectation of the scene failed\n.TP\n.B 2\nwrong input\n.TP\n"
           ".B 3\nnumerical failure\n.SH ENVIRONMENT\n.TP\n.B ASPERITY_SCENES\nfolder of the scenes that are found by name\n"
           ".SH FILES\n.TP\n.I share/asperity/scenes\nthe scenes, relative to the folder above that of the program\n"
           ".SH EXAMPLES\n.nf\nasperity new first\nasperity run first.toml\nasperity render first.toml \\-\\-picture "
           "first.png\n.fi\n";
}

std::string completion(const ProgramText& program, const std::string& shell) {
    if (shell == "bash") return bash_completion(program);
    if (shell == "zsh") return zsh_completion(program);
    throw InputError(fmt::format("completion: no completion for '{}'; known: bash, zsh", shell));
}

}  // namespace asperity::app
