// SPDX-License-Identifier: MIT
// paper_spin.c: the results of Yi and Drumwright 2016 for bodies that spin without slip
//
// Source:  Yi and Drumwright 2016, sections V-B and V-C, Table II.
#include <abut-lab/paper.h>

#include <math.h>
#include <string.h>

#define UNKNOWN ((double)NAN)

static const abut_paper_spin SPINS[] = {
    // "abruptly stops spinning after approximately 8 ms", "maintains kinetic energy perfectly through at least five
    // seconds"
    {"spinning-sphere", 50, 0.001, "stops", 0.008},
    {"spinning-sphere", 100, 0.001, "keeps", UNKNOWN},
    // "With dt = 0.01, even a 2,000-vertex sphere does not conserve energy"
    {"spinning-sphere", 2000, 0.01, "loses", UNKNOWN},
    // "unable to attain a solution that conserves energy"
    {"rolling-spheres", 50, UNKNOWN, "loses", UNKNOWN},
    {"rolling-spheres", 100, UNKNOWN, "loses", UNKNOWN},
    {"rolling-spheres", 200, UNKNOWN, "loses", UNKNOWN},
    {"rolling-spheres", 1000, UNKNOWN, "loses", UNKNOWN},
};

const abut_paper_spin *abut_paper_find_spin(const char *scene, int vertices, double dt, double radius)
{
    for (size_t i = 0; i < sizeof SPINS / sizeof SPINS[0]; ++i) {
        const abut_paper_spin *spin = &SPINS[i];
        if (strcmp(spin->scene, scene) == 0 && spin->vertices == vertices && radius == 1.0 &&
            (isnan(spin->dt) || spin->dt == dt)) {
            return spin;
        }
    }
    return NULL;
}

const abut_paper_profile *abut_paper_profiles(int *count)
{
    // The percentages of the second row add up to more than 100, as printed in the paper.
    static const abut_paper_profile profiles[] = {
        {"spinning-box", 8, 8, 1.3, 16.2, 47.7},
        {"spinning-sphere", 8, 200, 18.0, 75.2, 26.8},
        {"rolling-spheres", 200, 200, 370.0, 94.8, 1.7},
    };
    *count = (int)(sizeof profiles / sizeof profiles[0]);
    return profiles;
}
