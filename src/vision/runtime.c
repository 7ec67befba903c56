/* runtime.c: see runtime.h.
 *
 * ONNX Runtime's C interface is one exported function, OrtGetApiBase(), which gives a table of
 * function pointers. The table only ever grows at its end, so a position in it is what a symbol is
 * elsewhere: `enum place` names the ones that are used here, as the documentation of the C API
 * orders them (https://onnxruntime.ai/docs/api/c/struct_ort_api.html). No header of theirs is
 * needed. tests/vision runs every one of these functions.
 *
 * An inner tensor becomes an output by a property of protocol buffers: two messages written one
 * after the other are read as one, with their lists joined. So a model file followed by a model
 * that holds nothing but an output is the same network with one more output, and nobody has to
 * parse it. */
#include "vision/runtime.h"

#include "base/memory.h"
#include "base/size.h"
#include "io/source.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { api_version = 17, log_fatal = 4, element_f32 = 1, value_is_tensor = 1, arena_allocator = 1 };

enum place {
    at_error_message = 2,
    at_create_env = 3,
    at_create_session_from_array = 8,
    at_run = 9,
    at_create_session_options = 10,
    at_set_log_severity = 22,
    at_set_threads_inside = 24,
    at_set_threads_between = 25,
    at_input_count = 30,
    at_output_count = 31,
    at_input_type = 33,
    at_output_type = 34,
    at_input_name = 36,
    at_output_name = 37,
    at_create_tensor = 49,
    at_tensor_data = 51,
    at_tensor_type = 55,
    at_kind_of_type = 56,
    at_element_type = 60,
    at_dimension_count = 61,
    at_dimensions = 62,
    at_type_of_tensor = 65,
    at_create_cpu_memory = 69,
    at_allocator_free = 76,
    at_default_allocator = 78,
    at_release_env = 92,
    at_release_status = 93,
    at_release_memory = 94,
    at_release_session = 95,
    at_release_value = 96,
    at_release_type = 98,
    at_release_tensor_type = 99,
    at_release_session_options = 100,
};

typedef struct ort_object ort_object; /* every kind of thing that the library owns */
typedef void ort_function(void);

typedef struct ort_base {
    ort_function *const *(*get_api)(uint32_t version);
    const char *(*version)(void);
} ort_base;

/* The functions by what they take. Those that can fail return a status, NULL for success. */
typedef ort_object *call_env(int level, const char *name, ort_object **out);
typedef ort_object *call_load(const ort_object *env, const void *bytes, size_t size,
                              const ort_object *options, ort_object **out);
typedef ort_object *call_run(const ort_object *session, const ort_object *options,
                             const char *const *input_names, const ort_object *const *inputs,
                             size_t n_inputs, const char *const *output_names, size_t n_outputs,
                             ort_object **outputs);
typedef ort_object *call_make(ort_object **out);
typedef ort_object *call_set(ort_object *object, int value);
typedef ort_object *call_count(const ort_object *object, size_t *out);
typedef ort_object *call_type(const ort_object *session, size_t i, ort_object **out);
typedef ort_object *call_name(const ort_object *session, size_t i, ort_object *allocator,
                              char **out);
typedef ort_object *call_tensor(const ort_object *memory, void *data, size_t bytes,
                                const int64_t *dims, size_t n_dims, int element, ort_object **out);
typedef ort_object *call_data(ort_object *value, void **out);
typedef ort_object *call_view(const ort_object *object, const ort_object **out);
typedef ort_object *call_enum(const ort_object *object, int *out);
typedef ort_object *call_dims(const ort_object *object, int64_t *dims, size_t n_dims);
typedef ort_object *call_of_value(const ort_object *value, ort_object **out);
typedef ort_object *call_memory(int allocator, int kind, ort_object **out);
typedef ort_object *call_free(ort_object *allocator, void *block);
typedef const char *call_text(const ort_object *status);
typedef void call_release(ort_object *object);

#define CALL(runtime, type, place) ((type *)(runtime)->api[place])

struct hrr_runtime {
    void *library; /* never closed: it has threads and state of its own until the process ends */
    ort_function *const *api;
    const char *version;
    ort_object *env, *memory, *allocator;
};

