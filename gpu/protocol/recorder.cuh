// Records what each block of a persistent kernel does, so that the oracle can
// tell whether every task was executed exactly once, every event answered, and
// every checkpoint kept. docs/recorder.md is the page for newcomers.
//
// The file stands alone: copy it into any CUDA C++17 project for sm_80 or
// newer.
//
//   template <bool kRecord>
//   __global__ void MyKernel(Work work, tilebound::gpu::RecorderView view) {
//     tilebound::gpu::Recorder<kRecord> recorder(view);
//     const bool leader = threadIdx.x == 0;
//     if (leader) recorder.BlockStart();
//     while (const Task* task = Next(work)) {    // the same in every thread
//       if (leader) recorder.Pop(task->id);
//       Compute(*task);
//       __syncthreads();
//       if (leader) recorder.TileEnd(task->id);
//     }
//     if (leader) recorder.BlockExit();
//   }
//
//   tilebound::gpu::RecorderMemory memory(blocks, /*capacity=*/20000);
//   MyKernel<true><<<blocks, 256>>>(work, memory.view());
//   cudaError_t error = cudaDeviceSynchronize();
//   std::string why = memory.Save("run.tbrings", R"({"tbtrace":1, ...})");
//
// after which `collect run.tbrings --out=run.tbtrace` (//gpu/recorder:collect)
// makes a trace of it. Recorder<false> is empty and its calls compile to
// nothing.
//
// Why it costs little: each block has a ring of its own in device memory that
// one thread writes, so there is nothing to agree on and no atomic. A record is
// one 16-byte store that nothing waits for; the recorder's state between two
// records is one 32-bit register. A full ring goes round: the newest records
// are kept, the oldest are counted as dropped, and the trace says so.
#ifndef TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_
#define TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_

#include <stddef.h>
#include <stdint.h>

namespace tilebound {
namespace gpu {

// What a record is of; the numbers of docs/trace-format.md. Start and exit of a
// block are in its RecorderBlock, so that a full ring cannot lose them.
enum RecorderKind : uint32_t {
  kRecordedNothing = 0,
  kRecordedPop = 3,
  kRecordedTileEnd = 4,
  kRecordedAbandon = 5,
  kRecordedRestart = 6,
  kRecordedObserve = 7,
  kRecordedClaim = 8,
  kRecordedUrgentBegin = 9,
  kRecordedUrgentEnd = 10,
  kRecordedFlagSet = 11,
};

// `what` holds, from the lowest bit: kind (4 bits), site (4), urgent tile (16),
// and task or generation (40). Zero where nothing was written.
struct alignas(16) RecorderRecord {
  uint64_t time_ns;
  uint64_t what;
};

#ifdef __CUDACC__
#define TILEBOUND_RECORDER_HD __host__ __device__
#else
#define TILEBOUND_RECORDER_HD
#endif

constexpr TILEBOUND_RECORDER_HD uint64_t PackRecord(uint32_t kind,
                                                    uint64_t value,
                                                    uint32_t tile = 0,
                                                    uint32_t site = 0) {
  return kind | (site << 4) | (uint64_t{tile} << 8) | (value << 24);
}
constexpr uint32_t RecordKindOf(uint64_t what) { return what & 15; }
constexpr uint32_t RecordSiteOf(uint64_t what) { return (what >> 4) & 15; }
constexpr uint32_t RecordTileOf(uint64_t what) { return (what >> 8) & 0xFFFF; }
constexpr uint64_t RecordValueOf(uint64_t what) { return what >> 24; }

// Of each block. Zero before the launch.
struct RecorderBlock {
  uint64_t start_ns;
  // 0 in a block that did not get to BlockExit().
  uint64_t exit_ns;
  uint32_t sm;
  // How often the ring went round.
  uint32_t laps;
  // Where the next record would go; known once exit_ns is.
  uint32_t next;
  uint32_t unused;
};

// Where the rings are: a kernel parameter.
struct RecorderView {
  // Ring of block b: records[b * capacity .. (b + 1) * capacity - 1].
  RecorderRecord* records;
  RecorderBlock* blocks;
  uint32_t capacity;
};

// Records that a ring should hold so that none is dropped where a block gets up
// to `unevenness` times its share of the work (slots of an SM differ: the
// oldest block may run three tiles while the youngest runs one).
inline uint64_t RecordsPerBlock(uint64_t tasks, uint64_t blocks,
                                uint64_t events = 0, uint64_t urgent_tiles = 0,
                                uint64_t unevenness = 4) {
  // A pop and an end a task; a claim, a begin and an end an urgent tile; an
  // observation, a set, an abandon and a restart an event.
  const uint64_t shared = 2 * tasks + 3 * events * urgent_tiles;
  return unevenness * (shared / blocks + 1) + 4 * events + 64;
}

// A saved recording begins with this; then come `header_bytes` bytes of the
// trace's header in JSON, a RecorderBlock for each block, and the part of each
// ring that may hold records.
struct RecorderFileHead {
  char magic[8];
  uint32_t blocks;
  uint32_t capacity;
  uint64_t header_bytes;
};
constexpr char kRecorderMagic[] = "tbrings1";

// How much of a ring there is to read. A block that did not exit has not said.
inline uint32_t UsedRecords(const RecorderBlock& block, uint32_t capacity) {
  const bool all = block.exit_ns == 0 || block.laps != 0;
  return all ? capacity : block.next;
}

#ifdef __CUDACC__

// The primary template is what is left when recording is off.
template <bool kEnabled>
class Recorder {
 public:
  __device__ explicit Recorder(const RecorderView&) {}
  __device__ static uint64_t Now() { return 0; }
  __device__ void BlockStart(uint64_t = 0) {}
  __device__ void BlockExit(uint64_t = 0) {}
  __device__ void Pop(uint64_t, uint64_t = 0) {}
  __device__ void TileEnd(uint64_t, uint64_t = 0) {}
  __device__ void Abandon(uint64_t, uint64_t = 0) {}
  __device__ void Restart(uint64_t, uint64_t = 0) {}
  __device__ void Observe(uint64_t, uint64_t = 0) {}
  __device__ void Claim(uint64_t, uint32_t, uint32_t, uint64_t = 0) {}
  __device__ void UrgentBegin(uint64_t, uint32_t, uint64_t = 0) {}
  __device__ void UrgentEnd(uint64_t, uint32_t, uint64_t = 0) {}
  __device__ void FlagSet(uint64_t, uint64_t = 0) {}
};

// Every call is made by one and the same thread of the block, in the order in
// which things happen; data/trace/writer.h has that order. A time is that of
// the call unless the caller gives the one that it has read already, which must
// not be earlier than that of the record before. Tasks and generations are
// below 2^40, urgent tiles below 2^16.
template <>
class Recorder<true> {
 public:
  __device__ explicit Recorder(const RecorderView& view) : view_(view) {}

