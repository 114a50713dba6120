// The front of every command: flags, --help, errors and exit status.
//
// Use it in each main(). Flags are ABSL_FLAGs; the spec lists the ones that the
// command takes, in the order in which --help shows them. A flag that is not
// listed is an error even if some library defines it.
//
//   ABSL_FLAG(std::string, out, "", "File to write.");
//   absl::StatusOr<ExitCode> Run(const std::vector<std::string>& files) {...}
//   int main(int argc, char** argv) {
//     return RunCommand({.name = "show",
//                        .summary = "Prints any file of Tilebound.",
//                        .usage = "show [flags] FILE...",
//                        .flags = {"format"},
//                        .takes_files = true},
//                       argc, argv, Run);
//   }
#ifndef TILEBOUND_DATA_IO_COMMAND_H_
#define TILEBOUND_DATA_IO_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/io/exit_code.h"

namespace tilebound {

struct CommandSpec {
  // What errors start with: "predict".
  std::string name;
  // One sentence.
  std::string summary;
  // One line: "predict --part=P --kernel=K [flags]".
  std::string usage;
  std::vector<std::string> flags;
  bool takes_files = false;
  // Those of `flags` that may be given more than once: their values are joined
  // with commas. Any other flag's last value counts.
  std::vector<std::string> repeatable = {};
  // One command line each, shown last.
  std::vector<std::string> examples = {};
};

// `files` are the arguments that are not flags, in order.
using CommandBody = std::function<absl::StatusOr<ExitCode>(
    const std::vector<std::string>& files)>;

// Sets the flags from argv and returns what is left over. Accepts --name=value,
// --name value, and --name / --noname for bool flags; "--" ends the flags.
// Errors name the flag, the value, and the nearest flag or accepted form.
absl::StatusOr<std::vector<std::string>> ParseFlags(
    const CommandSpec& spec, const std::vector<std::string>& arguments);

// What --help prints.
std::string HelpText(const CommandSpec& spec);

// Parses, runs, prints an error as "name: message" to stderr in one line, and
// returns the exit status.
int RunCommand(const CommandSpec& spec, int argc, char** argv,
               const CommandBody& body);

// The command line as given, for provenance; set by RunCommand. The program's
// path is reduced to the command's name.
const std::string& CommandLine();

}  // namespace tilebound

#endif  // TILEBOUND_DATA_IO_COMMAND_H_
