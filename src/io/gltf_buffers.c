// SPDX-License-Identifier: MIT
// gltf_buffers.c: the bytes and numbers of a glTF file
#include "io/gltf.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

static abut_status fail_memory(const abut_gltf *gltf)
{
    return abut_file_fail_growth(gltf->file, ABUT_NO_MEMORY, 0, "values");
}

static abut_status list_values(abut_gltf *gltf, const char *name, abut_gltf_list *list)
{
    int array = abut_json_member(&gltf->json, 0, name), count = abut_json_count(&gltf->json, array), i = 0;
    list->values = abut_allocate(&gltf->json.context, (size_t)count, sizeof *list->values);
    if (list->values == NULL) {
        return fail_memory(gltf);
    }
    for (int item = abut_json_first(&gltf->json, array); item >= 0;
         item = abut_json_after(&gltf->json, array, item)) {
        list->values[i++] = item;
    }
    list->count = count;
    return ABUT_OK;
}

int abut_gltf_at(const abut_gltf_list *list, int index)
{
    return index >= 0 && index < list->count ? list->values[index] : -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Buffers

static int digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/// Decodes base64. Returns 0 if a character is wrong.
static int decode(const char *at, const char *end, unsigned char *bytes, size_t *size)
{
    unsigned bits = 0;
    int count = 0;
    *size = 0;
    while (end > at && end[-1] == '=') {
        --end;
    }
    for (; at < end; ++at) {
        int digit = digit_of(*at);
        if (digit < 0) {
            return 0;
        }
        bits = bits << 6 | (unsigned)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes[(*size)++] = (unsigned char)(bits >> count & 0xffu);
        }
    }
    return 1;
}

static abut_status load_data(abut_gltf *gltf, int index, const char *start, const char *end)
{
    const char *comma = memchr(start, ',', (size_t)(end - start));
    static const char mark[] = ";base64";
    size_t length = sizeof mark - 1;
    if (comma == NULL || (size_t)(comma - start) < length || memcmp(comma - length, mark, length) != 0) {
        return abut_file_fail_element(gltf->file, ABUT_UNSUPPORTED, index,
                                      "buffer %d: only base64 data is supported", index);
    }
    abut_gltf_bytes *bytes = &gltf->loaded[index];
    bytes->owned = abut_allocate(&gltf->json.context, (size_t)(end - comma), 1);
    if (bytes->owned == NULL) {
        return fail_memory(gltf);
    }
    bytes->start = bytes->owned;
    return decode(comma + 1, end, bytes->owned, &bytes->size)
               ? ABUT_OK
               : abut_file_fail_element(gltf->file, ABUT_BAD_DATA, index, "buffer %d: not base64", index);
}

/// Reads a file in the folder of the glTF file or below it.
static abut_status load_file(abut_gltf *gltf, int index, const char *start, const char *end)
{
    const char *slash = strrchr(gltf->file->name, '/');
    size_t folder = slash != NULL ? (size_t)(slash + 1 - gltf->file->name) : 0, length = (size_t)(end - start);
    char path[ABUT_PATH_SIZE];
    int is_plain = length > 0 && folder + length < sizeof path && *start != '/';
    for (const char *at = start; at < end; ++at) {
        // no escapes, no scheme, no parent folder
        is_plain &= strchr("%\\:?#", *at) == NULL && (end - at < 2 || at[0] != '.' || at[1] != '.');
    }
    if (!is_plain) {
        return abut_file_fail_element(gltf->file, ABUT_UNSUPPORTED, index,
                                      "buffer %d is not in a file beside this one; export a .glb file", index);
    }
    if (gltf->file->is_borrowed) {
        return abut_file_fail_element(gltf->file, ABUT_UNSUPPORTED, index,
                                      "buffer %d is in another file; a file in memory must contain all buffers",
                                      index);
    }
    memcpy(path, gltf->file->name, folder);
    memcpy(path + folder, start, length);
    path[folder + length] = '\0';
    abut_file file;
    abut_status status = abut_file_load(&file, &gltf->json.context, path, gltf->file->error);
    if (status == ABUT_OK) { // the bytes move to the buffer
        union {
            const char *constant;
            void *owned;
        } data = {file.data};
        gltf->loaded[index] = (abut_gltf_bytes){(const unsigned char *)file.data, file.size, data.owned};
    }
    return status;
}

static abut_status load_buffer(abut_gltf *gltf, int index)
{
    int uri = abut_json_member(&gltf->json, gltf->buffers.values[index], "uri");
    if (uri < 0) {
        gltf->loaded[index] = gltf->binary; // the binary part belongs to the file
        return index == 0 && gltf->binary.start != NULL
                   ? ABUT_OK
                   : abut_file_fail_element(gltf->file, ABUT_BAD_DATA, index, "buffer %d has no data", index);
    }
    const abut_json_value *value = &gltf->json.values[uri];
    if (value->kind != ABUT_JSON_STRING) {
        return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, index, "buffer %d: `uri` is not a string", index);
    }
    int is_data = value->end - value->start > 5 && memcmp(value->start, "data:", 5) == 0;
    return is_data ? load_data(gltf, index, value->start, value->end)
                   : load_file(gltf, index, value->start, value->end);
}

