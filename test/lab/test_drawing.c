// SPDX-License-Identifier: MIT
// test_drawing.c: drawings: hidden edges against rays, views, marks, bytes, bad input, memory
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "lab/memory_fault.h"
#include "mesh/tessellate.h"
#include "shapes.h"

#include <abut-lab/lab.h>
#include <stdlib.h>

enum { MOST_BODIES = 4 };

/// Bodies of a random scene.
typedef struct test_scene {
    abut_mesh *meshes[MOST_BODIES];
    abut_drawn_body bodies[MOST_BODIES];
    int count;
} test_scene;

/// A solid of voxels that hang together, a prism, or an open disc, cut at random.
static abut_mesh *random_mesh(test_random *random)
{
    test_solid solid;
    int kind = random_below(random, 3);
    if (kind == 0) {
        char filled[28];
        memset(filled, '.', 27);
        for (int i = 0; i < 27; ++i) {
            filled[i] = i % 3 == 1 || random_below(random, 3) == 0 ? '#' : '.'; // the middle layer is full
        }
        filled[27] = 0;
        solid = solid_from_voxels(filled, 3, 3, 3);
    } else {
        solid = kind == 1 ? solid_prism(3 + random_below(random, 12)) : solid_disc(3 + random_below(random, 12));
    }
    solid_tessellate(&solid, random, random_below(random, 40), 40);
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    solid_free(&solid);
    return mesh;
}

static test_scene make_scene(test_random *random, double scale)
{
    test_scene scene = {.count = 1 + random_below(random, MOST_BODIES)};
    for (int i = 0; i < scene.count; ++i) {
        scene.meshes[i] = random_mesh(random);
        scene.bodies[i].mesh = scene.meshes[i];
        scene.bodies[i].pose = abut_pose_make(random_vec3(random, 2.0 * scale), random_rotation(random));
    }
    return scene;
}

static void free_scene(test_scene *scene)
{
    for (int i = 0; i < scene->count; ++i) {
        abut_mesh_destroy(scene->meshes[i]);
    }
}

static abut_drawing *draw(const test_scene *scene, abut_view_kind view)
{
    abut_drawing_def def = abut_drawing_def_default();
    def.bodies = scene->bodies;
    def.body_count = scene->count;
    def.view = view;
    abut_drawing *drawing = NULL;
    assert_int_equal(abut_drawing_create(NULL, &def, &drawing, NULL), ABUT_OK);
    return drawing;
}

// ---------------------------------------------------------------------------------------------------------------
// Hidden edges

enum { VISIBLE = 0, HIDDEN = 1, UNDECIDED = 2 };

/// Casts a ray from a point of the drawing to the viewer through every triangle. Undecided if it passes near a border
/// or starts near a surface.
static int cast(const test_scene *scene, const abut_drawing *drawing, abut_vec3 p, double size)
{
    int answer = VISIBLE;
    for (int b = 0; b < scene->count; ++b) {
        abut_mesh_elements mesh = abut_mesh_get_elements(scene->bodies[b].mesh);
        for (int t = 0; t < mesh.triangle_count; ++t) {
            abut_vec3 c[3];
            for (int k = 0; k < 3; ++k) {
                abut_vec3 corner = mesh.vertices[mesh.triangles[3 * t + k]];
                c[k] = abut_sub(abut_drawing_place(drawing, abut_pose_apply(scene->bodies[b].pose, corner)), p);
            }
            double least = HUGE_VAL, sum = 0.0, depth = 0.0;
            for (int k = 0; k < 3; ++k) {
                abut_vec3 u = c[(k + 1) % 3], v = c[(k + 2) % 3];
                double area = u.x * v.y - u.y * v.x; // the triangle of the point and the side opposite corner k
                sum += area;
                depth += area * c[k].z;
            }
            for (int k = 0; k < 3; ++k) {
                abut_vec3 u = c[(k + 1) % 3], v = c[(k + 2) % 3];
                double side = hypot(v.x - u.x, v.y - u.y);
                double inside = (sum < 0.0 ? -1.0 : 1.0) * (u.x * v.y - u.y * v.x) / (side > 0.0 ? side : 1.0);
                least = fmin(least, inside);
            }
            depth /= sum;
            if (least > -1e-5 * size && depth > 1e-5 * size && least < 1e-5 * size) {
                return UNDECIDED;
            }
            if (least >= 1e-5 * size && fabs(depth) > 1e-7 * size && fabs(depth) < 1e-5 * size) {
                return UNDECIDED;
            }
            if (least >= 1e-5 * size && depth >= 1e-5 * size) {
                answer = HIDDEN;
            }
        }
    }
    return answer;
}

