#include "oracle/generate.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "data/io/status_macros.h"
#include "data/trace/writer.h"
#include "oracle/calendar.h"
#include "oracle/random.h"

namespace tilebound::oracle {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
constexpr int64_t kMicrosecond = 1'000'000;
// Drawn times, all in picoseconds: [least, least + span).
constexpr int64_t kBoundarySpan = 800'000;
constexpr int64_t kUrgentLeast = 4 * kMicrosecond;
constexpr int64_t kUrgentSpan = 6 * kMicrosecond;
constexpr int64_t kGapLeast = 150 * kMicrosecond;
constexpr int64_t kGapSpan = 250 * kMicrosecond;
constexpr int64_t kLaunchDelay = 16 * kMicrosecond;
// How often a block without a task looks whether there is an event to wait for.
constexpr int64_t kIdleLook = 5 * kMicrosecond;

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

class Generator {
 public:
  Generator(const GeneratorConfig& config, uint64_t seed, uint32_t blocks,
            uint32_t lanes, TraceWriter& writer)
      : config_(config),
        random_(seed),
        writer_(writer),
        inside_(config.arm == pb::COOPERATIVE && config.site != pb::BOUNDARY),
        workers_(blocks),
        urgent_(lanes),
        live_(config.sms, 0),
        live_workers_(config.sms, 0),
        calendar_(blocks + lanes + 2,
                  std::max<uint64_t>(1 << 14, config.tile_ps / (blocks + 1))) {}

  void Run();

