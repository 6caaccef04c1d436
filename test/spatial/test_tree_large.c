// SPDX-License-Identifier: MIT
// test_tree_large.c: trees built in parallel: contents of boxes and slabs, numbers of threads, refitting
#include "spatial/soup.h"
#include "spatial/tree.h"

enum { AROUND = 90, ACROSS = 70, TRIANGLES = 2 * AROUND * ACROSS };

// A torus with bumps, oblique to the axes.
typedef struct big_mesh {
    abut_vec3 vertices[AROUND * ACROSS];
    int triangles[3 * TRIANGLES];
} big_mesh;

static void make_big(big_mesh *big, double phase)
{
    abut_quat turn = abut_quat_from_axis(abut_vec3_make(1.0, 2.0, 3.0), 0.7);
    for (int i = 0; i < AROUND * ACROSS; ++i) {
        int a = i / ACROSS, b = i % ACROSS, next_a = (a + 1) % AROUND * ACROSS, next_b = (b + 1) % ACROSS;
        double u = 6.283185307179586 * a / AROUND, v = 6.283185307179586 * b / ACROSS;
        double r = 0.4 + 0.02 * sin(7.0 * u + phase) * cos(5.0 * v), radius = 1.0 + r * cos(v);
        big->vertices[i] = abut_quat_rotate(turn, abut_vec3_make(radius * cos(u), radius * sin(u), r * sin(v)));
        const int quad[6] = {i, next_a + b, next_a + next_b, i, next_a + next_b, a * ACROSS + next_b};
        memcpy(big->triangles + (size_t)i * 6, quad, sizeof quad);
    }
}

static abut_mesh *mesh_of(const big_mesh *big)
{
    abut_mesh_def def = abut_mesh_def_default();
    abut_mesh *mesh = NULL;
    def.vertices = big->vertices;
    def.vertex_count = AROUND * ACROSS;
    def.face_vertices = big->triangles;
    def.face_count = TRIANGLES;
    if (!CHECK(abut_mesh_create(NULL, &def, &mesh, NULL) == ABUT_OK, "mesh")) {
        abort();
    }
    return mesh;
}

// The box and slab of a child must contain all corners below, at the start and end of the motion.
static void check_child(const abut_tree *tree, const abut_tree_node *node, int side, int element)
{
    double scale = ldexp(1.0, -tree->exponent);
    for (int k = 0; k < 6; ++k) {
        const abut_vec3 *vertices = k < 3 ? tree->start : tree->end;
        abut_vec3 p = abut_scale(scale, abut_sub(vertices[tree->elements[3 * element + k % 3]], tree->origin));
        const double x[3] = {p.x, p.y, p.z};
        double height = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            CHECK((double)node->lower[axis][side] <= x[axis] && x[axis] <= (double)node->upper[axis][side],
                  "element %d is not in its box", element);
            height += (double)node->normal[axis][side] * x[axis];
        }
        CHECK((double)node->slab_lower[side] <= height && height <= (double)node->slab_upper[side],
              "element %d is not in its slab", element);
    }
}

// Every element must be below once, and in all boxes and slabs above it. Returns the number of elements below.
static int check_node(const abut_tree *tree, int index, int level, unsigned char *seen)
{
    const abut_tree_node *node = &tree->nodes[index];
    int count = 0;
    CHECK(level < tree->depth, "level %d of %d", level, tree->depth);
    for (int side = 0; side < 2; ++side) {
        int begin, below;
        if (abut_tree_is_leaf(node->child[side])) {
            abut_tree_range range = abut_tree_leaf_range(tree, node->child[side]);
            begin = range.begin;
            below = range.end - range.begin;
            for (int i = range.begin; i < range.end; ++i) {
                CHECK(seen[tree->order[i]]++ == 0, "element %d again", tree->order[i]);
            }
        } else {
            int first = node->child[side];
            below = check_node(tree, first, level + 1, seen);
            while (!abut_tree_is_leaf(first)) {
                first = tree->nodes[first].child[0];
            }
            begin = ~first;
        }
        for (int i = begin; i < begin + below; ++i) {
            check_child(tree, node, side, tree->order[i]);
        }
        count += below;
    }
    return count;
}

