// SPDX-License-Identifier: MIT
// view_data.c: the data of the viewer: an index in JSON, and binary pieces
#include "verb/view_data.h"

#include "shared/contact_layout.h"
#include "verb/view_mesh.h"

#include <inttypes.h>
#include <stdlib.h>

/// Numbers of a state, contact, region, and of a state in the charts.
enum { HEAD_INTS = 8, POSE_REALS = 7, CONTACT_REALS = 19, CONTACT_INTS = 16, REGION_INTS = 4, SERIES_REALS = 8 };

/// A range of contacts and regions: what belongs to a state. The start has none.
typedef struct state_range {
    int state;
    int contact_begin, contact_count;
    int region_begin, region_count;
    int loop_count, point_count;
} state_range;

static state_range range_of(const abut_recording *recording, int state)
{
    state_range range = {.state = state};
    if (state == 0) {
        return range;
    }
    range.contact_begin = recording->contact_begins[state - 1];
    range.contact_count = recording->contact_begins[state] - range.contact_begin;
    range.region_begin = recording->region_begins[state - 1];
    range.region_count = recording->region_begins[state] - range.region_begin;
    for (int i = 0; i < range.region_count; ++i) {
        const abut_region *region = &recording->regions.items[range.region_begin + i].region;
        range.loop_count += region->loop_count;
        for (int k = 0; k < region->loop_count; ++k) {
            range.point_count += recording->regions.loops[region->loop_begin + k].point_count;
        }
    }
    return range;
}

/// Bytes of the positions of a soft body's vertices, so that what follows begins at a multiple of 8.
static size_t soft_size(const abut_recording *recording, int body)
{
    const abut_recording_body *item = &recording->bodies[body];
    if (!item->is_soft) {
        return 0;
    }
    size_t floats = 3 * (size_t)abut_mesh_get_elements(recording->meshes[item->mesh].mesh).vertex_count;
    return 4 * (floats + floats % 2);
}

static size_t state_size(const abut_recording *recording, const state_range *range)
{
    size_t soft = 0;
    for (int i = 0; i < recording->body_count; ++i) {
        soft += soft_size(recording, i);
    }
    return soft + 4 * (size_t)HEAD_INTS + 8 * (size_t)POSE_REALS * (size_t)recording->body_count +
           (8 * (size_t)CONTACT_REALS + 4 * (size_t)CONTACT_INTS) * (size_t)range->contact_count +
           4 * (size_t)REGION_INTS * (size_t)range->region_count + 8 * (size_t)range->loop_count +
           24 * (size_t)range->point_count;
}

size_t abut_cli_view_states_size(const abut_cli_track *track)
{
    size_t size = 0;
    for (int i = 0; i < track->state_count; ++i) {
        state_range range = range_of(track->recording, track->states[i]);
        size += state_size(track->recording, &range);
    }
    return size;
}

size_t abut_cli_view_rest_size(const abut_cli_track *track)
{
    size_t size = 8 * (size_t)SERIES_REALS * (size_t)track->state_count;
    for (int i = 0; i < track->recording->mesh_count; ++i) {
        const abut_mesh *mesh = track->recording->meshes[i].mesh;
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        size += 48 + 12 * (size_t)e.vertex_count + 16 * (size_t)e.triangle_count + 4 * (size_t)e.point_count +
                8 * (size_t)abut_mesh_get_topology(mesh).edge_count;
    }
    return size;
}