struct hrr_network {
    const hrr_runtime *runtime;
    ort_object *session;
    hrr_tensor_port *ports; /* inputs, then outputs */
    size_t n_inputs, n_outputs;
};

static void release(const hrr_runtime *runtime, enum place place, ort_object *object)
{
    if (object) CALL(runtime, call_release, place)(object);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

bool hrr_tensor_size(size_t *out, const hrr_tensor_shape *shape)
{
    size_t size = 1;
    for (int i = 0; i < shape->n_dims; i++)
        if (shape->dims[i] < 0 || !hrr_mul_fits(size, (size_t)shape->dims[i], &size)) return false;
    *out = size;
    return true;
}

void hrr_tensor_shape_text(char *out, size_t size, const hrr_tensor_shape *shape)
{
    size_t used = 0;
    if (size) out[0] = '\0';
    for (int i = 0; i < shape->n_dims && used < size; i++) {
        const char *before = i ? " x " : "";
        int length = shape->dims[i] < 0 ? snprintf(out + used, size - used, "%sany", before)
                                        : snprintf(out + used, size - used, "%s%lld", before,
                                                   (long long)shape->dims[i]);
        used += (size_t)length;
    }
}

/* ---- the library ----------------------------------------------------------------------------- */

/* The status becomes ours and is released. */
static hrr_status refused(const hrr_runtime *runtime, ort_object *status, const char *what,
                          hrr_error *err)
{
    const char *why = CALL(runtime, call_text, at_error_message)(status);
    hrr_status failure = hrr_fail(err, HRR_EDATA, "%s: ONNX Runtime %s cannot use it: %.600s", what,
                                  runtime->version, why);
    release(runtime, at_release_status, status);
    return failure;
}

static char *cache_path(void)
{
    static const char tail[] = "heterorr/onnxruntime/libonnxruntime.so";
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && cache[0] == '/') return hrr_format_text("%s/%s", cache, tail);
    return hrr_format_text("%s/.cache/%s", home ? home : "", tail);
}

/* The file itself, also for the directory that holds it. */
static char *file_of(const char *path)
{
    struct stat there;
    if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        return hrr_format_text("%s/libonnxruntime.so", path);
    return hrr_copy_text(path);
}

static hrr_status load_named(void **out, const char *path, const char *who, hrr_error *err)
{
    char *file = file_of(path);
    if (!file) return hrr_no_memory(err);
    *out = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    hrr_status status = HRR_OK;
    if (!*out)
        status = hrr_fail(err, HRR_EINVAL, "%s is not a shared library of ONNX Runtime: %.400s",
                          who, dlerror());
    hrr_free(file);
    return status;
}

static hrr_status load_library(void **out, const char *path, hrr_error *err)
{
    static const char *const system_names[] = {"libonnxruntime.so.1", "libonnxruntime.so"};
    const char *told = getenv("HETERORR_ONNXRUNTIME");
    if (path) return load_named(out, path, "`runtime`", err);
    if (told && told[0]) return load_named(out, told, "HETERORR_ONNXRUNTIME", err);
    *out = NULL;
    for (size_t i = 0; i < sizeof system_names / sizeof *system_names && !*out; i++)
        *out = dlopen(system_names[i], RTLD_NOW | RTLD_LOCAL);
    if (*out) return HRR_OK;
    char *cached = cache_path();
    if (!cached) return hrr_no_memory(err);
    *out = dlopen(cached, RTLD_NOW | RTLD_LOCAL);
    hrr_status status = HRR_OK;
    if (!*out)
        status = hrr_fail(
            err, HRR_EINVAL,
            "networks need ONNX Runtime, which was not found, neither as the system's "
            "libonnxruntime.so nor as %.300s. Run tools/onnxruntime of heterorr's source, which "
            "installs it there; or install ONNX Runtime 1.%d or newer and give the path of its "
            "libonnxruntime.so (`runtime`, or the variable HETERORR_ONNXRUNTIME)",
            cached, api_version);
    hrr_free(cached);
    return status;
}

