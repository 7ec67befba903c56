/* thrift.h: Thrift's compact protocol, as far as Parquet files use it: structs whose fields have
 * numbers, integers, texts, lists. https://github.com/apache/thrift/blob/master/doc/specs/
 * thrift-compact-protocol.md
 *
 * A reader never leaves its bytes. The first thing that is wrong makes it `bad`; from then on every
 * call returns zero or nothing, so that whoever reads a struct asks once, at the end. */
#ifndef HRR_IO_THRIFT_H
#define HRR_IO_THRIFT_H

#include <heterorr/base.h>

typedef enum hrr_thrift_type {
    HRR_THRIFT_STOP = 0,
    HRR_THRIFT_TRUE,
    HRR_THRIFT_FALSE,
    HRR_THRIFT_I8,
    HRR_THRIFT_I16,
    HRR_THRIFT_I32,
    HRR_THRIFT_I64,
    HRR_THRIFT_DOUBLE,
    HRR_THRIFT_BINARY,
    HRR_THRIFT_LIST,
    HRR_THRIFT_SET,
    HRR_THRIFT_MAP,
    HRR_THRIFT_STRUCT,
    HRR_THRIFT_UUID
} hrr_thrift_type;

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct hrr_thrift {
    const uint8_t *at, *end;
    bool bad;
} hrr_thrift;

/* A field of a struct; all zero bytes before the first. */
typedef struct hrr_thrift_field {
    int id;
    hrr_thrift_type type;
} hrr_thrift_field;

/* The next field; false at the end of the struct. Its value must be read or skipped before the
 * next. */
bool hrr_thrift_next(hrr_thrift *in, hrr_thrift_field *field);
/* Pass over a value of that type, whatever is in it. */
void hrr_thrift_skip(hrr_thrift *in, hrr_thrift_type type);

/* Values of the type that the caller expects; another one is bad. */
int64_t hrr_thrift_integer(hrr_thrift *in, hrr_thrift_type type);
bool hrr_thrift_truth(hrr_thrift *in, hrr_thrift_type type);
/* Bytes that are not copied. */
const char *hrr_thrift_bytes(hrr_thrift *in, hrr_thrift_type type, uint64_t *size);
/* The number of items, each of which takes a byte at least; a list of another type is bad. */
uint64_t hrr_thrift_list(hrr_thrift *in, hrr_thrift_type type, hrr_thrift_type of);

/* ---- writing --------------------------------------------------------------------------------- */

/* Bytes that grow; clear with hrr_free(bytes). */
typedef struct hrr_thrift_out {
    uint8_t *bytes;
    size_t size, room;
    bool no_memory; /* of any call so far */
    int last;       /* number of the field that was written last in the struct under way */
} hrr_thrift_out;

void hrr_thrift_put_integer(hrr_thrift_out *out, int id, hrr_thrift_type type, int64_t value);
void hrr_thrift_put_truth(hrr_thrift_out *out, int id, bool value);
void hrr_thrift_put_text(hrr_thrift_out *out, int id, const char *text);
/* The items follow: integers and texts by the functions below, structs by open and close. */
void hrr_thrift_put_list(hrr_thrift_out *out, int id, hrr_thrift_type of, uint64_t n);
void hrr_thrift_put_integer_item(hrr_thrift_out *out, int64_t value);
void hrr_thrift_put_text_item(hrr_thrift_out *out, const char *text);
/* A struct as a field, or with id 0 as an item or the outermost; returns what close() takes. */
int hrr_thrift_open(hrr_thrift_out *out, int id);
void hrr_thrift_close(hrr_thrift_out *out, int before);

#endif
