// SPDX-License-Identifier: MIT
// drawing_svg.c: a drawing as an SVG picture
//
// From back to front: faces, hidden edges, regions, visible edges, contacts. Colours can be told apart by people who see
// fewer of them (Okabe and Ito 2008), and kinds of contacts differ in shape too.
#include "draw/drawing.h"

#include <string.h>

enum { TITLE_HEIGHT = 26, LINE_HEIGHT = 17, LEGEND_HEIGHT = 26, TINTS = 6 };

// Fills of bodies, light enough for contacts to stand out: red, green, blue.
static const unsigned TINT_COLOURS[TINTS][3] = {{188, 208, 228}, {236, 211, 174}, {198, 220, 185},
                                                {220, 198, 220}, {230, 224, 176}, {185, 220, 216}};

static const char *const KIND_CLASSES[ABUT_DRAWN_KINDS] = {"contact", "right", "wrong", "missed"};
static const char *const KIND_WORDS[ABUT_DRAWN_KINDS] = {"contact", "right", "wrong", "missed"};

// Sizes in pixels.
static const double DOT_RADIUS = 3.6, ARROW_HEAD = 6.0, SHORTEST_ARROW = 4.0;
static const double LETTER_WIDTH = 7.8; ///< of the title, on average
static const int CROWD = 150;           ///< more contacts are drawn smaller
/// Of the legend: the middle of the first mark, and a letter at most on average.
static const double LEGEND_BEGIN = 14.0, LEGEND_LETTER_WIDTH = 7.0;

static const char STYLE[] =
    "<style>\n"
    "text{font:13px sans-serif;fill:#222}.title{font-weight:bold}\n"
    "path{stroke-linecap:round;stroke-linejoin:round}.edge,.fine,.hidden{fill:none}\n"
    ".edge{stroke:#333;stroke-width:1.2}.fine{stroke:#777;stroke-width:.5}\n"
    ".hidden{stroke:#888;stroke-width:.7;stroke-dasharray:2.5 3}\n"
    ".face{fill-opacity:.8;fill-rule:evenodd}\n"
    ".region{fill:#009e73;fill-opacity:.4;fill-rule:evenodd;stroke:#009e73;stroke-width:2}\n"
    ".contact,.right{fill:#0072b2;stroke:#0072b2}.wrong{fill:#d55e00;stroke:#d55e00}\n"
    ".missed{fill:none;stroke:#000;stroke-dasharray:2 1.5}\n"
    ".arrow{fill:none;stroke-width:1.6}.dot{fill:#333}\n"
    ".lines{fill:none;stroke-width:.6}.dots{fill:none;stroke-width:3}\n"
    "</style>\n";

/// A picture while it is printed.
typedef struct svg {
    FILE *out;
    const abut_drawing *drawing;
    double scale; ///< pixels per unit of length
    double top;   ///< y of the upper border of the drawing, in pixels
    double radius;
} svg;

/// Hundredths of a pixel, without the decimal point of the locale.
static void print_number(FILE *out, double value)
{
    long long hundredths = llround(100.0 * fmin(fmax(value, -1e9), 1e9));
    long long size = hundredths < 0 ? -hundredths : hundredths;
    (void)fprintf(out, "%s%lld", hundredths < 0 ? "-" : "", size / 100);
    if (size % 100 != 0) {
        (void)fprintf(out, size % 10 == 0 ? ".%lld" : ".%02lld", size % 10 == 0 ? size % 100 / 10 : size % 100);
    }
}

static abut_vec2 to_pixels(const svg *picture, abut_vec3 point)
{
    return abut_vec2_make((point.x - picture->drawing->lower.x) * picture->scale,
                          (picture->drawing->upper.y - point.y) * picture->scale);
}

