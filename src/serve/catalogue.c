/* catalogue.c: see catalogue.h. */
#include "serve/catalogue.h"
#include "base/memory.h"
#include "serve/route.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void hrr_catalogue_use(hrr_catalogue *catalogue)
{
    atomic_fetch_add_explicit(&catalogue->users, 1, memory_order_relaxed);
}

void hrr_catalogue_leave(hrr_catalogue *catalogue)
{
    if (!catalogue || atomic_fetch_sub_explicit(&catalogue->users, 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; catalogue->models && i < catalogue->n_models; i++)
        hrr_served_free(catalogue->models[i]);
    hrr_free(catalogue->models);
    hrr_tokens_clear(&catalogue->tokens);
    hrr_free(catalogue);
}

hrr_served *hrr_catalogue_find(const hrr_catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->n_models; i++)
        if (strcmp(catalogue->models[i]->name, name) == 0) return catalogue->models[i];
    return NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

enum { most_token_bytes = 1 << 20 };

static hrr_status read_tokens(hrr_tokens *out, const char *path, double rate,
                              hrr_accounts *accounts, hrr_error *err)
{
    if (!path) return hrr_tokens_init(out, NULL, rate, accounts, err);
    FILE *file = fopen(path, "re");
    if (!file) return hrr_fail(err, HRR_EIO, "%s cannot be read: %s", path, strerror(errno));
    char *text = hrr_alloc(most_token_bytes, 1);
    const size_t size = text ? fread(text, 1, most_token_bytes, file) : 0;
    hrr_status status = HRR_OK;
    if (!text)
        status = hrr_no_memory(err);
    else if (ferror(file))
        status = hrr_fail(err, HRR_EIO, "%s cannot be read: %s", path, strerror(errno));
    else if (size == most_token_bytes || memchr(text, 0, size))
        status = hrr_fail(err, HRR_EDATA, "%s is not a token file", path);
    fclose(file);
    if (!status) {
        text[size] = '\0';
        status = hrr_tokens_init(out, text, rate, accounts, err);
    }
    hrr_free(text);
    return status;
}

static hrr_status check_names(const hrr_served_model *models, size_t n_models, hrr_error *err)
{
    if (!n_models) return hrr_fail(err, HRR_EINVAL, "there is no model to serve");
    for (size_t i = 0; i < n_models; i++) {
        if (!hrr_model_name_is_good(models[i].name))
            return hrr_fail(err, HRR_EINVAL,
                            "'%s' cannot be the name of a model: use at most 64 letters, digits, "
                            "'.', '_' and '-'",
                            models[i].name);
        for (size_t k = 0; k < i; k++)
            if (strcmp(models[i].name, models[k].name) == 0)
                return hrr_fail(err, HRR_EINVAL, "two models are named '%s'", models[i].name);
    }
    return HRR_OK;
}

hrr_status hrr_catalogue_open(hrr_catalogue **out, const hrr_served_model *models, size_t n_models,
                              const hrr_server_options *o, hrr_accounts *accounts,
                              hrr_progress *progress, hrr_error *err)
{
    *out = NULL;
    hrr_status status = check_names(models, n_models, err);
    if (status) return status;
    hrr_catalogue *made = hrr_alloc_zero(1, sizeof *made);
    if (!made) return hrr_no_memory(err);
    atomic_init(&made->users, 1);
    made->is_private = true;
    if (!(made->models = hrr_alloc_zero(n_models, sizeof *made->models)))
        status = hrr_no_memory(err);
    if (!status) status = read_tokens(&made->tokens, o->tokens, o->rate, accounts, err);
    for (; made->n_models < n_models && !status; made->n_models++) {
        hrr_served **model = &made->models[made->n_models];
        if ((status = hrr_served_open(model, &models[made->n_models], o, progress, err))) break;
        made->is_private = made->is_private && (*model)->is_private;
    }
    if (status) {
        hrr_catalogue_leave(made);
        return status;
    }
    *out = made;
    return HRR_OK;
}
