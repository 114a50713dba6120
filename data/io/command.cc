#include "data/io/command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "data/io/suggest.h"

namespace tilebound {
namespace {

std::string& MutableCommandLine() {
  static auto* line = new std::string;
  return *line;
}

std::string EscapeNonAscii(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      escaped += c;
    } else {
      absl::StrAppendFormat(&escaped, "\\x%02x", byte);
    }
  }
  return escaped;
}

bool Takes(const CommandSpec& spec, absl::string_view flag) {
  return std::find(spec.flags.begin(), spec.flags.end(), flag) !=
         spec.flags.end();
}

bool IsBool(const absl::CommandLineFlag& flag) { return flag.IsOfType<bool>(); }

absl::Status UnknownFlag(const CommandSpec& spec, absl::string_view name) {
  return absl::InvalidArgumentError(absl::StrCat("unknown flag --", name,
                                                 DidYouMean(name, spec.flags),
                                                 "; --help lists the flags"));
}

// Sets flags one after the other and remembers what repeatable ones had.
class FlagSetter {
 public:
  explicit FlagSetter(const CommandSpec& spec) : spec_(spec) {}

  absl::Status Set(absl::string_view name, absl::string_view value);

 private:
  const CommandSpec& spec_;
  std::map<std::string, std::string> given_;
};

absl::Status SetFlag(absl::string_view name, absl::string_view value) {
  std::string error;
  if (absl::FindCommandLineFlag(name)->ParseFrom(value, &error)) {
    return absl::OkStatus();
  }
  std::string message =
      absl::StrCat("--", name, "=", value, " is not accepted");
  if (!error.empty()) absl::StrAppend(&message, ": ", error);
  return absl::InvalidArgumentError(message);
}

absl::Status FlagSetter::Set(absl::string_view name, absl::string_view value) {
  const bool repeatable =
      std::find(spec_.repeatable.begin(), spec_.repeatable.end(), name) !=
      spec_.repeatable.end();
  if (!repeatable) return SetFlag(name, value);
  const auto [at, fresh] =
      given_.try_emplace(std::string(name), std::string(value));
  if (!fresh) absl::StrAppend(&at->second, ",", value);
  return SetFlag(name, at->second);
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ParseFlags(
    const CommandSpec& spec, const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  FlagSetter setter(spec);
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view argument = arguments[i];
    if (argument == "--") {
      files.insert(files.end(), arguments.begin() + i + 1, arguments.end());
      break;
    }
    if (argument == "-" || !absl::ConsumePrefix(&argument, "-")) {
      files.push_back(arguments[i]);
      continue;
    }
    absl::ConsumePrefix(&argument, "-");
    const size_t equals = argument.find('=');
    absl::string_view name = argument.substr(0, equals);
    if (!Takes(spec, name)) {
      absl::string_view positive = name;
      if (equals == absl::string_view::npos &&
          absl::ConsumePrefix(&positive, "no") && Takes(spec, positive) &&
          IsBool(*absl::FindCommandLineFlag(positive))) {
        if (absl::Status set = SetFlag(positive, "false"); !set.ok())
          return set;
        continue;
      }
      return UnknownFlag(spec, name);
    }
    absl::Status set;
    if (equals != absl::string_view::npos) {
      set = setter.Set(name, argument.substr(equals + 1));
    } else if (IsBool(*absl::FindCommandLineFlag(name))) {
      set = SetFlag(name, "true");
    } else if (i + 1 < arguments.size()) {
      set = setter.Set(name, arguments[++i]);
    } else {
      set = absl::InvalidArgumentError(
          absl::StrCat("--", name, " needs a value: --", name, "=VALUE"));
    }
    if (!set.ok()) return set;
  }
  if (!files.empty() && !spec.takes_files) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected argument \"", files[0],
                     "\"; only flags are accepted: ", spec.usage));
  }
  return files;
}

std::string HelpText(const CommandSpec& spec) {
  std::string help =
      absl::StrCat(spec.summary, "\n\nUsage: ", spec.usage, "\n");
  if (!spec.flags.empty()) absl::StrAppend(&help, "\nFlags:\n");
  for (const std::string& name : spec.flags) {
    const absl::CommandLineFlag* flag = absl::FindCommandLineFlag(name);
    std::string left = absl::StrCat("  --", name);
    if (const std::string value = flag->DefaultValue();
        !value.empty() && !IsBool(*flag)) {
      absl::StrAppend(&left, "=", value);
    }
    absl::StrAppendFormat(&help, "%-34s %s\n", left, flag->Help());
  }
  if (!spec.examples.empty()) {
    absl::StrAppend(&help, "\nExamples:\n  ",
                    absl::StrJoin(spec.examples, "\n  "), "\n");
  }
  absl::StrAppend(
      &help,
      "\nExit status: 0 done, 1 done and something is wrong, 2 bad "
      "flags or files,\n3 the environment lacks something, 4 cannot "
      "tell.\n");
  return help;
}

const std::string& CommandLine() { return MutableCommandLine(); }

int RunCommand(const CommandSpec& spec, int argc, char** argv,
               const CommandBody& body) {
  // `bazel run` starts a command elsewhere and says where the user was.
  if (const char* folder = std::getenv("BUILD_WORKING_DIRECTORY")) {
    if (chdir(folder) != 0) {
      std::cerr << spec.name << ": cannot work in BUILD_WORKING_DIRECTORY "
                << folder << std::endl;
      return static_cast<int>(ExitCode::kEnvironment);
    }
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  MutableCommandLine() = absl::StrJoin(arguments, " ");
  MutableCommandLine().insert(0, spec.name + (arguments.empty() ? "" : " "));
  // Provenance holds UTF-8; a file name may be any bytes.
  MutableCommandLine() = EscapeNonAscii(MutableCommandLine());
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument == "--help" || argument == "-h" || argument == "-help") {
      std::cout << HelpText(spec);
      return static_cast<int>(ExitCode::kOk);
    }
  }
  absl::StatusOr<std::vector<std::string>> files = ParseFlags(spec, arguments);
  absl::StatusOr<ExitCode> code =
      files.ok() ? body(*files) : absl::StatusOr<ExitCode>(files.status());
  if (code.ok() && !std::cout.flush()) {
    code = absl::InvalidArgumentError("cannot write to standard output");
  }
  if (code.ok()) return static_cast<int>(*code);
  // One line, whatever a file name or a library's message holds.
  std::cerr << spec.name << ": "
            << absl::StrReplaceAll(code.status().message(),
                                   {{"\n", " "}, {"\r", " "}})
            << std::endl;
  return static_cast<int>(ExitCodeFor(code.status()));
}

}  // namespace tilebound
