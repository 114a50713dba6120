#include "model/cycle/instruction_stream.h"

#include <array>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "data/io/status_macros.h"

namespace tilebound::model {
namespace {

enum class Argument { kNone, kNeeded, kOneIfLeftOut };

struct KindName {
  InstructionKind kind;
  const char* name;
  Argument argument;
};

constexpr std::array<KindName, 13> kKinds = {{
    {InstructionKind::kInteger, "int", Argument::kNone},
    {InstructionKind::kVariable, "var", Argument::kNone},
    {InstructionKind::kFma, "fma", Argument::kNone},
    {InstructionKind::kTensor, "mma", Argument::kNeeded},
    {InstructionKind::kSharedLoad, "lds", Argument::kNeeded},
    {InstructionKind::kSharedStore, "sts", Argument::kOneIfLeftOut},
    {InstructionKind::kGlobalLoad, "ldg", Argument::kOneIfLeftOut},
    {InstructionKind::kGlobalStore, "stg", Argument::kOneIfLeftOut},
    {InstructionKind::kAtomic, "atom", Argument::kNone},
    {InstructionKind::kAsyncCopy, "cpa", Argument::kNone},
    {InstructionKind::kCommit, "commit", Argument::kNone},
    {InstructionKind::kWaitGroup, "wait", Argument::kNeeded},
    {InstructionKind::kBarrier, "bar", Argument::kNone},
}};

// Longer streams than this are typing errors in a count.
constexpr uint32_t kMostInstructions = 1'000'000;
constexpr uint32_t kMostArgument = 1'000'000;
constexpr uint32_t kMostStall = 15;

std::optional<uint32_t> ParseBounded(absl::string_view text, uint32_t least,
                                     uint32_t most) {
  uint32_t value = 0;
  if (!absl::SimpleAtoi(text, &value)) return std::nullopt;
  if (value < least || value > most) return std::nullopt;
  return value;
}

// Sets what the field says.
absl::Status ParseField(absl::string_view field, Instruction& instruction) {
  const auto refuse = [&](absl::string_view accepted) {
    return absl::InvalidArgumentError(
        absl::StrCat("field \"", field, "\"; ", accepted));
  };
  if (field.empty()) return refuse("sN, wN, rN or mN... is accepted");
  const absl::string_view rest = field.substr(1);
  switch (field[0]) {
    case 's': {
      const auto stall = ParseBounded(rest, 1, kMostStall);
      if (!stall) return refuse("s1 to s15 is accepted");
      instruction.stall = static_cast<uint8_t>(*stall);
      return absl::OkStatus();
    }
    case 'w':
    case 'r': {
      const auto board = ParseBounded(rest, 0, kScoreboards - 1);
      if (!board) return refuse("a scoreboard from 0 to 5 is accepted");
      (field[0] == 'w' ? instruction.write : instruction.read) =
          static_cast<uint8_t>(*board);
      return absl::OkStatus();
    }
    case 'm':
      if (rest.empty()) return refuse("m and scoreboards from 0 to 5");
      for (char digit : rest) {
        if (digit < '0' || digit >= '0' + kScoreboards) {
          return refuse("m and scoreboards from 0 to 5 are accepted");
        }
        instruction.waits |= static_cast<uint8_t>(1u << (digit - '0'));
      }
      return absl::OkStatus();
    default:
      return refuse("sN, wN, rN or mN... is accepted");
  }
}

struct Run {
  uint32_t count = 1;
  Instruction instruction;
};

// "[COUNT*]NAME[.ARGUMENT][?][,FIELD...]"
absl::StatusOr<Run> ParseRun(absl::string_view token) {
  Run run;
  std::vector<absl::string_view> parts = absl::StrSplit(token, ',');
  absl::string_view head = parts[0];
  if (const size_t star = head.find('*'); star != absl::string_view::npos) {
    const auto count = ParseBounded(head.substr(0, star), 1, kMostInstructions);
    if (!count) {
      return absl::InvalidArgumentError(
          absl::StrCat("count \"", head.substr(0, star), "\"; 1 to ",
                       kMostInstructions, " is accepted"));
    }
    run.count = *count;
    head.remove_prefix(star + 1);
  }
  if (absl::EndsWith(head, "?")) {
    run.instruction.not_in_last_chunk = true;
    head.remove_suffix(1);
  }
  const size_t dot = head.find('.');
  const absl::string_view name = head.substr(0, dot);
  const KindName* kind = nullptr;
  for (const KindName& candidate : kKinds) {
    if (name == candidate.name) kind = &candidate;
  }
  if (kind == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no instruction \"", name, "\"; accepted: ",
        absl::StrJoin(kKinds, ", ", [](std::string* out, const KindName& k) {
          out->append(k.name);
        })));
  }
  run.instruction.kind = kind->kind;
  const bool has_argument = dot != absl::string_view::npos;
  if (kind->argument == (has_argument ? Argument::kNone : Argument::kNeeded)) {
    return absl::InvalidArgumentError(absl::StrCat(
        name,
        has_argument ? " takes no argument" : " needs an argument, as in ",
        has_argument ? "" : name, has_argument ? "" : ".4"));
  }
  if (kind->argument == Argument::kOneIfLeftOut) run.instruction.argument = 1;
  if (has_argument) {
    const uint32_t least = kind->kind == InstructionKind::kWaitGroup ? 0 : 1;
    const auto argument =
        ParseBounded(head.substr(dot + 1), least, kMostArgument);
    if (!argument) {
      return absl::InvalidArgumentError(
          absl::StrCat("argument \"", head.substr(dot + 1), "\"; ", least,
                       " to ", kMostArgument, " is accepted"));
    }
    run.instruction.argument = *argument;
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    TILEBOUND_RETURN_IF_ERROR(ParseField(parts[i], run.instruction));
  }
  if ((kind->kind == InstructionKind::kCommit ||
       kind->kind == InstructionKind::kWaitGroup) &&
      run.instruction.write == kNoScoreboard) {
    return absl::InvalidArgumentError(
        absl::StrCat(name,
                     " needs the scoreboard that counts its groups, "
                     "as in ",
                     head, ",w0"));
  }
  return run;
}

