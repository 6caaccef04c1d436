// SPDX-License-Identifier: MIT
// assembly_parts.c: the shapes of the assembly
//
// The middle of the gap is part of a torus about the y axis. A point has two angles and a height: `alpha` along the
// width of the car (the circle of radius `profile` whose middle moves), `phi` about the y axis (the way of the linkage),
// and the height over the torus. Surfaces of constant height are tori too, so the distance between them is exact. The
// linkage is within THICKNESS of the torus, and turns about the y axis while it is in the gap: its distance from both
// panels then is the same all the way, half the clearance.
#include "assembly/assembly_parts.h"

#include "common/lab_support.h"

static const double equator = 1000.0; ///< radius of the torus at alpha 0
static const double profile = 4000.0; ///< radius of its profile
#define THICKNESS 12.0                ///< of the linkage, to each side of the torus
static const double gap =
    THICKNESS + 0.5 * ABUT_ASSEMBLY_CLEARANCE; ///< height of the outer panel, depth of the inner one

const double abut_assembly_last_turn = 0.62;

static const double peg_alpha = 0.06;
static const double peg_begin = 14.0, peg_end = 74.0; ///< along z, in the frame of the linkage
static const double hole_begin = 25.0, hole_end = 55.0;

const char *const abut_assembly_names[ABUT_ASSEMBLY_SHAPES] = {
    "linkage",      "scuttle",      "hood",        "windshield",     "stiffener",     "firewall",     "left fender",
    "right fender", "left rail",    "right rail",  "left bracket",   "right bracket", "cross member", "heater",
    "brake servo",  "battery",      "harness",     "hose",           "insulation",    "grille",       "left arch",
    "right arch",   "engine cover", "strut brace", "mounting plate", "stop"};

double abut_assembly_chance(int seed, int index)
{
    uint64_t x = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)index * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 31)) * 0x94d049bb133111ebu;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    return (double)(x >> 11) * 0x1p-53;
}

abut_vec3 abut_assembly_turn(abut_vec3 v, double angle)
{
    double c = abut_surface_cosine(angle), s = abut_surface_sine(angle);
    return abut_vec3_make(c * v.x - s * v.z, v.y, s * v.x + c * v.z);
}

/// The point at two angles and a height.
static abut_vec3 place(double alpha, double phi, double height)
{
    double from_axis = equator - profile + (profile + height) * abut_surface_cosine(alpha);
    return abut_assembly_turn(abut_vec3_make(from_axis, (profile + height) * abut_surface_sine(alpha), 0.0), phi);
}

static double between(double a, double b, double t)
{
    return a + t * (b - a);
}

// ---- surfaces

/// Numbers: alpha and phi from and to, height, height of waves, waves along alpha and phi, their phase.
static abut_vec3 panel_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers, tau = 2.0 * ABUT_LAB_PI;
    (void)w;
    double wave =
        n[5] == 0.0 ? 0.0 : n[5] * abut_surface_sine(tau * (n[6] * u + n[8])) * abut_surface_cosine(tau * n[7] * v);
    return place(between(n[0], n[1], u), between(n[2], n[3], v), n[4] + wave);
}

/// Numbers: alpha, phi and height from and to.
static abut_vec3 slab_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers;
    return place(between(n[0], n[1], 0.5 * (u + 1.0)), between(n[2], n[3], 0.5 * (v + 1.0)),
                 between(n[4], n[5], 0.5 * (w + 1.0)));
}

/// A tube along alpha. Numbers: alpha from and to, phi, radius, height, height of waves, their number.
static abut_vec3 tube_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers;
    double x, y, t = 0.5 * (w + 1.0);
    abut_surface_disc(u, v, &x, &y);
    abut_vec3 across = abut_assembly_turn(abut_vec3_make(0.0, 0.0, 1.0), n[2]);
    double height = n[4] + n[5] * abut_surface_cosine(2.0 * ABUT_LAB_PI * n[6] * t);
    abut_vec3 point = place(between(n[0], n[1], t), n[2], height + n[3] * y);
    return abut_add_scaled(point, n[3] * x, across);
}