/// At 1,000 random points of the lines of 20 scenes a ray to the viewer agrees with the drawing. Some points are too
/// near a border to tell.
static void rays_agree(void **state)
{
    (void)state;
    test_random random = {20261117};
    const double scales[] = {1.0, 0.5};
    for (int round = 0; round < 20; ++round) {
        test_scene scene = make_scene(&random, scales[round % 2]);
        abut_drawing *drawing = draw(&scene, (abut_view_kind)(round % 4));
        int count = 0, counts[3] = {0};
        const abut_drawn_line *lines = abut_drawing_lines(drawing, &count);
        assert_true(count > 0);
        for (int i = 0; i < 1000; ++i) {
            const abut_drawn_line *line = &lines[random_below(&random, count)];
            abut_vec3 p = abut_lerp(line->begin, line->end, random_in(&random, 0.001, 0.999));
            int answer = cast(&scene, drawing, p, 3.0);
            ++counts[answer];
            CHECK(answer == UNDECIDED || answer == line->is_hidden, "scene %d, body %d: at %g %g %g", round,
                  line->body, p.x, p.y, p.z);
        }
        CHECK(counts[UNDECIDED] < 100 && counts[VISIBLE] > 100, "scene %d: %d visible, %d hidden, %d undecided",
              round, counts[VISIBLE], counts[HIDDEN], counts[UNDECIDED]);
        abut_drawing_destroy(drawing);
        free_scene(&scene);
    }
    CHECK_DONE();
}

/// The pieces of an edge have its length: a cube of side 2 has 12 edges, of length 2 before the projection.
static void pieces_make_whole_edges(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 50; ++round) {
        test_scene scene = {.count = 2};
        for (int i = 0; i < 2; ++i) {
            scene.meshes[i] = make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1));
            scene.bodies[i].mesh = scene.meshes[i];
            scene.bodies[i].pose = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        }
        abut_drawing *drawing = draw(&scene, ABUT_VIEW_ISO);
        int count = 0;
        double length = 0.0;
        const abut_drawn_line *lines = abut_drawing_lines(drawing, &count);
        for (int i = 0; i < count; ++i) {
            length += abut_norm(abut_sub(lines[i].end, lines[i].begin));
        }
        CHECK_NEAR(length, 48.0, 1e-9, "length");
        abut_drawing_destroy(drawing);
        free_scene(&scene);
    }
    CHECK_DONE();
}

/// Seen from the z axis, x is right and y is up. A cube shows 4 edges of its front; the 4 behind them are hidden, and so
/// are the 4 that run away from the viewer, as points.
static void front_view_of_a_cube(void **state)
{
    (void)state;
    test_scene scene = {.count = 1, .bodies = {{NULL, abut_pose_identity()}}};
    scene.bodies[0].mesh = scene.meshes[0] = make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1));
    abut_drawing *drawing = draw(&scene, ABUT_VIEW_Z);
    abut_vec3 p = abut_drawing_place(drawing, abut_vec3_make(1.0, 2.0, 3.0));
    CHECK_NEAR(abut_norm(abut_sub(p, abut_vec3_make(1.0, 2.0, 3.0))), 0.0, 1e-15, "place");
    int count = 0, front = 0, back = 0;
    const abut_drawn_line *lines = abut_drawing_lines(drawing, &count);
    for (int i = 0; i < count; ++i) {
        int is_flat = lines[i].begin.z == lines[i].end.z;
        front += is_flat && lines[i].begin.z > 0.0 && !lines[i].is_hidden;
        back += is_flat && lines[i].begin.z < 0.0 && lines[i].is_hidden;
    }
    CHECK_INT(front, 4, "front");
    CHECK_INT(back, 4, "back");
    abut_drawing_destroy(drawing);
    free_scene(&scene);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Views

