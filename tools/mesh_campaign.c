// SPDX-License-Identifier: MIT
// mesh_campaign.c: contacts of real meshes: on a slab and on each other, touching, overlapping and with small gaps
//
// tools/mesh_campaign.sh fetches meshes and runs this program on them. Every mesh is scaled to a bounding diagonal of 1
// and turned at random (fixed seeds). On a slab its lowest vertex is put at the depth; onto the mesh before it in the list
// it is moved along a random direction until they touch, and then in by the depth. So a translation of that length frees
// it, and what a method answers can be judged:
//   answered   the query succeeds, with contacts
//   sensible   the least translation that opens the contacts (the deepest gap, if they are apart) is what it must be:
//              on a slab, along the slab's normal and as long as the depth; on each other, no longer than the depth
//   resolved   of closed meshes: after that translation at most a thousandth of the overlapping volume is left, by
//              clipping, independently of any contact method
// Usage: mesh_campaign [--method NAME] [--triangles MOST] [--least FEWEST] [--list] FILE ...
#include <abut-lab/lab.h>
#include <abut/abut.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 6, CLOSED = 0, OPEN = 1, SLAB = 0, EACH_OTHER = 1 };

/// How far the bodies are from touching, in diagonals; negative: apart.
static const double depths[STATES] = {0.0, 1e-3, 1e-2, 5e-2, -1e-4, -1e-3};

/// The least translation may differ from the known one by this share of it, and by this length.
static const double share = 0.02, slack = 2e-4;

typedef struct body {
    const char *path;
    abut_mesh *mesh;
    abut_shape *shape;
    abut_tree *tree;
    int is_closed;
} body;

typedef struct count {
    int asked, answered, sensible, resolved;
} count;

typedef struct campaign {
    const abut_method *method;
    int most_triangles, least_triangles, lists;
    abut_workspace *workspace;
    uint64_t random;
    count counts[2][2][STATES]; ///< closed or open; slab or each other
    int unread, large, small, empty;
} campaign;

/// Poses depend on the file's name alone, so that one answer can be looked at again.
static void seed(campaign *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    c->random = 19;
    for (const char *p = slash != NULL ? slash + 1 : path; *p != '\0'; ++p) {
        c->random = c->random * 6364136223846793005u + (unsigned char)*p;
    }
}

static double next_random(campaign *c)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(c->random >> 11) / 9007199254740992.0;
}

static abut_vec3 random_direction(campaign *c)
{
    for (;;) {
        abut_vec3 v = {2.0 * next_random(c) - 1.0, 2.0 * next_random(c) - 1.0, 2.0 * next_random(c) - 1.0};
        double squared = abut_norm_squared(v);
        if (squared > 1e-3 && squared < 1.0) {
            return abut_unit(v);
        }
    }
}

/// Makes the mesh a body: a copy of diagonal 1 around the origin, prepared for the method.
static int take_mesh(campaign *c, const char *path, const abut_mesh *read, body *made)
{
    abut_mesh_def def = abut_mesh_get_def(read);
    abut_box bounds = abut_mesh_get_elements(read).bounds;
    double diagonal = abut_box_diagonal(bounds);
    abut_vec3 *vertices = malloc((size_t)def.vertex_count * sizeof *vertices);
    for (int i = 0; vertices != NULL && i < def.vertex_count; ++i) {
        vertices[i] = abut_scale(1.0 / diagonal, abut_sub(def.vertices[i], abut_box_center(bounds)));
    }
    def.vertices = vertices;
    abut_error error = {0};
    abut_shape_def shape = abut_shape_def_default();
    *made = (body){.path = path};
    int is_made = vertices != NULL && diagonal > 0.0 && abut_mesh_create(NULL, &def, &made->mesh, &error) == ABUT_OK;
    if (is_made) {
        shape.mesh = made->mesh;
        is_made = abut_shape_create(NULL, &shape, &made->shape, &error) == ABUT_OK &&
                  abut_tree_create(NULL, made->mesh, ABUT_ELEMENT_TRIANGLE, &made->tree, &error) == ABUT_OK;
    }
    free(vertices);
    if (is_made) {
        abut_mesh_info info = abut_mesh_get_info(made->mesh);
        made->is_closed = info.is_closed && info.is_oriented && info.volume > 0.0;
        if (abut_shape_prepare(made->shape, c->method, NULL, &error) != ABUT_OK && c->lists) {
            (void)printf("%s: not prepared: %s\n", path, error.text);
        }
    } else if (c->lists) {
        (void)printf("%s: %s\n", path, error.text);
    }
    return is_made;
}

static void release_body(body *b)
{
    abut_tree_destroy(b->tree);
    abut_shape_destroy(b->shape);
    abut_mesh_destroy(b->mesh);
}