/// A straight or wavy tube. Numbers: both ends, radius, height of waves, their number.
static abut_vec3 rod_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers;
    double x, y, t = 0.5 * (w + 1.0);
    abut_surface_disc(u, v, &x, &y);
    abut_vec3 from = {n[0], n[1], n[2]}, way = {n[3] - n[0], n[4] - n[1], n[5] - n[2]};
    abut_vec3 along = abut_unit(way), first = abut_any_perpendicular(along), second = abut_cross(along, first);
    double wave = n[7] * abut_surface_sine(2.0 * ABUT_LAB_PI * n[8] * t);
    abut_vec3 point = abut_add_scaled(abut_add_scaled(from, t, way), n[6] * x + wave, first);
    return abut_add_scaled(point, n[6] * y, second);
}

/// A box with rounded sides, up to an ellipsoid. Numbers: alpha, phi and height of its middle; half its sizes along the
/// height, y and phi; how round it is, 0 to 1.
static abut_vec3 box_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers;
    double scale = between(1.0, 1.0 / sqrt(u * u + v * v + w * w), n[6]);
    abut_vec3 local = {n[3] * scale * u, n[4] * scale * v, n[5] * scale * w};
    return abut_add(place(n[0], n[1], n[2]), abut_assembly_turn(local, n[1]));
}

/// A square block with a hole along z, placed where the linkage ends. Numbers: middle x and y, z from and to, radius, half
/// the side. u goes around the hole, v around the section: hole, lower side, outside, upper side.
static abut_vec3 bracket_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers;
    (void)w;
    double angle = 2.0 * ABUT_LAB_PI * u, c = abut_surface_cosine(angle), s = abut_surface_sine(angle);
    double side = 4.0 * v, t = side - floor(side), outer = n[5] / fmax(fabs(c), fabs(s));
    int quarter = (int)side % 4;
    double radius = quarter == 0   ? n[4]
                    : quarter == 1 ? between(n[4], outer, t)
                    : quarter == 2 ? outer
                                   : between(outer, n[4], t);
    double z = quarter == 0   ? between(n[3], n[2], t)
               : quarter == 1 ? n[2]
               : quarter == 2 ? between(n[2], n[3], t)
                              : n[3];
    return abut_assembly_turn(abut_vec3_make(n[0] + radius * c, n[1] + radius * s, z), abut_assembly_last_turn);
}

/// A torus. Numbers: alpha, phi and height of its middle, both radii.
static abut_vec3 hose_at(const abut_surface_part *part, double u, double v, double w)
{
    const double *n = part->numbers, tau = 2.0 * ABUT_LAB_PI;
    (void)w;
    double from_axis = n[3] + n[4] * abut_surface_cosine(tau * v);
    abut_vec3 local = {from_axis * abut_surface_cosine(tau * u), from_axis * abut_surface_sine(tau * u),
                       n[4] * abut_surface_sine(tau * v)};
    return abut_add(place(n[0], n[1], n[2]), abut_assembly_turn(local, n[1]));
}

// ---- shapes

static void add_panel(abut_surface_builder *b, abut_surface_part part)
{
    double waves = fmax(fabs(part.numbers[5]), 1e-3), u = part.numbers[6], v = part.numbers[7];
    double width = profile * (part.numbers[1] - part.numbers[0]),
           way = equator * (part.numbers[3] - part.numbers[2]);
    double per_u = 2.0 * ABUT_LAB_PI * u / width, per_v = 2.0 * ABUT_LAB_PI * v / way;
    part.at = panel_at;
    part.bend[0] = 1.0 / (1.0 / profile + waves * per_u * per_u);
    part.bend[1] = 1.0 / (1.0 / (0.9 * equator) + waves * per_v * per_v);
    abut_surface_sheet(b, &part);
}

static void add_slab(abut_surface_builder *b, abut_surface_part part)
{
    part.at = slab_at;
    part.bend[0] = 0.9 * profile;
    part.bend[1] = 0.9 * equator;
    abut_surface_block(b, &part);
}

static void add_tube(abut_surface_builder *b, double alpha, double to, double phi, double radius, double height)
{
    abut_surface_part part = {.at = tube_at,
                              .bend = {radius, radius, 0.9 * profile},
                              .multiple = {4, 4, 1},
                              .numbers = {alpha, to, phi, radius, height, 0.0, 0.0}};
    abut_surface_block(b, &part);
}

