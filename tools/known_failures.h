/* known_failures.h: what `make lint` tells the analyzers about two functions of other files: they return the status that
 * they are given, or HRR_ENOMEM, and never HRR_OK. Without it both follow paths on which a failure was a success. */
#include <heterorr/base.h>
#include "base/memory.h"

#define hrr_fail(err, status, ...) ((void)(hrr_fail)(err, status, __VA_ARGS__), (status))
#define hrr_no_memory(err) ((void)(hrr_no_memory)(err), HRR_ENOMEM)
