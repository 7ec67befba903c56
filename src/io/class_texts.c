/* class_texts.c: see class_texts.h. */
#include "io/class_texts.h"
#include "io/graph_parts.h"
#include "io/table.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *text_at(const hrr_name_index *labels, uint64_t i)
{
    return labels->text + labels->text_start[i];
}

/* Views, days and prices are not classes: nobody learns a class from a handful of nodes. */
static hrr_status refuse_counts(uint64_t n_classes, uint64_t n_nodes, const char *where,
                                hrr_error *err)
{
    enum { few_classes = 64, few_nodes = 10 };
    if (n_classes <= few_classes || n_classes <= n_nodes / few_nodes) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s looks like a count or a name rather than a class: it would make more than "
                    "%d classes with fewer than %d nodes each on average; choose another column "
                    "with `label_column`, or give the classes with `labels`",
                    where, few_classes, few_nodes);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static hrr_status number_by_alphabet(int32_t *class_of, const char ***names,
                                     const hrr_name_index *labels, hrr_error *err)
{
    const uint64_t n = labels->n_names;
    const char **sorted = hrr_alloc(n, sizeof *sorted);
    if (!sorted) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n; i++)
        sorted[i] = text_at(labels, i);
    if (n) qsort(sorted, n, sizeof *sorted, by_text);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t label;
        hrr_name_index_find(labels, sorted[i], &label);
        class_of[label] = (int32_t)i;
    }
    *names = sorted;
    return HRR_OK;
}

hrr_status hrr_number_classes(int32_t *class_of, const char ***names, const hrr_name_index *labels,
                              uint64_t n_nodes, const char *where, hrr_error *err)
{
    const uint64_t n = labels->n_names;
    uint64_t n_classes = 0;
    bool numbers = true, truths = true;
    *names = NULL;
    for (uint64_t i = 0; i < n; i++) {
        int64_t value = 0;
        bool truth;
        numbers = numbers && hrr_field_integer(text_at(labels, i), &value) && value >= 0;
        truths = truths && hrr_field_truth(text_at(labels, i), &truth);
        if ((uint64_t)value >= n_classes) n_classes = (uint64_t)value + 1;
    }
    hrr_status status = refuse_counts(numbers ? n_classes : n, n_nodes, where, err);
    if (status) return status;
    if (numbers && n_classes > HRR_MAX_CLASSES)
        return hrr_fail(err, HRR_EDATA, "%s contains a class number above %u", where,
                        HRR_MAX_CLASSES - 1);
    if (!numbers && n > HRR_MAX_CLASSES)
        return hrr_fail(err, HRR_EDATA, "%s has more than %u different labels", where,
                        HRR_MAX_CLASSES);
    if (!numbers && !truths) return number_by_alphabet(class_of, names, labels, err);
    for (uint64_t i = 0; i < n; i++) {
        int64_t value = 0;
        bool truth = false;
        if (numbers)
            hrr_field_integer(text_at(labels, i), &value);
        else
            hrr_field_truth(text_at(labels, i), &truth);
        class_of[i] = numbers ? (int32_t)value : truth;
    }
    return HRR_OK;
}
