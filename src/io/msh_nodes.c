// SPDX-License-Identifier: MIT
// msh_nodes.c: the nodes of a Gmsh file, and looking them up by their numbers
#include "base/memory.h"
#include "base/sort.h"
#include "io/msh.h"

static abut_status add_tag(abut_msh *msh, int64_t tag)
{
    int is_full = msh->tag_count == INT32_MAX;
    if (is_full ||
        !abut_grow(&msh->parts->context, &msh->tags, &msh->tag_capacity, msh->tag_count + 1, sizeof *msh->tags)) {
        return abut_values_fail_growth(&msh->values, is_full ? ABUT_LIMIT : ABUT_NO_MEMORY, "nodes");
    }
    msh->tags[msh->tag_count++] = tag;
    return ABUT_OK;
}

// Reads three coordinates and skips `extra` numbers, up to the end of the line.
static abut_status read_place(abut_msh *msh, int extra)
{
    double place[3] = {0.0, 0.0, 0.0};
    abut_status status = ABUT_OK;
    for (int k = 0; k < 3 && status == ABUT_OK; ++k) {
        status = abut_values_number(&msh->values, ABUT_FLOAT64, "node coordinate", &place[k]);
    }
    for (int k = 0; k < extra && status == ABUT_OK; ++k) {
        status = abut_values_skip(&msh->values, ABUT_FLOAT64, "parametric coordinate");
    }
    if (status == ABUT_OK) {
        status = abut_values_end_line(&msh->values, "a node");
    }
    if (status != ABUT_OK) {
        return status;
    }
    status = abut_parts_add_vertex(msh->parts, abut_vec3_make(place[0], place[1], place[2]));
    return status == ABUT_OK ? ABUT_OK : abut_values_fail_growth(&msh->values, status, "nodes");
}

static abut_status read_old_nodes(abut_msh *msh, int64_t count)
{
    abut_status status = abut_msh_check_promise(msh, count, "nodes", 8, 28);
    for (int64_t i = 0; i < count && status == ABUT_OK; ++i) {
        int64_t tag = 0;
        status = abut_msh_begin_line(msh, "$Nodes");
        if (status == ABUT_OK) {
            status = abut_msh_tag(msh, "node number", &tag);
        }
        if (status == ABUT_OK) {
            status = add_tag(msh, tag);
        }
        if (status == ABUT_OK) {
            status = read_place(msh, 0);
        }
    }
    return status;
}

// Reads the nodes of one entity: their numbers, then their coordinates. If the nodes are parametric, each has as
// many parameters as the entity has dimensions.
static abut_status read_block(abut_msh *msh, int64_t *read)
{
    int64_t dimension = 0, ignored = 0, is_parametric = 0, count = 0;
    abut_status status = abut_msh_begin_line(msh, "$Nodes");
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "dimension of an entity", &dimension);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "number of an entity", &ignored);
    }
    if (status == ABUT_OK) {
        status = abut_msh_integer(msh, "whether nodes have parameters", &is_parametric);
    }
    if (status == ABUT_OK) {
        status = abut_msh_count(msh, "number of nodes", &count);
    }
    if (status == ABUT_OK) {
        status = abut_values_end_line(&msh->values, "a block of nodes");
    }
    if (status == ABUT_OK && (dimension < 0 || dimension > 3 || is_parametric < 0 || is_parametric > 1)) {
        status = abut_values_fail(&msh->values, ABUT_BAD_DATA, "a block of nodes cannot have dimension %lld",
                                  (long long)dimension);
    }
    if (status == ABUT_OK) {
        status = abut_msh_check_promise(msh, count, "nodes", 8, abut_msh_tag_size(msh) + 24);
    }
    for (int64_t i = 0; i < count && status == ABUT_OK; ++i) {
        int64_t tag = 0;
        status = abut_msh_begin_line(msh, "$Nodes");
        if (status == ABUT_OK) {
            status = abut_msh_tag(msh, "node number", &tag);
        }
        if (status == ABUT_OK) {
            status = abut_values_end_line(&msh->values, "a node number");
        }
        if (status == ABUT_OK) {
            status = add_tag(msh, tag);
        }
    }
    int extra = is_parametric ? (int)dimension : 0;
    for (int64_t i = 0; i < count && status == ABUT_OK; ++i) {
        status = abut_msh_begin_line(msh, "$Nodes");
        if (status == ABUT_OK) {
            status = read_place(msh, extra);
        }
    }
    *read += status == ABUT_OK ? count : 0;
    return status;
}

