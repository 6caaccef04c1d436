#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contacts.py: the contacts of two mesh files, or of one box on another, by ctypes and numpy.

usage: contacts.py libabut.so [A.obj B.obj]
"""
import ctypes as c
import sys

import numpy as np


def struct(**fields):  # in the order of include/abut/*.h
    return type("Struct", (c.Structure,), {"_fields_": list(fields.items())})


p, i, d, size = c.c_void_p, c.c_int, c.c_double, c.c_size_t
Error = struct(status=i, line=c.c_int64, element=c.c_int64, text=c.c_char * 256)
Length = struct(value=d, is_relative=i)
Params = struct(size=size, lengths=Length * 3, angle=d, flags=c.c_uint32, options=p, option_count=i)
MeshDef = struct(size=size, vertices=p, vertex_count=i, points=p, point_count=i, segments=p, segment_count=i,
                 face_offsets=p, face_vertices=p, face_count=i, tets=p, tet_count=i, precision=i)
ShapeDef = struct(size=size, mesh=p, dilation=d, offset=d)
Side = struct(shape=p, instance=p, pose_and_velocity=d * 13, end_pose=p, key=c.c_uint64)
Pair = struct(size=size, a=Side, b=Side, dt=d, memory=p)
Array = struct(items=p, capacity=i, count=i, required=i)
Result = struct(size=size, contacts=Array, others=Array * 7, stats=c.c_int64 * 9, error=Error)
feature, anchor = "5i4", np.dtype([("vertices", "4i4"), ("weights", "4f8")])
contact = np.dtype([("position_a", "3f8"), ("position_b", "3f8"), ("position", "3f8"), ("normal", "3f8"), ("gap", "f8"),
                    ("normal_speed", "f8"), ("time", "f8"), ("feature_a", feature), ("feature_b", feature),
                    ("normal_feature", feature), ("normal_side", "i4"), ("anchor_a", anchor), ("anchor_b", anchor),
                    ("rule", "i4"), ("region", "i4"), ("flags", "u4"), ("id", "u8")], align=True)

if len(sys.argv) not in (2, 4):
    sys.exit(__doc__)
abut, error, method = c.CDLL(sys.argv[1]), Error(), None
for name, kind in dict(params=Params, mesh_def=MeshDef, shape_def=ShapeDef, pair=Pair, result=Result).items():
    getattr(abut, f"abut_{name}_default").restype = kind
abut.abut_pair_default.argtypes = p, p
abut.abut_method_find.restype = p


def check(status, failure):
    if status != 0:
        sys.exit("contacts.py: " + failure.text.decode())


def shape_of(mesh):
    shape, definition = p(), abut.abut_shape_def_default()
    definition.mesh = mesh
    check(abut.abut_shape_create(None, c.byref(definition), c.byref(shape), c.byref(error)), error)
    check(abut.abut_shape_prepare(shape, method, c.byref(params), c.byref(error)), error)
    return shape


def box(lower, upper):
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=np.float64)
    corners = lower + corners * np.subtract(upper, lower)
    mesh = p()
    check(abut.abut_hull_create(None, corners.ctypes.data_as(p), 8, c.byref(mesh), None, c.byref(error)), error)
    return mesh
