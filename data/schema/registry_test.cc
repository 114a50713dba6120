#include "data/schema/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/schema/sha256.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::Registry Three() {
  pb::Registry registry;
  std::string previous;
  for (const char* name : {"one", "two", "three"}) {
    pb::RegistryEntry* entry = registry.add_entry();
    entry->set_time_utc("2026-08-14T09:30:00Z");
    entry->set_prediction_sha256(Sha256Hex(name));
    entry->set_prediction_name(name);
    entry->set_chain_sha256(ChainSha256(previous, *entry));
    previous = entry->chain_sha256();
  }
  return registry;
}

TEST(Registry, AnUntouchedChainIsValid) {
  EXPECT_TRUE(ValidateRegistry(Three()).ok());
  EXPECT_TRUE(ValidateRegistry(pb::Registry()).ok());
}

TEST(Registry, AnyChangedFieldBreaksTheChainAtItsEntry) {
  for (const std::string field :
       {"time_utc", "prediction_sha256", "prediction_name", "prediction_path",
        "hypotheses_sha256", "commit", "chain_sha256"}) {
    pb::Registry registry = Three();
    pb::RegistryEntry* entry = registry.mutable_entry(1);
    const auto* descriptor =
        pb::RegistryEntry::descriptor()->FindFieldByName(field);
    entry->GetReflection()->SetString(
        entry, descriptor,
        field == "time_utc" ? "2026-08-14T09:30:01Z" : Sha256Hex("other"));
    EXPECT_THAT(std::string(ValidateRegistry(registry).message()),
                HasSubstr("registry entry 2"))
        << field;
  }
}

TEST(Registry, TakingAnEntryOutOrSwappingTwoIsSeen) {
  pb::Registry taken = Three();
  taken.mutable_entry()->DeleteSubrange(0, 1);
  EXPECT_THAT(std::string(ValidateRegistry(taken).message()),
              HasSubstr("registry entry 1 (two"));
  pb::Registry swapped = Three();
  swapped.mutable_entry()->SwapElements(1, 2);
  EXPECT_FALSE(ValidateRegistry(swapped).ok());
}

TEST(Registry, TimesMayNotGoBackwards) {
  pb::Registry registry = Three();
  pb::RegistryEntry* last = registry.mutable_entry(2);
  last->set_time_utc("2026-08-13T09:30:00Z");
  last->set_chain_sha256(ChainSha256(registry.entry(1).chain_sha256(), *last));
  EXPECT_THAT(std::string(ValidateRegistry(registry).message()),
              HasSubstr("before"));
}

}  // namespace
}  // namespace tilebound
