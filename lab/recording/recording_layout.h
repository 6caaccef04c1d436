// SPDX-License-Identifier: MIT
// recording_layout.h: the arrays of a recording, field by field, for writer and reader
#ifndef ABUT_LAB_RECORDING_LAYOUT_H
#define ABUT_LAB_RECORDING_LAYOUT_H

#include <abut-lab/recording.h>

#include <hdf5.h>

typedef enum abut_field_kind {
    ABUT_FIELD_REAL,
    ABUT_FIELD_INT,  ///< 32 bits
    ABUT_FIELD_LONG, ///< 64 bits
    ABUT_FIELD_ID,   ///< 64 bits, unsigned
    ABUT_FIELD_TEXT
} abut_field_kind;

/// `count` numbers in a row, or a text of `count` bytes.
typedef struct abut_field {
    const char *name; ///< NULL: a row of the array is this one field
    size_t offset;    ///< in the struct in memory
    abut_field_kind kind;
    int count;
} abut_field;

/// All arrays, in the order of the hash.
enum {
    ABUT_TABLE_ABOUT,
    ABUT_TABLE_MESHES,
    ABUT_TABLE_VERTICES,
    ABUT_TABLE_POINTS,
    ABUT_TABLE_SEGMENTS,
    ABUT_TABLE_FACE_SIZES,
    ABUT_TABLE_FACE_VERTICES,
    ABUT_TABLE_TETS,
    ABUT_TABLE_MATERIALS,
    ABUT_TABLE_PAIRS,
    ABUT_TABLE_BODIES,
    ABUT_TABLE_STATES,
    ABUT_TABLE_SOFT_VERTICES,
    ABUT_TABLE_STEPS,
    ABUT_TABLE_CONTACTS,
    ABUT_TABLE_REGIONS,
    ABUT_TABLE_REGION_LOOPS,
    ABUT_TABLE_REGION_POINTS,
    ABUT_TABLE_REGION_NORMALS,
    ABUT_TABLE_REGION_CONES,
    ABUT_TABLE_REGION_DIRECTIONS,
    ABUT_TABLE_CHANGES,
    ABUT_TABLE_EVENTS,
    ABUT_TABLE_RESIDUALS,
    ABUT_TABLE_TIMINGS, ///< not in the hash
    ABUT_TABLE_COUNT
};

typedef struct abut_table {
    const char *group; ///< NULL: the root
    const char *name;
    const abut_field *fields;
    int field_count;
    size_t row_size; ///< of the struct in memory
    int is_growing;
} abut_table;

extern const abut_table abut_recording_tables[ABUT_TABLE_COUNT];

/// A row of the table of meshes: name, and how many rows of the other tables belong to it.
typedef struct abut_mesh_row {
    char name[ABUT_SETUP_NAME_ROOM];
    abut_precision precision;
    int32_t vertex_count, point_count, segment_count, face_count, corner_count, tet_count;
} abut_mesh_row;

/// A row of the table of regions, with how many rows of the other tables belong to it.
typedef struct abut_region_row {
    int32_t body_a, body_b;
    abut_region region; ///< with the counts of its ranges; where they begin is not recorded
} abut_region_row;

typedef struct abut_loop_row {
    int32_t point_count;
    int32_t is_hole;
} abut_loop_row;

/// The type of a table's rows in the file (packed, little-endian) and in memory (the struct). Close with H5Tclose().
/// Negative after a failure.
hid_t abut_table_file_type(const abut_table *table);
hid_t abut_table_memory_type(const abut_table *table);

/// Mixes the fields of `count` rows into a hash (FNV-1a of the packed bytes). Begin with ABUT_RECORDING_HASH_START.
uint64_t abut_table_hash(const abut_table *table, const void *rows, int64_t count, uint64_t hash);

#define ABUT_RECORDING_HASH_START UINT64_C(0xcbf29ce484222325)

#endif
