// SPDX-License-Identifier: MIT
/// @file contact.h
/// The interface that every contact method shares: shapes, pairs, contacts, results, memory, methods.
///
/// Two objects, A and B. The normal is a unit vector and points from A to B. The gap is signed: positive apart,
/// zero touching, negative overlapping. Results are in the world frame. See docs/conventions.md for a drawing.
///
/// Life of a query: read or create meshes; create a shape of each; prepare the shapes for a method; then call
/// abut_find_contacts() as often as needed, from any number of threads, each with its own workspace and result.
/// abut_find_mesh_contacts() does all of it in one call, for a program that asks once.
#ifndef ABUT_CONTACT_H
#define ABUT_CONTACT_H

#include <abut/brep.h>
#include <abut/mesh.h>
#include <abut/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Parameters

/// A length, absolute or relative to the smaller bounding diagonal of the pair.
typedef struct abut_length {
    double value;
    int is_relative;
} abut_length;

static inline abut_length abut_relative(double value)
{
    abut_length length = {value, 1};
    return length;
}

static inline abut_length abut_absolute(double value)
{
    abut_length length = {value, 0};
    return length;
}

/// An option of one method. abut_option_parse() reads it from a text such as "reading=program".
typedef struct abut_option {
    const char *name;
    double value; ///< for a choice, its index
} abut_option;

/// Start from abut_params_default().
typedef struct abut_params {
    size_t struct_size;
    abut_length tolerance;      ///< what counts as touching; default 1e-6 relative
    abut_length envelope;       ///< report contacts up to this gap; default 0: up to the tolerance
    abut_length merge;          ///< contacts this near, with normals within `angle`, are one; default 1e-6 relative
    double angle;               ///< directions within this angle are parallel, in radians; default 1e-6
    uint32_t flags;             ///< ABUT_PARAMS_...
    const abut_option *options; ///< not copied by a query; a world copies them
    int option_count;
} abut_params;

