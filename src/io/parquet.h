/* parquet.h: flat tables as Parquet files (https://parquet.apache.org/docs/file-format/): a footer
 * in Thrift's compact protocol says which columns there are and where the pages of each are.
 *
 * Read: columns of true and false, integers, floats, doubles and texts, with missing values or
 * without; data pages of version 1 and 2; encodings PLAIN, dictionary (PLAIN_DICTIONARY,
 * RLE_DICTIONARY) and, of true and false, RLE; codecs snappy, gzip, zstd and none. Nested columns
 * and encrypted files are refused. docs/formats.md says whose files were tried.
 *
 * Written: PLAIN, pages of version 1, zstd or none, with checksums. */
#ifndef HRR_IO_PARQUET_H
#define HRR_IO_PARQUET_H

#include "io/source.h"

/* ---- numbers of the format ------------------------------------------------------------------- */

typedef enum hrr_parquet_type {
    HRR_PARQUET_BOOLEAN = 0,
    HRR_PARQUET_INT32,
    HRR_PARQUET_INT64,
    HRR_PARQUET_INT96,
    HRR_PARQUET_FLOAT,
    HRR_PARQUET_DOUBLE,
    HRR_PARQUET_BYTE_ARRAY,
    HRR_PARQUET_FIXED_LEN_BYTE_ARRAY
} hrr_parquet_type;

enum { HRR_PARQUET_REQUIRED = 0, HRR_PARQUET_OPTIONAL, HRR_PARQUET_REPEATED };
enum {
    HRR_PARQUET_UTF8 = 0,
    HRR_PARQUET_ENUM = 4,
    HRR_PARQUET_UINT_8 = 11,
    HRR_PARQUET_INT_64 = 18
};
enum { HRR_PARQUET_UINT_64 = 14, HRR_PARQUET_JSON = 19 };
enum { HRR_PARQUET_DATA_PAGE = 0, HRR_PARQUET_DICTIONARY_PAGE = 2, HRR_PARQUET_DATA_PAGE_V2 };
enum {
    HRR_PARQUET_PLAIN = 0,
    HRR_PARQUET_PLAIN_DICTIONARY = 2,
    HRR_PARQUET_RLE = 3,
    HRR_PARQUET_RLE_DICTIONARY = 8
};
enum { HRR_PARQUET_UNCOMPRESSED = 0, HRR_PARQUET_SNAPPY, HRR_PARQUET_GZIP, HRR_PARQUET_ZSTD = 6 };
#define HRR_PARQUET_MAGIC "PAR1"

/* ---- reading --------------------------------------------------------------------------------- */

typedef enum hrr_parquet_kind {
    HRR_PARQUET_TRUTHS = 1,
    HRR_PARQUET_INTEGERS,
    HRR_PARQUET_FLOATS,
    HRR_PARQUET_DOUBLES,
    HRR_PARQUET_TEXTS,
    HRR_PARQUET_OTHERS /* dates, decimals, bytes of fixed length: not read */
} hrr_parquet_kind;

typedef struct hrr_parquet_column {
    char *name;
    hrr_parquet_kind kind;
    hrr_parquet_type type;
    bool optional;
    bool is_unsigned; /* integers; those of 64 bits must be below 2^63 */
} hrr_parquet_column;

/* The pages of one column in one group of rows. */
typedef struct hrr_parquet_chunk {
    int64_t codec;
    uint64_t offset, size, n_rows;
} hrr_parquet_chunk;

typedef struct hrr_parquet {
    const char *path; /* not owned */
    hrr_source *source;
    const uint8_t *bytes; /* the whole file */
    uint64_t size;
    uint64_t n_rows;
    uint32_t n_columns, n_groups;
    hrr_parquet_column *columns;
    hrr_parquet_chunk *chunks; /* [group * n_columns + column] */
    char *classes, *inferred;  /* what our own writer noted; NULL: nothing */
} hrr_parquet;

/* What the writer notes under these keys of the file. */
#define HRR_PARQUET_CLASSES "heterorr.classes"
#define HRR_PARQUET_INFERRED "heterorr.inferred"

/* Errors: HRR_EDATA for what is not Parquet, damaged, nested or encrypted; HRR_EIO, also for a
 * pipe; HRR_ENOMEM. *out is cleared by hrr_parquet_close() whether it succeeds or not. */
hrr_status hrr_parquet_open(hrr_parquet *out, const char *path, hrr_error *err);
void hrr_parquet_close(hrr_parquet *file);

typedef struct hrr_parquet_values {
    hrr_parquet_kind kind;
    uint64_t n;
    uint8_t *missing;  /* NULL: nothing is; a value that is missing is 0 or "" */
    int64_t *integers; /* truths and integers */
    double *numbers;   /* floats and doubles */
    uint64_t *start;   /* texts: UTF-8 that ends with NUL, from text + start[i] on */
    char *text;
    uint64_t text_size, text_room;
} hrr_parquet_values;

/* All rows of a column that is not of HRR_PARQUET_OTHERS.
 * Errors: HRR_EDATA names the column, and the codec or encoding if it is one that is not read. */
hrr_status hrr_parquet_read(hrr_parquet_values *out, const hrr_parquet *file, uint32_t column,
                            hrr_error *err);
void hrr_parquet_values_clear(hrr_parquet_values *values);

/* `size` bytes from `packed`. False if they are not exactly that many. `codec` is one that
 * hrr_parquet_codec_name() says is read; out of memory counts as damaged. */
bool hrr_parquet_unpack(uint8_t *out, uint64_t size, const uint8_t *packed, uint64_t packed_size,
                        int64_t codec);
/* The most bytes that the codec can make of so many: more is a lie. */
uint64_t hrr_parquet_unpacked_most(uint64_t packed_size, int64_t codec);
bool hrr_parquet_codec_is_read(int64_t codec);
const char *hrr_parquet_codec_name(int64_t codec);

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct hrr_parquet_cell {
    bool missing;
    int64_t integer; /* BOOLEAN, INT32, INT64 */
    double number;   /* FLOAT, DOUBLE */
    const char *text;
} hrr_parquet_cell;

typedef struct hrr_parquet_field {
    const char *name;
    hrr_parquet_type type;
    bool optional, byte; /* byte: INT32 of 0 to 255 */
    /* Cell `row` of a column; user and column are the field's own. */
    void (*get)(hrr_parquet_cell *out, const void *user, uint64_t column, uint64_t row);
    const void *user;
    uint64_t column;
} hrr_parquet_field;

typedef struct hrr_parquet_table {
    const hrr_parquet_field *fields;
    uint32_t n_fields;
    uint64_t n_rows;
    const char *classes, *inferred; /* notes; NULL: none */
    bool uncompressed;
} hrr_parquet_table;

/* Errors: HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_parquet_write(const char *path, const hrr_parquet_table *table,
                             hrr_progress *progress, hrr_error *err);

#endif