/// The main tube of the linkage. It is bent up and down, and has vertices at all its highest and lowest points.
static void add_bent_tube(abut_surface_builder *b, double alpha, double radius, double waves, int number)
{
    double per = 2.0 * ABUT_LAB_PI * number / (2.0 * profile * alpha);
    abut_surface_part part = {.at = tube_at,
                              .bend = {radius, radius, 1.0 / ((waves + radius) * per * per)},
                              .multiple = {4, 4, 2 * number},
                              .numbers = {-alpha, alpha, 0.0, radius, 0.0, waves, number}};
    abut_surface_block(b, &part);
}

static void add_rod(abut_surface_builder *b, abut_vec3 from, abut_vec3 to, double radius, double waves,
                    double number)
{
    double per = 2.0 * ABUT_LAB_PI * number / abut_norm(abut_sub(to, from));
    abut_surface_part part = {.at = rod_at,
                              .bend = {radius, radius, waves > 0.0 ? 1.0 / ((waves + radius) * per * per) : 0.0},
                              .multiple = {4, 4, 1},
                              .numbers = {from.x, from.y, from.z, to.x, to.y, to.z, radius, waves, number}};
    abut_surface_block(b, &part);
}

static void add_box(abut_surface_builder *b, abut_vec3 at, abut_vec3 half, double round)
{
    double least = round > 0.0 ? fmin(half.x, fmin(half.y, half.z)) : 0.0;
    abut_surface_part part = {.at = box_at,
                              .bend = {least, least, least},
                              .multiple = {2, 2, 2},
                              .numbers = {at.x, at.y, at.z, half.x, half.y, half.z, round}};
    abut_surface_block(b, &part);
}

static void add_bracket(abut_surface_builder *b, double alpha)
{
    abut_vec3 middle = place(alpha, 0.0, 0.0);
    abut_surface_part part = {
        .at = bracket_at,
        .bend = {ABUT_ASSEMBLY_HOLE_RADIUS, 0.0, 0.0},
        .multiple = {16, 4, 1},
        .numbers = {middle.x, middle.y, hole_begin, hole_end, ABUT_ASSEMBLY_HOLE_RADIUS, 30.0}};
    abut_surface_ring(b, &part);
}

/// The linkage in its own frame, which is that of the car at turn 0. Its parts are welded in reality; here a millimetre of
/// air is left, so that no two simplices cross.
static void add_linkage(abut_surface_builder *b, int seed)
{
    add_bent_tube(b, 0.13, THICKNESS - 5.0, 5.0, 6);
    add_box(b, abut_vec3_make(0.0, -0.055, 0.0), abut_vec3_make(11.0, 60.0, 35.0), 0.6);
    for (int side = -1; side <= 1; side += 2) {
        abut_vec3 peg = place(side * peg_alpha, 0.0, 0.0);
        add_rod(b, abut_vec3_make(peg.x, peg.y, peg_begin), abut_vec3_make(peg.x, peg.y, peg_end),
                ABUT_ASSEMBLY_PEG_RADIUS, 0.0, 0.0);
        add_panel(b, (abut_surface_part){.numbers = {side * 0.1 - 0.005, side * 0.1 + 0.005, 0.014, 0.08, 0.0, 5.0,
                                                     0.5, 0.5, 0.0}});
        add_tube(b, side > 0 ? 0.03 : -0.12, side > 0 ? 0.12 : -0.03, -0.05, 5.0,
                 2.0 * abut_assembly_chance(seed, 1));
    }
    add_tube(b, -0.0513, 0.0513, 0.05, 5.0, 0.0);
}

