// One thread's part of the pass over a trace: its own streams, all rules.
//
//   TracePass pass(reader, facts, tasks, /*thread=*/0, /*threads=*/2);
//   pass.Run();
//   pass.Absorb(other_pass);
#ifndef TILEBOUND_ORACLE_PASS_H_
#define TILEBOUND_ORACLE_PASS_H_

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "data/trace/reader.h"
#include "oracle/check.h"
#include "oracle/handoff.h"
#include "oracle/rule.h"

namespace tilebound::oracle {

// On cache lines of its own: each thread counts in one.
class alignas(128) TracePass {
 public:
  TracePass(const TraceReader& reader, const TraceFacts& facts, TaskSet& tasks,
            uint32_t thread, uint32_t threads);

  void Run();
  // Joins another thread's results into this one.
  void Absorb(TracePass& other);
  // After all were absorbed: lets the rules conclude, and says why records are
  // missing, if any are.
  std::vector<std::string> Conclude();

  // Fills in where a block was last resident, if the place does not say.
  void Locate(Place& place) const;

  const std::vector<std::unique_ptr<Rule>>& rules() const { return rules_; }
  const CheckCounts& counts() const { return counts_; }
  const HandoffLedger& handoff() const { return handoff_; }

 private:
  struct Damage {
    uint64_t offset;
    std::string why;
  };

  Stream& StreamOf(uint32_t id);
  void OnChunk(const DecodedChunk& chunk, Stream& stream);
  void OnRecord(Stream& stream, uint64_t sequence, const Record& record);
  void OnTiles(Stream& stream, const TileRun& run);
  // Notes whether the number follows the stream's last one.
  void Number(Stream& stream, uint64_t sequence);

  const TraceReader& reader_;
  const TraceFacts& facts_;
  const uint32_t thread_;
  const uint32_t threads_;
  std::vector<std::unique_ptr<Rule>> rules_;
  // Those of rules_ that want tiles.
  std::vector<Rule*> tile_rules_;
  // Those that want records, by kind.
  std::array<std::vector<Rule*>, kLastRecordKind + 1> record_rules_;
  std::unordered_map<uint32_t, std::unique_ptr<Stream>> streams_;
  CheckCounts counts_;
  HandoffLedger handoff_;
  TraceEnd end_;
  std::vector<Damage> damage_;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_PASS_H_
