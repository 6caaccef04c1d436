#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""particle_maps.py: where a particle on a plane with a perturbed penalty stiffness stays stable

A particle of 1 kg is dropped from 0.1 m onto a plane with the stiffness 10 kN/m (1 + amplitude sin(2 pi frequency t)), in steps
of 2 ms: the example of Tang et al. 2012, section 3.6, which gives no frequency. Symplectic Euler takes the force at the start
of a step; the continuous force is the mean over the predicted path. A run is unstable if the particle rises above twice its
first height within 20 s. Prints, for each frequency, the largest amplitude up to which all runs are stable, and with --out
draws both maps as SVG.
"""
import argparse
import math

HEIGHT, DT, STIFFNESS, GRAVITY, STEPS = 0.1, 0.002, 1e4, 9.81, 10000


def is_stable(is_continuous, frequency, amplitude):
    x, v = HEIGHT, 0.0
    omega = 2.0 * math.pi * frequency
    for i in range(STEPS):
        k = STIFFNESS * (1.0 + amplitude * math.sin(omega * i * DT))
        v -= DT * GRAVITY
        if is_continuous:
            end = x + DT * v
            if x < 0.0 and end < 0.0:
                depth = -0.5 * (x + end)
            elif x < 0.0:
                depth = 0.5 * x * x / (end - x)  # until it leaves
            elif end < 0.0:
                depth = 0.5 * end * end / (x - end)  # from where it enters
            else:
                depth = 0.0
        else:
            depth = max(-x, 0.0)
        v += DT * k * depth
        x += DT * v
        if x > 2.0 * HEIGHT:
            return False
    return True


def limit(is_continuous, frequency, amplitudes):
    last = 0.0
    for amplitude in amplitudes:
        if not is_stable(is_continuous, frequency, amplitude):
            return last
        last = amplitude
    return last


def draw(path, frequencies, amplitudes, maps):
    cell, gap = 6, 40
    wide = cell * len(frequencies)
    tall = cell * len(amplitudes)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">' %
           (2 * wide + 3 * gap, tall + 2 * gap)]
    for m, (name, limits) in enumerate(maps):
        left = gap + m * (wide + gap)
        out.append('<text x="%d" y="24">%s</text>' % (left, name))
        for i, height in enumerate(limits):
            count = sum(1 for a in amplitudes if a <= height)
            out.append('<rect x="%d" y="%d" width="%d" height="%d" fill="#4a7ab5"/>' %
                       (left + cell * i, gap + tall - cell * count, cell, cell * count))
        out.append('<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#888"/>' % (left, gap, wide, tall))
        out.append('<text x="%d" y="%d">%g to %g Hz; amplitude 0 to 100 %%; filled: stable</text>' %
                   (left, gap + tall + 16, frequencies[0], frequencies[-1]))
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def main():
    parser = argparse.ArgumentParser(description="stability of a particle on a plane with a perturbed stiffness")
    parser.add_argument("--out", help="draw the maps to this SVG file")
    parser.add_argument("--count", type=int, default=25, help="frequencies from 1 to 250 Hz, the highest that 2 ms resolve")
    arguments = parser.parse_args()
    frequencies = [250.0 ** (i / (arguments.count - 1)) for i in range(arguments.count)]
    amplitudes = [0.05 * i for i in range(1, 21)]
    maps = [(name, [limit(c, f, amplitudes) for f in frequencies])
            for c, name in ((False, "symplectic Euler"), (True, "continuous force"))]
    print("frequency, largest stable amplitude in %: symplectic Euler, continuous")
    for f, a, b in zip(frequencies, maps[0][1], maps[1][1]):
        print("%7.1f %5.0f %5.0f" % (f, 100 * a, 100 * b))
    if arguments.out:
        draw(arguments.out, frequencies, amplitudes, maps)


if __name__ == "__main__":
    main()
