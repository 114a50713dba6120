#include "oracle/schedule.h"

#include <algorithm>
#include <utility>

namespace tilebound::oracle {

StreamCounts StreamsOf(const GeneratorConfig& config) {
  const uint32_t workers_per_sm = config.blocks_per_sm - config.reserve;
  return {config.sms * workers_per_sm * config.waves,
          config.arm == pb::COOPERATIVE
              ? 0
              : std::clamp<uint32_t>(config.urgent_tiles, 1,
                                     config.sms * config.blocks_per_sm)};
}

void Schedule::PlanSet(int64_t now) {
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

void Schedule::MaybeDone(int64_t now) {
  if (under_way_ && set_written_ && urgent_left_ == 0 && unobserved_ == 0) {
    PlanSet(std::max(now, event_end_));
  }
}

void Schedule::StepHost(int64_t now) {
  set_written_ = true;
  feed_.Append(kHostStream, Record::FlagSet(now, event_));
  if (cooperative()) {
    MaybeDone(now);
    return;
  }
  calendar_.Put(launch(), now + kLaunchDelay);
}

void Schedule::StartWorker(uint32_t block, uint32_t sm, int64_t now) {
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

void Schedule::StartUrgent(uint32_t sm, int64_t now) {
  for (uint32_t lane = 0; lane < urgent_.size(); ++lane) {
    UrgentBlock& urgent = urgent_[lane];
    if (urgent.live) continue;
    const uint32_t stream = workers_.size() + lane;
    urgent = {sm, true, event_, next_urgent_++};
    feed_.Append(stream, Record::BlockStart(now, sm, live_[sm]++));
    feed_.Append(stream,
                 Record::UrgentBegin(now + kMicrosecond, event_, urgent.tile));
    calendar_.Put(stream,
                  now + kMicrosecond + kUrgentLeast + Draw(kUrgentSpan));
    return;
  }
}

// Fills what room there is on an SM: urgent work first.
void Schedule::Dispatch(uint32_t sm, int64_t now) {
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

void Schedule::StepUrgent(uint32_t lane, int64_t now) {
  UrgentBlock& urgent = urgent_[lane];
  const uint32_t stream = workers_.size() + lane;
  feed_.Append(stream, Record::UrgentEnd(now, urgent.event, urgent.tile));
  feed_.Append(stream, Record::BlockExit(now));
  urgent.live = false;
  --live_[urgent.sm];
  --urgent_left_;
  Dispatch(urgent.sm, now);
  MaybeDone(now);
}

void Schedule::Exit(uint32_t block, int64_t now) {
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

void Schedule::Run() {
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

}  // namespace tilebound::oracle