absl::Status ValidateSegment(absl::string_view name,
                             const std::vector<Instruction>& instructions,
                             bool is_elect, bool is_chunk) {
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (is_elect && instructions[i].kind == InstructionKind::kBarrier) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ", instruction ", i + 1,
                       ": bar; only warp 0 runs this segment, and a barrier "
                       "needs all of them"));
    }
    if (!is_chunk && instructions[i].not_in_last_chunk) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ", instruction ", i + 1,
                       ": ? (not in the last chunk) has a meaning in the "
                       "chunk segment only"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Instruction>> ParseInstructions(
    absl::string_view text) {
  std::vector<Instruction> instructions;
  int place = 0;
  for (absl::string_view token :
       absl::StrSplit(text, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty())) {
    ++place;
    absl::StatusOr<Run> run = ParseRun(token);
    if (!run.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "item ", place, ", \"", token, "\": ", run.status().message()));
    }
    if (instructions.size() + run->count > kMostInstructions) {
      return absl::InvalidArgumentError(
          absl::StrCat("item ", place, ", \"", token, "\": over ",
                       kMostInstructions, " instructions"));
    }
    instructions.insert(instructions.end(), run->count, run->instruction);
  }
  return instructions;
}

std::string FormatInstructions(const std::vector<Instruction>& instructions) {
  std::string text;
  for (size_t i = 0; i < instructions.size();) {
    const Instruction& instruction = instructions[i];
    size_t end = i + 1;
    while (end < instructions.size() && instructions[end] == instruction) ++end;
    const KindName& kind = kKinds[static_cast<size_t>(instruction.kind)];
    if (i > 0) text += ' ';
    if (end - i > 1) absl::StrAppend(&text, end - i, "*");
    text += kind.name;
    if (kind.argument == Argument::kNeeded ||
        (kind.argument == Argument::kOneIfLeftOut &&
         instruction.argument != 1)) {
      absl::StrAppend(&text, ".", instruction.argument);
    }
    if (instruction.not_in_last_chunk) text += '?';
    if (instruction.stall != 1) {
      absl::StrAppend(&text, ",s", static_cast<int>(instruction.stall));
    }
    if (instruction.write != kNoScoreboard) {
      absl::StrAppend(&text, ",w", static_cast<int>(instruction.write));
    }
    if (instruction.read != kNoScoreboard) {
      absl::StrAppend(&text, ",r", static_cast<int>(instruction.read));
    }
    if (instruction.waits != 0) {
      text += ",m";
      for (char board = 0; board < kScoreboards; ++board) {
        if (instruction.waits >> board & 1) {
          text += static_cast<char>('0' + board);
        }
      }
    }
    i = end;
  }
  return text;
}

absl::Status ValidateStream(const TileStream& stream) {
  if (stream.elect.empty() || stream.chunk.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        stream.elect.empty() ? "elect" : "chunk",
        " is empty; a tile begins with elect's first instruction and has at "
        "least one chunk"));
  }
  TILEBOUND_RETURN_IF_ERROR(
      ValidateSegment("elect", stream.elect, true, false));
  TILEBOUND_RETURN_IF_ERROR(
      ValidateSegment("fetch", stream.fetch, false, false));
  TILEBOUND_RETURN_IF_ERROR(
      ValidateSegment("chunk", stream.chunk, false, true));
  return ValidateSegment("epilogue", stream.epilogue, false, false);
}

absl::StatusOr<TileStream> ParseStream(const pb::InstructionStream& text) {
  TileStream stream;
  const auto parse = [&](absl::string_view name, absl::string_view segment,
                         std::vector<Instruction>& into) {
    absl::StatusOr<std::vector<Instruction>> parsed =
        ParseInstructions(segment);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("stream for ", text.compute_capability(), ", ", name,
                       ", ", parsed.status().message()));
    }
    into = *std::move(parsed);
    return absl::OkStatus();
  };
  TILEBOUND_RETURN_IF_ERROR(parse("elect", text.elect(), stream.elect));
  TILEBOUND_RETURN_IF_ERROR(parse("fetch", text.fetch(), stream.fetch));
  TILEBOUND_RETURN_IF_ERROR(parse("chunk", text.chunk(), stream.chunk));
  TILEBOUND_RETURN_IF_ERROR(
      parse("epilogue", text.epilogue(), stream.epilogue));
  TILEBOUND_RETURN_IF_ERROR(ValidateStream(stream));
  return stream;
}

absl::StatusOr<TileStream> FindStream(const pb::TileProgram& program,
                                      uint32_t capability) {
  std::vector<uint32_t> known;
  for (const pb::InstructionStream& stream : program.streams()) {
    if (stream.compute_capability() == capability) return ParseStream(stream);
    known.push_back(stream.compute_capability());
  }
  return absl::NotFoundError(absl::StrCat(
      "program ", program.name(), " has no instruction stream for compute ",
      "capability ", capability, "; it has ",
      known.empty() ? "none" : absl::StrJoin(known, ", ")));
}

}  // namespace tilebound::model
