/* text_sink.h: an hrr_output that compresses on the way if its path ends in .gz or .zst. */
#ifndef HRR_IO_TEXT_SINK_H
#define HRR_IO_TEXT_SINK_H

#include <heterorr/base.h>

typedef struct hrr_text_sink hrr_text_sink;

hrr_status hrr_text_sink_open(hrr_text_sink **out, const char *path, hrr_error *err);
hrr_status hrr_text_sink_write(hrr_text_sink *sink, const void *bytes, size_t size, hrr_error *err);
/* A field of delimited text, in quotes if it needs them. */
hrr_status hrr_text_sink_write_field(hrr_text_sink *sink, const char *text, hrr_error *err);
/* The file appears, as with hrr_output_commit(). */
hrr_status hrr_text_sink_commit(hrr_text_sink *sink, hrr_error *err);
void hrr_text_sink_free(hrr_text_sink *sink);

#endif
