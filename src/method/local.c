// SPDX-License-Identifier: MIT
// local.c: pairs of elements of two placed meshes, looked at on any threads
//
// The pairs are cut into chunks of a fixed number. Each chunk has a piece of the output of its own, so that
// contacts end up in the order of the pairs, whoever computed them. A batch of chunks bounds the memory; a chunk
// whose piece is full waits until its contacts have been handed over.
#include "method/local.h"

#include "base/arena_list.h"
#include "base/context.h"
#include "base/error.h"
#include "method/stats.h"
#include "method/workspace.h"
#include "prim/point_tet.h"

enum {
    CHUNK = 16,          ///< pairs
    CHUNK_CONTACTS = 96, ///< of a usual chunk
    BATCH = 256,         ///< chunks
    FEWEST = 32,         ///< chunks that are worth waking other threads
};

typedef struct element_pair {
    int a, b;
} element_pair;

typedef struct gathering {
    const abut_local *local;
    abut_sink *sink;
    abut_arena_list pairs; ///< element_pair
    int skips_inner_a, skips_inner_b;
} gathering;

typedef struct chunk {
    abut_local_output output;
    int next, end; ///< pairs that are left
} chunk;

typedef struct batch {
    const abut_local *local;
    const abut_local_task *task;
    const element_pair *pairs;
    chunk *chunks;
} batch;

static abut_placed place(const abut_side *side, abut_pose to_a)
{
    const abut_mesh *mesh = abut_side_mesh(side);
    abut_placed placed = {.mesh = mesh,
                          .elements = abut_mesh_get_elements(mesh),
                          .topology = abut_mesh_get_topology(mesh),
                          .vertices = abut_side_vertices(side),
                          .rotation = abut_quat_matrix(to_a.rotation),
                          .translation = to_a.position};
    return placed;
}

abut_status abut_local_begin(abut_local *local, const abut_query *query, const void *user, abut_sink *sink)
{
    const char *name = query->method->name;
    if (query->is_self) {
        return abut_fail(&sink->error, ABUT_UNSUPPORTED, "method %s does not find self-contact", name);
    }
    const abut_side *sides[2] = {&query->pair->a, &query->pair->b};
    for (int i = 0; i < 2; ++i) {
        if (abut_shape_dilation(sides[i]->shape) != 0.0 || abut_shape_offset(sides[i]->shape) != 0.0) {
            return abut_fail(&sink->error, ABUT_UNSUPPORTED, "method %s knows neither dilation nor offset", name);
        }
    }
    local->query = query;
    local->a = place(sides[0], abut_pose_identity());
    local->b = place(sides[1], query->b_to_a);
    local->user = user;
    return ABUT_OK;
}

/// The corner of a triangle where an edge of it starts.
static int start_of_edge(const abut_placed *side, int triangle, int edge)
{
    const int *edges = &side->topology.triangle_edges[3 * triangle];
    return edges[0] == edge ? 0 : edges[1] == edge ? 1 : 2;
}

int abut_placed_edge_is_flat(const abut_placed *side, int edge, double angle)
{
    const abut_mesh_topology *topology = &side->topology;
    int begin = topology->edge_triangle_offsets[edge];
    if (topology->edge_triangle_offsets[edge + 1] - begin != 2) {
        return 0;
    }
    abut_vec3 normals[2];
    int starts[2];
    for (int i = 0; i < 2; ++i) {
        int triangle = topology->edge_triangles[begin + i];
        const int *corners = &side->elements.triangles[3 * triangle];
        abut_vec3 origin = side->vertices[corners[0]];
        normals[i] = abut_unit(
            abut_cross(abut_sub(side->vertices[corners[1]], origin), abut_sub(side->vertices[corners[2]], origin)));
        starts[i] = corners[start_of_edge(side, triangle, edge)];
    }
    return starts[0] != starts[1] && abut_dot(normals[0], normals[1]) > 0.0 &&
           abut_norm(abut_cross(normals[0], normals[1])) <= sin(angle);
}