  // The device's clock: nanoseconds, in ticks of the timer (%globaltimer).
  __device__ static uint64_t Now() {
    uint64_t ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
  }

  // First and last of a block.
  __device__ void BlockStart(uint64_t ns = Now()) {
    uint32_t sm;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    view_.blocks[Block()].sm = sm;
    view_.blocks[Block()].start_ns = ns;
  }
  __device__ void BlockExit(uint64_t ns = Now()) {
    view_.blocks[Block()].next = next_;
    view_.blocks[Block()].exit_ns = ns;
  }

  // A tile begins, and is complete.
  __device__ void Pop(uint64_t task, uint64_t ns = Now()) {
    Put(PackRecord(kRecordedPop, task), ns);
  }
  __device__ void TileEnd(uint64_t task, uint64_t ns = Now()) {
    Put(PackRecord(kRecordedTileEnd, task), ns);
  }
  // The tile in hand is given up, and begins anew after the urgent work.
  __device__ void Abandon(uint64_t task, uint64_t ns = Now()) {
    Put(PackRecord(kRecordedAbandon, task), ns);
  }
  __device__ void Restart(uint64_t task, uint64_t ns = Now()) {
    Put(PackRecord(kRecordedRestart, task), ns);
  }

  // A look found the flag moved on: one call for each generation.
  __device__ void Observe(uint64_t generation, uint64_t ns = Now()) {
    Put(PackRecord(kRecordedObserve, generation), ns);
  }
  // The block takes an urgent tile; site: 1 boundary, 2 stage, 3 issue, 4
  // folded.
  __device__ void Claim(uint64_t generation, uint32_t tile, uint32_t site,
                        uint64_t ns = Now()) {
    Put(PackRecord(kRecordedClaim, generation, tile, site), ns);
  }
  __device__ void UrgentBegin(uint64_t generation, uint32_t tile,
                              uint64_t ns = Now()) {
    Put(PackRecord(kRecordedUrgentBegin, generation, tile), ns);
  }
  __device__ void UrgentEnd(uint64_t generation, uint32_t tile,
                            uint64_t ns = Now()) {
    Put(PackRecord(kRecordedUrgentEnd, generation, tile), ns);
  }
  // Straight before the store that raises the flag: a stamp that is taken after
  // it may be later than the first block's observation.
  __device__ void FlagSet(uint64_t generation, uint64_t ns = Now()) {
    Put(PackRecord(kRecordedFlagSet, generation), ns);
  }

 private:
  __device__ static uint32_t Block() {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  }

  __device__ void Put(uint64_t what, uint64_t ns) {
    RecorderRecord* const at =
        view_.records + (uint64_t{Block()} * view_.capacity + next_);
    // Evict first: nobody reads it before the kernel is over.
    __stcs(reinterpret_cast<ulonglong2*>(at), make_ulonglong2(ns, what));
    if (++next_ == view_.capacity) {
      next_ = 0;
      ++view_.blocks[Block()].laps;
    }
  }