/// The view of contacts looks across their normals, whichever way these point: a normal keeps at least cos 15 degrees of
/// its length in the picture.
static void contact_view_shows_normals(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 200; ++round) {
        abut_drawn_contact contacts[4];
        abut_vec3 normal = random_unit(&random);
        for (int i = 0; i < 4; ++i) {
            contacts[i] = (abut_drawn_contact){random_vec3(&random, 1.0), i % 2 ? normal : abut_negate(normal), 0};
        }
        abut_drawing_def def = abut_drawing_def_default();
        def.contacts = contacts;
        def.contact_count = 4;
        def.view = ABUT_VIEW_CONTACT;
        abut_drawing *drawing = NULL;
        assert_int_equal(abut_drawing_create(NULL, &def, &drawing, NULL), ABUT_OK);
        abut_vec3 n = abut_drawing_place(drawing, normal),
                  up = abut_drawing_place(drawing, abut_vec3_make(0, 1, 0));
        CHECK(hypot(n.x, n.y) >= cos(15.0 / 57.29577951308232), "normal %g %g %g", normal.x, normal.y, normal.z);
        CHECK(fabs(normal.y) > 0.9 || up.y > 0.0, "up %g", up.y);
        CHECK(!(normal.y > 0.75) || n.y > 0.9, "%g", n.y);
        abut_drawing_destroy(drawing);
    }
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

/// The picture of a drawing. Release with free().
static char *print(const abut_drawing_def *def)
{
    abut_drawing *drawing = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(abut_drawing_create(NULL, def, &drawing, NULL), ABUT_OK);
    assert_int_equal(abut_drawing_print(drawing, stream), ABUT_OK);
    (void)fclose(stream);
    abut_drawing_destroy(drawing);
    return text;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        ++count;
    }
    return count;
}

/// Each kind has its mark in the picture and in the legend, a region with a hole is one path, the title cannot add
/// markup, and the same drawing gives the same bytes.
static void picture_has_all_marks(void **state)
{
    (void)state;
    abut_mesh *box = make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1));
    abut_drawn_body body = {box, abut_pose_identity(), 0};
    abut_drawn_contact contacts[] = {
        {{1, 0, 0}, {1, 0, 0}, ABUT_DRAWN_RIGHT},    {{0, 1, 0}, {0, 1, 0}, ABUT_DRAWN_RIGHT},
        {{0, 0, 1}, {0, 0, 1}, ABUT_DRAWN_WRONG},    {{1, 1, 0}, {0, 1, 0}, ABUT_DRAWN_MISSED},
        {{-1, 1, 0}, {0, 1, 0}, ABUT_DRAWN_CONTACT},
    };
    const abut_vec3 points[] = {{-1, 1, -1}, {1, 1, -1}, {0, 1, 1}, {-0.2, 1, 0}, {0.2, 1, 0}, {0, 1, 0.2}};
    const abut_drawn_outline outlines[] = {{0, 3, 0}, {3, 3, 1}};
    abut_drawing_def def = abut_drawing_def_default();
    def.bodies = &body;
    def.body_count = 1;
    def.contacts = contacts;
    def.contact_count = 5;
    def.outlines = outlines;
    def.outline_count = 2;
    def.points = points;
    def.point_count = 6;
    def.title = "<script>&\"";
    char *first = print(&def), *second = print(&def);
    assert_string_equal(first, second);
    CHECK_INT(count_of(first, "class=\"right\""), 3, "right");
    CHECK_INT(count_of(first, "class=\"wrong\""), 2, "wrong");
    CHECK_INT(count_of(first, "class=\"missed\""), 2, "missed");
    CHECK_INT(count_of(first, "class=\"contact\""), 2, "contact");
    CHECK_INT(count_of(first, "class=\"region\""), 1, "region");
    CHECK_INT(count_of(first, "class=\"face\""), 3, "faces of a cube towards the viewer");
    CHECK_INT(count_of(first, ">2 right<") + count_of(first, ">1 wrong<") + count_of(first, ">1 contact<"), 3,
              "legend");
    CHECK_INT(count_of(first, "<script"), 0, "markup");
    CHECK_INT(count_of(first, "&lt;script&gt;&amp;"), 1, "title");
    free(first);
    free(second);
    abut_mesh_destroy(box);
    CHECK_DONE();
}