static int is_inner(const abut_placed *side, int tet)
{
    const int *triangles = &side->topology.tet_triangles[4 * tet];
    return triangles[0] < 0 && triangles[1] < 0 && triangles[2] < 0 && triangles[3] < 0;
}

static int gather(void *user, int element_a, int element_b)
{
    gathering *g = user;
    if ((g->skips_inner_a && is_inner(&g->local->a, element_a)) ||
        (g->skips_inner_b && is_inner(&g->local->b, element_b))) {
        return 0;
    }
    element_pair *pair = abut_arena_list_add(&g->sink->arena, &g->pairs, 1, sizeof *pair);
    if (pair == NULL) {
        g->sink->is_out_of_memory = 1;
        return 1;
    }
    pair->a = element_a;
    pair->b = element_b;
    return 0;
}

/// As long as there is room for the contacts of one more pair.
static void look_at_chunk(const batch *b, chunk *c)
{
    for (; c->next < c->end && c->output.capacity - c->output.count >= b->task->contact_limit; ++c->next) {
        b->task->function(b->local, b->pairs[c->next].a, b->pairs[c->next].b, &c->output);
    }
}

static void look_at_chunks(void *data, int begin, int end, int worker)
{
    (void)worker;
    const batch *b = data;
    for (int i = begin; i < end; ++i) {
        look_at_chunk(b, &b->chunks[i]);
    }
}

/// From A's frame to the world's, into the sink.
static void hand_over(const abut_local *local, const abut_mat3 *rotation, abut_local_output *output,
                      abut_sink *sink)
{
    abut_vec3 origin = local->query->pair->a.pose.position;
    for (int i = 0; i < output->count; ++i) {
        abut_contact c = output->contacts[i];
        c.position_a = abut_add(abut_mat3_apply(*rotation, c.position_a), origin);
        c.position_b = abut_add(abut_mat3_apply(*rotation, c.position_b), origin);
        c.normal = abut_unit(abut_mat3_apply(*rotation, c.normal));
        c.region = -1;
        (void)abut_sink_contact(sink, &c);
    }
    output->count = 0;
}

static void run_batch(batch *b, int count, abut_sink *sink)
{
    abut_mat3 rotation = abut_quat_matrix(b->local->query->pair->a.pose.rotation);
    if (count < FEWEST) {
        look_at_chunks(b, 0, count, 0);
    } else {
        abut_parallel_for(&sink->context, count, 1, look_at_chunks, b);
    }
    for (int i = 0; i < count; ++i) {
        chunk *c = &b->chunks[i];
        hand_over(b->local, &rotation, &c->output, sink);
        while (c->next < c->end) {
            look_at_chunk(b, c);
            hand_over(b->local, &rotation, &c->output, sink);
        }
        abut_stats_add(abut_sink_stats(sink), &c->output.stats);
    }
}

