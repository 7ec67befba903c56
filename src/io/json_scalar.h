/* json_scalar.h: inside the JSON stream: its state, and the readers of strings, numbers and words.
 * Only json_stream.c and json_scalar.c include this. */
#ifndef HRR_IO_JSON_SCALAR_H
#define HRR_IO_JSON_SCALAR_H

#include "io/json_stream.h"
#include "io/source.h"

enum { hrr_json_end_of_file = -1 };

typedef enum hrr_json_expectation {
    expects_value,
    expects_first_element, /* a value or ] */
    expects_first_key,     /* a key or } */
    expects_key,
    expects_more, /* a comma or the end of the container */
    expects_nothing
} hrr_json_expectation;

struct hrr_json_stream {
    hrr_source *source;
    hrr_progress *progress;
    uint64_t reported; /* stored bytes already told to progress */
    const unsigned char *next, *end, *piece_end;
    uint64_t line;
    hrr_json_expectation expects; /* what the grammar allows next */
    int depth;
    char open[HRR_JSON_MAX_DEPTH]; /* '{' or '[' */
    char *text;
    size_t length, room;
};

/* Called when next == end; afterwards they are equal only at the end of the file. */
hrr_status hrr_json_refill(hrr_json_stream *json, hrr_error *err);
hrr_status hrr_json_truncated(const hrr_json_stream *json, hrr_error *err);

/* Each leaves what it read in json->text. A string begins after its opening quote. */
hrr_status hrr_json_read_string(hrr_json_stream *json, hrr_error *err);
hrr_status hrr_json_read_number(hrr_json_stream *json, hrr_error *err);
/* true, false or null, from its first letter. */
hrr_status hrr_json_read_word(hrr_json_stream *json, const char *word, hrr_error *err);

#endif
