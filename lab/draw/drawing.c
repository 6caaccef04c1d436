// SPDX-License-Identifier: MIT
// drawing.c: makes a drawing of bodies, contacts and regions
#include "draw/drawing.h"

#include <stdlib.h>
#include <string.h>

// How much of the smaller body a picture of the contacts shows at least.
static const double CLOSE_UP = 0.6;
// If the bodies that move take up less than this part of the picture, of fixed ones only what is near is shown:
// SURROUNDINGS is how far around, relative to the longer side of what moves.
static const double SMALL_PART = 0.6, SURROUNDINGS = 0.2;

void abut_drawing_def_init(abut_drawing_def *def, size_t size)
{
    abut_drawing_def defaults = {
        .struct_size = sizeof defaults, .view = ABUT_VIEW_ISO, .up = {0.0, 1.0, 0.0}, .width = 640.0};
    abut_write_versioned(def, size, &defaults, sizeof defaults);
}

static abut_status check_points(const abut_drawing_def *def, abut_error *error)
{
    for (int i = 0; i < def->contact_count; ++i) {
        const abut_drawn_contact *contact = &def->contacts[i];
        if (!abut_is_finite(contact->position) || !abut_is_finite(contact->normal)) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "contact %d is not finite", i);
        }
        if ((int)contact->kind < 0 || (int)contact->kind >= ABUT_DRAWN_KINDS) {
            return abut_fail_element(error, ABUT_BAD_ARGUMENT, i, "contact %d has no valid kind", i);
        }
    }
    for (int i = 0; i < def->outline_count; ++i) {
        const abut_drawn_outline *outline = &def->outlines[i];
        if (outline->point_begin < 0 || outline->point_count < 0 ||
            outline->point_count > def->point_count - outline->point_begin) {
            return abut_fail_element(error, ABUT_BAD_ARGUMENT, i, "outline %d has points that do not exist", i);
        }
    }
    for (int i = 0; i < def->point_count; ++i) {
        if (!abut_is_finite(def->points[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "point %d of the outlines is not finite", i);
        }
    }
    return ABUT_OK;
}

static abut_status check_def(const abut_drawing_def *def, abut_error *error)
{
    if (def->body_count < 0 || def->contact_count < 0 || def->outline_count < 0 || def->point_count < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a count is negative");
    }
    if (!(def->width >= 100.0 && def->width <= 10000.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the width must be from 100 to 10000 pixels");
    }
    if (def->view < ABUT_VIEW_ISO || def->view > ABUT_VIEW_CONTACT) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no view %d", (int)def->view);
    }
    if (abut_norm(abut_unit(def->up)) == 0.0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "`up` has no direction");
    }
    for (int i = 0; i < def->body_count; ++i) {
        const abut_drawn_body *body = &def->bodies[i];
        if (body->mesh == NULL) {
            return abut_fail_element(error, ABUT_BAD_ARGUMENT, i, "body %d has no mesh", i);
        }
        abut_quat q = body->pose.rotation;
        if (!abut_is_finite(body->pose.position) ||
            !(fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) < 1e-6)) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "the pose of body %d is not valid", i);
        }
    }
    return check_points(def, error);
}

abut_vec3 abut_drawing_place(const abut_drawing *drawing, abut_vec3 point)
{
    return abut_vec3_make(abut_dot(drawing->axes.x, point), abut_dot(drawing->axes.y, point),
                          abut_dot(drawing->axes.z, point));
}

