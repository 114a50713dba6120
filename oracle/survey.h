// What must be known of a trace before the pass over it.
//
//   const TraceSurvey survey = SurveyTrace(reader);
//   TaskSet tasks(header.tasks(), survey.most_executions);
//
// Goes over the heads of the chunks and reads only those that hold a set.
#ifndef TILEBOUND_ORACLE_SURVEY_H_
#define TILEBOUND_ORACLE_SURVEY_H_

#include <cstdint>

#include "data/trace/reader.h"
#include "oracle/set_table.h"

namespace tilebound::oracle {

struct TraceSurvey {
  SetTable sets;
  // The most ends of tiles that the bytes can hold.
  uint64_t most_executions = 0;
};

TraceSurvey SurveyTrace(const TraceReader& reader);

}  // namespace tilebound::oracle

#endif  // TILEBOUND_ORACLE_SURVEY_H_
