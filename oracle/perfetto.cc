#include "oracle/perfetto.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "data/io/atomic_file.h"
#include "data/io/status_macros.h"
#include "oracle/perfetto.pb.h"

namespace tilebound::oracle {
namespace {

constexpr uint64_t kHostTrack = 1;
constexpr uint64_t kViolationTrack = 2;
constexpr size_t kBufferBytes = 1 << 20;

uint64_t SmTrack(int64_t sm) { return (uint64_t{1} << 32) + sm; }

// A stream of the urgent kernel has a track on each SM that it visits.
uint64_t BlockTrack(uint32_t stream, int64_t sm) {
  return (uint64_t{stream} + 2) << 32 | static_cast<uint32_t>(sm + 1);
}

uint64_t FlowId(uint64_t event, uint32_t stream) {
  return event << 32 | stream;
}

class Exporter {
 public:
  Exporter(AtomicFile file, const PerfettoWindow& window)
      : file_(std::move(file)), window_(window) {}

  // First pass: who observes what, so that a set can point at it.
  void NoteObservation(uint32_t stream, const Record& record) {
    if (record.kind == RecordKind::kObserve && Inside(record.time_ps)) {
      observers_[record.value].push_back(stream);
    }
  }
  // Second pass.
  void Add(uint32_t stream, const Record& record);
  void AddFindings(const CheckReport& report);
  absl::Status Finish();

 private:
  struct Track {
    uint64_t uuid = 0;
    int64_t sm = -1;
    // Names and categories of the slices that are open, the outer first, and
    // how many of them have been written.
    std::vector<std::pair<std::string, std::string>> open;
    size_t written = 0;
    uint64_t last_ns = 0;
    int64_t last_ps = 0;
    bool past = false;
  };

  bool Inside(int64_t time) const {
    return time >= window_.from_ps && time <= window_.to_ps;
  }
  pb::PerfettoTrackEvent* Event(Track& track, int64_t time,
                                pb::PerfettoTrackEvent::Type type);
  void Put();
  void Describe(uint64_t uuid, const std::string& name, uint64_t parent);
  Track& TrackOf(uint32_t stream);
  void Place(uint32_t stream, const Record& start);
  void Enter(Track& track, int64_t time);
  void Begin(Track& track, int64_t time, std::string name,
             std::string category);
  void End(Track& track, int64_t time, const std::string& what);
  void Instant(Track& track, int64_t time, const std::string& name,
               const std::string& category);
  void CloseAll(Track& track, int64_t time);