hrr_status hrr_runtime_open(hrr_runtime **out, const char *path, hrr_error *err)
{
    *out = NULL;
    hrr_runtime *runtime = hrr_alloc_zero(1, sizeof *runtime);
    if (!runtime) return hrr_no_memory(err);
    ort_object *failed = NULL;
    hrr_status status = load_library(&runtime->library, path, err);
    if (status) goto done;
    const ort_base *(*get_base)(void) = NULL;
    *(void **)&get_base = dlsym(runtime->library, "OrtGetApiBase"); /* POSIX's way to say it */
    if (!get_base) {
        status = hrr_fail(err, HRR_EINVAL,
                          "`runtime`: the library is not ONNX Runtime: it has no OrtGetApiBase");
        goto done;
    }
    const ort_base *base = get_base();
    runtime->version = base->version();
    runtime->api = base->get_api(api_version);
    if (!runtime->api) {
        status = hrr_fail(err, HRR_EINVAL,
                          "`runtime`: ONNX Runtime %s is too old; install 1.%d or newer",
                          runtime->version, api_version);
        goto done;
    }
    failed = CALL(runtime, call_env, at_create_env)(log_fatal, "heterorr", &runtime->env);
    if (!failed)
        failed =
            CALL(runtime, call_memory, at_create_cpu_memory)(arena_allocator, 0, &runtime->memory);
    if (!failed) failed = CALL(runtime, call_make, at_default_allocator)(&runtime->allocator);
    if (failed) {
        status = refused(runtime, failed, "its environment", err);
        goto done;
    }
    *out = runtime;
    runtime = NULL;
done:
    hrr_runtime_close(runtime);
    return status;
}

const char *hrr_runtime_version(const hrr_runtime *runtime)
{
    return runtime->version;
}

void hrr_runtime_close(hrr_runtime *runtime)
{
    if (!runtime) return;
    release(runtime, at_release_memory, runtime->memory);
    release(runtime, at_release_env, runtime->env);
    hrr_free(runtime);
}

/* ---- loading a network ----------------------------------------------------------------------- */

/* What stands before a field's content in a protocol buffer; at most 10 bytes. */
static size_t put_field(uint8_t *out, uint8_t field, size_t size)
{
    size_t used = 0;
    out[used++] = (uint8_t)(field << 3 | 2);
    for (; size >= 128; size >>= 7)
        out[used++] = (uint8_t)(size | 128);
    out[used++] = (uint8_t)size;
    return used;
}

/* A model with nothing but an output: graph (7) { output (12) { name (1) } }. `out` has 32 bytes
 * more than the name. */
static size_t put_output_model(uint8_t *out, const char *name)
{
    enum { model_graph = 7, graph_output = 12, value_name = 1 };
    uint8_t for_name[11], for_output[11];
    size_t length = strlen(name);
    size_t name_head = put_field(for_name, value_name, length);
    size_t output_head = put_field(for_output, graph_output, name_head + length);
    size_t used = put_field(out, model_graph, output_head + name_head + length);
    memcpy(out + used, for_output, output_head);
    memcpy(out + used + output_head, for_name, name_head);
    used += output_head + name_head;
    memcpy(out + used, name, length);
    return used + length;
}

/* The whole file in memory, with room for `more` bytes behind it. */
static hrr_status read_model(uint8_t **out, size_t *size, size_t more, const char *path,
                             hrr_error *err)
{
    hrr_source *source = NULL;
    const char *piece;
    size_t length, used = 0;
    uint8_t *bytes = NULL;
    hrr_status status = hrr_source_open(&source, path, err);
    while (!status) {
        if ((status = hrr_source_next(source, &piece, &length, err)) || !length) break;
        size_t room;
        uint8_t *grown = NULL;
        if (hrr_add_fits(used, length, &room) && hrr_add_fits(room, more, &room))
            grown = hrr_resize(bytes, room, 1);
        if (!grown) {
            status = hrr_no_memory(err);
            break;
        }
        bytes = grown;
        memcpy(bytes + used, piece, length);
        used += length;
    }
    hrr_source_close(source);
    if (!status && used == 0) status = hrr_fail(err, HRR_EDATA, "%s: is empty", path);
    if (status) {
        hrr_free(bytes);
        return status;
    }
    *out = bytes;
    *size = used;
    return HRR_OK;
}