static void print_point(const svg *picture, char command, abut_vec2 p)
{
    (void)fputc(command, picture->out);
    print_number(picture->out, p.x);
    (void)fputc(' ', picture->out);
    print_number(picture->out, p.y);
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

static void print_faces(const svg *picture)
{
    const abut_drawing *drawing = picture->drawing;
    for (int i = 0; i < drawing->face_count; ++i) {
        const abut_drawn_face *face = &drawing->faces[i];
        const unsigned *tint = TINT_COLOURS[face->body % TINTS];
        double light = 0.84 + 0.22 * face->facing; // faces seen at an angle are darker
        (void)fputs("<path class=\"face\" fill=\"#", picture->out);
        for (int k = 0; k < 3; ++k) {
            (void)fprintf(picture->out, "%02x", (unsigned)fmin(255.0, light * tint[k]));
        }
        (void)fputs("\" d=\"", picture->out);
        for (int k = 0; k < face->ring_count; ++k) {
            abut_drawn_ring ring = drawing->rings[face->ring_begin + k];
            for (int p = 0; p < ring.count; ++p) {
                print_point(picture, p == 0 ? 'M' : 'L', to_pixels(picture, drawing->ring_points[ring.begin + p]));
            }
            (void)fputc('Z', picture->out);
        }
        (void)fputs("\"/>\n", picture->out);
    }
}

static void print_lines(const svg *picture, const char *class, int is_hidden, int is_fine)
{
    const abut_drawing *drawing = picture->drawing;
    int is_open = 0;
    for (int i = 0; i < drawing->line_count; ++i) {
        const abut_drawn_line *line = &drawing->lines[i];
        if (line->is_hidden != is_hidden || line->is_fine != is_fine) {
            continue;
        }
        if (!is_open) {
            (void)fprintf(picture->out, "<path class=\"%s\" d=\"", class);
            is_open = 1;
        }
        print_point(picture, 'M', to_pixels(picture, line->begin));
        print_point(picture, 'L', to_pixels(picture, line->end));
    }
    if (is_open) {
        (void)fputs("\"/>\n", picture->out);
    }
}

static void print_regions(const svg *picture)
{
    const abut_drawing *drawing = picture->drawing;
    for (int i = 0; i < drawing->outline_count;) {
        (void)fputs("<path class=\"region\" d=\"", picture->out);
        do {
            const abut_drawn_outline *outline = &drawing->outlines[i++];
            for (int p = 0; p < outline->point_count; ++p) {
                print_point(picture, p == 0 ? 'M' : 'L',
                            to_pixels(picture, drawing->outline_points[outline->point_begin + p]));
            }
            (void)fputs(outline->point_count > 0 ? "Z" : "", picture->out);
        } while (i < drawing->outline_count && drawing->outlines[i].is_hole);
        (void)fputs("\"/>\n", picture->out);
    }
}

static void print_circle(const svg *picture, const char *class, abut_vec2 center, double radius)
{
    (void)fprintf(picture->out, "<circle class=\"%s\" cx=\"", class);
    print_number(picture->out, center.x);
    (void)fputs("\" cy=\"", picture->out);
    print_number(picture->out, center.y);
    (void)fputs("\" r=\"", picture->out);
    print_number(picture->out, radius);
    (void)fputs("\"/>\n", picture->out);
}

/// A dot, a cross or an empty circle.
static void print_mark(const svg *picture, abut_drawn_kind kind, abut_vec2 at)
{
    double r = picture->radius;
    if (kind != ABUT_DRAWN_WRONG) {
        print_circle(picture, KIND_CLASSES[kind], at, kind == ABUT_DRAWN_MISSED ? 1.5 * r : r);
        return;
    }
    (void)fprintf(picture->out, "<path class=\"%s\" stroke-width=\"2.2\" d=\"", KIND_CLASSES[kind]);
    print_point(picture, 'M', abut_vec2_make(at.x - r, at.y - r));
    print_point(picture, 'L', abut_vec2_make(at.x + r, at.y + r));
    print_point(picture, 'M', abut_vec2_make(at.x - r, at.y + r));
    print_point(picture, 'L', abut_vec2_make(at.x + r, at.y - r));
    (void)fputs("\"/>\n", picture->out);
}

/// An arrow along the normal; none if it points to the viewer or away.
static void print_arrow(const svg *picture, const abut_drawn_contact *contact, abut_vec2 from)
{
    double x = contact->normal.x, y = -contact->normal.y, length = hypot(x, y) * ABUT_DRAWING_ARROW;
    if (length < SHORTEST_ARROW) {
        return;
    }
    abut_vec2 tip = {from.x + ABUT_DRAWING_ARROW * x, from.y + ABUT_DRAWING_ARROW * y};
    double head = fmin(ARROW_HEAD, 0.6 * length) * ABUT_DRAWING_ARROW / length;
    abut_vec2 back = {tip.x - head * x, tip.y - head * y}, side = {0.5 * head * -y, 0.5 * head * x};
    (void)fprintf(picture->out, "<path class=\"arrow %s\" d=\"", KIND_CLASSES[contact->kind]);
    print_point(picture, 'M', from);
    print_point(picture, 'L', tip);
    print_point(picture, 'M', abut_vec2_make(back.x + side.x, back.y + side.y));
    print_point(picture, 'L', tip);
    print_point(picture, 'L', abut_vec2_make(back.x - side.x, back.y - side.y));
    (void)fputs("\"/>\n", picture->out);
}

/// Contacts one by one, so that near ones are over far ones.
static void print_contacts(const svg *picture)
{
    const abut_drawing *drawing = picture->drawing;
    for (int i = 0; i < drawing->contact_count; ++i) {
        const abut_drawn_contact *contact = &drawing->contacts[i];
        abut_vec2 at = to_pixels(picture, contact->position);
        print_arrow(picture, contact, at);
        print_mark(picture, contact->kind, at);
    }
}

/// Many contacts of one kind in two paths: lines along the normals, and dots. A file of thousands stays small.
static void print_crowd(const svg *picture, abut_drawn_kind kind)
{
    const abut_drawing *drawing = picture->drawing;
    for (int has_dots = 0; has_dots < 2; ++has_dots) {
        (void)fprintf(picture->out, "<path class=\"%s %s\" d=\"", has_dots ? "dots" : "lines", KIND_CLASSES[kind]);
        for (int i = 0; i < drawing->contact_count; ++i) {
            const abut_drawn_contact *contact = &drawing->contacts[i];
            if (contact->kind != kind) {
                continue;
            }
            abut_vec2 at = to_pixels(picture, contact->position);
            print_point(picture, 'M', at);
            if (has_dots) {
                (void)fputs("h0", picture->out);
            } else {
                print_point(picture, 'l',
                            abut_vec2_make(0.5 * ABUT_DRAWING_ARROW * contact->normal.x,
                                           -0.5 * ABUT_DRAWING_ARROW * contact->normal.y));
            }
        }
        (void)fputs("\"/>\n", picture->out);
    }
}

/// Prints how many contacts of each kind there are, in as many lines as the width needs, or only counts the lines if
/// `has_text` is 0. `y` is that of the first line.
static int print_legend(const svg *picture, double width, double y, int has_text)
{
    const abut_drawing *drawing = picture->drawing;
    double x = LEGEND_BEGIN;
    int lines = 0, counts[ABUT_DRAWN_KINDS] = {0};
    for (int i = 0; i < drawing->contact_count; ++i) {
        ++counts[drawing->contacts[i].kind];
    }
    for (int kind = 0; kind < ABUT_DRAWN_KINDS; ++kind) {
        if (counts[kind] == 0) {
            continue;
        }
        char words[32];
        int is_plural = kind == ABUT_DRAWN_CONTACT && counts[kind] != 1;
        int length = snprintf(words, sizeof words, "%d %s%s", counts[kind], KIND_WORDS[kind], is_plural ? "s" : "");
        double end = x + 9.0 + LEGEND_LETTER_WIDTH * length;
        if (lines == 0) {
            lines = 1;
        } else if (end > width) {
            ++lines;
            end += LEGEND_BEGIN - x;
            x = LEGEND_BEGIN;
        }
        if (has_text) {
            double line_y = y + (lines - 1) * LINE_HEIGHT;
            print_mark(picture, (abut_drawn_kind)kind, abut_vec2_make(x, line_y - 4.5));
            (void)fputs("<text x=\"", picture->out);
            print_number(picture->out, x + 9.0);
            (void)fputs("\" y=\"", picture->out);
            print_number(picture->out, line_y);
            (void)fprintf(picture->out, "\">%s</text>\n", words);
        }
        x = end + 18.0; // the next mark and its distance
    }
    return lines;
}

// ---------------------------------------------------------------------------------------------------------------

/// How many bytes of a text make a line of at most `most` characters: up to a space, if there is one.
static size_t line_length(const char *text, size_t most)
{
    size_t end = 0, space = 0;
    for (size_t characters = 0; text[end] != 0; ++end) {
        int is_begin = ((unsigned char)text[end] & 0xc0) != 0x80; // of a character in UTF-8
        if (is_begin && characters++ == most) {
            return text[end] == ' ' || space == 0 ? end : space;
        }
        space = text[end] == ' ' ? end : space;
    }
    return end;
}

/// Prints the title in as many lines as the width needs, or only counts them if `out` is NULL.
static int print_title(const char *title, double width, FILE *out)
{
    size_t most = (size_t)fmax((width - 20.0) / LETTER_WIDTH, 8.0);
    int lines = 0;
    while (title != NULL && *title != 0) {
        size_t length = line_length(title, most);
        if (out != NULL) {
            (void)fprintf(out, "<text class=\"title\" x=\"10\" y=\"%d\">", 18 + lines * LINE_HEIGHT);
            abut_print_markup(title, length, out);
            (void)fputs("</text>\n", out);
        }
        title += length + (title[length] == ' ');
        ++lines;
    }
    return lines;
}

abut_status abut_drawing_print(const abut_drawing *drawing, FILE *out)
{
    double wide = drawing->upper.x - drawing->lower.x, high = drawing->upper.y - drawing->lower.y;
    svg picture = {.out = out,
                   .drawing = drawing,
                   .scale = drawing->width / fmax(wide, high), // high pictures are narrower
                   .radius = DOT_RADIUS};
    double width = wide * picture.scale, height = high * picture.scale;
    int lines = print_title(drawing->title, width, NULL);
    picture.top = lines > 0 ? TITLE_HEIGHT + (lines - 1) * LINE_HEIGHT : 0;
    int legend_lines = print_legend(&picture, width, 0.0, 0);
    double legend = picture.top + height + LEGEND_HEIGHT - 9.0;
    double total = picture.top + height + (legend_lines > 0 ? LEGEND_HEIGHT + (legend_lines - 1) * LINE_HEIGHT : 0);
    (void)fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", out);
    print_number(out, width);
    (void)fputs("\" height=\"", out);
    print_number(out, total);
    (void)fputs("\" viewBox=\"0 0 ", out);
    print_number(out, width);
    (void)fputc(' ', out);
    print_number(out, total);
    (void)fprintf(out, "\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", STYLE);
    (void)print_title(drawing->title, width, out);
    (void)fputs("<svg y=\"", out);
    print_number(out, picture.top);
    (void)fputs("\" width=\"", out);
    print_number(out, width);
    (void)fputs("\" height=\"", out);
    print_number(out, height);
    (void)fputs("\">\n", out);
    print_faces(&picture);
    if (drawing->has_all_edges) {
        print_lines(&picture, "hidden", 1, 0);
    }
    print_lines(&picture, "fine", 0, 1);
    print_regions(&picture);
    print_lines(&picture, "edge", 0, 0);
    for (int i = 0; i < drawing->dot_count; ++i) {
        print_circle(&picture, "dot", to_pixels(&picture, drawing->dots[i]), 1.5);
    }
    if (drawing->contact_count <= CROWD) {
        print_contacts(&picture);
    }
    for (int kind = 0; kind < ABUT_DRAWN_KINDS && drawing->contact_count > CROWD; ++kind) {
        print_crowd(&picture, (abut_drawn_kind)kind);
    }
    (void)fputs("</svg>\n", out);
    (void)print_legend(&picture, width, legend, 1);
    (void)fputs("</svg>\n", out);
    return ferror(out) ? ABUT_IO : ABUT_OK;
}