/// The body whose face is painted last at a point of a picture, by the colours of the first four bodies; -1: none.
static int painted_body(const char *text, double x, double y)
{
    static const double tints[][3] = {{188, 208, 228}, {236, 211, 174}, {198, 220, 185}, {220, 198, 220}};
    int body = -1;
    for (const char *at = text; (at = strstr(at, "class=\"face\"")) != NULL; ++at) {
        unsigned r = 0, g = 0, b = 0;
        assert_int_equal(sscanf(at, "class=\"face\" fill=\"#%2x%2x%2x\"", &r, &g, &b), 3);
        int is_inside = 0, used = 0;
        double from[2] = {0, 0}, first[2] = {0, 0}, to[2];
        for (const char *path = strstr(at, " d=\"") + 4; *path != '"'; path += used) {
            char command = *path;
            used = 1;
            if (command == 'Z') {
                memcpy(to, first, sizeof to);
            } else {
                int length = 0;
                assert_int_equal(sscanf(path + 1, "%lf %lf%n", &to[0], &to[1], &length), 2);
                used += length;
            }
            if (command == 'M') {
                memcpy(first, to, sizeof first);
            } else if ((from[1] > y) != (to[1] > y)) {
                is_inside ^= from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0]) > x;
            }
            memcpy(from, to, sizeof from);
        }
        double best = HUGE_VAL, sum = r + g + b;
        for (int k = 0; k < 4 && is_inside; ++k) {
            double whole = tints[k][0] + tints[k][1] + tints[k][2];
            double off = hypot(r / sum - tints[k][0] / whole, b / sum - tints[k][2] / whole);
            body = off < best ? k : body;
            best = fmin(best, off);
        }
    }
    return body;
}

/// Three boxes stand anywhere on a plate that is much larger, so that its middle is often nearer to the viewer than
/// they are. At random points of the picture, the face that is painted last belongs to the body that a ray from the
/// viewer hits first.
static void near_faces_are_painted_over_far_ones(void **state)
{
    (void)state;
    test_random random = {11};
    int seen[4] = {0};
    for (int round = 0; round < 20; ++round) {
        test_scene scene = {.count = 4};
        scene.meshes[0] = make_box(NULL, abut_vec3_make(-9, -1, -9), abut_vec3_make(9, 0, 9));
        for (int i = 0; i < 4; ++i) {
            if (i > 0) {
                scene.meshes[i] = make_box(NULL, abut_vec3_make(-1, 0, -1), abut_vec3_make(1, 2.0 * i, 1));
            }
            double turn = random_in(&random, 0.0, 1.5);
            abut_vec3 place = {i > 0 ? 5.0 * i - 10.0 : 0.0, 0.0, i > 0 ? random_in(&random, -7.0, 7.0) : 0.0};
            abut_quat q = {i > 0 ? cos(turn) : 1.0, 0.0, i > 0 ? sin(turn) : 0.0, 0.0};
            scene.bodies[i] = (abut_drawn_body){scene.meshes[i], abut_pose_make(place, q), 0};
        }
        // Two contacts tell where points of the drawing are in the picture.
        abut_drawn_contact marks[] = {{{-9, 0, -9}, {0, 1, 0}, ABUT_DRAWN_RIGHT},
                                      {{9, 0, 9}, {0, 1, 0}, ABUT_DRAWN_RIGHT}};
        abut_drawing_def def = abut_drawing_def_default();
        def.bodies = scene.bodies;
        def.body_count = scene.count;
        def.contacts = marks;
        def.contact_count = 2;
        char *text = print(&def);
        abut_drawing *drawing = draw(&scene, ABUT_VIEW_ISO);
        abut_vec3 p[2];
        double x[2], y[2];
        const char *at = text;
        for (int i = 0; i < 2; ++i, ++at) {
            at = strstr(at, "<circle class=\"right\"");
            assert_true(at != NULL &&
                        sscanf(at, "<circle class=\"right\" cx=\"%lf\" cy=\"%lf\"", &x[i], &y[i]) == 2);
            p[i] = abut_drawing_place(drawing, marks[i].position); // the far one is drawn first
        }
        double scale = (x[1] - x[0]) / (p[1].x - p[0].x);
        for (int i = 0; i < 200; ++i) {
            double px = random_in(&random, 0.0, 640.0), py = random_in(&random, 0.0, 500.0);
            abut_vec3 far = {p[0].x + (px - x[0]) / scale, p[0].y - (py - y[0]) / scale, 0.0};
            int nearest = -1, is_clear = 1;
            double depth = -HUGE_VAL;
            for (int b = 0; b < 4; ++b) { // the depth of a body by bisection: a ray from behind it is hidden
                test_scene one = {.count = 1, .bodies = {scene.bodies[b]}};
                double low = -100.0, high = 100.0;
                far.z = low;
                int answer = cast(&one, drawing, far, 3.0);
                is_clear &= answer != UNDECIDED;
                for (int k = 0; k < 40 && answer == HIDDEN; ++k) {
                    far.z = 0.5 * (low + high);
                    int is_hidden = cast(&one, drawing, far, 1e-6) == HIDDEN;
                    low = is_hidden ? far.z : low;
                    high = is_hidden ? high : far.z;
                }
                if (answer == HIDDEN && low > depth) {
                    nearest = b;
                    depth = low;
                }
            }
            if (is_clear) {
                int body = painted_body(text, px, py);
                CHECK_INT(body, nearest, "painted last");
                seen[nearest >= 0 ? nearest : 0] += nearest >= 0;
            }
        }
        abut_drawing_destroy(drawing);
        free(text);
        free_scene(&scene);
    }
    CHECK(seen[0] > 500 && seen[1] > 10 && seen[2] > 20 && seen[3] > 30, "%d %d %d %d", seen[0], seen[1], seen[2],
          seen[3]);
    CHECK_DONE();
}