static void check_tree(const abut_tree *tree)
{
    static unsigned char seen[TRIANGLES];
    memset(seen, 0, sizeof seen);
    CHECK_INT(check_node(tree, 0, 1, seen), TRIANGLES, "elements");
}

static void boxes_and_slabs_hold(void **state)
{
    (void)state;
    static big_mesh big, start, end;
    make_big(&big, 0.0);
    make_big(&start, 1.0);
    make_big(&end, 3.0);
    abut_mesh *mesh = mesh_of(&big);
    abut_tree *tree = make_tree(mesh, ABUT_ELEMENT_TRIANGLE);
    check_tree(tree);
    CHECK(abut_tree_get_info(tree).bytes <= 64 * (size_t)TRIANGLES, "bytes");
    // slabs are thin: a leaf of two neighbours is nearly flat
    const abut_tree_node *last = &tree->nodes[tree->node_count - 1];
    CHECK(last->slab_upper[0] - last->slab_lower[0] < 0.01f, "thickness %g",
          (double)(last->slab_upper[0] - last->slab_lower[0]));
    abut_tree_refit(tree, start.vertices, end.vertices);
    check_tree(tree);
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A parallel loop that runs the items one by one, last first.
static void backward_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    for (int i = count - 1; i >= 0; --i) {
        task(data, i, i + 1, 0);
    }
}

// Trees must be the same to the bit for all numbers of threads and all orders of the work.
static void threads_change_nothing(void **state)
{
    (void)state;
    static big_mesh big;
    make_big(&big, 0.0);
    abut_mesh *mesh = mesh_of(&big);
    abut_tree *tree = make_tree(mesh, ABUT_ELEMENT_TRIANGLE), *other = NULL;
    abut_context context = abut_context_default();
    context.parallel_for = backward_for;
    CHECK(abut_tree_create(&context, mesh, ABUT_ELEMENT_TRIANGLE, &other, NULL) == ABUT_OK, "tree");
    CHECK(memcmp(tree->nodes, other->nodes, (size_t)tree->node_count * sizeof *tree->nodes) == 0, "nodes");
    CHECK(memcmp(tree->order, other->order, (size_t)tree->element_count * sizeof *tree->order) == 0, "order");
    CHECK_INT(tree->depth, other->depth, "depth");
    abut_tree_destroy(tree);
    abut_tree_destroy(other);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// The nearest triangle by brute force.
static void nearest_equals_brute_force(void **state)
{
    (void)state;
    static big_mesh big;
    make_big(&big, 0.0);
    abut_mesh *mesh = mesh_of(&big);
    abut_tree *tree = make_tree(mesh, ABUT_ELEMENT_TRIANGLE);
    test_random random = {45};
    for (int i = 0; i < 30; ++i) {
        abut_vec3 p = random_vec3(&random, 2.0);
        double least = HUGE_VAL;
        int nearest = -1;
        for (int k = 0; k < TRIANGLES; ++k) {
            double weights[3];
            const int *c = big.triangles + 3 * k;
            abut_vec3 t[3] = {big.vertices[c[0]], big.vertices[c[1]], big.vertices[c[2]]};
            double distance = sqrt(abut_point_triangle_distance_squared(p, t, weights));
            nearest = distance < least ? k : nearest;
            least = distance < least ? distance : least;
        }
        abut_tree_hit hit = abut_tree_nearest(tree, p, HUGE_VAL);
        CHECK(hit.element == nearest && hit.distance == least, "%d at %g, not %d at %g", hit.element, hit.distance,
              nearest, least);
    }
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_slabs_hold),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(nearest_equals_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
