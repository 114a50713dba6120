#include "data/schema/cell_key.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tilebound {
namespace {

using ::testing::HasSubstr;

pb::CellKey Reference() {
  pb::CellKey key = DefaultCellKey();
  key.set_part("a10");
  key.set_kernel("sgemm64");
  key.set_k(64);
  key.set_blocks(288);
  return key;
}

pb::CellKey FarFromDefault() {
  pb::CellKey key = Reference();
  key.set_part("a100_sxm4_40gb");
  key.set_kernel("tensor128");
  key.set_k(4096);
  key.set_blocks(72);
  key.set_site(pb::STAGE);
  key.set_period(4);
  key.set_variant("sync_flag");
  key.set_discipline(pb::POISON);
  key.set_arm(pb::RESERVED);
  key.set_reserve(8);
  key.set_urgent_tiles(2);
  key.set_setter(pb::HOST);
  *key.mutable_arrivals() = *ParseArrivals("closed:0.25");
  key.set_cluster_size(2);
  return key;
}

std::string Error(const pb::CellKey& key) {
  return std::string(ValidateCellKey(key).message());
}

TEST(CanonicalText, NamesEveryFieldInAFixedOrder) {
  EXPECT_EQ(CanonicalText(Reference()),
            "part=a10 kernel=sgemm64 k=64 blocks=288 site=boundary period=1 "
            "variant=default discipline=drain arm=cooperative reserve=0 "
            "urgent_tiles=1 setter=device arrivals=uniform:150:400 "
            "cluster_size=1");
  EXPECT_EQ(CanonicalText(FarFromDefault()),
            "part=a100_sxm4_40gb kernel=tensor128 k=4096 blocks=72 site=stage "
            "period=4 variant=sync_flag discipline=poison arm=reserved "
            "reserve=8 urgent_tiles=2 setter=host arrivals=closed:0.25 "
            "cluster_size=2");
}

// By `printf %s "$TEXT" | sha256sum | cut -c1-16` of the texts above. A change
// here parts every registered prediction from its measurement.
TEST(Fingerprint, IsTheStartOfTheSha256OfTheText) {
  EXPECT_EQ(Fingerprint(Reference()), "eb5458765423945a");
  EXPECT_EQ(Fingerprint(FarFromDefault()), "12ad2052bd703e80");
}

TEST(Fingerprint, DependsOnEveryField) {
  const pb::CellKey far = FarFromDefault(), near = Reference();
  const auto* type = pb::CellKey::descriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    // The far key with one field as in the near one.
    pb::CellKey key = near, rest = far;
    const auto* reflection = key.GetReflection();
    for (int j = 0; j < type->field_count(); ++j) {
      if (j != i) reflection->SwapFields(&key, &rest, {type->field(j)});
    }
    EXPECT_NE(Fingerprint(key), Fingerprint(far)) << type->field(i)->name();
  }
}

TEST(ParseWords, ReadBackWhatTheNamesPrint) {
  for (pb::Site site : {pb::BOUNDARY, pb::STAGE, pb::ISSUE, pb::FOLDED}) {
    EXPECT_EQ(*ParseSite(SiteName(site)), site);
  }
  for (pb::Discipline discipline : {pb::DRAIN, pb::NAIVE, pb::POISON}) {
    EXPECT_EQ(*ParseDiscipline(DisciplineName(discipline)), discipline);
  }
  for (pb::Arm arm : {pb::NONE, pb::COOPERATIVE, pb::RESERVED}) {
    EXPECT_EQ(*ParseArm(ArmName(arm)), arm);
  }
  for (pb::Setter setter : {pb::DEVICE, pb::HOST}) {
    EXPECT_EQ(*ParseSetter(SetterName(setter)), setter);
  }
}

