// SPDX-License-Identifier: MIT
// middle.h: the median of an array
#ifndef ABUT_CHECK_MIDDLE_H
#define ABUT_CHECK_MIDDLE_H

#include <math.h>

/// The median of `count` > 0 values, by quickselect with the median of three as pivot. Changes their order.
static inline double abut_middle(double *values, int count)
{
    int begin = 0, end = count - 1, middle = count / 2;
    while (begin < end) {
        double a = values[begin], b = values[begin + (end - begin) / 2], c = values[end];
        double pivot = fmax(fmin(a, b), fmin(fmax(a, b), c));
        int low = begin, high = end;
        while (low <= high) {
            while (values[low] < pivot) {
                ++low;
            }
            while (values[high] > pivot) {
                --high;
            }
            if (low <= high) {
                double kept = values[low];
                values[low++] = values[high];
                values[high--] = kept;
            }
        }
        if (middle <= high) {
            end = high;
        } else if (middle >= low) {
            begin = low;
        } else {
            break;
        }
    }
    return values[middle];
}

#endif