static ort_object *read_shape(hrr_tensor_shape *out, bool *is_f32, const hrr_runtime *runtime,
                              const ort_object *type)
{
    size_t n_dims;
    int element;
    ort_object *failed = CALL(runtime, call_enum, at_element_type)(type, &element);
    if (!failed) failed = CALL(runtime, call_count, at_dimension_count)(type, &n_dims);
    if (failed) return failed;
    *is_f32 = element == element_f32 && n_dims <= HRR_TENSOR_DIMS; /* others are not ours to read */
    out->n_dims = n_dims <= HRR_TENSOR_DIMS ? (int)n_dims : 0;
    return CALL(runtime, call_dims, at_dimensions)(type, out->dims, (size_t)out->n_dims);
}

static ort_object *read_port(hrr_tensor_port *port, const hrr_network *network, bool input,
                             size_t i)
{
    const hrr_runtime *runtime = network->runtime;
    ort_object *type = NULL;
    const ort_object *tensor = NULL;
    char *name = NULL;
    int kind;
    ort_object *failed = CALL(runtime, call_name, input ? at_input_name : at_output_name)(
        network->session, i, runtime->allocator, &name);
    if (failed) return failed;
    port->name = hrr_copy_text(name);
    failed = CALL(runtime, call_free, at_allocator_free)(runtime->allocator, name);
    if (!failed)
        failed = CALL(runtime, call_type, input ? at_input_type : at_output_type)(network->session,
                                                                                  i, &type);
    if (!failed) failed = CALL(runtime, call_enum, at_kind_of_type)(type, &kind);
    if (!failed && kind == value_is_tensor) {
        failed = CALL(runtime, call_view, at_tensor_type)(type, &tensor);
        if (!failed) failed = read_shape(&port->shape, &port->is_f32, runtime, tensor);
    }
    release(runtime, at_release_type, type);
    return failed;
}

static hrr_status read_ports(hrr_network *network, const char *path, hrr_error *err)
{
    const hrr_runtime *runtime = network->runtime;
    size_t n_inputs = 0, n_outputs = 0;
    ort_object *failed = CALL(runtime, call_count, at_input_count)(network->session, &n_inputs);
    if (!failed) failed = CALL(runtime, call_count, at_output_count)(network->session, &n_outputs);
    if (failed) return refused(runtime, failed, path, err);
    network->ports = hrr_alloc_zero(n_inputs + n_outputs, sizeof *network->ports);
    if (!network->ports) return hrr_no_memory(err);
    network->n_inputs = n_inputs;
    network->n_outputs = n_outputs;
    for (size_t i = 0; i < n_inputs + n_outputs; i++) {
        bool input = i < n_inputs;
        failed = read_port(&network->ports[i], network, input, input ? i : i - n_inputs);
        if (failed) return refused(runtime, failed, path, err);
        if (!network->ports[i].name) return hrr_no_memory(err);
    }
    return HRR_OK;
}

static hrr_status open_session(hrr_network *network, const void *bytes, size_t size,
                               const char *path, hrr_error *err)
{
    const hrr_runtime *runtime = network->runtime;
    ort_object *options = NULL;
    ort_object *failed = CALL(runtime, call_make, at_create_session_options)(&options);
    if (!failed) failed = CALL(runtime, call_set, at_set_log_severity)(options, log_fatal);
    /* Pictures are what the threads share out: inside one, a network has one thread. */
    if (!failed) failed = CALL(runtime, call_set, at_set_threads_inside)(options, 1);
    if (!failed) failed = CALL(runtime, call_set, at_set_threads_between)(options, 1);
    if (!failed)
        failed = CALL(runtime, call_load, at_create_session_from_array)(runtime->env, bytes, size,
                                                                        options, &network->session);
    release(runtime, at_release_session_options, options);
    return failed ? refused(runtime, failed, path, err) : HRR_OK;
}

static void close_session(hrr_network *network)
{
    release(network->runtime, at_release_session, network->session);
    for (size_t i = 0; i < network->n_inputs + network->n_outputs; i++)
        hrr_free(network->ports[i].name);
    hrr_free(network->ports);
    *network = (hrr_network){.runtime = network->runtime};
}