enum {
    ABUT_PARAMS_KEEP_REDUNDANT = 1u << 0, ///< do not remove redundant contacts
    ABUT_PARAMS_DERIVATIVES = 1u << 1     ///< fill abut_result.derivatives, if the method can: quasi-lmd does
};

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_params_init(abut_params *params, size_t size);
static inline abut_params abut_params_default(void)
{
    abut_params params;
    abut_params_init(&params, sizeof params);
    return params;
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes and pairs

typedef struct abut_method abut_method;
typedef struct abut_shape abut_shape;
typedef struct abut_instance abut_instance;
typedef struct abut_memory abut_memory;
typedef struct abut_workspace abut_workspace;

/// Defines a shape. Start from abut_shape_def_default().
typedef struct abut_shape_def {
    size_t struct_size;
    const abut_mesh *mesh; ///< not copied: it must outlive the shape
    double dilation;       ///< the shape is the mesh swept by a ball of this radius; default 0
    double offset;         ///< the surface is moved outward by this length along its normals; default 0
    /// Instead of `mesh`: the shape owns this mesh and destroys it. If abut_shape_create() fails, it stays the caller's.
    abut_mesh *owned_mesh;
    /// How far the mesh may be from the surface that it was made of, for example the chord error of a tessellation. Methods
    /// that report how exact they are add it (abut_base_info.error); no contact depends on it. Default 0
    double chord;
} abut_shape_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_shape_def_init(abut_shape_def *def, size_t size);
static inline abut_shape_def abut_shape_def_default(void)
{
    abut_shape_def def;
    abut_shape_def_init(&def, sizeof def);
    return def;
}

/// Creates a shape. A shape is constant: threads may share it, except during abut_shape_prepare() and
/// abut_shape_destroy().
/// @return ABUT_OK; ABUT_UNSUPPORTED for a mesh outside of ABUT_LEAST_SIZE and ABUT_LARGEST_COORDINATE, or lengths above
///         the latter; ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY
ABUT_API abut_status abut_shape_create(const abut_context *context, const abut_shape_def *def, abut_shape **shape,
                                       abut_error *error);
ABUT_API void abut_shape_destroy(abut_shape *shape);

/// Builds what a method needs: tree, B-rep, the method's own data. A query never builds; it answers
/// ABUT_UNPREPARED if this function was not called before. A second call for the same method and options builds nothing
/// and answers the same, also if the method refused the mesh.
/// @return ABUT_OK; ABUT_UNSUPPORTED if the method cannot use such a mesh, with the reason in `error`;
///         ABUT_LIMIT if the mesh is too large for the method; ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY
ABUT_API abut_status abut_shape_prepare(abut_shape *shape, const abut_method *method, const abut_params *params,
                                        abut_error *error);

/// Builds a tree over the elements of one kind, if the shape does not have it: for sweeps, casts and other queries on
/// trees. Worlds build that over triangles for their bodies.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT if there is no such kind, or ABUT_NO_MEMORY
ABUT_API abut_status abut_shape_prepare_tree(abut_shape *shape, abut_element_kind kind, abut_error *error);

ABUT_API const abut_mesh *abut_shape_mesh(const abut_shape *shape);
ABUT_API double abut_shape_dilation(const abut_shape *shape);
ABUT_API double abut_shape_offset(const abut_shape *shape);
ABUT_API double abut_shape_chord(const abut_shape *shape);
// What abut_shape_prepare() or abut_shape_prepare_tree() built, or NULL.
ABUT_API const abut_tree *abut_shape_tree(const abut_shape *shape, abut_element_kind kind);
ABUT_API const abut_brep *abut_shape_brep(const abut_shape *shape);

/// A soft body: a shape with its own vertex positions, and trees refitted to them. One writer at a time.
ABUT_API abut_status abut_instance_create(const abut_context *context, const abut_shape *shape,
                                          abut_instance **instance, abut_error *error);
ABUT_API void abut_instance_destroy(abut_instance *instance);
/// Copies the world positions of all vertices at the start and at the end of the step, and refits the trees to both.
/// If `end` is NULL, it is the same as `start`.
ABUT_API abut_status abut_instance_move(abut_instance *instance, const abut_vec3 *start, const abut_vec3 *end,
                                        abut_error *error);
ABUT_API const abut_shape *abut_instance_shape(const abut_instance *instance);
ABUT_API const abut_vec3 *abut_instance_start(const abut_instance *instance);
ABUT_API const abut_vec3 *abut_instance_end(const abut_instance *instance);
/// The tree fitted to the whole step, or NULL if the shape has none of this kind.
ABUT_API const abut_tree *abut_instance_tree(const abut_instance *instance, abut_element_kind kind);

/// One side of a pair. Start from abut_side_default().
typedef struct abut_side {
    const abut_shape *shape;
    const abut_instance *instance; ///< a soft body; if set, `shape`, `pose` and the velocities are ignored
    abut_pose pose;                ///< at the start of the step
    abut_vec3 linear_velocity;     ///< of the pose's origin, world frame
    abut_vec3 angular_velocity;    ///< world frame
    const abut_pose *end_pose;     ///< pose at the end of the step; NULL: computed from the velocity
    /// The caller's number for the body. It keeps ids stable if both sides have equal shapes. If a method treats the
    /// two bodies differently (reading=program), the body with the lower key is the first. With equal keys the order
    /// follows from the data of the shapes.
    uint64_t key;
} abut_side;

ABUT_API abut_side abut_side_default(const abut_shape *shape);

/// Two bodies to find the contacts of. Both sides may have the same shape. To ask for self-contact, name one body
/// twice: the same instance, or the same shape, pose and velocities with the same nonzero `key`.
typedef struct abut_pair {
    size_t struct_size;
    abut_side a, b;
    double dt;           ///< length of the time step; 0: no motion
    abut_memory *memory; ///< of this pair, or NULL
} abut_pair;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_pair_init(const abut_shape *a, const abut_shape *b, abut_pair *pair, size_t size);
static inline abut_pair abut_pair_default(const abut_shape *a, const abut_shape *b)
{
    abut_pair pair;
    abut_pair_init(a, b, &pair, sizeof pair);
    return pair;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts and results

typedef enum abut_feature_kind {
    ABUT_FEATURE_NONE = 0,
    ABUT_FEATURE_VERTEX = 1,
    ABUT_FEATURE_EDGE = 2,
    ABUT_FEATURE_FACE = 3,
    ABUT_FEATURE_TET = 4
} abut_feature_kind;

/// A part of a mesh, in the numbering of the mesh as loaded.
typedef struct abut_feature {
    abut_feature_kind kind;
    int32_t index;       ///< vertex, edge, face or tetrahedron
    int32_t vertices[2]; ///< of an edge, lower first; else -1
    int32_t is_merged;   ///< a B-rep face or edge, named by its lowest face or mesh edge
} abut_feature;

/// A material point: weights of up to four vertices of the mesh (-1: unused). The weights sum to 1.
typedef struct abut_anchor {
    int32_t vertices[4];
    double weights[4];
} abut_anchor;

/// What decided the normal.
typedef enum abut_rule {
    ABUT_RULE_GEOMETRY = 0, ///< the shapes: only one normal is possible
    ABUT_RULE_HISTORY = 1,  ///< the pair's memory: the normal of an earlier query
    ABUT_RULE_VELOCITY = 2, ///< the relative velocity
    ABUT_RULE_NONE = 3,     ///< nothing: several normals are equally correct
    /// The bodies overlap: the normals that allow the least translation found to separate them.
    ABUT_RULE_TRANSLATION = 4,
    /// A surface that is not closed overlaps the other body: the side to which the normals of its triangles point.
    ABUT_RULE_ORIENTATION = 5
} abut_rule;

/// Whose feature gave the normal.
typedef enum abut_normal_side {
    /// Both: the cross product of an edge of each body (feature_a and feature_b, if these are edges), or the average
    /// of a face of each. normal_feature has kind none.
    ABUT_NORMAL_BOTH = 0,
    ABUT_NORMAL_A = 1,
    ABUT_NORMAL_B = 2
} abut_normal_side;

typedef struct abut_contact {
    abut_vec3 position_a; ///< on A
    abut_vec3 position_b; ///< on B
    abut_vec3 position;   ///< midpoint of the two
    abut_vec3 normal;     ///< unit, from A to B
    double gap;           ///< normal . (position_b - position_a)
    double normal_speed;  ///< normal . (velocity of B's point - velocity of A's point): negative when closing
    double time;          ///< in the step, 0 to 1; 0 for discrete methods
    abut_feature feature_a;
    abut_feature feature_b;
    abut_feature normal_feature; ///< the feature that gave the normal, on `normal_side`
    abut_normal_side normal_side;
    abut_anchor anchor_a;
    abut_anchor anchor_b;
    abut_rule rule;
    int32_t region; ///< index in the regions that came with this contact, or -1
    uint32_t flags; ///< ABUT_CONTACT_...
    uint64_t id;    ///< hash of features, normal feature and an ordinal; the same contact keeps it over time
} abut_contact;

enum {
    ABUT_CONTACT_ARBITRARY_SIGN = 1u << 0 ///< the geometry does not distinguish n from -n
};

/// Derivatives of a contact with respect to the motions of A and B, in the world frame. Columns 0-2: A's translation,
/// 3-5: A's rotation about its pose's origin, 6-8 and 9-11: B's translation and rotation.
typedef struct abut_derivative {
    double gap[12];
    double normal[3][12];
    double position_a[3][12];
    double position_b[3][12];
    int32_t is_smooth; ///< 0 if the features switch here, or details are smaller than the inset of method quasi-lmd
} abut_derivative;

/// The dimension of a region.
typedef enum abut_region_kind {
    ABUT_REGION_POINT = 0,
    ABUT_REGION_SEGMENT = 1,
    ABUT_REGION_POLYGON = 2
} abut_region_kind;

/// Whether the bodies stay together in a region after the step (Bouma and Vanecek 1993, definition 3). A memory knows it
/// from the velocities of abut_memory_commit_motion(). A region has the life that the last commit gave it.
typedef enum abut_region_life {
    ABUT_LIFE_NEW = 0,       ///< no step has followed, or the bodies have not touched here yet
    ABUT_LIFE_TEMPORARY = 1, ///< the bodies still touch here at the end of the step: they rest or slide
    ABUT_LIFE_COLLISION = 2  ///< the bodies part here
} abut_region_life;

/// A connected set of points in which a feature of A touches a feature of B. Ranges refer to the arrays of
/// abut_result.
typedef struct abut_region {
    abut_region_kind kind; ///< its dimension: 0, 1, 2
    abut_feature feature_a;
    abut_feature feature_b;
    int32_t loop_begin, loop_count;     ///< outlines, holes after the outer one
    int32_t normal_begin, normal_count; ///< the normals of its contacts, in `directions`
    int32_t cone_begin, cone_count;     ///< the feasible motions of B relative to A: a union of convex cones
    double measure;                     ///< 0, length or area
    abut_rule rule;
    abut_region_life life; ///< by the last commit of the pair's memory; a region without a past is new
    uint64_t id; ///< hash of features and an ordinal; of several regions of the same features, each keeps its own
} abut_region;

/// A closed outline (a point or a segment for lower dimensions): a range of `points`.
typedef struct abut_region_loop {
    int32_t point_begin, point_count;
    int32_t is_hole;
} abut_region_loop;

/// A convex cone: the motions v with n . v >= 0 for every n of a range of `directions`.
typedef struct abut_region_cone {
    int32_t direction_begin, direction_count;
} abut_region_cone;

typedef enum abut_event_kind {
    ABUT_EVENT_BEGIN = 0,
    ABUT_EVENT_PERSIST = 1, ///< the same two features touch, in the same place or moved
    ABUT_EVENT_SPLIT = 2,   ///< a part of region `other_id`, which goes on as well
    ABUT_EVENT_MERGE = 3,   ///< region `other_id` is now a part of region `id`
    ABUT_EVENT_END = 4,
    ABUT_EVENT_SHRINK =
        5 ///< what is left of region `other_id`: features of lower dimension that border its features
} abut_event_kind;

/// What happened to a contact or region since the memory's last commit. Queries with a memory report events: every region
/// of method `regions` has one, and those that are gone have an end or a merge. docs/regions-in-time.md has drawings.
typedef struct abut_event {
    abut_event_kind kind;
    int32_t is_region;
    uint64_t id;
    uint64_t other_id; ///< for split, merge and shrink, the region that was there before; else equal to `id`
} abut_event;

/// What a query did. Every fallback, cap and repair is counted.
typedef struct abut_stats {
    int64_t candidate_pairs;     ///< pairs of elements whose boxes overlap
    int64_t tested_pairs;        ///< pairs of elements that got a geometric test
    int64_t raw_contacts;        ///< contacts before redundant ones were removed
    int64_t filtered_contacts;   ///< contacts removed as redundant
    int64_t degenerate_elements; ///< elements without a normal in tested pairs; they give no contact with a face
    int64_t arbitrary_normals;   ///< contacts whose normal is one of several equally correct ones
    int64_t fallbacks;           ///< places where a slower or less exact algorithm was used
    int64_t caps;                ///< places where a limit of the method cut the answer short
    int64_t repairs;             ///< places where inconsistent numbers were repaired
    int64_t data_bytes;          ///< memory of the method's own data for both shapes
} abut_stats;

// Arrays of a result. They belong to the workspace.
typedef struct abut_contact_view {
    const abut_contact *items;
    int count;
} abut_contact_view;
typedef struct abut_derivative_view {
    const abut_derivative *items;
    int count;
} abut_derivative_view;
typedef struct abut_region_view {
    const abut_region *items;
    int count;
} abut_region_view;
typedef struct abut_loop_view {
    const abut_region_loop *items;
    int count;
} abut_loop_view;
typedef struct abut_cone_view {
    const abut_region_cone *items;
    int count;
} abut_cone_view;
typedef struct abut_vec3_view {
    const abut_vec3 *items;
    int count;
} abut_vec3_view;
typedef struct abut_event_view {
    const abut_event *items;
    int count;
} abut_event_view;

/// The answer to a query. Its arrays belong to the workspace of the query and are valid until that workspace is used
/// again or destroyed; abut_result_copy() copies them. Start from abut_result_default().
typedef struct abut_result {
    size_t struct_size;
    abut_contact_view contacts;       ///< in an order that depends on the bodies and their features only
    abut_derivative_view derivatives; ///< parallel to `contacts`; empty unless asked for
    abut_region_view regions;
    abut_loop_view loops;
    abut_cone_view cones;
    abut_vec3_view points;
    abut_vec3_view directions;
    abut_event_view events;
    abut_stats stats;
    abut_error error;
    const char
        *method; ///< name of the method that answered: of `auto`, the one that it chose; NULL after a failure
    const char *reason; ///< why `auto` chose it; NULL for other methods. Belongs to the workspace
    /// Methods regions, convex and quasi-lmd: no translation of B shorter than a quarter of the smaller body's size was found
    /// that separates the bodies. They are interlocked, or one is deep inside the other.
    int has_long_way_out;
    abut_vec3 way_out; ///< the least translation that was found then; zero if none opens all contacts, and else
} abut_result;

ABUT_API abut_result abut_result_default(void);

/// Empties all arrays, the stats and the error.
ABUT_API void abut_result_clear(abut_result *result);

// Arrays of the caller, for abut_result_copy(). `capacity` is the room in `items`. The copy sets `required` to the
// number of items in the result and `count` to the number copied. An array with `items` NULL and capacity 0 is not
// wanted.
typedef struct abut_contact_array {
    abut_contact *items;
    int capacity, count, required;
} abut_contact_array;
typedef struct abut_derivative_array {
    abut_derivative *items;
    int capacity, count, required;
} abut_derivative_array;
typedef struct abut_region_array {
    abut_region *items;
    int capacity, count, required;
} abut_region_array;
typedef struct abut_loop_array {
    abut_region_loop *items;
    int capacity, count, required;
} abut_loop_array;
typedef struct abut_cone_array {
    abut_region_cone *items;
    int capacity, count, required;
} abut_cone_array;
typedef struct abut_vec3_array {
    abut_vec3 *items;
    int capacity, count, required;
} abut_vec3_array;
typedef struct abut_event_array {
    abut_event *items;
    int capacity, count, required;
} abut_event_array;

/// Memory of the caller for the arrays of a result. Start from abut_buffers_default(), which wants nothing.
typedef struct abut_buffers {
    size_t struct_size;
    abut_contact_array contacts;
    abut_derivative_array derivatives;
    abut_region_array regions;
    abut_loop_array loops;
    abut_cone_array cones;
    abut_vec3_array points;
    abut_vec3_array directions;
    abut_event_array events;
} abut_buffers;

ABUT_API abut_buffers abut_buffers_default(void);

/// Copies the arrays of a result to those of the caller, as far as there is room. Regions need five arrays: regions,
/// loops, cones, points and directions. They are copied with all of it or not at all; a contact whose region was not
/// copied has `region` -1.
/// @return ABUT_OK; ABUT_TRUNCATED if an array that is wanted, or one of the five if any of them is wanted, was too small:
///         give it room for `required` items and copy again, the query need not be repeated; ABUT_BAD_ARGUMENT for a
///         negative capacity, a capacity without memory or a wrong `struct_size`, and then nothing is copied
ABUT_API abut_status abut_result_copy(const abut_result *result, abut_buffers *buffers);

/// Checks a contact of two meshes: numbers are finite, the normal is a unit vector, features, vertices and flags exist,
/// weights sum to 1.
/// @return what is wrong, for example "a normal that is not a unit vector"; NULL if nothing is
ABUT_API const char *abut_contact_fault(const abut_contact *contact, const abut_mesh *a, const abut_mesh *b);

/// Checks a region of two meshes as abut_contact_fault() does a contact. Its ranges are not checked, since they refer to
/// arrays that only the caller knows.
ABUT_API const char *abut_region_fault(const abut_region *region, const abut_mesh *a, const abut_mesh *b);

// ---------------------------------------------------------------------------------------------------------------
// Queries

/// Creates the memory of queries: scratch and the last answer. It grows as needed and is kept. One per thread.
ABUT_API abut_status abut_workspace_create(const abut_context *context, abut_workspace **workspace);
ABUT_API void abut_workspace_destroy(abut_workspace *workspace);

/// Finds the contacts of a pair. The same input gives the same bytes at any number of threads. With A and B swapped
/// the contacts are the same, with sides exchanged and normals flipped.
/// If `params` is NULL, the defaults apply. `result` gets the answer, as views into `workspace`.
/// @return ABUT_OK, or a failure with the reason in result->error and all arrays empty; ABUT_BAD_ARGUMENT without a reason
///         if `result` was not made by abut_result_default()
ABUT_API abut_status abut_find_contacts(const abut_pair *pair, const abut_method *method, const abut_params *params,
                                        abut_workspace *workspace, abut_result *result);

/// Copies contacts that come from elsewhere, for example from another process, into the workspace and points `result` to
/// them. Order and ids stay as they are, `region` becomes -1, and nothing is checked: see abut_contact_fault(). The
/// contacts must not be those of the workspace's own last answer.
/// @return ABUT_OK, ABUT_NO_MEMORY, or ABUT_BAD_ARGUMENT if `result` was not made by abut_result_default()
ABUT_API abut_status abut_workspace_put(abut_workspace *workspace, const abut_contact *contacts, int count,
                                        abut_result *result);

/// Creates the memory of a pair: what earlier queries found out about it. A query reads the committed state and writes
/// the next one. Nothing changes until abut_memory_commit(), so a stepper can try times and go back. A memory belongs to
/// one pair; used with other shapes or keys it starts from scratch.
ABUT_API abut_status abut_memory_create(const abut_context *context, abut_memory **memory);
ABUT_API void abut_memory_destroy(abut_memory *memory);
/// Commits what the last query wrote: later queries read it. If that query failed or wrote nothing, the state stays.
ABUT_API void abut_memory_commit(abut_memory *memory);
/// Commits as abut_memory_commit() does, and tells how the bodies move after the step: `pair` is that of the query, in the
/// same poses, with the velocities that the step found. They decide whether a region is temporary or a collision, and
/// normals of temporary regions are kept. Without this call every region counts as temporary.
ABUT_API void abut_memory_commit_motion(abut_memory *memory, const abut_pair *pair);
/// Empties the memory.
ABUT_API void abut_memory_clear(abut_memory *memory);

// ---------------------------------------------------------------------------------------------------------------
// One call

/// Two meshes to find the contacts of. Start from abut_mesh_pair_default().
typedef struct abut_mesh_pair {
    size_t struct_size;
    const abut_mesh *a, *b;
    abut_pose pose_a, pose_b;  ///< default: the identity
    const abut_method *method; ///< default `auto`
    const abut_params *params; ///< NULL: the defaults
} abut_mesh_pair;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_mesh_pair_init(const abut_mesh *a, const abut_mesh *b, abut_mesh_pair *pair, size_t size);
static inline abut_mesh_pair abut_mesh_pair_default(const abut_mesh *a, const abut_mesh *b)
{
    abut_mesh_pair pair;
    abut_mesh_pair_init(a, b, &pair, sizeof pair);
    return pair;
}

/// A result that owns its arrays.
typedef struct abut_answer abut_answer;

/// Finds the contacts of two meshes in one call: makes the shapes, prepares them and asks. A program that asks about
/// the same meshes again keeps shapes and a workspace, and calls abut_find_contacts().
/// Destroy `answer` with abut_answer_destroy(). It does not need the meshes. After a failure it is NULL.
/// @return ABUT_OK; ABUT_UNSUPPORTED if the method cannot use a mesh; what abut_find_contacts() answers, such as
///         ABUT_OVERLAP; ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY. `error` names the mesh.
ABUT_API abut_status abut_find_mesh_contacts(const abut_context *context, const abut_mesh_pair *pair,
                                             abut_answer **answer, abut_error *error);
/// Valid as long as the answer.
ABUT_API const abut_result *abut_answer_result(const abut_answer *answer);
ABUT_API void abut_answer_destroy(abut_answer *answer);

// ---------------------------------------------------------------------------------------------------------------
// Methods

typedef enum abut_locality { ABUT_LOCAL = 0, ABUT_SEMI_LOCAL = 1, ABUT_GLOBAL = 2 } abut_locality;

typedef enum abut_representation {
    ABUT_SURFACE_BASED = 0,
    ABUT_VOLUME_BASED = 1,
    ABUT_APPROXIMATION = 2,
    ABUT_IMPLICIT_FIELD = 3,
    ABUT_TEMPORAL = 4
} abut_representation;

typedef enum abut_normal_source {
    ABUT_NORMAL_FEATURE_TYPES = 0,
    ABUT_NORMAL_CLOSEST_POINTS = 1,
    ABUT_NORMAL_FIELD = 2,
    ABUT_NORMAL_VOLUME_POINTS = 3,
    ABUT_NORMAL_REGIONS = 4 ///< not one of the paper's categories
} abut_normal_source;

/// A method's place in Erleben's taxonomy (Tables 1, 2, 3 and 5).
typedef struct abut_taxonomy {
    abut_locality locality;
    int is_exact;
    int is_continuous;
    abut_representation representation;
    abut_normal_source normals;
    /// Exact geometry, continuous detection, deformable models, topology changes:
    /// 0 not possible, 1 with effort, 2 trivial (Table 3).
    int traits[4];
    int is_ours; ///< the row is not in the paper
} abut_taxonomy;

enum {
    ABUT_NEEDS_TRIANGLES = 1u << 0,
    ABUT_NEEDS_CLOSED = 1u << 1, ///< closed and oriented triangles
    ABUT_NEEDS_TETS = 1u << 2,
    ABUT_NEEDS_TRIANGLE_TREE = 1u << 3,
    ABUT_NEEDS_TET_TREE = 1u << 4,
    ABUT_NEEDS_SEGMENT_TREE = 1u << 5,
    ABUT_NEEDS_POINT_TREE = 1u << 6,
    ABUT_NEEDS_BREP = 1u << 7,
    ABUT_NEEDS_VELOCITY = 1u << 8, ///< answers better with velocities and dt
    ABUT_NEEDS_MEMORY = 1u << 9    ///< answers better with a memory
};

/// An option that a method takes.
typedef struct abut_option_info {
    const char *name;
    const char *help;
    const char *const *choices; ///< names, ended by NULL; or NULL: a number
    double value;               ///< default; for a choice, its index
    double lower, upper;        ///< limits of a number
    int is_of_query;            ///< 1: used by queries only; does not change what abut_shape_prepare() builds
} abut_option_info;

/// The input of a method: the pair in canonical order, and all lengths absolute.
typedef struct abut_query {
    const abut_pair *pair;
    const abut_params *params;
    const abut_method *method;
    abut_pose b_to_a;
    int is_self; ///< both sides are the same body
    double size; ///< the smaller bounding diagonal
    double tolerance, envelope, merge, angle;
} abut_query;

/// The output of a method: lists in the workspace that grow as needed.
typedef struct abut_sink abut_sink;

/// The version of abut_method and of all structs that pass through it. Plug-ins with another number are refused.
#define ABUT_METHOD_ABI 2u

/// A contact method: one row of the method table, or of a plug-in.
struct abut_method {
    uint32_t abi; ///< ABUT_METHOD_ABI
    size_t struct_size;
    const char *name;    ///< lower case with hyphens
    const char *summary; ///< one line
    const char *source;  ///< the paper
    abut_taxonomy taxonomy;
    uint32_t needs;
    const abut_option_info *options;
    int option_count;

    /// Builds the method's own data for a shape, which keeps it. NULL: the method has none.
    abut_status (*prepare)(const abut_shape *shape, const abut_params *params, const abut_context *context,
                           void **data, abut_error *error);
    void (*release)(void *data, const abut_context *context);
    /// Finds the contacts of a pair and adds them to the sink, in the world frame. The library fills in `position`,
    /// `gap`, `normal_speed` and `id`. Must not keep pointers to anything in the query.
    abut_status (*query)(const abut_query *query, abut_sink *sink);
};

/// All methods of the library.
ABUT_API const abut_method *const *abut_methods(int *count);
/// The method of this name, or NULL.
ABUT_API const abut_method *abut_method_find(const char *name);

/// Reads "name=value" for a method. ABUT_BAD_ARGUMENT, with the possible names or values in `error`, if there is no such
/// option or value.
ABUT_API abut_status abut_option_parse(const abut_method *method, const char *text, abut_option *option,
                                       abut_error *error);
/// The value of an option: the caller's, or the default.
ABUT_API double abut_query_option(const abut_query *query, const char *name);

// Functions for methods.

/// Adds a contact; returns its index, or -1 if memory ran out (the query then ends with ABUT_NO_MEMORY).
ABUT_API int abut_sink_contact(abut_sink *sink, const abut_contact *contact);
/// Adds the derivative of the contact with this index.
ABUT_API int abut_sink_derivative(abut_sink *sink, int contact, const abut_derivative *derivative);
// Each of these returns the index of the first item added, or -1 if memory ran out.
ABUT_API int abut_sink_region(abut_sink *sink, const abut_region *region);
ABUT_API int abut_sink_loop(abut_sink *sink, const abut_region_loop *loop);
ABUT_API int abut_sink_cone(abut_sink *sink, const abut_region_cone *cone);
ABUT_API int abut_sink_points(abut_sink *sink, const abut_vec3 *points, int count);
ABUT_API int abut_sink_directions(abut_sink *sink, const abut_vec3 *directions, int count);
ABUT_API int abut_sink_event(abut_sink *sink, const abut_event *event);
/// Counters to add to.
ABUT_API abut_stats *abut_sink_stats(abut_sink *sink);
/// Sets the error of the query; returns `status`, for `return abut_sink_fail(...)`.
ABUT_API abut_status abut_sink_fail(abut_sink *sink, abut_status status, const char *text);
/// Scratch memory until the end of the query, uninitialised and aligned for any type. NULL if memory ran out.
ABUT_API void *abut_sink_scratch(abut_sink *sink, size_t size);

/// What the method's `prepare` built for a shape with the options of this query, or NULL.
ABUT_API const void *abut_query_data(const abut_query *query, const abut_shape *shape);
/// The vertices of a side: those of the mesh, in the frame of its pose; or those of a soft body at the start of the step,
/// whose pose the library sets to the identity.
ABUT_API const abut_vec3 *abut_side_vertices(const abut_side *side);
ABUT_API const abut_mesh *abut_side_mesh(const abut_side *side);
/// The tree over the vertices of a side, or NULL if none was prepared.
ABUT_API const abut_tree *abut_side_tree(const abut_side *side, abut_element_kind kind);

/// The committed state that this method wrote for this pair, and its size. NULL if there is none.
ABUT_API const void *abut_query_memory(const abut_query *query, size_t *size);
/// The motion of B relative to A, in A's frame, that abut_memory_commit_motion() gave with that state: a point p of A's
/// frame moves at linear + angular x p. Returns 0 if there is none.
ABUT_API int abut_query_motion(const abut_query *query, abut_vec3 *linear, abut_vec3 *angular);
/// Memory for the next state of this method, `size` bytes. NULL if the pair has no memory or the heap ran out.
ABUT_API void *abut_sink_memory(abut_sink *sink, size_t size);

/// Features of a mesh by index.
ABUT_API abut_feature abut_feature_vertex(int vertex);
ABUT_API abut_feature abut_feature_edge(const abut_mesh *mesh, int edge);
ABUT_API abut_feature abut_feature_face(int face);
ABUT_API abut_feature abut_feature_tet(int tet);

#ifdef __cplusplus
}
#endif
#endif