/// Where several contacts coincide, wrong ones are drawn last and missed ones first, whatever their order and depth.
static void nothing_covers_wrong_contacts(void **state)
{
    (void)state;
    abut_drawn_contact contacts[] = {
        {{0, 0, 0}, {0, 1, 0}, ABUT_DRAWN_WRONG},
        {{0, 0, 1}, {0, 1, 0}, ABUT_DRAWN_RIGHT},
        {{0, 0, 2}, {0, 1, 0}, ABUT_DRAWN_MISSED},
    };
    abut_drawing_def def = abut_drawing_def_default();
    def.view = ABUT_VIEW_Z;
    def.contacts = contacts;
    def.contact_count = 3;
    char *text = print(&def);
    const char *missed = strstr(text, "class=\"missed\""), *right = strstr(text, "class=\"right\"");
    const char *wrong = strstr(text, "class=\"wrong\"");
    CHECK_INT(missed != NULL && right != NULL && wrong != NULL && missed < right && right < wrong, 1, "order");
    free(text);
    CHECK_DONE();
}

/// Letters of any language stay, bytes that are no letters become question marks, and a word that is longer than the
/// picture is cut: 280 pixels have room for 35 letters of 7.8.
static void titles_are_text_in_lines(void **state)
{
    (void)state;
    abut_drawing_def def = abut_drawing_def_default();
    def.width = 300.0;
    def.title = "W\xc3\xbcrfel\xff \xe2\x82 \xed\xa0\x80";
    char *text = print(&def);
    CHECK_INT(count_of(text, ">W\xc3\xbcrfel? ?\? ?\?\?<"), 1, "UTF-8");
    free(text);
    def.title = "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc"
                "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee and more";
    text = print(&def);
    CHECK_INT(count_of(text, "class=\"title\""), 2, "two lines");
    CHECK_INT(count_of(text, "bccccc</text>") + count_of(text, ">cccccddddddddddeeeeeeeeee and more<"), 2,
              "cut after 35");
    free(text);
    CHECK_DONE();
}