static abut_status read_new_nodes(abut_msh *msh, int64_t block_count)
{
    int64_t count = 0, ignored = 0, read = 0;
    abut_status status = abut_msh_count(msh, "number of nodes", &count);
    for (int k = 0; k < 2 && status == ABUT_OK; ++k) {
        status = abut_msh_count(msh, "lowest or highest node number", &ignored);
    }
    if (status == ABUT_OK) {
        status = abut_values_end_line(&msh->values, "the counts of $Nodes");
    }
    if (status == ABUT_OK) {
        status = abut_msh_check_promise(msh, block_count, "blocks of nodes", 8, 12 + abut_msh_tag_size(msh));
    }
    if (status == ABUT_OK) {
        status = abut_msh_check_promise(msh, count, "nodes", 8, 24);
    }
    for (int64_t i = 0; i < block_count && status == ABUT_OK; ++i) {
        status = read_block(msh, &read);
    }
    if (status == ABUT_OK && read != count) {
        status = abut_values_fail(&msh->values, ABUT_BAD_DATA, "%lld nodes are announced, but the blocks have %lld",
                                  (long long)count, (long long)read);
    }
    return status;
}

static int compare_tags(const void *user, int a, int b)
{
    const int64_t *tags = user;
    return (tags[a] > tags[b]) - (tags[a] < tags[b]);
}

// Whether the numbers are consecutive, as in most files. Then no search is needed.
static int is_counted(const abut_msh *msh)
{
    for (int i = 1; i < msh->tag_count; ++i) {
        if (msh->tags[i - 1] == INT64_MAX || msh->tags[i] != msh->tags[i - 1] + 1) {
            return 0;
        }
    }
    return 1;
}

static abut_status order_tags(abut_msh *msh)
{
    if (is_counted(msh)) {
        return ABUT_OK;
    }
    const abut_context *context = &msh->parts->context;
    msh->order = abut_allocate(context, (size_t)msh->tag_count, sizeof *msh->order);
    int *scratch = abut_allocate(context, (size_t)msh->tag_count, sizeof *scratch);
    if (msh->order == NULL || scratch == NULL) {
        abut_free(context, scratch);
        return abut_values_fail_growth(&msh->values, ABUT_NO_MEMORY, "nodes");
    }
    for (int i = 0; i < msh->tag_count; ++i) {
        msh->order[i] = i;
    }
    abut_sort_indices(msh->order, scratch, msh->tag_count, compare_tags, msh->tags);
    abut_free(context, scratch);
    for (int i = 1; i < msh->tag_count; ++i) {
        if (msh->tags[msh->order[i]] == msh->tags[msh->order[i - 1]]) {
            return abut_values_fail(&msh->values, ABUT_BAD_DATA, "two nodes have number %lld",
                                    (long long)msh->tags[msh->order[i]]);
        }
    }
    return ABUT_OK;
}

abut_status abut_msh_read_nodes(abut_msh *msh)
{
    int64_t count = 0;
    if (msh->tag_count > 0) {
        return abut_values_fail(&msh->values, ABUT_BAD_DATA, "there is a second section $Nodes");
    }
    abut_status status = abut_msh_begin_line(msh, "$Nodes");
    if (status == ABUT_OK) {
        status = abut_msh_count(msh, msh->is_new ? "number of blocks" : "number of nodes", &count);
    }
    if (status == ABUT_OK) {
        status = msh->is_new ? read_new_nodes(msh, count) : read_old_nodes(msh, count);
    }
    return status == ABUT_OK ? order_tags(msh) : status;
}

int abut_msh_find_node(const abut_msh *msh, int64_t tag)
{
    if (msh->order == NULL) {
        int64_t first = msh->tag_count > 0 ? msh->tags[0] : 0;
        return tag >= first && (uint64_t)tag - (uint64_t)first < (uint64_t)msh->tag_count
                   ? (int)((uint64_t)tag - (uint64_t)first)
                   : -1;
    }
    int begin = 0, end = msh->tag_count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (msh->tags[msh->order[middle]] < tag) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < msh->tag_count && msh->tags[msh->order[begin]] == tag ? msh->order[begin] : -1;
}
