// SPDX-License-Identifier: MIT
// consumer.cpp: a user's C++ program; the hull of the unit cube's corners and its centre has the volume 1
#include <abut/abut.h>
#include <cmath>
#include <iostream>
#include <vector>

int main()
{
    std::vector<abut_vec3> points{{0.5, 0.5, 0.5}};
    for (int i = 0; i < 8; ++i) {
        points.push_back(abut_vec3_make(i & 1, (i >> 1) & 1, (i >> 2) & 1));
    }
    abut_mesh *hull = nullptr;
    abut_error error;
    if (abut_hull_create(nullptr, points.data(), static_cast<int>(points.size()), &hull, nullptr, &error) !=
        ABUT_OK) {
        std::cerr << error.text << '\n';
        return 1;
    }
    double volume = abut_mesh_get_info(hull).volume;
    abut_mesh_destroy(hull);
    std::cout << "abut " << abut_version() << ", volume " << volume << '\n';
    return std::abs(volume - 1.0) < 1e-12 ? 0 : 1;
}
