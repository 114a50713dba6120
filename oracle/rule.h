// A promise that a trace is held against.
//
// Each rule is one small class in oracle/rules/, listed in oracle/rules.cc. A
// thread has a rule object of each kind and shows it the records of its own
// streams; then the objects of one kind are joined (Absorb) and conclude:
//
//   class EveryPopEnds : public Rule {
//    public:
//     using Rule::Rule;
//     uint32_t kinds() const override { return KindBits({kPop, kTileEnd}); }
//     void OnRecord(const Stream& stream, uint64_t sequence,
//                   const Record& record) override {...wrong().Add(...)...}
//   };
//
// `stream` tells what was so before the record. What is wrong on the face of
// the records goes to wrong(); what is wrong because a record is not there goes
// to absent(), which counts only if no record is missing from the trace.
#ifndef TILEBOUND_ORACLE_RULE_H_
#define TILEBOUND_ORACLE_RULE_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "data/trace/trace.pb.h"
#include "oracle/expect.h"
#include "oracle/finding.h"
#include "oracle/set_table.h"
#include "oracle/stream.h"
#include "oracle/task_set.h"

namespace tilebound::oracle {

// What is known of the trace before the pass, the same for all threads.
struct TraceFacts {
  pb::TraceHeader header;
  SetTable sets;
  std::vector<Expectation> expectations;
  // Handoff bound to hold the trace to; 0 for none.
  int64_t bound_ps = 0;

  // Two stamps closer than this may stand for events in either order; at least
  // 1, so that "later by this much" means surely later.
  int64_t quantum_ps() const {
    const uint64_t quantum =
        std::max(header.quantum_ps(), header.time_unit_ps());
    return quantum == 0 ? 1 : static_cast<int64_t>(quantum);
  }
  // A look at this time or later cannot miss what was set at `set_ps`.
  int64_t SurelySeen(int64_t set_ps) const {
    return set_ps + quantum_ps() +
           static_cast<int64_t>(header.visibility_allowance_ps());
  }
  bool cooperative() const { return header.cell().arm() == pb::COOPERATIVE; }
};

class Rule {
 public:
  Rule(const TraceFacts& facts, TaskSet& tasks)
      : facts_(facts), tasks_(tasks) {}
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  // Kinds of record that OnRecord() is to be shown: bit k for kind k.
  virtual uint32_t kinds() const = 0;
  virtual void OnRecord(const Stream&, uint64_t /*sequence*/, const Record&) {}
  virtual void OnTiles(const Stream&, const TileRun&) {}
  // Whether OnTiles does anything.
  virtual bool wants_tiles() const { return false; }
  // Records of the stream are missing here.
  virtual void OnMissing(const Stream&) {}
  // The stream has no more records.
  virtual void OnStreamEnd(const Stream&) {}
  // Takes over what the same rule gathered in another thread, findings too.
  virtual void Absorb(Rule& other) {
    wrong_.Absorb(other.wrong_);
    absent_.Absorb(other.absent_);
  }
  // After the whole trace was seen and all threads' objects were absorbed.
  virtual void Conclude() {}

  FindingLog& wrong() { return wrong_; }
  FindingLog& absent() { return absent_; }

 protected:
  const TraceFacts& facts() const { return facts_; }
  TaskSet& tasks() { return tasks_; }

 private:
  const TraceFacts& facts_;
  TaskSet& tasks_;
  FindingLog wrong_;
  FindingLog absent_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_RULE_H_
