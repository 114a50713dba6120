// The schedule that a generated trace records: which block does what when, with
// times that are drawn.
//
//   Schedule schedule(config, seed, StreamsOf(config), feed);
//   schedule.Run();
//
// Things happen one after another in a calendar; each of them appends records
// to the feed and puts what follows from it into the calendar. schedule.cc has
// blocks coming and going and the events, schedule_worker.cc what a worker does
// from tile to tile.
#ifndef TILEBOUND_ORACLE_SCHEDULE_H_
#define TILEBOUND_ORACLE_SCHEDULE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "data/io/split_mix.h"
#include "oracle/calendar.h"
#include "oracle/generate.h"
#include "oracle/record_feed.h"

namespace tilebound::oracle {

// Streams of blocks that the trace of a configuration has.
struct StreamCounts {
  // Worker blocks of all waves.
  uint32_t blocks;
  // Streams for blocks of the urgent kernel.
  uint32_t urgent;
};
StreamCounts StreamsOf(const GeneratorConfig& config);

class Schedule {
 public:
  // Drawn times, all in picoseconds: [least, least + span).
  static constexpr int64_t kBoundarySpan = 800'000;
  // How often a block without a task looks whether there is an event to wait
  // for.
  static constexpr int64_t kIdleLook = 5'000'000;

  Schedule(const GeneratorConfig& config, uint64_t seed, StreamCounts streams,
           RecordFeed& feed)
      : config_(config),
        random_(seed),
        feed_(feed),
        inside_(config.arm == pb::COOPERATIVE && config.site != pb::BOUNDARY),
        workers_(streams.blocks),
        urgent_(streams.urgent),
        live_(config.sms, 0),
        live_workers_(config.sms, 0),
        calendar_(streams.blocks + streams.urgent + 2,
                  std::max(kLeastBucket,
                           config.tile_ps / (2 * (streams.blocks + 1)))) {}

  // Appends every record; once.
  void Run();

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  static constexpr int64_t kMicrosecond = 1'000'000;
  static constexpr int64_t kUrgentLeast = 4 * kMicrosecond;
  static constexpr int64_t kUrgentSpan = 6 * kMicrosecond;
  static constexpr int64_t kGapLeast = 150 * kMicrosecond;
  static constexpr int64_t kGapSpan = 250 * kMicrosecond;
  static constexpr int64_t kLaunchDelay = 16 * kMicrosecond;
  // With a bucket of so many picoseconds the calendar's ring holds 134 us, so
  // that a tile's end seldom lies beyond it.
  static constexpr uint64_t kLeastBucket = 1 << 13;

  // What a worker block is at.
  struct Worker {
    uint32_t sm = 0;
    uint32_t slot = 0;
    bool live = false;
    // Tile in hand, begun at `begin`, to end at the block's calendar time.
    bool busy = false;
    bool restarted = false;
    uint64_t task = 0;
    int64_t begin = 0;
    // Tiles still to run before it makes room for the next wave.
    uint64_t quota = 0;
    // Sites passed so far, and looks that sampled the flag since it moved.
    uint64_t sites = 0;
    uint32_t samples = 0;
    uint64_t seen = 0;
  };

  // A block of the urgent kernel: one life in an urgent stream.
  struct UrgentBlock {
    uint32_t sm = 0;
    bool live = false;
    uint64_t event = 0;
    uint32_t tile = 0;
  };

  bool cooperative() const { return config_.arm == pb::COOPERATIVE; }
  // Things of the calendar behind the blocks: the host's next set, and the
  // moment when its launch comes through.
  uint32_t host() const { return workers_.size() + urgent_.size(); }
  uint32_t launch() const { return host() + 1; }
  bool is_setter(uint32_t block) const {
    return config_.setter == pb::DEVICE && block == 0;
  }
  int64_t Draw(int64_t span) {
    return static_cast<int64_t>(random_.Below(static_cast<uint64_t>(span)));
  }

  void Write(uint32_t block, const Record& record);
  void Dispatch(uint32_t sm, int64_t now);
  void StartWorker(uint32_t block, uint32_t sm, int64_t now);
  void StartUrgent(uint32_t sm, int64_t now);
  void StepWorker(uint32_t block, int64_t now);
  void StepUrgent(uint32_t lane, int64_t now);
  void StepHost(int64_t now);
  bool LookInside(uint32_t block, int64_t end);
  int64_t LookAtBoundary(uint32_t block, int64_t now);
  bool Sees(Worker& worker, int64_t time);
  int64_t Handle(uint32_t block, int64_t now);
  void NextTile(uint32_t block, int64_t now);
  void Exit(uint32_t block, int64_t now);
  void PlanSet(int64_t now);
  void MaybeDone(int64_t now);
  int64_t TileTime(const Worker& worker);

  const GeneratorConfig& config_;
  SplitMix64 random_;
  RecordFeed& feed_;
  const bool inside_;
  std::vector<Worker> workers_;
  std::vector<UrgentBlock> urgent_;
  // Resident blocks of each SM, all and workers alone.
  std::vector<uint32_t> live_, live_workers_;
  Calendar calendar_;
  uint32_t next_worker_ = 0;
  uint64_t next_task_ = 0;
  // The event that is planned or under way, its times, and what is left of it.
  uint64_t event_ = 0;
  int64_t set_time_ = kNever;
  int64_t visible_time_ = kNever;
  bool set_written_ = true;
  uint32_t next_urgent_ = 0;
  uint32_t urgent_left_ = 0;
  uint32_t unobserved_ = 0;
  bool under_way_ = false;
  // When the first wave is resident.
  int64_t launched_ = 0;
  // When its urgent work is over, as far as that is known.
  int64_t event_end_ = 0;
};

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_SCHEDULE_H_