TEST(ParseWords, SuggestAndListWhatIsAccepted) {
  EXPECT_EQ(ParseSite("bondary").status().message(),
            "site \"bondary\" is not known (did you mean boundary?); accepted "
            "are boundary, stage, issue, folded");
  EXPECT_EQ(ParseArm("").status().message(),
            "arm \"\" is not known; accepted are none, cooperative, reserved");
  EXPECT_THAT(ParseDiscipline("drains").status().message(),
              HasSubstr("did you mean drain?"));
  EXPECT_FALSE(ParseSetter("HOST").ok());
  EXPECT_FALSE(ParseSite("site_unspecified").ok());
}

TEST(ParseArrivals, ReadsMicrosecondsToTheNanosecond) {
  const pb::Arrivals uniform = *ParseArrivals("uniform:150.1:400");
  EXPECT_EQ(uniform.min_gap_ns(), 150'100u);
  EXPECT_EQ(uniform.max_gap_ns(), 400'000u);
  EXPECT_EQ(ParseArrivals("poisson:0.001")->mean_gap_ns(), 1u);
  EXPECT_EQ(ParseArrivals("closed:0.05")->utilization_ppm(), 50'000u);
}

TEST(ParseArrivals, ReadsBackItsOwnText) {
  for (const char* text :
       {"uniform:150:400", "uniform:0:0.125", "poisson:1000000", "closed:0.5",
        "closed:0.000001", "closed:0.999999"}) {
    EXPECT_EQ(ArrivalsText(*ParseArrivals(text)), text);
  }
}

TEST(ParseArrivals, SaysWhatIsWrongAndWhatIsAccepted) {
  const auto error = [](const char* text) {
    return std::string(ParseArrivals(text).status().message());
  };
  EXPECT_EQ(error("uniform:-5:10"),
            "arrivals \"uniform:-5:10\": \"-5\" is not a time in microseconds "
            "from 0 to 1e9; accepted are uniform:MIN_US:MAX_US, "
            "poisson:MEAN_US, closed:UTILIZATION");
  EXPECT_THAT(error("uniform:400:150"), HasSubstr("smallest gap is over"));
  EXPECT_THAT(error("uniform:1:nan"), HasSubstr("\"nan\" is not a time"));
  EXPECT_THAT(error("uniform:1:inf"), HasSubstr("\"inf\" is not a time"));
  EXPECT_THAT(error("uniform:1.0001:2"),
              HasSubstr("\"1.0001\" has more than three decimals"));
  EXPECT_THAT(error("poisson:0"), HasSubstr("mean gap over 0"));
  EXPECT_THAT(error("closed:0"), HasSubstr("between 0 and 1"));
  EXPECT_THAT(error("closed:1"), HasSubstr("between 0 and 1"));
  EXPECT_THAT(error("uniform:1"), HasSubstr("not understood"));
  EXPECT_THAT(error(""), HasSubstr("not understood"));
}

TEST(ValidateName, TakesWhatFlagsAndFilesCanHold) {
  EXPECT_TRUE(ValidateName("part", "a100_sxm4_40gb").ok());
  EXPECT_TRUE(ValidateName("part", std::string(64, 'a')).ok());
  for (const std::string& name :
       {std::string(), std::string("10a"), std::string("A10"),
        std::string("a-10"), std::string("a 10"), std::string(65, 'a')}) {
    EXPECT_EQ(ValidateName("part", name).message(),
              "part \"" + name +
                  "\" is not a name; accepted are lower-case letters, digits "
                  "and '_', starting with a letter, at most 64");
  }
}

TEST(ValidateCellKey, AcceptsTheKeysAbove) {
  EXPECT_EQ(Error(Reference()), "");
  EXPECT_EQ(Error(FarFromDefault()), "");
}

TEST(ValidateCellKey, RefusesPeriodZero) {
  pb::CellKey key = Reference();
  key.set_period(0);
  EXPECT_THAT(Error(key), HasSubstr("key.period is 0"));
}

TEST(ValidateCellKey, ReserveGoesWithArmReservedOnly) {
  pb::CellKey key = Reference();
  key.set_reserve(4);
  EXPECT_EQ(Error(key),
            "key.reserve is 4 with arm cooperative; arm reserved needs 1 or "
            "more slots, every other arm has 0");
  key.set_arm(pb::RESERVED);
  EXPECT_EQ(Error(key), "");
  key.set_reserve(0);
  EXPECT_THAT(Error(key), HasSubstr("key.reserve is 0 with arm reserved"));
}

TEST(ValidateCellKey, OnlyKernelNoneHasNoDepth) {
  pb::CellKey key = Reference();
  key.set_k(0);
  EXPECT_THAT(Error(key), HasSubstr("key.k is 0"));
  key.set_kernel("none");
  EXPECT_EQ(Error(key), "");
}

TEST(ValidateCellKey, NamesTheFieldThatIsNotSet) {
  const std::pair<void (*)(pb::CellKey&), const char*> cases[] = {
      {[](pb::CellKey& key) { key.clear_part(); }, "key.part \"\""},
      {[](pb::CellKey& key) { key.clear_kernel(); }, "key.kernel \"\""},
      {[](pb::CellKey& key) { key.clear_variant(); }, "key.variant \"\""},
      {[](pb::CellKey& key) { key.clear_blocks(); }, "key.blocks is 0"},
      {[](pb::CellKey& key) { key.clear_site(); },
       "key.site is not set; accepted are boundary, stage, issue, folded"},
      {[](pb::CellKey& key) { key.clear_discipline(); },
       "key.discipline is not set; accepted are drain, naive, poison"},
      {[](pb::CellKey& key) { key.clear_arm(); }, "key.arm is not set"},
      {[](pb::CellKey& key) { key.clear_setter(); }, "key.setter is not set"},
      {[](pb::CellKey& key) { key.clear_arrivals(); },
       "key.arrivals.process is not set; accepted are uniform, poisson, "
       "closed"},
      {[](pb::CellKey& key) { key.clear_cluster_size(); },
       "key.cluster_size is 0"},
  };
  for (const auto& [change, message] : cases) {
    pb::CellKey key = Reference();
    change(key);
    EXPECT_THAT(Error(key), HasSubstr(message));
  }
}

TEST(ValidateCellKey, RefusesNumbersThatNoEnumValueHas) {
  pb::CellKey key = Reference();
  key.set_site(static_cast<pb::Site>(99));
  EXPECT_THAT(Error(key), HasSubstr("key.site is number 99; accepted are"));
  key = Reference();
  key.mutable_arrivals()->set_process(static_cast<pb::Arrivals::Process>(7));
  EXPECT_THAT(Error(key), HasSubstr("key.arrivals.process is number 7"));
}

TEST(ValidateCellKey, RefusesArrivalsThatTheTextCannotSay) {
  pb::CellKey key = Reference();
  key.mutable_arrivals()->set_max_gap_ns(100'000);
  EXPECT_THAT(Error(key), HasSubstr("key.arrivals \"uniform:150:100\": the "
                                    "smallest gap is over the largest"));
  key = Reference();
  key.mutable_arrivals()->set_mean_gap_ns(5);
  EXPECT_THAT(Error(key),
              HasSubstr("fields of another process: process: UNIFORM"));
  key = Reference();
  key.mutable_arrivals()->Clear();
  key.mutable_arrivals()->set_process(pb::Arrivals::CLOSED);
  key.mutable_arrivals()->set_utilization_ppm(2'000'000);
  EXPECT_THAT(Error(key), HasSubstr("a utilization between 0 and 1"));
}

TEST(CellKeyLess, OrdersBlocksAsNumbersWithinAKernel) {
  pb::CellKey few = Reference(), many = Reference();
  few.set_blocks(16);
  many.set_blocks(144);
  EXPECT_TRUE(CellKeyLess(few, many));
  EXPECT_FALSE(CellKeyLess(many, few));
  few.set_k(128);
  EXPECT_TRUE(CellKeyLess(many, few));
  EXPECT_FALSE(CellKeyLess(few, few));
}

}  // namespace
}  // namespace tilebound