 private:
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
  Random random_;
  TraceWriter& writer_;
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

void Generator::Write(uint32_t block, const Record& record) {
  if (is_setter(block) && !set_written_ && set_time_ <= record.time_ps) {
    set_written_ = true;
    writer_.Append(block, Record::FlagSet(set_time_, event_));
  }
  writer_.Append(block, record);
}

void Generator::PlanSet(int64_t now) {
  under_way_ = false;
  if (event_ == config_.events) return;
  ++event_;
  under_way_ = true;
  set_written_ = false;
  set_time_ = now + kGapLeast + Draw(kGapSpan);
  visible_time_ = set_time_ + (config_.visibility_allowance_ps == 0
                                   ? 0
                                   : Draw(config_.visibility_allowance_ps));
  next_urgent_ = 0;
  urgent_left_ = config_.urgent_tiles;
  unobserved_ = 0;
  if (cooperative()) {
    for (const Worker& worker : workers_) unobserved_ += worker.live;
  }
  if (config_.setter == pb::HOST) calendar_.Put(host(), set_time_);
}

void Generator::MaybeDone(int64_t now) {
  if (under_way_ && set_written_ && urgent_left_ == 0 && unobserved_ == 0) {
    PlanSet(std::max(now, event_end_));
  }
}

void Generator::StepHost(int64_t now) {
  set_written_ = true;
  writer_.Append(kHostStream, Record::FlagSet(now, event_));
  if (cooperative()) {
    MaybeDone(now);
    return;
  }
  calendar_.Put(launch(), now + kLaunchDelay);
}

void Generator::StartWorker(uint32_t block, uint32_t sm, int64_t now) {
  Worker& worker = workers_[block];
  worker.sm = sm;
  worker.slot = live_[sm]++;
  ++live_workers_[sm];
  worker.live = true;
  worker.quota = config_.waves == 1 || is_setter(block)
                     ? std::numeric_limits<uint64_t>::max()
                     : 1 + config_.tasks / workers_.size();
  // What was set before, it need not see. What is planned, it will.
  worker.seen = under_way_ ? event_ - 1 : event_;
  if (under_way_ && set_time_ <= now) {
    worker.seen = event_;
  } else if (under_way_ && cooperative()) {
    ++unobserved_;
  }
  Write(block, Record::BlockStart(now, sm, worker.slot));
  calendar_.Put(block, std::max(now, launched_) + Draw(kBoundarySpan));
}

void Generator::StartUrgent(uint32_t sm, int64_t now) {
  for (uint32_t lane = 0; lane < urgent_.size(); ++lane) {
    UrgentBlock& urgent = urgent_[lane];
    if (urgent.live) continue;
    const uint32_t stream = workers_.size() + lane;
    urgent = {sm, true, event_, next_urgent_++};
    writer_.Append(stream, Record::BlockStart(now, sm, live_[sm]++));
    writer_.Append(
        stream, Record::UrgentBegin(now + kMicrosecond, event_, urgent.tile));
    calendar_.Put(stream,
                  now + kMicrosecond + kUrgentLeast + Draw(kUrgentSpan));
    return;
  }
}

// Fills what room there is on an SM: urgent work first.
void Generator::Dispatch(uint32_t sm, int64_t now) {
  const uint32_t workers = config_.blocks_per_sm - config_.reserve;
  while (live_[sm] < config_.blocks_per_sm) {
    const bool launched = !cooperative() && under_way_ && set_written_ &&
                          now >= set_time_ + kLaunchDelay;
    const bool lane_free =
        std::any_of(urgent_.begin(), urgent_.end(),
                    [](const UrgentBlock& u) { return !u.live; });
    if (launched && next_urgent_ < config_.urgent_tiles && lane_free) {
      StartUrgent(sm, now);
    } else if (next_worker_ < workers_.size() && live_workers_[sm] < workers) {
      StartWorker(next_worker_++, sm, now);
    } else {
      return;
    }
  }
}

void Generator::StepUrgent(uint32_t lane, int64_t now) {
  UrgentBlock& urgent = urgent_[lane];
  const uint32_t stream = workers_.size() + lane;
  writer_.Append(stream, Record::UrgentEnd(now, urgent.event, urgent.tile));
  writer_.Append(stream, Record::BlockExit(now));
  urgent.live = false;
  --live_[urgent.sm];
  --urgent_left_;
  Dispatch(urgent.sm, now);
  MaybeDone(now);
}

int64_t Generator::TileTime(const Worker& worker) {
  const auto mean = static_cast<int64_t>(config_.tile_ps);
  const int64_t slower = mean + mean * worker.slot * 35 / 100;
  return slower * 4 / 5 + Draw(std::max<int64_t>(1, slower * 2 / 5));
}

// One look of the block. True if it finds the flag moved on.
bool Generator::Sees(Worker& worker, int64_t time) {
  if (worker.seen == event_ || time < visible_time_) return false;
  if (worker.samples < config_.stale_looks) {
    ++worker.samples;
    return false;
  }
  worker.samples = 0;
  return true;
}

// Observes, claims what is left, and runs it. Returns when that is done.
int64_t Generator::Handle(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  worker.seen = event_;
  --unobserved_;
  Write(block, Record::Observe(now, event_));
  bool abandoned = false;
  while (next_urgent_ < config_.urgent_tiles) {
    const uint32_t tile = next_urgent_++;
    const bool at_boundary = !worker.busy || (abandoned && random_.Below(2));
    Write(block, Record::Claim(now, event_, tile,
                               at_boundary ? pb::BOUNDARY : config_.site));
    if (worker.busy && !abandoned) {
      abandoned = true;
      Write(block, Record::Abandon(now, worker.task));
    }
    Write(block, Record::UrgentBegin(now, event_, tile));
    now += kUrgentLeast + Draw(kUrgentSpan);
    Write(block, Record::UrgentEnd(now, event_, tile));
    --urgent_left_;
    event_end_ = std::max(event_end_, now);
    // Others get their chance while there are others to come.
    if (unobserved_ > 0 && random_.Below(2) == 0) break;
  }
  if (abandoned) {
    worker.begin = now;
    worker.restarted = true;
    Write(block, Record::Restart(now, worker.task));
  }
  return now;
}

// The looks inside the tile that ends at `end`. True if the tile was abandoned
// for urgent work and is to run again.
bool Generator::LookInside(uint32_t block, int64_t end) {
  Worker& worker = workers_[block];
  const uint32_t stages = config_.stages_per_tile;
  const uint64_t first_site = worker.sites;
  worker.sites += stages;
  if (worker.seen == event_ || end < visible_time_) return false;
  for (uint32_t s = 0; s < stages; ++s) {
    if ((first_site + s) % config_.period != 0) continue;
    const int64_t begin = worker.begin;
    const int64_t look = begin + (end - begin) / stages * s;
    if (!Sees(worker, look)) continue;
    const int64_t done = Handle(block, look);
    if (worker.begin == begin) return false;
    worker.sites = first_site + s + 1;
    calendar_.Put(block, done + TileTime(worker));
    return true;
  }
  return false;
}

int64_t Generator::LookAtBoundary(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  if (worker.sites++ % config_.period != 0 || !Sees(worker, now)) return now;
  return Handle(block, now);
}

void Generator::Exit(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  Write(block, Record::BlockExit(now));
  worker.live = false;
  if (cooperative() && under_way_ && worker.seen != event_) --unobserved_;
  --live_[worker.sm];
  --live_workers_[worker.sm];
  // Survivors move up by age.
  for (Worker& other : workers_) {
    if (other.live && other.sm == worker.sm && other.slot > worker.slot) {
      --other.slot;
    }
  }
  Dispatch(worker.sm, now);
}

void Generator::NextTile(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  if (next_task_ < config_.tasks && worker.quota > 0) {
    --worker.quota;
    worker.busy = true;
    worker.restarted = false;
    worker.task = next_task_++;
    worker.begin = now + Draw(kBoundarySpan);
    calendar_.Put(block, worker.begin + TileTime(worker));
    return;
  }
  // It leaves or waits, but not before it has answered what it can see.
  if (cooperative() && under_way_ && worker.seen != event_ &&
      visible_time_ <= now) {
    const int64_t done = Handle(block, now);
    MaybeDone(done);
    calendar_.Put(block, done);
    return;
  }
  const bool others = worker.quota == 0 && (next_worker_ < workers_.size() ||
                                            next_task_ < config_.tasks);
  if (!cooperative() || !under_way_ || (others && !is_setter(block))) {
    Exit(block, now);
    return;
  }
  // No task is left, but events are: the block stays to serve them.
  const bool waits = worker.seen != event_ && visible_time_ > now;
  calendar_.Put(block,
                std::min(now + kIdleLook, waits ? visible_time_ : kNever));
}

void Generator::StepWorker(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  const bool ended = worker.busy;
  const bool looked_for = inside_ && worker.seen != event_;
  if (worker.busy && !looked_for && !worker.restarted &&
      !(is_setter(block) && !set_written_)) {
    writer_.AppendTile(block, worker.task, worker.begin, now);
    worker.busy = false;
    if (inside_) worker.sites += config_.stages_per_tile;
  } else if (worker.busy) {
    if (!worker.restarted) Write(block, Record::Pop(worker.begin, worker.task));
    if (inside_ && LookInside(block, now)) {
      MaybeDone(now);
      return;
    }
    Write(block, Record::TileEnd(now, worker.task));
    worker.busy = false;
  }
  if (ended && cooperative() && !inside_) {
    const int64_t done = LookAtBoundary(block, now);
    if (done > now) {
      // Others act while it runs urgent work.
      MaybeDone(done);
      calendar_.Put(block, done);
      return;
    }
  }
  // Brings a set that is due into the setter's stream.
  if (is_setter(block) && !set_written_ && set_time_ <= now) {
    set_written_ = true;
    writer_.Append(block, Record::FlagSet(set_time_, event_));
  }
  MaybeDone(now);
  NextTile(block, now);
}

void Generator::Run() {
  // SM by SM in turns, as the hardware does.
  const uint32_t resident =
      config_.sms * (config_.blocks_per_sm - config_.reserve);
  launched_ = int64_t{resident} * 1000;
  for (uint32_t i = 0; i < resident && next_worker_ < workers_.size(); ++i) {
    StartWorker(next_worker_++, i % config_.sms, i * 1000);
  }
  PlanSet(0);
  while (auto next = calendar_.Take()) {
    if (next->thing < workers_.size()) {
      StepWorker(next->thing, next->time_ps);
    } else if (next->thing == host()) {
      StepHost(next->time_ps);
    } else if (next->thing == launch()) {
      for (uint32_t sm = 0; sm < config_.sms; ++sm) Dispatch(sm, next->time_ps);
      MaybeDone(next->time_ps);
    } else {
      StepUrgent(next->thing - workers_.size(), next->time_ps);
    }
  }
}

pb::TraceHeader HeaderOf(const GeneratorConfig& config, uint64_t seed,
                         uint32_t blocks, uint32_t lanes) {
  pb::TraceHeader header;
  pb::CellKey& cell = *header.mutable_cell();
  cell.set_blocks(config.sms * (config.blocks_per_sm - config.reserve));
  cell.set_site(config.site);
  cell.set_period(config.period);
  cell.set_variant("default");
  cell.set_discipline(pb::DRAIN);
  cell.set_arm(config.arm);
  cell.set_reserve(config.reserve);
  cell.set_urgent_tiles(config.urgent_tiles);
  cell.set_setter(config.setter);
  cell.set_cluster_size(1);
  header.set_blocks(blocks);
  header.set_urgent_streams(lanes);
  header.set_tasks(config.tasks);
  header.set_events(config.events);
  header.set_blocks_per_sm(config.blocks_per_sm);
  header.set_sm_count(config.sms);
  header.set_quantum_ps(config.quantum_ps);
  header.set_visibility_allowance_ps(config.visibility_allowance_ps);
  header.set_time_unit_ps(config.quantum_ps);
  header.set_seed(seed);
  header.set_provenance(
      absl::StrCat("oracle generator: ", GeneratorConfigText(config)));
  if (config.arm != pb::COOPERATIVE) return header;
  header.set_stale_looks(config.stale_looks);
  const uint64_t tile_most =
      config.tile_ps * 12 / 10 * (100 + 35 * config.blocks_per_sm) / 100;
  if (config.site != pb::BOUNDARY) {
    header.set_stages_per_tile(config.stages_per_tile);
    header.set_stage_bound_ps(tile_most / config.stages_per_tile +
                              kBoundarySpan + kIdleLook);
  }
  // Twice what the looks allow, so that a block may overrun its period and
  // still be in time.
  const uint64_t looks = uint64_t{config.period} * (1 + config.stale_looks) + 2;
  header.set_handoff_bound_ps(2 * (looks * (tile_most + kBoundarySpan) +
                                   config.visibility_allowance_ps +
                                   config.quantum_ps + kIdleLook));
  return header;
}

// How many streams the trace of a configuration has.
struct Shape {
  uint32_t blocks;
  uint32_t lanes;
};

Shape ShapeOf(const GeneratorConfig& config) {
  const uint32_t workers_per_sm = config.blocks_per_sm - config.reserve;
  return {config.sms * workers_per_sm * config.waves,
          config.arm == pb::COOPERATIVE
              ? 0
              : std::clamp<uint32_t>(config.urgent_tiles, 1,
                                     config.sms * config.blocks_per_sm)};
}

}  // namespace

absl::Status GenerateTrace(const GeneratorConfig& config, uint64_t seed,
                           const std::string& path) {
  const auto [blocks, lanes] = ShapeOf(config);
  TILEBOUND_ASSIGN_OR_RETURN(
      TraceWriter writer,
      TraceWriter::Create(path, HeaderOf(config, seed, blocks, lanes),
                          {.compress = config.compress}));
  Generator(config, seed, blocks, lanes, writer).Run();
  return writer.Finish();
}

absl::StatusOr<std::string> GenerateTraceBytes(const GeneratorConfig& config,
                                               uint64_t seed) {
  const auto [blocks, lanes] = ShapeOf(config);
  TILEBOUND_ASSIGN_OR_RETURN(
      TraceWriter writer,
      TraceWriter::CreateInMemory(HeaderOf(config, seed, blocks, lanes),
                                  {.compress = config.compress}));
  Generator(config, seed, blocks, lanes, writer).Run();
  return writer.TakeBytes();
}

}  // namespace tilebound::oracle