hrr_status hrr_network_read(hrr_network **out, const hrr_runtime *runtime, const char *path,
                            const char *inner, hrr_error *err)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    hrr_network *network = hrr_alloc_zero(1, sizeof *network);
    if (!network) return hrr_no_memory(err);
    network->runtime = runtime;
    hrr_status status = read_model(&bytes, &size, inner ? strlen(inner) + 32 : 0, path, err);
    if (!status) status = open_session(network, bytes, size, path, err);
    if (!status) status = read_ports(network, path, err);
    if (status) goto done;
    if (inner && hrr_network_find_output(network, inner) == network->n_outputs) {
        close_session(network);
        size += put_output_model(bytes + size, inner);
        if ((status = open_session(network, bytes, size, path, err))) goto done;
        if ((status = read_ports(network, path, err))) goto done;
    }
    *out = network;
    network = NULL;
done:
    hrr_network_free(network);
    hrr_free(bytes);
    return status;
}

void hrr_network_free(hrr_network *network)
{
    if (!network) return;
    close_session(network);
    hrr_free(network);
}

size_t hrr_network_n_inputs(const hrr_network *network)
{
    return network->n_inputs;
}

size_t hrr_network_n_outputs(const hrr_network *network)
{
    return network->n_outputs;
}

const hrr_tensor_port *hrr_network_input(const hrr_network *network, size_t i)
{
    assert(i < network->n_inputs);
    return &network->ports[i];
}

const hrr_tensor_port *hrr_network_output(const hrr_network *network, size_t i)
{
    assert(i < network->n_outputs);
    return &network->ports[network->n_inputs + i];
}

size_t hrr_network_find_output(const hrr_network *network, const char *name)
{
    size_t i = 0;
    while (i < network->n_outputs && strcmp(hrr_network_output(network, i)->name, name) != 0)
        i++;
    return i;
}

/* ---- running it ------------------------------------------------------------------------------ */

static hrr_status read_answer(hrr_answer *answer, const hrr_network *network, const char *name,
                              hrr_error *err)
{
    const hrr_runtime *runtime = network->runtime;
    ort_object *type = NULL;
    bool is_f32 = false;
    void *data = NULL;
    ort_object *failed = CALL(runtime, call_of_value, at_type_of_tensor)(answer->value, &type);
    if (!failed) failed = read_shape(&answer->shape, &is_f32, runtime, type);
    if (!failed && is_f32) failed = CALL(runtime, call_data, at_tensor_data)(answer->value, &data);
    release(runtime, at_release_tensor_type, type);
    if (failed) return refused(runtime, failed, name, err);
    if (!is_f32)
        return hrr_fail(err, HRR_EDATA, "the output %s of the network is not of type float32",
                        name);
    answer->data = data;
    return HRR_OK;
}

hrr_status hrr_network_run(hrr_answer *answers, const hrr_network *network, const float *input,
                           const hrr_tensor_shape *shape, const size_t *wanted, size_t n_wanted,
                           hrr_error *err)
{
    enum { most_wanted = 16 };
    const hrr_runtime *runtime = network->runtime;
    const char *names[most_wanted];
    ort_object *values[most_wanted] = {0}, *tensor = NULL;
    size_t size = 0;
    assert(n_wanted <= most_wanted && network->n_inputs == 1);
    memset(answers, 0, n_wanted * sizeof *answers);
    if (!hrr_tensor_size(&size, shape)) return hrr_no_memory(err);
    for (size_t i = 0; i < n_wanted; i++)
        names[i] = hrr_network_output(network, wanted[i])->name;
    const char *input_name = network->ports[0].name;
    /* The library reads the input; its interface has no const for that. */
    ort_object *failed = CALL(runtime, call_tensor, at_create_tensor)(
        runtime->memory, (void *)(uintptr_t)input, size * sizeof *input, shape->dims,
        (size_t)shape->n_dims, element_f32, &tensor);
    const ort_object *inputs[] = {tensor};
    if (!failed)
        failed = CALL(runtime, call_run, at_run)(network->session, NULL, &input_name, inputs, 1,
                                                 names, n_wanted, values);
    release(runtime, at_release_value, tensor);
    for (size_t i = 0; i < n_wanted; i++)
        answers[i].value = values[i];
    if (failed) return refused(runtime, failed, "the network's input", err);
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < n_wanted && !status; i++)
        status = read_answer(&answers[i], network, names[i], err);
    return status;
}

void hrr_answer_clear(hrr_answer *answer, const hrr_network *network)
{
    if (answer->value) release(network->runtime, at_release_value, answer->value);
    *answer = (hrr_answer){0};
}
