#include <algorithm>

#include "oracle/schedule.h"

namespace tilebound::oracle {

void Schedule::Write(uint32_t block, const Record& record) {
  if (is_setter(block) && !set_written_ && set_time_ <= record.time_ps) {
    set_written_ = true;
    feed_.Append(block, Record::FlagSet(set_time_, event_));
  }
  feed_.Append(block, record);
}

int64_t Schedule::TileTime(const Worker& worker) {
  const auto mean = static_cast<int64_t>(config_.tile_ps);
  const int64_t slower = mean + mean * worker.slot * 35 / 100;
  return slower * 4 / 5 + Draw(std::max<int64_t>(1, slower * 2 / 5));
}

// One look of the block. True if it finds the flag moved on.
bool Schedule::Sees(Worker& worker, int64_t time) {
  if (worker.seen == event_ || time < visible_time_) return false;
  if (worker.samples < config_.stale_looks) {
    ++worker.samples;
    return false;
  }
  worker.samples = 0;
  return true;
}

// Observes, claims what is left, and runs it. Returns when that is done.
int64_t Schedule::Handle(uint32_t block, int64_t now) {
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
bool Schedule::LookInside(uint32_t block, int64_t end) {
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

int64_t Schedule::LookAtBoundary(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  if (worker.sites++ % config_.period != 0 || !Sees(worker, now)) return now;
  return Handle(block, now);
}

void Schedule::NextTile(uint32_t block, int64_t now) {
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

void Schedule::StepWorker(uint32_t block, int64_t now) {
  Worker& worker = workers_[block];
  const bool ended = worker.busy;
  const bool looked_for = inside_ && worker.seen != event_;
  if (worker.busy && !looked_for && !worker.restarted &&
      !(is_setter(block) && !set_written_)) {
    feed_.AppendTile(block, worker.task, worker.begin, now);
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
    feed_.Append(block, Record::FlagSet(set_time_, event_));
  }
  MaybeDone(now);
  NextTile(block, now);
}

}  // namespace tilebound::oracle