/// The legend is inside the picture: of three kinds with 11, 9 and 10 letters of at most 7 pixels, the first two need
/// 14 + 9 + 77 + 18 + 9 + 63 = 190, with the third 287; the last two need 183. A line more is 17 pixels higher.
static void legends_are_in_lines(void **state)
{
    (void)state;
    abut_drawn_contact contacts[10001 + 100 + 120];
    int count = (int)(sizeof contacts / sizeof contacts[0]);
    for (int i = 0; i < count; ++i) {
        abut_drawn_kind kind = i < 10001 ? ABUT_DRAWN_RIGHT : i < 10101 ? ABUT_DRAWN_WRONG : ABUT_DRAWN_MISSED;
        contacts[i] = (abut_drawn_contact){{0, 0, 0}, {0, 1, 0}, kind};
    }
    abut_drawing_def def = abut_drawing_def_default();
    def.contacts = contacts;
    def.contact_count = count;
    const double widths[] = {288.0, 286.0, 182.0};
    for (int lines = 1; lines <= 3; ++lines) {
        def.width = widths[lines - 1];
        char *text = print(&def);
        double width = 0.0, height = 0.0, y[3] = {0.0};
        assert_int_equal(sscanf(strstr(text, "viewBox"), "viewBox=\"0 0 %lf %lf", &width, &height), 2);
        CHECK_NEAR(width, def.width, 1e-9, "width");
        CHECK_NEAR(height, def.width + 26.0 + 17.0 * (lines - 1), 1e-9, "height");
        const char *at = text;
        for (int i = 0; i < 3; ++i) {
            double x = 0.0;
            at = strstr(at + 1, "<text x=");
            assert_true(at != NULL && sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y[i]) == 2);
            double letters = (double)(strstr(at, "</text>") - strchr(at, '>') - 1);
            CHECK(x + 7.0 * letters <= width, "%d lines, item %d: from %g, %g letters", lines, i, x, letters);
        }
        CHECK_INT((y[1] > y[0]) + (y[2] > y[1]), lines - 1, "lines");
        CHECK_NEAR(y[2], height - 9.0, 1e-9, "last line");
        free(text);
    }
    CHECK_DONE();
}

/// The distance of the first two right contacts in a picture, in pixels.
static double contact_distance(const abut_drawing_def *def)
{
    char *text = print(def);
    double x[2] = {0.0, 0.0}, y[2] = {0.0, 0.0};
    const char *at = text;
    for (int i = 0; i < 2; ++i) {
        at = strstr(at, "<circle class=\"right\"");
        CHECK_INT(at != NULL && sscanf(at, "<circle class=\"right\" cx=\"%lf\" cy=\"%lf\"", &x[i], &y[i]) == 2, 1,
                  "contact");
        ++at;
    }
    free(text);
    return hypot(x[1] - x[0], y[1] - y[0]);
}