int abut_cli_view_piece_count(const abut_cli_track *track)
{
    return (track->state_count + track->piece_states - 1) / track->piece_states;
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces of states

static void put_pose(abut_cli_bytes *bytes, abut_pose pose)
{
    abut_cli_put_vec3(bytes, pose.position);
    abut_cli_put_real(bytes, pose.rotation.x);
    abut_cli_put_real(bytes, pose.rotation.y);
    abut_cli_put_real(bytes, pose.rotation.z);
    abut_cli_put_real(bytes, pose.rotation.w);
}

/// The middle of the box of a soft body's vertices.
static abut_vec3 soft_centre(const abut_recording *recording, int state, int body)
{
    const abut_vec3 *vertices = abut_recording_get_vertices(recording, state, body);
    int count = abut_mesh_get_elements(recording->meshes[recording->bodies[body].mesh].mesh).vertex_count;
    abut_vec3 lower = vertices[0], upper = vertices[0];
    for (int i = 1; i < count; ++i) {
        lower = abut_min(lower, vertices[i]);
        upper = abut_max(upper, vertices[i]);
    }
    return abut_lerp(lower, upper, 0.5);
}

/// A soft body has no pose of its own: it gets the one that brings the centre of its mesh to the middle of its vertices.
static abut_pose shown_pose(const abut_recording *recording, int state, int body)
{
    abut_pose pose = recording->states[(size_t)state * (size_t)recording->body_count + (size_t)body].pose;
    const abut_recording_body *item = &recording->bodies[body];
    if (item->is_soft) {
        pose = abut_pose_identity();
        pose.position =
            abut_sub(soft_centre(recording, state, body), abut_cli_view_centre(recording->meshes[item->mesh].mesh));
    }
    return pose;
}

static void put_soft(abut_cli_bytes *bytes, const abut_recording *recording, int state, int body)
{
    const abut_vec3 *vertices = abut_recording_get_vertices(recording, state, body);
    size_t size = soft_size(recording, body), end = bytes->size + size;
    int count = abut_mesh_get_elements(recording->meshes[recording->bodies[body].mesh].mesh).vertex_count;
    abut_vec3 centre = soft_centre(recording, state, body);
    for (int i = 0; i < count; ++i) {
        abut_vec3 v = abut_sub(vertices[i], centre);
        abut_cli_put_float(bytes, v.x);
        abut_cli_put_float(bytes, v.y);
        abut_cli_put_float(bytes, v.z);
    }
    if (bytes->size < end) {
        abut_cli_put_float(bytes, 0.0);
    }
}

static void put_contact_reals(abut_cli_bytes *bytes, const abut_world_contact *item)
{
    const abut_contact *contact = &item->contact;
    abut_cli_put_vec3(bytes, contact->position);
    abut_cli_put_vec3(bytes, contact->normal);
    abut_cli_put_vec3(bytes, contact->position_a);
    abut_cli_put_vec3(bytes, contact->position_b);
    abut_cli_put_real(bytes, contact->gap);
    abut_cli_put_real(bytes, contact->normal_speed);
    abut_cli_put_real(bytes, item->friction);
    abut_cli_put_real(bytes, item->impulse.normal);
    abut_cli_put_vec3(bytes, item->impulse.tangent);
}

static void put_feature(abut_cli_bytes *bytes, const abut_feature *feature)
{
    abut_cli_put_int(bytes, (int)feature->kind | feature->is_merged << 8);
    abut_cli_put_int(bytes, feature->index);
    abut_cli_put_int(bytes, feature->vertices[0]);
    abut_cli_put_int(bytes, feature->vertices[1]);
}

static void put_contact_ints(abut_cli_bytes *bytes, const abut_recording_contact *contact)
{
    const abut_world_contact *item = &contact->item;
    abut_cli_put_int(bytes, item->body_a);
    abut_cli_put_int(bytes, item->body_b);
    abut_cli_put_int(bytes, contact->truth);
    abut_cli_put_int(bytes, item->contact.rule);
    abut_cli_put_int(bytes, item->contact.region);
    abut_cli_put_int(bytes, 0); // rows are multiples of 8 bytes
    put_feature(bytes, &item->contact.feature_a);
    put_feature(bytes, &item->contact.feature_b);
    abut_cli_put_bits(bytes, item->contact.id, 8);
}

static void put_regions(abut_cli_bytes *bytes, const abut_recording *recording, const state_range *range)
{
    const abut_world_regions *regions = &recording->regions;
    const abut_world_region *items = regions->items + range->region_begin;
    for (int i = 0; i < range->region_count; ++i) {
        abut_cli_put_int(bytes, items[i].body_a);
        abut_cli_put_int(bytes, items[i].body_b);
        abut_cli_put_int(bytes, items[i].region.kind);
        abut_cli_put_int(bytes, items[i].region.loop_count);
    }
    for (int i = 0; i < range->region_count; ++i) {
        for (int k = 0; k < items[i].region.loop_count; ++k) {
            const abut_region_loop *loop = &regions->loops[items[i].region.loop_begin + k];
            abut_cli_put_int(bytes, loop->point_count);
            abut_cli_put_int(bytes, loop->is_hole);
        }
    }
    for (int i = 0; i < range->region_count; ++i) {
        for (int k = 0; k < items[i].region.loop_count; ++k) {
            const abut_region_loop *loop = &regions->loops[items[i].region.loop_begin + k];
            for (int p = 0; p < loop->point_count; ++p) {
                abut_cli_put_vec3(bytes, regions->points[loop->point_begin + p]);
            }
        }
    }
}

static void put_state(abut_cli_bytes *bytes, const abut_recording *recording, int state)
{
    state_range range = range_of(recording, state);
    const int head[HEAD_INTS] = {range.state, range.contact_count, range.region_count, range.loop_count,
                                 range.point_count};
    for (int i = 0; i < HEAD_INTS; ++i) {
        abut_cli_put_int(bytes, head[i]);
    }
    for (int i = 0; i < recording->body_count; ++i) {
        put_pose(bytes, shown_pose(recording, state, i));
    }
    for (int i = 0; i < recording->body_count; ++i) {
        if (recording->bodies[i].is_soft) {
            put_soft(bytes, recording, state, i);
        }
    }
    for (int i = 0; i < range.contact_count; ++i) {
        put_contact_reals(bytes, &recording->contacts[range.contact_begin + i].item);
    }
    for (int i = 0; i < range.contact_count; ++i) {
        put_contact_ints(bytes, &recording->contacts[range.contact_begin + i]);
    }
    if (range.region_count > 0) {
        put_regions(bytes, recording, &range);
    }
}

static void put_piece(abut_cli_bytes *bytes, const abut_cli_track *track, int piece)
{
    int begin = piece * track->piece_states, end = begin + track->piece_states;
    for (int i = begin; i < end && i < track->state_count; ++i) {
        put_state(bytes, track->recording, track->states[i]);
    }
}

static void put_series(abut_cli_bytes *bytes, const abut_cli_track *track)
{
    for (int i = 0; i < track->state_count; ++i) {
        static const abut_recording_step start = {
            .quality = NAN, .residual = NAN, .kinetic_energy = NAN, .potential_energy = NAN};
        int state = track->states[i];
        const abut_recording_step *step = state > 0 ? &track->recording->steps[state - 1] : &start;
        const double numbers[SERIES_REALS] = {step->time,           step->contact_count,    step->quality,
                                              step->kinetic_energy, step->potential_energy, step->residual,
                                              step->churn,          step->iterations};
        for (int k = 0; k < SERIES_REALS; ++k) {
            abut_cli_put_real(bytes, numbers[k]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The index

static json_t *json_bodies(const abut_recording *recording)
{
    json_t *list = json_array();
    for (int i = 0; i < recording->body_count; ++i) {
        const abut_recording_body *body = &recording->bodies[i];
        const char *material = body->material >= 0 ? recording->materials[body->material].name : "";
        json_array_append_new(list, json_pack("{s:o, s:i, s:o, s:b, s:b, s:o}", "name",
                                              abut_cli_json_text(body->name), "mesh", body->mesh, "material",
                                              abut_cli_json_text(material), "fixed", body->is_fixed, "soft",
                                              body->is_soft, "mass", abut_cli_json_number(body->mass)));
    }
    return list;
}

static json_t *json_meshes(const abut_recording *recording)
{
    json_t *list = json_array();
    for (int i = 0; i < recording->mesh_count; ++i) {
        abut_mesh_elements e = abut_mesh_get_elements(recording->meshes[i].mesh);
        json_array_append_new(
            list, json_pack("{s:o, s:i, s:i, s:o, s:o}", "name", abut_cli_json_text(recording->meshes[i].name),
                            "vertices", e.vertex_count, "triangles", e.triangle_count, "lower",
                            abut_cli_json_vec3(e.bounds.lower), "upper", abut_cli_json_vec3(e.bounds.upper)));
    }
    return list;
}

/// The range of gaps and the largest normal impulse, for scales of colours that do not change with time.
static json_t *json_ranges(const abut_recording *recording)
{
    double least = 0.0, most = 0.0, impulse = 0.0;
    int has_truth = 0;
    for (int i = 0; i < recording->contact_count; ++i) {
        const abut_recording_contact *contact = &recording->contacts[i];
        least = fmin(least, contact->item.contact.gap);
        most = fmax(most, contact->item.contact.gap);
        impulse = fmax(impulse, contact->item.impulse.normal);
        has_truth |= contact->truth != ABUT_TRUTH_UNKNOWN;
    }
    return json_pack("{s:o, s:o, s:b}", "gap", abut_cli_json_numbers((double[]){least, most}, 2), "impulse",
                     abut_cli_json_number(impulse), "truth", has_truth);
}

static json_t *json_words(const char *const *words)
{
    json_t *list = json_array();
    for (; *words != NULL; ++words) {
        json_array_append_new(list, json_string(*words));
    }
    return list;
}

static json_t *json_track(const abut_cli_track *track)
{
    const abut_recording *recording = track->recording;
    const abut_recording_about *about = &recording->about;
    char hash[17];
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, recording->hash);
    int is_still = track->files != NULL;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:b, s:o, s:s, s:o, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", //
        "label", abut_cli_json_text(track->label), "scene", abut_cli_json_text(about->scene), "method",
        abut_cli_json_text(about->method), "params", abut_cli_json_text(about->params), "still", is_still, "dt",
        abut_cli_json_number(about->dt), "end", is_still ? "" : abut_recording_end_text(about->end), "reason",
        abut_cli_json_text(about->reason), "hash", is_still ? "" : hash, "steps", recording->step_count,
        "pieceStates", track->piece_states, "states", abut_cli_json_integers(track->states, track->state_count),
        "bodies", json_bodies(recording), "meshes", json_meshes(recording), "ranges", json_ranges(recording));
}

static void put_index(abut_cli_bytes *bytes, const abut_cli_view *view)
{
    json_t *document = abut_cli_json_document(), *tracks = json_array();
    for (int i = 0; i < view->track_count; ++i) {
        json_array_append_new(tracks, json_track(&view->tracks[i]));
    }
    json_object_set_new(document, "rules", json_words(abut_cli_rule_words));
    json_object_set_new(document, "features", json_words(abut_cli_feature_words));
    json_object_set_new(document, "up", abut_cli_json_vec3(view->up));
    json_object_set_new(document, "tracks", tracks);
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_json_print(document, text.stream);
    char *printed = abut_cli_text_take(&text);
    memcpy(abut_cli_bytes_room(bytes, text.size), printed, text.size);
    free(printed);
}

// ---------------------------------------------------------------------------------------------------------------
// Items

void abut_cli_view_path(abut_cli_view_item item, char path[ABUT_CLI_VIEW_PATH_ROOM])
{
    switch (item.kind) {
    case ABUT_CLI_VIEW_INDEX: (void)snprintf(path, ABUT_CLI_VIEW_PATH_ROOM, "index.json"); break;
    case ABUT_CLI_VIEW_MESH:
        (void)snprintf(path, ABUT_CLI_VIEW_PATH_ROOM, "%d/mesh/%d", item.track, item.index);
        break;
    case ABUT_CLI_VIEW_SERIES: (void)snprintf(path, ABUT_CLI_VIEW_PATH_ROOM, "%d/series", item.track); break;
    case ABUT_CLI_VIEW_PIECE:
        (void)snprintf(path, ABUT_CLI_VIEW_PATH_ROOM, "%d/piece/%d", item.track, item.index);
        break;
    }
}

int abut_cli_view_next(const abut_cli_view *view, abut_cli_view_item *item)
{
    if (item->kind == ABUT_CLI_VIEW_INDEX) {
        *item = (abut_cli_view_item){ABUT_CLI_VIEW_SERIES, 0, 0};
        return view->track_count > 0;
    }
    const abut_cli_track *track = &view->tracks[item->track];
    if (item->kind == ABUT_CLI_VIEW_SERIES) {
        *item = (abut_cli_view_item){ABUT_CLI_VIEW_MESH, item->track, 0};
    } else {
        ++item->index;
    }
    if (item->kind == ABUT_CLI_VIEW_MESH && item->index == track->recording->mesh_count) {
        *item = (abut_cli_view_item){ABUT_CLI_VIEW_PIECE, item->track, 0};
    }
    if (item->kind == ABUT_CLI_VIEW_PIECE && item->index == abut_cli_view_piece_count(track)) {
        *item = (abut_cli_view_item){ABUT_CLI_VIEW_SERIES, item->track + 1, 0};
    }
    return item->track < view->track_count;
}

int abut_cli_view_find(const abut_cli_view *view, const char *path, abut_cli_view_item *item)
{
    *item = (abut_cli_view_item){ABUT_CLI_VIEW_INDEX, 0, 0};
    do {
        char own[ABUT_CLI_VIEW_PATH_ROOM];
        abut_cli_view_path(*item, own);
        if (strcmp(own, path) == 0) {
            return 1;
        }
    } while (abut_cli_view_next(view, item));
    return 0;
}

void abut_cli_view_put(const abut_cli_view *view, abut_cli_view_item item, abut_cli_bytes *bytes)
{
    const abut_cli_track *track = &view->tracks[item.track];
    switch (item.kind) {
    case ABUT_CLI_VIEW_INDEX: put_index(bytes, view); break;
    case ABUT_CLI_VIEW_MESH: abut_cli_view_put_mesh(track->recording->meshes[item.index].mesh, bytes); break;
    case ABUT_CLI_VIEW_SERIES: put_series(bytes, track); break;
    case ABUT_CLI_VIEW_PIECE: put_piece(bytes, track, item.index); break;
    }
}
