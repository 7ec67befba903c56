/* options.h: option structs of programs that were built for this library, an older or a newer one.
 *
 * An option struct begins with its size, as the program that made it knew it. Members are only ever
 * added at the end: a smaller struct has the same members up to its size, and the defaults of the
 * others. docs/api/main.md has the rules. */
#ifndef HRR_BASE_OPTIONS_H
#define HRR_BASE_OPTIONS_H

#include <heterorr/base.h>

/* For hrr_x_options_init_sized(): the defaults, as far as there is room for them. */
void hrr_options_init(void *options, size_t size, const void *defaults, size_t defaults_size);

/* `own`, which holds the defaults, gets what is given; NULL: nothing. `type` names the struct.
 * Errors: HRR_EINVAL for a struct that nobody initialised, or one that is larger than ours. */
HRR_STATUS hrr_options_adopt(void *own, size_t own_size, const void *given, const char *type,
                             hrr_error *err);

/* The same for options inside options that were adopted: the members that the program did not know
 * are those of `defaults`. */
HRR_STATUS hrr_options_adopt_inner(void *inner, size_t inner_size, const void *defaults,
                                   const char *type, hrr_error *err);

/* How a public function begins: *own is what it was given, in full. */
#define HRR_ADOPT(type, own, given, err)                                                           \
    (type##_init(own), hrr_options_adopt((own), sizeof(type), (given), #type, (err)))
#define HRR_ADOPT_INNER(type, inner, defaults, err)                                                \
    hrr_options_adopt_inner((inner), sizeof(type), (defaults), #type, (err))

#endif