/// A cube of size 2 on a plate of size 40. Seen from the front, both are 40 wide, and 43.2 with a border of 4 % on both
/// sides, so contacts at a distance of 2 are 640 * 2 / 43.2 pixels apart. If the plate is fixed, the picture shows the
/// cube with 20 % on both sides, then the border; above there is nothing but the cube.
static void fixed_bodies_are_shown_near_the_others(void **state)
{
    (void)state;
    abut_mesh *cube = make_box(NULL, abut_vec3_make(-1, 0, -1), abut_vec3_make(1, 2, 1));
    abut_mesh *plate = make_box(NULL, abut_vec3_make(-20, -2, -20), abut_vec3_make(20, 0, 20));
    abut_drawn_body bodies[] = {{plate, abut_pose_identity(), 0}, {cube, abut_pose_identity(), 0}};
    abut_drawn_contact contacts[] = {{{-1, 0, 1}, {0, 1, 0}, ABUT_DRAWN_RIGHT},
                                     {{1, 0, 1}, {0, 1, 0}, ABUT_DRAWN_RIGHT}};
    abut_drawing_def def = abut_drawing_def_default();
    def.view = ABUT_VIEW_Z;
    def.bodies = bodies;
    def.body_count = 2;
    def.contacts = contacts;
    def.contact_count = 2;
    CHECK_NEAR(contact_distance(&def), 640.0 * 2.0 / (40.0 * 1.08), 0.02, "whole");
    bodies[0].is_fixed = 1;
    CHECK_NEAR(contact_distance(&def), 640.0 / (1.4 * 1.08), 0.02, "near the cube");
    abut_mesh_destroy(cube);
    abut_mesh_destroy(plate);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Limits and bad input

/// A wavy sheet: n x n squares, two triangles each.
static abut_mesh *make_sheet(int n)
{
    size_t vertex_count = (size_t)(n + 1) * (size_t)(n + 1);
    abut_vec3 *vertices = calloc(vertex_count, sizeof *vertices);
    int *triangles = calloc((size_t)n * (size_t)n * 6, sizeof *triangles), *next = triangles;
    assert_true(vertices != NULL && triangles != NULL);
    for (int i = 0; i <= n; ++i) {
        for (int k = 0; k <= n; ++k) {
            double x = 10.0 * i / n, y = 10.0 * k / n;
            vertices[i * (n + 1) + k] = abut_vec3_make(x, sin(x) * cos(y), y);
            if (i < n && k < n) {
                int a = i * (n + 1) + k, b = a + 1, c = a + n + 1, d = c + 1;
                const int pair[] = {a, b, d, a, d, c};
                memcpy(next, pair, sizeof pair);
                next += 6;
            }
        }
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, (int)vertex_count, triangles, 2 * n * n);
    free(vertices);
    free(triangles);
    return mesh;
}

/// A smooth sheet shows all of its edges up to the limit, and its border and silhouettes beyond: these grow with the
/// square root of the triangles.
static void large_meshes_show_outlines(void **state)
{
    (void)state;
    const int sizes[] = {44, 60, 240};
    int counts[3];
    for (int i = 0; i < 3; ++i) {
        test_scene scene = {.count = 1, .bodies = {{NULL, abut_pose_identity()}}};
        scene.bodies[0].mesh = scene.meshes[0] = make_sheet(sizes[i]);
        abut_drawing *drawing = draw(&scene, ABUT_VIEW_ISO);
        (void)abut_drawing_lines(drawing, &counts[i]);
        abut_drawing_destroy(drawing);
        free_scene(&scene);
    }
    CHECK(counts[0] > 3 * 44 * 44, "all edges: %d", counts[0]);
    CHECK(counts[1] < 20 * 60, "outlines: %d", counts[1]);
    CHECK(counts[2] < 20 * 240, "outlines: %d", counts[2]);
    CHECK_DONE();
}

static abut_status try(const abut_drawing_def *def, abut_error *error)
{
    abut_drawing *drawing = NULL;
    abut_status status = abut_drawing_create(NULL, def, &drawing, error);
    CHECK((drawing == NULL) == (status != ABUT_OK), "drawing of status %d", status);
    abut_drawing_destroy(drawing);
    return status;
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    abut_mesh *box = make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1));
    abut_error error = {0};
    abut_drawn_body bodies[2] = {{box, abut_pose_identity(), 0}, {box, abut_pose_identity(), 0}};
    abut_drawn_contact contact = {{NAN, 0, 0}, {1, 0, 0}, ABUT_DRAWN_CONTACT};
    abut_drawn_outline outline = {0, 4, 0};
    const abut_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    abut_drawing_def def = abut_drawing_def_default();
    CHECK_STATUS(try(&def, &error), ABUT_OK, "nothing to draw");
    def.bodies = bodies;
    def.body_count = 2;
    CHECK_STATUS(try(&def, &error), ABUT_OK, "two boxes");
    bodies[1].mesh = NULL;
    CHECK_STATUS(try(&def, &error), ABUT_BAD_ARGUMENT, "no mesh");
    CHECK(strstr(error.text, "body 1") != NULL, "%s", error.text);
    bodies[1].mesh = box;
    bodies[1].pose.rotation.w = 2.0;
    CHECK_STATUS(try(&def, &error), ABUT_BAD_DATA, "rotation");
    bodies[1].pose = abut_pose_make(abut_vec3_make(INFINITY, 0, 0), abut_pose_identity().rotation);
    CHECK_STATUS(try(&def, &error), ABUT_BAD_DATA, "position");
    def.body_count = 1;
    def.contacts = &contact;
    def.contact_count = 1;
    CHECK_STATUS(try(&def, &error), ABUT_BAD_DATA, "contact");
    contact = (abut_drawn_contact){{0, 0, 0}, {1, 0, 0}, (abut_drawn_kind)9};
    CHECK_STATUS(try(&def, &error), ABUT_BAD_ARGUMENT, "kind");
    def.contact_count = 0;
    def.outlines = &outline;
    def.outline_count = 1;
    def.points = points;
    def.point_count = 3;
    CHECK_STATUS(try(&def, &error), ABUT_BAD_ARGUMENT, "outline");
    def.outline_count = 0;
    def.width = 5.0;
    CHECK_STATUS(try(&def, &error), ABUT_BAD_ARGUMENT, "width");
    def.width = 200.0;
    def.up = abut_vec3_make(0, 0, 0);
    CHECK_STATUS(try(&def, &error), ABUT_BAD_ARGUMENT, "up");
    abut_mesh_destroy(box);
    CHECK_DONE();
}

