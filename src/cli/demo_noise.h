/* demo_noise.h: what exact noise looks like, drawn and compared with its probabilities. */
#ifndef CLI_DEMO_NOISE_H
#define CLI_DEMO_NOISE_H

#include "cli/verb.h"

/* Draw discrete Laplace noise at epsilon 1 from the secure generator; print the shares beside the
 * exact probabilities, or set task->result for --json.
 * Errors: HRR_ENOMEM, HRR_EIO. */
hrr_status cli_demo_noise(cli_task *task, hrr_error *err);

#endif