const abut_drawn_line *abut_drawing_lines(const abut_drawing *drawing, int *count)
{
    *count = drawing->line_count;
    return drawing->lines;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts and outlines

/// Missed ones first and wrong ones last, so that nothing covers what is wrong; of a kind, far ones first.
static int compare_contacts(const void *a, const void *b)
{
    static const int ranks[ABUT_DRAWN_KINDS] = {
        [ABUT_DRAWN_MISSED] = 0, [ABUT_DRAWN_CONTACT] = 1, [ABUT_DRAWN_RIGHT] = 2, [ABUT_DRAWN_WRONG] = 3};
    const abut_drawn_contact *x = a, *y = b;
    if (x->kind != y->kind) {
        return ranks[x->kind] - ranks[y->kind];
    }
    if (x->position.z != y->position.z) {
        return x->position.z < y->position.z ? -1 : 1;
    }
    return memcmp(x, y, sizeof *x);
}

static int copy_marks(abut_drawing *drawing, const abut_drawing_def *def)
{
    const abut_context *context = &drawing->context;
    drawing->contacts = abut_allocate_zeroed(context, (size_t)def->contact_count, sizeof *drawing->contacts);
    drawing->outlines = abut_allocate(context, (size_t)def->outline_count, sizeof *drawing->outlines);
    drawing->outline_points = abut_allocate(context, (size_t)def->point_count, sizeof *drawing->outline_points);
    if (drawing->contacts == NULL || drawing->outlines == NULL || drawing->outline_points == NULL) {
        return 0;
    }
    for (int i = 0; i < def->contact_count; ++i) {
        abut_drawn_contact *contact = &drawing->contacts[i]; // zeroed: memcmp() sees no padding
        contact->position = abut_drawing_place(drawing, def->contacts[i].position);
        contact->normal = abut_drawing_place(drawing, abut_unit(def->contacts[i].normal));
        contact->kind = def->contacts[i].kind;
    }
    for (int i = 0; i < def->outline_count; ++i) {
        drawing->outlines[i] = def->outlines[i];
    }
    for (int i = 0; i < def->point_count; ++i) {
        drawing->outline_points[i] = abut_drawing_place(drawing, def->points[i]);
    }
    drawing->contact_count = def->contact_count;
    drawing->outline_count = def->outline_count;
    drawing->outline_point_count = def->point_count;
    if (def->contact_count > 1) {
        qsort(drawing->contacts, (size_t)def->contact_count, sizeof *drawing->contacts, compare_contacts);
    }
    if (def->title != NULL) {
        size_t room = strlen(def->title) + 1;
        drawing->title = abut_allocate(context, room, 1);
        if (drawing->title == NULL) {
            return 0;
        }
        memcpy(drawing->title, def->title, room);
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// What the picture shows

static void include(abut_box *box, abut_vec3 point)
{
    box->lower = abut_min(box->lower, point);
    box->upper = abut_max(box->upper, point);
}

static abut_box empty_box(void)
{
    abut_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    return box;
}

static double longer_side(abut_box box)
{
    return fmax(box.upper.x - box.lower.x, box.upper.y - box.lower.y);
}

/// The box of contacts and outlines, at least CLOSE_UP of the smallest body wide.
static abut_box close_up(const abut_drawing *drawing, const abut_drawing_def *def)
{
    abut_box box = empty_box();
    for (int i = 0; i < drawing->contact_count; ++i) {
        include(&box, drawing->contacts[i].position);
    }
    for (int i = 0; i < drawing->outline_point_count; ++i) {
        include(&box, drawing->outline_points[i]);
    }
    double smallest = HUGE_VAL;
    for (int i = 0; i < def->body_count; ++i) {
        smallest = fmin(smallest, abut_box_diagonal(abut_mesh_get_elements(def->bodies[i].mesh).bounds));
    }
    double least = 0.5 * CLOSE_UP * (smallest < HUGE_VAL ? smallest : 1.0);
    abut_vec3 center = abut_lerp(box.lower, box.upper, 0.5);
    abut_vec3 half = abut_scale(0.65, abut_sub(box.upper, box.lower)); // with a border
    half = abut_max(half, abut_vec3_make(least, least, least));
    box.lower = abut_sub(center, half);
    box.upper = abut_add(center, half);
    return box;
}

/// The box of lines, outlines and contacts with their arrows: of all bodies, or only of those that are not fixed.
static abut_box picture_box(const abut_drawing *drawing, const abut_drawing_def *def, int has_fixed)
{
    abut_box box = empty_box();
    for (int i = 0; i < drawing->line_count; ++i) {
        if (has_fixed || !def->bodies[drawing->lines[i].body].is_fixed) {
            include(&box, drawing->lines[i].begin);
            include(&box, drawing->lines[i].end);
        }
    }
    for (int i = 0; i < drawing->dot_count; ++i) {
        include(&box, drawing->dots[i]);
    }
    for (int i = 0; i < drawing->outline_point_count; ++i) {
        include(&box, drawing->outline_points[i]);
    }
    for (int i = 0; i < drawing->contact_count; ++i) {
        include(&box, drawing->contacts[i].position);
    }
    double arrow = ABUT_DRAWING_ARROW / drawing->width * longer_side(box);
    for (int i = 0; i < drawing->contact_count; ++i) {
        include(&box, abut_add_scaled(drawing->contacts[i].position, arrow, drawing->contacts[i].normal));
    }
    return box;
}

/// All bodies; of fixed ones only what is near the others, if these would be small.
static abut_box whole_picture(const abut_drawing *drawing, const abut_drawing_def *def)
{
    abut_box all = picture_box(drawing, def, 1);
    int moving = 0;
    for (int i = 0; i < def->body_count; ++i) {
        moving += !def->bodies[i].is_fixed;
    }
    if (moving == 0 || moving == def->body_count) {
        return all;
    }
    abut_box box = picture_box(drawing, def, 0);
    if (longer_side(box) > SMALL_PART * longer_side(all)) {
        return all;
    }
    double around = SURROUNDINGS * longer_side(box);
    abut_vec3 margin = {around, around, around};
    box.lower = abut_max(all.lower, abut_sub(box.lower, margin));
    box.upper = abut_min(all.upper, abut_add(box.upper, margin));
    return box;
}

static void frame_picture(abut_drawing *drawing, const abut_drawing_def *def)
{
    int is_close = def->view == ABUT_VIEW_CONTACT && (def->contact_count > 0 || def->point_count > 0);
    abut_box box = is_close ? close_up(drawing, def) : whole_picture(drawing, def);
    if (!(box.lower.x <= box.upper.x)) { // nothing to show
        box = (abut_box){{-1.0, -1.0, 0.0}, {1.0, 1.0, 0.0}};
    }
    double longer = longer_side(box);
    double border = longer > 0.0 ? 0.04 * longer : 1.0;
    // at least a third as high as wide, and two thirds as wide as high, so that there is room for title and legend
    double least = (longer + 2.0 * border) / 3.0;
    double center_x = 0.5 * (box.lower.x + box.upper.x), center_y = 0.5 * (box.lower.y + box.upper.y);
    double half_x = 0.5 * fmax(box.upper.x - box.lower.x + 2.0 * border, 2.0 * least);
    double half_y = 0.5 * fmax(box.upper.y - box.lower.y + 2.0 * border, least);
    drawing->lower = abut_vec2_make(center_x - half_x, center_y - half_y);
    drawing->upper = abut_vec2_make(center_x + half_x, center_y + half_y);
}

// ---------------------------------------------------------------------------------------------------------------

static abut_status fill_drawing(abut_drawing *drawing, const abut_drawing_def *def, abut_error *error)
{
    abut_box bounds = empty_box();
    long long triangles = 0;
    for (int i = 0; i < def->body_count; ++i) {
        abut_mesh_elements mesh = abut_mesh_get_elements(def->bodies[i].mesh);
        triangles += mesh.triangle_count;
        for (int k = 0; k < mesh.vertex_count; ++k) {
            include(&bounds, abut_pose_apply(def->bodies[i].pose, mesh.vertices[k]));
        }
    }
    if (triangles > INT32_MAX / 4) {
        return abut_fail(error, ABUT_LIMIT, "%lld triangles are too many for a drawing", triangles);
    }
    drawing->triangle_count = (int)triangles;
    drawing->has_all_edges = triangles <= ABUT_DRAWING_ALL_EDGES;
    drawing->size = bounds.lower.x <= bounds.upper.x ? abut_box_diagonal(bounds) : 1.0;
    abut_status status = ABUT_OK;
    int first_face = 0;
    for (int i = 0; i < def->body_count && status == ABUT_OK; ++i) {
        status = abut_drawing_add_body(drawing, &def->bodies[i], i, &first_face, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (abut_drawing_order_faces(drawing) != ABUT_OK || abut_drawing_hide(drawing) != ABUT_OK ||
        !copy_marks(drawing, def)) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory");
    }
    frame_picture(drawing, def);
    return ABUT_OK;
}

abut_status abut_drawing_create(const abut_context *context, const abut_drawing_def *given, abut_drawing **drawing,
                                abut_error *error)
{
    *drawing = NULL;
    abut_drawing_def def = abut_drawing_def_default();
    if (!abut_read_versioned(&def, sizeof def, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the definition was not made by abut_drawing_def_default()");
    }
    abut_status status = check_def(&def, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_context own = abut_context_or_default(context);
    abut_drawing *made = abut_allocate_zeroed(&own, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory");
    }
    made->context = own;
    made->axes = abut_view_axes(&def);
    made->width = def.width;
    made->body_count = def.body_count;
    status = fill_drawing(made, &def, error);
    if (status != ABUT_OK) {
        abut_drawing_destroy(made);
        return status;
    }
    *drawing = made;
    return ABUT_OK;
}

void abut_drawing_destroy(abut_drawing *drawing)
{
    if (drawing == NULL) {
        return;
    }
    abut_context context = drawing->context;
    void *blocks[] = {drawing->occluders, drawing->edges,          drawing->lines, drawing->faces,
                      drawing->rings,     drawing->ring_points,    drawing->dots,  drawing->contacts,
                      drawing->outlines,  drawing->outline_points, drawing->title};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&context, blocks[i]);
    }
    abut_free(&context, drawing);
}
