// SPDX-License-Identifier: MIT
// foreign.c: recognising unsupported formats by name and by content, with advice
#include "io/formats.h"
#include "io/text.h"

#include <string.h>

typedef enum foreign_kind {
    CAD,     // CAD surfaces, not a mesh
    LATER,   // a mesh format without a reader
    NAMED,   // a supported format with the wrong extension
    ARCHIVE, // must be unpacked first
    OTHER
} foreign_kind;

typedef struct foreign_name {
    const char *extension;
    const char *format;
    foreign_kind kind;
} foreign_name;

static const foreign_name names[] = {
    {"step", "STEP", CAD},           {"stp", "STEP", CAD},
    {"iges", "IGES", CAD},           {"igs", "IGES", CAD},
    {"sldprt", "SolidWorks", CAD},   {"sldasm", "SolidWorks", CAD},
    {"x_t", "Parasolid", CAD},       {"x_b", "Parasolid", CAD},
    {"brep", "OpenCASCADE", CAD},    {"fcstd", "FreeCAD", CAD},
    {"3mf", "3MF", LATER},           {"meshb", "binary Medit", LATER},
    {"poly", "TetGen .poly", LATER}, {"smesh", "TetGen .smesh", LATER},
    {"zip", "ZIP", ARCHIVE},         {"gz", "gzip", ARCHIVE},
};

typedef struct foreign_content {
    const char *start; // first bytes of the file, after white space
    const char *format;
    foreign_kind kind;
} foreign_content;

static const foreign_content contents[] = {
    {"ISO-10303-21", "STEP", CAD},
    {"\xd0\xcf\x11\xe0", "SolidWorks", CAD},
    {"**ABCDEFGHIJKLMNOPQRSTUVWXYZ", "Parasolid", CAD},
    {"DBRep_DrawableShape", "OpenCASCADE", CAD},
    {"CASCADE Topology", "OpenCASCADE", CAD},
    {"glTF", "glTF", NAMED},
    {"ply\n", "PLY", NAMED},
    {"ply\r", "PLY", NAMED},
    {"OFF\n", "OFF", NAMED},
    {"OFF\r", "OFF", NAMED},
    {"OFF ", "OFF", NAMED},
    {"$MeshFormat", "MSH", NAMED},
    {"MeshVersionFormatted", "Medit", NAMED},
    {"PK\x03\x04", "ZIP", ARCHIVE},
    {"\x1f\x8b", "gzip", ARCHIVE},
    {"<?xml", "XML", OTHER},
    {"<!DOCTYPE html", "HTML", OTHER},
    {"<html", "HTML", OTHER},
    {"%PDF", "PDF", OTHER},
};

static abut_status refuse(const abut_file *file, const char *format, foreign_kind kind)
{
    switch (kind) {
    case CAD:
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0,
                              "%s files hold CAD surfaces, not a mesh; export STL or OBJ from the CAD program",
                              format);
    case LATER:
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0, "%s files are not supported; convert to OBJ or STL",
                              format);
    case NAMED:
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0, "this is a %s file by its content; rename it accordingly",
                              format);
    case ARCHIVE:
        return abut_file_fail(file, ABUT_UNSUPPORTED, 0,
                              "this is a %s archive; unpack it first, or export STL or OBJ", format);
    default: return abut_file_fail(file, ABUT_UNSUPPORTED, 0, "this is a %s file, not a mesh", format);
    }
}

abut_status abut_refuse_foreign_name(const abut_file *file)
{
    const char *dot = strrchr(file->name, '.');
    if (dot == NULL) {
        return ABUT_OK;
    }
    const abut_word extension = {dot + 1, dot + strlen(dot)};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (abut_word_is(extension, names[i].extension)) {
            return refuse(file, names[i].format, names[i].kind);
        }
    }
    return ABUT_OK;
}

// Lines of IGES have 80 columns. In the first line, column 73 is S and the last columns are the line number 1.
static int is_iges(const char *at, size_t size)
{
    return size >= 80 && at[72] == 'S' && at[79] == '1' && memchr(at, '\n', 80) == NULL &&
           strspn(at + 73, " 0") == 6;
}

abut_status abut_refuse_foreign_content(const abut_file *file)
{
    size_t skipped = 0;
    while (skipped < file->size && skipped < 256 && strchr(" \t\r\n", file->data[skipped]) != NULL &&
           file->data[skipped] != '\0') {
        ++skipped;
    }
    const char *start = file->data + skipped;
    size_t size = file->size - skipped;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; ++i) {
        size_t length = strlen(contents[i].start);
        if (size >= length && memcmp(start, contents[i].start, length) == 0) {
            return refuse(file, contents[i].format, contents[i].kind);
        }
    }
    return is_iges(file->data, file->size) ? refuse(file, "IGES", CAD) : ABUT_OK;
}
