// Early return on absl::Status, so that error paths do not drown the code.
//
//   TILEBOUND_RETURN_IF_ERROR(ValidatePart(part));
//   TILEBOUND_ASSIGN_OR_RETURN(pb::Part part, catalog.FindPart("a10"));
#ifndef TILEBOUND_DATA_IO_STATUS_MACROS_H_
#define TILEBOUND_DATA_IO_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define TILEBOUND_RETURN_IF_ERROR(expression)            \
  do {                                                   \
    absl::Status tilebound_status = (expression);        \
    if (!tilebound_status.ok()) return tilebound_status; \
  } while (false)

#define TILEBOUND_ASSIGN_OR_RETURN(declaration, expression)          \
  TILEBOUND_ASSIGN_OR_RETURN_AT_(                                    \
      TILEBOUND_CONCAT_(tilebound_statusor_, __LINE__), declaration, \
      expression)
#define TILEBOUND_ASSIGN_OR_RETURN_AT_(name, declaration, expression) \
  auto name = (expression);                                           \
  if (!name.ok()) return std::move(name).status();                    \
  declaration = *std::move(name)
#define TILEBOUND_CONCAT_(a, b) TILEBOUND_CONCAT_INNER_(a, b)
#define TILEBOUND_CONCAT_INNER_(a, b) a##b

#endif  // TILEBOUND_DATA_IO_STATUS_MACROS_H_