  AtomicFile file_;
  const PerfettoWindow window_;
  std::map<uint64_t, std::vector<uint32_t>> observers_;
  std::map<uint32_t, Track> tracks_;
  std::set<uint64_t> described_;
  pb::PerfettoTrace packet_;
  std::string buffer_;
  absl::Status status_;
};

void Exporter::Put() {
  packet_.mutable_packet(0)->set_trusted_packet_sequence_id(1);
  packet_.AppendToString(&buffer_);
  packet_.Clear();
  if (buffer_.size() < kBufferBytes || !status_.ok()) return;
  status_ = file_.Write(buffer_);
  buffer_.clear();
}

pb::PerfettoTrackEvent* Exporter::Event(Track& track, int64_t time,
                                        pb::PerfettoTrackEvent::Type type) {
  // Time never falls on a track, whatever the trace says.
  track.last_ns = std::max(
      track.last_ns, static_cast<uint64_t>(std::max<int64_t>(time, 0)) / 1000);
  pb::PerfettoPacket& packet = *packet_.add_packet();
  packet.set_timestamp(track.last_ns);
  pb::PerfettoTrackEvent* event = packet.mutable_track_event();
  event->set_type(type);
  event->set_track_uuid(track.uuid);
  return event;
}

void Exporter::Describe(uint64_t uuid, const std::string& name,
                        uint64_t parent) {
  if (!described_.insert(uuid).second) return;
  pb::PerfettoTrackDescriptor& track =
      *packet_.add_packet()->mutable_track_descriptor();
  track.set_uuid(uuid);
  track.set_name(name);
  if (parent != 0) track.set_parent_uuid(parent);
  Put();
}

Exporter::Track& Exporter::TrackOf(uint32_t stream) {
  Track& track = tracks_[stream];
  if (track.uuid == 0) {
    track.uuid =
        stream == kHostStream ? kHostTrack : BlockTrack(stream, track.sm);
    Describe(track.uuid, StreamName(stream), 0);
  }
  return track;
}

void Exporter::Place(uint32_t stream, const Record& start) {
  Track& track = tracks_[stream];
  if (track.uuid != 0) CloseAll(track, start.time_ps);
  track.sm = static_cast<int32_t>(start.value);
  track.uuid = BlockTrack(stream, track.sm);
  if (described_.insert(SmTrack(track.sm)).second) {
    pb::PerfettoTrackDescriptor& sm =
        *packet_.add_packet()->mutable_track_descriptor();
    sm.set_uuid(SmTrack(track.sm));
    sm.mutable_process()->set_pid(static_cast<int32_t>(track.sm) + 1);
    sm.mutable_process()->set_process_name(absl::StrCat("SM ", track.sm));
    Put();
  }
  Describe(
      track.uuid,
      absl::StrCat(StreamName(stream), " (started in slot ", start.detail, ")"),
      SmTrack(track.sm));
}

// Writes the beginnings of slices that reach into the window.
void Exporter::Enter(Track& track, int64_t time) {
  for (; track.written < track.open.size(); ++track.written) {
    const auto& [name, category] = track.open[track.written];
    pb::PerfettoTrackEvent* event =
        Event(track, std::max(time, window_.from_ps),
              pb::PerfettoTrackEvent::TYPE_SLICE_BEGIN);
    event->set_name(name);
    event->add_categories(category);
    Put();
  }
}

void Exporter::Begin(Track& track, int64_t time, std::string name,
                     std::string category) {
  track.open.push_back({std::move(name), std::move(category)});
  if (Inside(time)) Enter(track, time);
}

void Exporter::End(Track& track, int64_t time, const std::string& what) {
  if (track.open.empty()) {
    if (Inside(time)) Instant(track, time, what, "unmatched");
    return;
  }
  const bool written = track.written == track.open.size();
  track.open.pop_back();
  if (!written) return;
  track.written = track.open.size();
  Event(track, std::min(time, window_.to_ps),
        pb::PerfettoTrackEvent::TYPE_SLICE_END);
  Put();
}

void Exporter::Instant(Track& track, int64_t time, const std::string& name,
                       const std::string& category) {
  pb::PerfettoTrackEvent* event =
      Event(track, time, pb::PerfettoTrackEvent::TYPE_INSTANT);
  event->set_name(name);
  event->add_categories(category);
  Put();
}

void Exporter::CloseAll(Track& track, int64_t time) {
  while (!track.open.empty()) End(track, time, "");
}

void Exporter::Add(uint32_t stream, const Record& record) {
  const int64_t time = record.time_ps;
  if (record.kind == RecordKind::kBlockStart) {
    Place(stream, record);
  }
  Track& track = TrackOf(stream);
  track.last_ps = std::max(track.last_ps, time);
  // What was begun before the window shows from the window's beginning.
  if (time >= window_.from_ps && track.written < track.open.size() &&
      !track.past) {
    Enter(track, window_.from_ps);
  }
  if (time > window_.to_ps) track.past = true;
  const std::string event = absl::StrCat("event ", record.value);
  switch (record.kind) {
    case RecordKind::kPop:
    case RecordKind::kRestart:
      Begin(track, time,
            absl::StrCat("task ", record.value,
                         record.kind == RecordKind::kRestart ? " again" : ""),
            "tile");
      break;
    case RecordKind::kTileEnd:
    case RecordKind::kAbandon:
      if (record.kind == RecordKind::kAbandon && Inside(time)) {
        Instant(track, time, absl::StrCat("abandon task ", record.value),
                "abandon");
      }
      End(track, time, absl::StrCat("end of task ", record.value));
      break;
    case RecordKind::kUrgentBegin:
      Begin(track, time,
            absl::StrCat("urgent ", event, " tile ", record.detail), "urgent");
      break;
    case RecordKind::kUrgentEnd:
      End(track, time, absl::StrCat("end of urgent ", event));
      break;
    case RecordKind::kBlockExit:
      CloseAll(track, time);
      break;
    case RecordKind::kFlagSet:
      if (Inside(time)) {
        pb::PerfettoTrackEvent* set =
            Event(track, time, pb::PerfettoTrackEvent::TYPE_INSTANT);
        set->set_name("set " + event);
        set->add_categories("set");
        for (const uint32_t observer : observers_[record.value]) {
          set->add_flow_ids(FlowId(record.value, observer));
        }
        Put();
      }
      break;
    case RecordKind::kObserve:
      if (Inside(time)) {
        pb::PerfettoTrackEvent* observe =
            Event(track, time, pb::PerfettoTrackEvent::TYPE_INSTANT);
        observe->set_name("observe " + event);
        observe->add_categories("observe");
        observe->add_terminating_flow_ids(FlowId(record.value, stream));
        Put();
      }
      break;
    case RecordKind::kClaim:
      if (Inside(time)) {
        Instant(track, time,
                absl::StrCat("claim ", event, " tile ", record.detail),
                "claim");
      }
      break;
    case RecordKind::kDrop:
      if (Inside(time)) {
        Instant(track, time, absl::StrCat(record.value, " records lost"),
                "drop");
      }
      break;
    case RecordKind::kBlockStart:
      break;
  }
}

void Exporter::AddFindings(const CheckReport& report) {
  Track all;
  all.uuid = kViolationTrack;
  std::vector<std::pair<int64_t, std::string>> marks;
  for (const RuleReport& rule : report.rules) {
    for (const Finding& finding : rule.findings) {
      if (finding.records.empty()) continue;
      const int64_t time = finding.records.back().spot.record.time_ps;
      if (!Inside(time)) continue;
      marks.push_back({time, absl::StrCat(rule.name, ": ", finding.text)});
    }
  }
  if (marks.empty()) return;
  Describe(kViolationTrack, "violations", 0);
  std::sort(marks.begin(), marks.end());
  for (const auto& [time, text] : marks) Instant(all, time, text, "violation");
}

absl::Status Exporter::Finish() {
  for (auto& [stream, track] : tracks_) {
    CloseAll(track, std::min(track.last_ps, window_.to_ps));
  }
  TILEBOUND_RETURN_IF_ERROR(status_);
  TILEBOUND_RETURN_IF_ERROR(file_.Write(buffer_));
  return file_.Commit();
}

}  // namespace

absl::StatusOr<PerfettoWindow> ParseWindow(absl::string_view text) {
  PerfettoWindow window;
  if (text.empty()) return window;
  const std::vector<std::string> ends = absl::StrSplit(text, ':');
  double from, to;
  if (ends.size() != 2 || !absl::SimpleAtod(ends[0], &from) ||
      !absl::SimpleAtod(ends[1], &to) || !(from >= -1e9 && from <= to) ||
      !(to <= 1e12)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--window_us=", text,
                     ": accepted is FROM:TO in microseconds, FROM <= TO"));
  }
  window.from_ps = static_cast<int64_t>(from * 1e6);
  window.to_ps = static_cast<int64_t>(to * 1e6);
  return window;
}

absl::Status WritePerfetto(const TraceReader& reader, const CheckReport& report,
                           const PerfettoWindow& window,
                           const std::string& path) {
  TILEBOUND_ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(path));
  Exporter exporter(std::move(file), window);
  reader.ForEachRecord([&](uint32_t stream, uint64_t, const Record& record) {
    exporter.NoteObservation(stream, record);
  });
  reader.ForEachRecord([&](uint32_t stream, uint64_t, const Record& record) {
    exporter.Add(stream, record);
  });
  exporter.AddFindings(report);
  return exporter.Finish();
}

}  // namespace tilebound::oracle
