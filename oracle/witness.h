// Finds the records that a finding points at by task or event: a second pass
// over the trace, made only when something is wrong.
//
//   CompleteWitnesses(reader, findings);
#ifndef TILEBOUND_ORACLE_WITNESS_H_
#define TILEBOUND_ORACLE_WITNESS_H_

#include <string>
#include <vector>

#include "data/trace/reader.h"
#include "oracle/finding.h"

namespace tilebound::oracle {

// Appends to each finding with a task or an event the records of it that it
// does not hold yet, in order of time, kMostRecords at most.
inline constexpr size_t kMostRecords = 8;
void CompleteWitnesses(const TraceReader& reader,
                       const std::vector<Finding*>& findings);

// "block 3 (SM 1, slot 2), record 12: pop of task 17 at 0.5 us".
std::string DescribePlace(const Place& place);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_WITNESS_H_
