/* fuzz_table: any bytes, plain, gzip or zstd, as a table. Fields must end where they say. */
#include "fuzz_input.h"

#include "io/table.h"

#include <string.h>

static volatile size_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_path(bytes, size);
    for (int i = 0; i < 2; i++) {
        hrr_table *table;
        hrr_error err;
        const hrr_table_row *row;
        uint64_t before = 0;
        if (hrr_table_open(&table, path, i ? ' ' : '\0', &err)) return 0;
        while (hrr_table_next(table, &row, &err) == HRR_OK && row) {
            if (row->line <= before || row->n_fields == 0) abort();
            before = row->line;
            for (size_t field = 0; field < row->n_fields; field++) {
                int64_t integer;
                double number;
                bool truth;
                sink += strlen(row->fields[field]);
                sink += hrr_field_integer(row->fields[field], &integer);
                sink += hrr_field_number(row->fields[field], &number);
                sink += hrr_field_truth(row->fields[field], &truth);
            }
        }
        hrr_table_close(table);
    }
    return 0;
}