abut_status abut_gltf_load_buffers(abut_gltf *gltf)
{
    abut_status status = list_values(gltf, "nodes", &gltf->nodes);
    status = status == ABUT_OK ? list_values(gltf, "meshes", &gltf->meshes) : status;
    status = status == ABUT_OK ? list_values(gltf, "accessors", &gltf->accessors) : status;
    status = status == ABUT_OK ? list_values(gltf, "bufferViews", &gltf->views) : status;
    status = status == ABUT_OK ? list_values(gltf, "buffers", &gltf->buffers) : status;
    if (status != ABUT_OK) {
        return status;
    }
    gltf->loaded = abut_allocate_zeroed(&gltf->json.context, (size_t)gltf->buffers.count, sizeof *gltf->loaded);
    if (gltf->loaded == NULL) {
        return fail_memory(gltf);
    }
    for (int i = 0; i < gltf->buffers.count && status == ABUT_OK; ++i) {
        status = load_buffer(gltf, i);
    }
    return status;
}

void abut_gltf_release(abut_gltf *gltf)
{
    const abut_context *context = &gltf->json.context;
    for (int i = 0; i < gltf->buffers.count && gltf->loaded != NULL; ++i) {
        abut_free(context, gltf->loaded[i].owned);
    }
    abut_free(context, gltf->loaded);
    abut_free(context, gltf->nodes.values);
    abut_free(context, gltf->meshes.values);
    abut_free(context, gltf->accessors.values);
    abut_free(context, gltf->views.values);
    abut_free(context, gltf->buffers.values);
    abut_json_release(&gltf->json);
}

// ---------------------------------------------------------------------------------------------------------------
// Accessors

static int size_of(int type)
{
    return type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0;
}

abut_status abut_gltf_find_numbers(const abut_gltf *gltf, int accessor, const char *shape, int components,
                                   abut_gltf_numbers *numbers)
{
    const abut_json *json = &gltf->json;
    int value = abut_gltf_at(&gltf->accessors, accessor);
    int view = abut_gltf_at(&gltf->views, abut_json_index(json, abut_json_member(json, value, "bufferView"), -1));
    int buffer = abut_json_index(json, abut_json_member(json, view, "buffer"), -1);
    numbers->count = abut_json_index(json, abut_json_member(json, value, "count"), -1);
    numbers->type = abut_json_index(json, abut_json_member(json, value, "componentType"), -1);
    int begin = abut_json_index(json, abut_json_member(json, value, "byteOffset"), 0);
    int length = abut_json_index(json, abut_json_member(json, view, "byteLength"), -1);
    int offset = abut_json_index(json, abut_json_member(json, view, "byteOffset"), 0);
    int stride = abut_json_index(json, abut_json_member(json, view, "byteStride"), 0);
    int size = size_of(numbers->type) * components;
    if (abut_json_member(json, value, "sparse") >= 0) {
        return abut_file_fail_element(gltf->file, ABUT_UNSUPPORTED, accessor,
                                      "accessor %d is sparse: not supported", accessor);
    }
    if (value < 0 || view < 0 || buffer < 0 || buffer >= gltf->buffers.count || numbers->count < 0 || begin < 0 ||
        length < 0 || offset < 0 || stride < 0 || size == 0 || (stride > 0 && stride < size) ||
        !abut_json_is(json, abut_json_member(json, value, "type"), shape)) {
        return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, accessor,
                                      "accessor %d does not exist or is not valid", accessor);
    }
    const abut_gltf_bytes *bytes = &gltf->loaded[buffer];
    numbers->stride = (size_t)(stride > 0 ? stride : size);
    uint64_t needed = numbers->count == 0
                          ? 0
                          : (uint64_t)begin + numbers->stride * (uint64_t)(numbers->count - 1) + (uint64_t)size;
    if (needed > (uint64_t)length || (uint64_t)offset + (uint64_t)length > bytes->size) {
        return abut_file_fail_element(gltf->file, ABUT_BAD_DATA, accessor, "accessor %d ends beyond its buffer",
                                      accessor);
    }
    numbers->start = bytes->start + offset + begin;
    return ABUT_OK;
}

/// Integers of glTF are little-endian.
static uint32_t integer_at(const unsigned char *at, int size)
{
    uint32_t value = 0;
    for (int k = 0; k < size; ++k) {
        value |= (uint32_t)at[k] << 8 * k;
    }
    return value;
}

uint32_t abut_gltf_integer(const abut_gltf_numbers *numbers, int index)
{
    return integer_at(numbers->start + numbers->stride * (size_t)index, size_of(numbers->type));
}

abut_vec3 abut_gltf_vec3(const abut_gltf_numbers *numbers, int index)
{
    float place[3];
    for (size_t k = 0; k < 3; ++k) {
        uint32_t bits = integer_at(numbers->start + numbers->stride * (size_t)index + 4 * k, 4);
        memcpy(&place[k], &bits, sizeof bits);
    }
    return abut_vec3_make((double)place[0], (double)place[1], (double)place[2]);
}
