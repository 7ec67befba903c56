/* head_questions.c: see head.h.
 *
 * Labels overlap: what a head says of a hundred of them varies in few directions. So a node is
 * asked which half of the people it is in along these, the principal directions of the head's
 * scores, instead of about one label out of a hundred. Which label goes with which half is for
 * whoever learns from the answers (report_model.h).
 *
 * Scores of few features, or of features that depend on each other, vary in fewer directions than
 * were asked for: then there are as many questions as directions. */
#include "learn/head.h"
#include "matrix/products.h"

#include "base/memory.h"

hrr_status hrr_head_ask_principal(hrr_head *head, const hrr_dense *scores, uint32_t n_questions,
                                  hrr_error *err)
{
    hrr_head asked = {0};
    hrr_dense axes = {0};
    double *variance = hrr_alloc(n_questions, sizeof *variance);
    hrr_status status = variance ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_dense_principal(&axes, variance, scores, n_questions, true, err);
    if (status == HRR_EINVAL) { /* fewer of them: all that there are */
        status = hrr_dense_principal(&axes, variance, scores, 0, true, err);
        n_questions = (uint32_t)axes.rows;
    }
    if (!status)
        status = hrr_head_init(&asked, head->weight.rows, 0, n_questions, HRR_OUTPUT_SIGMOID, err);
    if (!status) status = hrr_dense_init(&asked.shares, HRR_F64, 1, n_questions, err);
    if (status) goto done;
    hrr_gemm(&asked.weight, &head->weight, false, &axes, true, 1, 0);
    hrr_gemm(&asked.bias, &head->bias, false, &axes, true, 1, 0);
    for (uint32_t j = 0; j < n_questions; j++)
        ((double *)asked.shares.data)[j] = variance[j];
    hrr_head_clear(head);
    *head = asked;
    asked = (hrr_head){0};
done:
    hrr_free(variance);
    hrr_dense_clear(&axes);
    hrr_head_clear(&asked);
    return status;
}