/// Without a triangle, an area or an extent there is still a picture.
static void degenerate_bodies_are_drawn(void **state)
{
    (void)state;
    const abut_vec3 vertices[] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {2, 1, 1}};
    const int flat[] = {0, 1, 2}, line[] = {0, 3}, dot[] = {3};
    abut_mesh_def defs[4];
    for (int i = 0; i < 4; ++i) {
        defs[i] = abut_mesh_def_default();
        defs[i].vertices = vertices;
        defs[i].vertex_count = i == 3 ? 0 : 4;
    }
    defs[0].face_vertices = flat;
    defs[0].face_count = 1;
    defs[1].segments = line;
    defs[1].segment_count = 1;
    defs[2].points = dot;
    defs[2].point_count = 1;
    for (int i = 0; i < 4; ++i) {
        test_scene scene = {.count = 1, .bodies = {{NULL, abut_pose_identity()}}};
        assert_int_equal(abut_mesh_create(NULL, &defs[i], &scene.meshes[0], NULL), ABUT_OK);
        scene.bodies[0].mesh = scene.meshes[0];
        abut_drawing_def def = abut_drawing_def_default();
        def.bodies = scene.bodies;
        def.body_count = 1;
        char *text = print(&def);
        CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL, "mesh %d: %s", i, text);
        CHECK(i != 1 || strstr(text, "class=\"edge\"") != NULL, "%s", text);
        CHECK(i != 2 || strstr(text, "class=\"dot\"") != NULL, "%s", text);
        free(text);
        free_scene(&scene);
    }
    CHECK_DONE();
}

/// Every allocation fails once: no memory, no leak.
static void memory_may_run_out(void **state)
{
    (void)state;
    test_random random = {5};
    test_scene scene = make_scene(&random, 0.3);
    abut_drawn_contact contact = {{0, 0, 0}, {1, 0, 0}, ABUT_DRAWN_CONTACT};
    abut_drawing_def def = abut_drawing_def_default();
    def.bodies = scene.bodies;
    def.body_count = scene.count;
    def.contacts = &contact;
    def.contact_count = 1;
    def.title = "title";
    abut_status status = ABUT_NO_MEMORY;
    for (int allowed = 0; status != ABUT_OK && allowed < 2000; ++allowed) {
        memory_fault fault = {allowed, 0};
        abut_context context = memory_fault_context(&fault);
        abut_drawing *drawing = NULL;
        status = abut_drawing_create(&context, &def, &drawing, NULL);
        CHECK(status == ABUT_OK || status == ABUT_NO_MEMORY, "status %d", status);
        abut_drawing_destroy(drawing);
        CHECK_INT(fault.live, 0, "blocks");
    }
    CHECK_STATUS(status, ABUT_OK, "at last");
    free_scene(&scene);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_agree),
        cmocka_unit_test(pieces_make_whole_edges),
        cmocka_unit_test(front_view_of_a_cube),
        cmocka_unit_test(contact_view_shows_normals),
        cmocka_unit_test(picture_has_all_marks),
        cmocka_unit_test(near_faces_are_painted_over_far_ones),
        cmocka_unit_test(nothing_covers_wrong_contacts),
        cmocka_unit_test(titles_are_text_in_lines),
        cmocka_unit_test(legends_are_in_lines),
        cmocka_unit_test(fixed_bodies_are_shown_near_the_others),
        cmocka_unit_test(large_meshes_show_outlines),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(degenerate_bodies_are_drawn),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
