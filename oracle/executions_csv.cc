// Prints the executions of a trace as CSV, for asking a database about them:
// block,task,pop_ps,end_ps.
#include <cstdio>
#include <iostream>

#include "data/trace/header.h"
#include "data/trace/reader.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: executions_csv TRACE\n";
    return 2;
  }
  auto reader = tilebound::TraceReader::Open(argv[1]);
  if (!reader.ok()) {
    std::cerr << "executions_csv: " << reader.status().message() << "\n";
    return 2;
  }
  tilebound::DecodedChunk chunk;
  tilebound::ChunkCursor cursor = reader->Chunks();
  while (cursor.Next()) {
    if (!chunk.Decode(cursor.Whole(), tilebound::TimeUnit(reader->header()))
             .ok()) {
      continue;
    }
    for (size_t i = 0; i < chunk.tile_task().size(); ++i) {
      std::printf("%u,%lld,%lld,%lld\n", cursor.chunk().block,
                  static_cast<long long>(chunk.tile_task()[i]),
                  static_cast<long long>(chunk.tile_pop()[i]),
                  static_cast<long long>(chunk.tile_end()[i]));
    }
  }
  return 0;
}