abut_status abut_local_run(const abut_local *local, const abut_local_task *task, abut_sink *sink)
{
    gathering g = {.local = local,
                   .sink = sink,
                   .skips_inner_a = task->is_surface_only && task->kind_a == ABUT_ELEMENT_TET,
                   .skips_inner_b = task->is_surface_only && task->kind_b == ABUT_ELEMENT_TET};
    const abut_pair *pair = local->query->pair;
    const abut_tree *tree_a = task->tree_a != NULL ? task->tree_a : abut_side_tree(&pair->a, task->kind_a);
    const abut_tree *tree_b = task->tree_b != NULL ? task->tree_b : abut_side_tree(&pair->b, task->kind_b);
    (void)abut_tree_pairs(tree_a, tree_b, local->query->b_to_a, task->margin, gather, &g);
    abut_sink_stats(sink)->candidate_pairs += g.pairs.count;
    int chunk_count = g.pairs.count / CHUNK + (g.pairs.count % CHUNK != 0);
    int room = chunk_count < BATCH ? chunk_count : BATCH;
    int contact_room = CHUNK_CONTACTS + task->contact_limit;
    abut_contact *contacts = abut_sink_scratch(sink, (size_t)room * (size_t)contact_room * sizeof *contacts);
    chunk *chunks = abut_sink_scratch(sink, (size_t)room * sizeof *chunks);
    if (sink->is_out_of_memory) {
        return ABUT_NO_MEMORY;
    }
    batch b = {.local = local, .task = task, .pairs = g.pairs.items, .chunks = chunks};
    for (int first = 0; first < chunk_count; first += BATCH) {
        int count = chunk_count - first < BATCH ? chunk_count - first : BATCH;
        for (int i = 0; i < count; ++i) {
            int begin = (first + i) * CHUNK;
            chunk c = {.output = {.contacts = &contacts[i * contact_room], .capacity = contact_room},
                       .next = begin,
                       .end = g.pairs.count - begin < CHUNK ? g.pairs.count : begin + CHUNK};
            chunks[i] = c;
        }
        run_batch(&b, count, sink);
    }
    return sink->is_out_of_memory ? ABUT_NO_MEMORY : ABUT_OK;
}

void abut_local_contact(abut_local_output *output, const abut_contact *contact)
{
    ABUT_ASSERT(output->count < output->capacity); // else the task's contact_limit is wrong
    output->contacts[output->count++] = *contact;
}

abut_anchor abut_vertex_anchor(int vertex)
{
    abut_anchor anchor = {{vertex, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
    return anchor;
}

abut_anchor abut_edge_anchor(const abut_placed *side, int triangle, int edge, double weight)
{
    const int *corners = &side->elements.triangles[3 * triangle];
    abut_anchor anchor = {{corners[edge], corners[(edge + 1) % 3], -1, -1}, {1.0 - weight, weight, 0.0, 0.0}};
    return anchor;
}

abut_anchor abut_triangle_anchor(const abut_placed *side, int triangle, const double weights[3])
{
    const int *corners = &side->elements.triangles[3 * triangle];
    abut_anchor anchor = {{corners[0], corners[1], corners[2], -1}, {weights[0], weights[1], weights[2], 0.0}};
    return anchor;
}

/// The weights of a point in a tetrahedron, or on its border as far as rounding tells. Returns 0 where it is
/// outside, or where the tetrahedron is so thin that quotients of volumes say little.
static int find_inner_weights(const abut_vec3 corners[4], abut_vec3 point, double weights[4])
{
    const double thin = 1e-6, rounding = 1e-12;
    abut_vec3 u = abut_sub(corners[1], corners[0]), v = abut_sub(corners[2], corners[0]);
    abut_vec3 w = abut_sub(corners[3], corners[0]), p = abut_sub(point, corners[0]);
    double volume = abut_dot(abut_cross(u, v), w);
    if (!(fabs(volume) > thin * abut_norm(u) * abut_norm(v) * abut_norm(w))) {
        return 0;
    }
    weights[1] = abut_dot(abut_cross(p, v), w) / volume;
    weights[2] = abut_dot(abut_cross(u, p), w) / volume;
    weights[3] = abut_dot(abut_cross(u, v), p) / volume;
    weights[0] = 1.0 - weights[1] - weights[2] - weights[3];
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        if (!(weights[k] >= -rounding)) {
            return 0;
        }
        weights[k] = fmax(weights[k], 0.0);
        sum += weights[k];
    }
    for (int k = 0; k < 4; ++k) {
        weights[k] /= sum;
    }
    return 1;
}

abut_anchor abut_tet_anchor(const abut_placed *side, int tet, const abut_vec3 corners[4], abut_vec3 point)
{
    const int *vertices = &side->elements.tets[4 * tet];
    abut_anchor anchor = {.vertices = {vertices[0], vertices[1], vertices[2], vertices[3]}};
    if (!find_inner_weights(corners, point, anchor.weights)) {
        (void)abut_point_tet_distance_squared(point, corners, anchor.weights);
    }
    return anchor;
}