static int read_body(campaign *c, const char *path, body *made)
{
    abut_mesh *mesh = NULL;
    abut_error error = {0};
    if (abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &mesh, &error) != ABUT_OK) {
        ++c->unread;
        if (c->lists) {
            (void)printf("%s: %s\n", path, error.text);
        }
        return 0;
    }
    int triangles = abut_mesh_get_elements(mesh).triangle_count, is_made = 0;
    if (triangles > c->most_triangles) {
        ++c->large;
    } else if (triangles < c->least_triangles) {
        ++c->small;
    } else {
        is_made = triangles > 0 && take_mesh(c, path, mesh, made);
        c->empty += !is_made;
    }
    abut_mesh_destroy(mesh);
    return is_made;
}

/// The least translation of B that opens all contacts. Returns 0 if there is none.
static int least_translation(const abut_result *result, abut_vec3 *t)
{
    abut_half_space *sides = malloc((size_t)(result->contacts.count + 1) * sizeof *sides);
    for (int i = 0; sides != NULL && i < result->contacts.count; ++i) {
        sides[i] = (abut_half_space){result->contacts.items[i].normal, -result->contacts.items[i].gap};
    }
    int is_found = sides != NULL && abut_least_translation(sides, result->contacts.count, t);
    free(sides);
    return is_found;
}

static double least_gap(const abut_result *result)
{
    double least = HUGE_VAL;
    for (int i = 0; i < result->contacts.count; ++i) {
        least = fmin(least, result->contacts.items[i].gap);
    }
    return least;
}

static int is_resolved(const abut_pair *pair, const body *a, const body *b, abut_vec3 t, double before)
{
    double after = 0.0;
    abut_pose moved = abut_pose_make(abut_add(pair->b.pose.position, t), pair->b.pose.rotation);
    return abut_overlap_volume(NULL, a->mesh, pair->a.pose, b->mesh, moved, &after, NULL) == ABUT_OK &&
           after <= fmax(ABUT_OVERLAP_LEFT * before, 1e-12);
}

/// Asks about two bodies, one of which is known to be free after a translation of `depth` along `way`.
static void ask(campaign *c, const body *a, const body *b, abut_pair *pair, int kind, int state, abut_vec3 way)
{
    double depth = depths[state];
    count *sum = &c->counts[a->is_closed && b->is_closed ? CLOSED : OPEN][kind][state];
    abut_params params = abut_params_default();
    double before = 1.0;
    if (a->is_closed && b->is_closed && depth > 0.0 &&
        abut_overlap_volume(NULL, a->mesh, pair->a.pose, b->mesh, pair->b.pose, &before, NULL) == ABUT_OK &&
        before <= 1e-15) {
        return; // thin ones have passed each other
    }
    if (depth < 0.0) {
        params.envelope = abut_relative(-2.0 * depth);
    }
    abut_result result = abut_result_default();
    abut_status status = abut_find_contacts(pair, c->method, &params, c->workspace, &result);
    int is_answered = status == ABUT_OK && result.contacts.count > 0, is_sensible = 0, resolves = 0;
    abut_vec3 t = {0.0, 0.0, 0.0};
    double allowed = share * fabs(depth) + slack, length = 0.0;
    if (is_answered && depth > 0.0 && least_translation(&result, &t)) {
        length = abut_norm(t);
        is_sensible = kind == SLAB ? abut_norm(abut_sub(t, abut_scale(depth, way))) <= allowed
                                   : length <= depth + allowed;
        resolves = a->is_closed && b->is_closed && is_resolved(pair, a, b, t, before);
    } else if (is_answered && depth <= 0.0) {
        length = least_gap(&result);
        // on each other, parts beside the first touch may be nearer than it
        is_sensible = kind == SLAB ? fabs(length + depth) <= allowed
                                   : length <= -depth + allowed && length >= (depth < 0.0 ? 0.0 : -allowed);
        resolves = is_sensible;
    }
    ++sum->asked;
    sum->answered += is_answered;
    sum->sensible += is_sensible;
    sum->resolved += resolves;
    if (c->lists && (!is_sensible || (!resolves && a->is_closed && b->is_closed))) {
        (void)printf("%s on %s, depth %g: %d contacts by %s%s%s, length %g; %s %s\n", b->path, a->path, depth,
                     result.contacts.count, result.method != NULL ? result.method : "nothing",
                     is_sensible ? ", sensible" : "", resolves ? ", resolved" : "", length,
                     result.reason != NULL ? result.reason : "", result.error.text);
    }
}

static void place_on_slab(campaign *c, const body *slab, const body *b)
{
    abut_mesh_elements elements = abut_mesh_get_elements(b->mesh);
    abut_vec3 up = {0.0, 0.0, 1.0};
    abut_pair pair = abut_pair_default(slab->shape, b->shape);
    pair.a.key = 1;
    pair.b.key = 2;
    pair.b.pose.rotation = abut_quat_from_axis(random_direction(c), 6.283185307179586 * next_random(c));
    double lowest = HUGE_VAL;
    for (int i = 0; i < 3 * elements.triangle_count; ++i) {
        lowest = fmin(lowest, abut_quat_rotate(pair.b.pose.rotation, elements.vertices[elements.triangles[i]]).z);
    }
    for (int state = 0; state < STATES; ++state) {
        pair.b.pose.position = abut_scale(-lowest - depths[state], up);
        ask(c, slab, b, &pair, SLAB, state, up);
    }
}

