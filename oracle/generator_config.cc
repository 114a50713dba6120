#include <functional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "data/io/split_mix.h"
#include "data/io/status_macros.h"
#include "data/schema/cell_key.h"
#include "oracle/generate.h"

namespace tilebound::oracle {
namespace {

// One field: its name, how it is read, and how it is written.
struct Field {
  std::string name;
  std::function<absl::Status(GeneratorConfig&, absl::string_view)> set;
  std::function<std::string(const GeneratorConfig&)> get;
};

template <typename T>
Field Number(const std::string& name, T GeneratorConfig::*member,
             uint64_t least, uint64_t most) {
  return {
      name,
      [=](GeneratorConfig& config, absl::string_view text) -> absl::Status {
        uint64_t value;
        if (!absl::SimpleAtoi(text, &value) || value < least || value > most) {
          return absl::InvalidArgumentError(
              absl::StrCat("--generate: ", name, "=", text,
                           "; accepted: ", least, " to ", most));
        }
        config.*member = static_cast<T>(value);
        return absl::OkStatus();
      },
      [=](const GeneratorConfig& config) {
        return absl::StrCat(config.*member);
      }};
}

template <typename T, typename Parse, typename Name>
Field Word(const std::string& name, T GeneratorConfig::*member, Parse parse,
           Name print) {
  return {name,
          [=](GeneratorConfig& config, absl::string_view text) -> absl::Status {
            TILEBOUND_ASSIGN_OR_RETURN(config.*member, parse(text));
            return absl::OkStatus();
          },
          [=](const GeneratorConfig& config) { return print(config.*member); }};
}

const std::vector<Field>& Fields() {
  using C = GeneratorConfig;
  constexpr uint64_t kSecond = 1'000'000'000'000;
  static const auto* fields = new std::vector<Field>{
      Word("arm", &C::arm, ParseArm, ArmName),
      Word("site", &C::site, ParseSite, SiteName),
      Word("setter", &C::setter, ParseSetter, SetterName),
      Number("period", &C::period, 1, 1024),
      Number("stale_looks", &C::stale_looks, 0, 16),
      Number("urgent_tiles", &C::urgent_tiles, 0, 4096),
      Number("sms", &C::sms, 1, 4096),
      Number("blocks_per_sm", &C::blocks_per_sm, 1, 32),
      Number("reserve", &C::reserve, 0, 31),
      Number("waves", &C::waves, 1, 1000),
      Number("tasks", &C::tasks, 0, uint64_t{1} << 40),
      Number("events", &C::events, 0, 100'000'000),
      Number("stages_per_tile", &C::stages_per_tile, 1, 1024),
      Number("quantum_ps", &C::quantum_ps, 0, kSecond),
      Number("visibility_allowance_ps", &C::visibility_allowance_ps, 0,
             kSecond),
      Number("tile_ps", &C::tile_ps, 1000, kSecond),
      Number("compress", &C::compress, 0, 1),
  };
  return *fields;
}

absl::Status CheckTogether(const GeneratorConfig& config) {
  if (config.arm == pb::RESERVED &&
      (config.reserve == 0 || config.reserve >= config.blocks_per_sm)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--generate: reserve=", config.reserve,
                     "; the arm reserved accepts 1 to blocks_per_sm - 1 (",
                     config.blocks_per_sm - 1, ")"));
  }
  if (config.arm != pb::RESERVED && config.reserve != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("--generate: reserve=", config.reserve,
                     "; accepted in other arms than reserved: 0"));
  }
  const uint64_t blocks =
      uint64_t{config.sms} * config.blocks_per_sm * config.waves;
  if (blocks > 500'000) {
    return absl::InvalidArgumentError(
        absl::StrCat("--generate: sms * blocks_per_sm * waves is ", blocks,
                     "; accepted: 1 to 500000"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GeneratorConfig> ParseGeneratorConfig(absl::string_view text) {
  GeneratorConfig config;
  for (absl::string_view item : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> pair =
        absl::StrSplit(item, absl::MaxSplits('=', 1));
    const Field* found = nullptr;
    for (const Field& field : Fields()) {
      if (field.name == pair.first) found = &field;
    }
    if (found == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--generate: \"", item,
          "\" is not accepted; accepted are NAME=VALUE "
          "with a name of ",
          absl::StrJoin(Fields(), ", ", [](std::string* out, const Field& f) {
            absl::StrAppend(out, f.name);
          })));
    }
    TILEBOUND_RETURN_IF_ERROR(found->set(config, pair.second));
  }
  // The only setter that knows of urgent work that no block looks for.
  if (config.arm != pb::COOPERATIVE) config.setter = pb::HOST;
  TILEBOUND_RETURN_IF_ERROR(CheckTogether(config));
  return config;
}

std::string GeneratorConfigText(const GeneratorConfig& config) {
  return absl::StrJoin(
      Fields(), ",", [&](std::string* out, const Field& field) {
        absl::StrAppend(out, field.name, "=", field.get(config));
      });
}

GeneratorConfig RandomGeneratorConfig(uint64_t seed) {
  SplitMix64 random(seed);
  const auto among = [&random](std::initializer_list<uint64_t> values) {
    return *(values.begin() + random.Below(values.size()));
  };
  GeneratorConfig config;
  config.arm = static_cast<pb::Arm>(
      among({pb::NONE, pb::COOPERATIVE, pb::COOPERATIVE, pb::RESERVED}));
  config.site = static_cast<pb::Site>(1 + random.Below(4));
  config.period = among({1, 1, 2, 3, 4, 8});
  config.stale_looks = among({0, 0, 1});
  config.urgent_tiles = among({0, 1, 1, 2, 4, 16, 70});
  config.setter = config.arm == pb::COOPERATIVE && random.Below(2) == 0
                      ? pb::DEVICE
                      : pb::HOST;
  config.sms = 1 + random.Below(6);
  config.blocks_per_sm = 1 + random.Below(8);
  if (config.arm == pb::RESERVED) {
    config.blocks_per_sm = std::max<uint32_t>(config.blocks_per_sm, 2);
    config.reserve = 1 + random.Below(config.blocks_per_sm - 1);
  }
  config.waves = among({1, 1, 2, 3});
  config.tasks = among({0, 1, 100, 500, 2000}) + random.Below(50);
  config.events = among({0, 1, 3, 12});
  config.stages_per_tile = among({1, 2, 4, 8, 16, 32});
  config.quantum_ps = among({0, 0, 1'000, 32'000, 1'024'000});
  config.visibility_allowance_ps = among({0, 500'000, 2'000'000});
  config.tile_ps = among({3'000'000, 10'000'000, 25'000'000});
  config.compress = random.Below(4) == 0;
  return config;
}

}  // namespace tilebound::oracle