/// Whole fronts: panels of the body.
static void add_body_panel(abut_surface_builder *b, int shape, int seed)
{
    double phase = abut_assembly_chance(seed, 2);
    const double rows[][9] = {
        [1] = {-0.16, 0.16, 0.0, 0.44, -gap, 0.0, 0.0, 0.0, 0.0},
        [3] = {-0.16, 0.16, -0.45, -0.04, -gap - 12.0, 0.0, 0.0, 0.0, 0.0},
        [4] = {-0.15, 0.15, 0.02, 0.34, gap + 45.0, 8.0, 12.0, 3.0, phase},
        [5] = {-0.16, 0.16, 0.0, 0.66, -gap - 45.0, 7.0, 9.0, 6.0, phase},
        [6] = {-0.205, -0.1375, -0.3, 0.7, 20.0, 15.0, 0.5, 1.0, 0.0},
        [7] = {0.1375, 0.205, -0.3, 0.7, 20.0, 15.0, 0.5, 1.0, 0.0},
        [19] = {-0.13, 0.13, 0.46, 0.56, gap + 15.0, 6.0, 30.0, 1.0, phase},
        [24] = {-0.13, 0.13, 0.5, 0.63, -16.5, 0.0, 0.0, 0.0, 0.0},
    };
    abut_surface_part part = {.at = NULL};
    for (int i = 0; i < 9; ++i) {
        part.numbers[i] = rows[shape][i];
    }
    add_panel(b, part);
}

/// Solids: boxes, rods and slabs around the linkage.
static void add_solid(abut_surface_builder *b, int shape, int seed)
{
    double sway = 20.0 + 20.0 * abut_assembly_chance(seed, 3);
    switch (shape) {
    case 2: add_slab(b, (abut_surface_part){.numbers = {-0.16, 0.16, 0.0, 0.44, gap, gap + 20.0}}); break;
    case 8: add_box(b, abut_vec3_make(-0.17, 0.2, -90.0), abut_vec3_make(40.0, 25.0, 450.0), 0.0); break;
    case 9: add_box(b, abut_vec3_make(0.17, 0.2, -90.0), abut_vec3_make(40.0, 25.0, 450.0), 0.0); break;
    case 12: add_tube(b, -0.15, 0.15, 0.3, 30.0, -130.0); break;
    case 13: add_box(b, abut_vec3_make(0.03, 0.8, -120.0), abut_vec3_make(60.0, 110.0, 80.0), 0.3); break;
    case 14: add_box(b, abut_vec3_make(-0.08, 0.85, -130.0), abut_vec3_make(100.0, 120.0, 120.0), 1.0); break;
    case 15: add_box(b, abut_vec3_make(0.1, 0.9, -150.0), abut_vec3_make(80.0, 75.0, 100.0), 0.0); break;
    case 16: add_rod(b, place(-0.15, 0.45, -gap - 75.0), place(0.15, 0.45, -gap - 75.0), 8.0, sway, 4.0); break;
    case 18: add_slab(b, (abut_surface_part){.numbers = {-0.15, 0.15, 0.1, 0.3, -gap - 75.0, -gap - 63.0}}); break;
    case 22: add_box(b, abut_vec3_make(0.0, 0.7, -260.0), abut_vec3_make(40.0, 200.0, 160.0), 0.2); break;
    case 23: add_tube(b, -0.14, 0.14, 0.6, 15.0, 60.0); break;
    default:
        add_box(b, abut_vec3_make(0.0, abut_assembly_last_turn + 0.072, 0.0), abut_vec3_make(20.0, 20.0, 12.0),
                0.0);
    }
}

static void add_arch(abut_surface_builder *b, double alpha)
{
    abut_surface_part part = {.at = hose_at,
                              .bend = {250.0, 25.0, 0.0},
                              .multiple = {4, 4, 1},
                              .numbers = {alpha, 0.25, -420.0, 250.0, 25.0}};
    abut_surface_ring(b, &part);
}

void abut_assembly_add_shape(abut_surface_builder *builder, int shape, int seed)
{
    switch (shape) {
    case 0: add_linkage(builder, seed); break;
    case 1:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 19:
    case 24: add_body_panel(builder, shape, seed); break;
    case 10: add_bracket(builder, -peg_alpha); break;
    case 11: add_bracket(builder, peg_alpha); break;
    case 17: {
        abut_surface_part hose = {.at = hose_at,
                                  .bend = {150.0, 20.0, 0.0},
                                  .multiple = {4, 4, 1},
                                  .numbers = {-0.02, 0.5, -240.0, 150.0, 20.0}};
        abut_surface_ring(builder, &hose);
        break;
    }
    case 20: add_arch(builder, -0.2); break;
    case 21: add_arch(builder, 0.2); break;
    default: add_solid(builder, shape, seed);
    }
}