static void place_on_each_other(campaign *c, const body *a, const body *b)
{
    abut_pair pair = abut_pair_default(a->shape, b->shape);
    pair.a.key = 1;
    pair.b.key = 2;
    pair.b.pose.rotation = abut_quat_from_axis(random_direction(c), 6.283185307179586 * next_random(c));
    abut_sweep_def def = abut_sweep_def_default(a->tree, b->tree);
    abut_vec3 way = random_direction(c);
    def.motion_b.pose = abut_pose_make(abut_scale(2.0, way), pair.b.pose.rotation);
    def.motion_b.linear_velocity = abut_scale(-2.0, way);
    def.tolerance = 1e-7;
    abut_sweep_hit hit;
    if (abut_sweep(&def, &hit, NULL) != ABUT_OK || !hit.is_hit) {
        return; // hollow ones can pass each other
    }
    for (int state = 0; state < STATES; ++state) {
        pair.b.pose.position = abut_scale(2.0 - 2.0 * hit.time - depths[state], way);
        ask(c, a, b, &pair, EACH_OTHER, state, way);
    }
}

static void print_counts(const campaign *c)
{
    static const char *const meshes[2] = {"closed", "open"}, *const places[2] = {"on a slab", "on each other"};
    (void)printf("%d files could not be read, %d have more than %d triangles, %d fewer than %d, %d none\n\n", c->unread,
                 c->large, c->most_triangles, c->small, c->least_triangles, c->empty);
    (void)printf("Per cent answered / sensible / resolved, method %s\n\n", c->method->name);
    (void)printf("| meshes | queries | touching | 0.1 %% in | 1 %% in | 5 %% in | gap 0.01 %% | gap 0.1 %% |\n");
    (void)printf("|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < 4; ++i) {
        (void)printf("| %s, %s | %d |", meshes[i / 2], places[i % 2], c->counts[i / 2][i % 2][0].asked);
        for (int state = 0; state < STATES; ++state) {
            const count *sum = &c->counts[i / 2][i % 2][state];
            double all = 0.01 * (sum->asked > 0 ? sum->asked : 1);
            (void)printf(" %.1f / %.1f", sum->answered / all, sum->sensible / all);
            if (i / 2 == CLOSED) {
                (void)printf(" / %.1f", sum->resolved / all);
            }
            (void)printf(" |");
        }
        (void)printf("\n");
    }
}

static int make_slab(campaign *c, body *slab)
{
    abut_vec3 vertices[8];
    static const int faces[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? 2.0 : -2.0, i & 2 ? 2.0 : -2.0, i & 4 ? 0.0 : -0.5);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.face_vertices = faces;
    def.face_count = 12;
    abut_shape_def shape = abut_shape_def_default();
    *slab = (body){.path = "slab", .is_closed = 1};
    if (abut_mesh_create(NULL, &def, &slab->mesh, NULL) != ABUT_OK) {
        return 0;
    }
    shape.mesh = slab->mesh;
    return abut_shape_create(NULL, &shape, &slab->shape, NULL) == ABUT_OK &&
           abut_shape_prepare(slab->shape, c->method, NULL, NULL) == ABUT_OK;
}

int main(int argc, char **argv)
{
    campaign c = {.method = abut_method_find("auto"), .most_triangles = 20000};
    body slab, last = {0};
    int first = 1;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; ++first) {
        if (strcmp(argv[first], "--list") == 0) {
            c.lists = 1;
        } else if (strcmp(argv[first], "--method") == 0 && first + 1 < argc) {
            c.method = abut_method_find(argv[++first]);
        } else if (strcmp(argv[first], "--triangles") == 0 && first + 1 < argc) {
            c.most_triangles = atoi(argv[++first]);
        } else if (strcmp(argv[first], "--least") == 0 && first + 1 < argc) {
            c.least_triangles = atoi(argv[++first]);
        }
    }
    if (c.method == NULL || first >= argc || abut_workspace_create(NULL, &c.workspace) != ABUT_OK ||
        !make_slab(&c, &slab)) {
        (void)fprintf(stderr, "usage: mesh_campaign [--method NAME] [--triangles MOST] [--least FEWEST] [--list] FILE ...\n");
        return 2;
    }
    for (int i = first; i < argc; ++i) {
        body next;
        if (!read_body(&c, argv[i], &next)) {
            continue;
        }
        seed(&c, argv[i]);
        place_on_slab(&c, &slab, &next);
        if (last.mesh != NULL) {
            place_on_each_other(&c, &last, &next);
        }
        release_body(&last);
        last = next;
        (void)fflush(stdout);
    }
    print_counts(&c);
    release_body(&last);
    release_body(&slab);
    abut_workspace_destroy(c.workspace);
    return 0;
}
