// Writes a .tbtrace file, a record at a time.
//
// Use it in anything that schedules blocks, simulated or real: the oracle
// (//oracle:check) then tells whether every promise of the header was kept.
//
//   pb::TraceHeader header;
//   *header.mutable_cell() = key;         // arm, site, period, urgent_tiles...
//   header.set_blocks(288);               // worker blocks: streams 0 .. 287
//   header.set_tasks(100000);             // each to be executed once
//   header.set_events(20);                // generations 1 .. 20
//   header.set_blocks_per_sm(4);
//   header.set_quantum_ps(0);             // the simulator's clock is exact
//   header.set_visibility_allowance_ps(0);
//   header.set_stages_per_tile(8);        // sites inside a tile only
//   header.set_provenance("predict ...");
//   TILEBOUND_ASSIGN_OR_RETURN(TraceWriter writer,
//                              TraceWriter::Create("run.tbtrace", header));
//   writer.Append(0, Record::BlockStart(0, /*sm=*/0, /*slot=*/0));
//   writer.Append(0, Record::Pop(0, 17));
//   writer.Append(0, Record::TileEnd(25'000'000, 17));
//   writer.Append(kHostStream, Record::FlagSet(24'000'000, 1));
//   writer.Append(0, Record::Observe(25'000'000, 1));
//   writer.Append(0, Record::Claim(25'100'000, 1, /*tile=*/0, pb::BOUNDARY));
//   writer.Append(0, Record::UrgentBegin(25'100'000, 1, 0));
//   writer.Append(0, Record::UrgentEnd(35'000'000, 1, 0));
//   writer.Append(0, Record::BlockExit(35'000'000));
//   TILEBOUND_RETURN_IF_ERROR(writer.Finish());
//
// Each stream's records come in the order in which they happened, their times
// never falling; streams may be interleaved in any way. Times are picoseconds
// on one clock, and are floored to header.time_unit_ps if that is set (set it
// to the quantum for recorded stamps; the file shrinks). One thread at a time.
//
// What a block writes, in order:
//   block_start    once, first: SM, and slot = number of blocks then resident
//                  on that SM (the newcomer is the youngest)
//   pop, tile_end  a pop says that the tile BEGINS. A ticket that was drawn
//                  before urgent work is recorded as a pop after it. Between a
//                  pop and its end only observe, claim, flag_set and drop may
//                  stand, and abandon (sites inside a tile).
//   observe        one for each generation, by every resident worker block that
//                  looks, the setter too. A look that finds the flag moved on
//                  by two writes two, at the same time. A block starts out
//                  having seen what was set before its start.
//   claim          straight after an observe, or after an urgent_end for the
//                  next tile of the queue: one for each urgent tile taken.
//                  Tile 0 is the first claimant's. (A kernel whose winner takes
//                  all of an event claims tile 0 only.)
//   abandon        after the claim if a tile is in hand; then the urgent work;
//                  then restart of the same task; then its tile_end.
//   urgent_begin, urgent_end   one pair for each urgent tile.
//   flag_set       in the stream of whoever sets: the setter block's own, at
//                  any place between its start and exit, or kHostStream. One
//                  setter for the whole trace; generations 1, 2, 3, ... In the
//                  arms NONE and RESERVED the host's set is the arrival of the
//                  event (its launch call).
//   drop           records of this block that were lost just here, with their
//                  number; they keep their sequence numbers.
//   block_exit     once, last.
// So at a boundary: tile_end, observe, claim, urgent_begin, urgent_end, pop.
// At a stage site:  pop, observe, claim, abandon, urgent_begin, urgent_end,
//                   restart, tile_end.
// Arms NONE and RESERVED: workers neither observe nor claim. Each block of the
// urgent kernel writes block_start, urgent_begin, urgent_end (one pair or
// more), block_exit to one of the urgent streams; a stream is used again when
// its block has exited.
//
// Bytes go to NAME.partial; Finish() renames. A process that dies leaves a
// .partial that TraceReader opens: whole chunks are kept, and the oracle's
// verdict is UNKNOWN, never OK.
#ifndef TILEBOUND_DATA_TRACE_WRITER_H_
#define TILEBOUND_DATA_TRACE_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "data/trace/record.h"
#include "data/trace/trace.pb.h"

namespace tilebound {

struct TraceWriterOptions {
  // Compress each chunk with zstd: smaller, slower to check.
  bool compress = false;
  // A chunk is closed when it holds so many records.
  uint32_t chunk_records = 8192;
};

class TraceWriter {
 public:
  // Sets schema_major and schema_minor; errors are those of
  // ValidateTraceHeader() and of the file system.
  static absl::StatusOr<TraceWriter> Create(const std::string& path,
                                            pb::TraceHeader header,
                                            TraceWriterOptions options = {});
  // Keeps the trace in memory, for TakeBytes().
  static absl::StatusOr<TraceWriter> CreateInMemory(
      pb::TraceHeader header, TraceWriterOptions options = {});
  TraceWriter(TraceWriter&&) noexcept;
  TraceWriter& operator=(TraceWriter&&) noexcept;
  // Without Finish() the .partial stays, with the chunks closed so far.
  ~TraceWriter();

  // Adds the next record of a stream. Errors (a stream that the header does not
  // have, a full disk) stick, and Finish() returns the first of them. A drop of
  // n takes n sequence numbers before its own.
  void Append(uint32_t stream, const Record& record);

  // The same as Append of the pop and then of the end, in half the time.
  void AppendTile(uint32_t stream, uint64_t task, int64_t pop_ps,
                  int64_t end_ps);

  // Fetches into the cache what the next record of a stream, and its next tile,
  // will touch. Worth while for who writes hundreds of blocks in turns and
  // knows some records ahead; Prefetch(), and half as far ahead PrefetchTile().
  void Prefetch(uint32_t stream) const;
  void PrefetchTile(uint32_t stream) const;

  // Append() under a sequence number of the caller's, for tools that carry
  // foreign or faulty traces over. Append() goes on behind it.
  void AppendAt(uint32_t stream, uint64_t sequence, const Record& record);

  // Closes the open chunks, so that a process that dies loses nothing so far.
  void Flush();

  // Closes all chunks, writes the index, renames NAME.partial to NAME. No call
  // may follow. On an error the .partial stays.
  absl::Status Finish();

  // Instead of Finish() after CreateInMemory(): the bytes of the whole trace.
  absl::StatusOr<std::string> TakeBytes();

 private:
  struct Impl;
  explicit TraceWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tilebound

#endif  // TILEBOUND_DATA_TRACE_WRITER_H_