  const RecorderView view_;
  uint32_t next_ = 0;
};

#endif  // __CUDACC__

}  // namespace gpu
}  // namespace tilebound

// The host's side needs the CUDA runtime: there in every .cu file, and in a
// host file that has included <cuda_runtime_api.h> before this one.
#ifdef CUDART_VERSION

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace tilebound {
namespace gpu {

// Rings in device memory, empty before the launch; freed with the object.
class RecorderMemory {
 public:
  // Room for `capacity` records (16 bytes each) a block.
  RecorderMemory(uint32_t blocks, uint32_t capacity)
      : blocks_(blocks), capacity_(capacity) {
    view_.capacity = capacity;
    void* records = nullptr;
    void* states = nullptr;
    Keep(cudaMalloc(&records, RingBytes() * blocks));
    Keep(cudaMalloc(&states, sizeof(RecorderBlock) * blocks));
    view_.records = static_cast<RecorderRecord*>(records);
    view_.blocks = static_cast<RecorderBlock*>(states);
    Clear();
  }
  RecorderMemory(const RecorderMemory&) = delete;
  RecorderMemory& operator=(const RecorderMemory&) = delete;
  ~RecorderMemory() {
    cudaFree(view_.records);
    cudaFree(view_.blocks);
  }

  // The most records a block that fit into `percent` of the free memory.
  static uint32_t MostRecordsPerBlock(uint32_t blocks, uint32_t percent = 50) {
    size_t free = 0, total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0;
    const uint64_t most =
        free / 100 * percent / sizeof(RecorderRecord) / blocks;
    return static_cast<uint32_t>(most < 0x7FFFFFFF ? most : 0x7FFFFFFF);
  }

  // The first error that CUDA reported.
  cudaError_t error() const { return error_; }
  const RecorderView& view() const { return view_; }

  // Empties the rings for another launch, and waits until that is done.
  void Clear() {
    if (error_ != cudaSuccess) return;
    Keep(cudaMemset(view_.records, 0, RingBytes() * blocks_));
    Keep(cudaMemset(view_.blocks, 0, sizeof(RecorderBlock) * blocks_));
    Keep(cudaDeviceSynchronize());
  }

  // After the launch: what each block said, and the records of one block as
  // they lie in its ring.
  std::vector<RecorderBlock> ReadBlocks() {
    std::vector<RecorderBlock> blocks(blocks_);
    Copy(blocks.data(), view_.blocks, sizeof(RecorderBlock) * blocks_);
    return blocks;
  }
  std::vector<RecorderRecord> ReadRing(uint32_t block, uint32_t records) {
    std::vector<RecorderRecord> ring(records);
    if (records == 0) return ring;
    Copy(ring.data(), view_.records + uint64_t{block} * capacity_,
         sizeof(RecorderRecord) * records);
    return ring;
  }

  // Writes all of it to a file, after the launch. `header` is the first line of
  // the JSON form of a trace (docs/trace-format.md). Returns what went wrong,
  // or
  // "" if nothing did.
  std::string Save(const char* path, const std::string& header) {
    std::FILE* file = std::fopen(path, "wb");
    if (file == nullptr) return std::string(path) + ": cannot be created";
    RecorderFileHead head = {{}, blocks_, capacity_, header.size()};
    for (int i = 0; i < 8; ++i) head.magic[i] = kRecorderMagic[i];
    const std::vector<RecorderBlock> blocks = ReadBlocks();
    bool ok = Write(file, &head, 1) &&
              Write(file, header.data(), header.size()) &&
              Write(file, blocks.data(), blocks.size());
    for (uint32_t b = 0; ok && b < blocks_ && error_ == cudaSuccess; ++b) {
      const auto ring = ReadRing(b, UsedRecords(blocks[b], capacity_));
      ok = Write(file, ring.data(), ring.size());
    }
    ok = std::fclose(file) == 0 && ok;
    if (error_ != cudaSuccess) return cudaGetErrorString(error_);
    return ok ? "" : std::string(path) + ": cannot be written";
  }

 private:
  template <typename T>
  static bool Write(std::FILE* file, const T* data, size_t count) {
    return std::fwrite(data, sizeof(T), count, file) == count;
  }
  size_t RingBytes() const { return sizeof(RecorderRecord) * capacity_; }
  void Keep(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
  }
  void Copy(void* to, const void* from, size_t bytes) {
    if (error_ != cudaSuccess) return;
    Keep(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
  }

  const uint32_t blocks_;
  const uint32_t capacity_;
  RecorderView view_ = {};
  cudaError_t error_ = cudaSuccess;
};

}  // namespace gpu
}  // namespace tilebound

#endif  // CUDART_VERSION
#endif  // TILEBOUND_GPU_PROTOCOL_RECORDER_CUH_
