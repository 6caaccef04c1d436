#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contacts.py: the contacts of two mesh files, or of a spike on a block, by ctypes and numpy

usage: contacts.py libabut.so [A.obj B.obj], for example with build/release/src/libabut.so"""
import ctypes as c
import os
import sys

if len(sys.argv) not in (2, 4):
    sys.exit(__doc__)
try:
    import numpy as np
except ImportError:
    sys.exit("contacts.py: needs numpy; on Debian it is the package python3-numpy, for /usr/bin/python3")
try:
    abut = c.CDLL(os.path.abspath(sys.argv[1]) if os.path.exists(sys.argv[1]) else sys.argv[1])
except OSError as reason:
    sys.exit(f"contacts.py: {reason}")

def struct(**fields):  # fields as in include/abut/*.h
    return type("struct", (c.Structure,), {"_fields_": list(fields.items())})

p, d, i, u64, size = c.c_void_p, c.c_double, c.c_int32, c.c_uint64, c.c_size_t
Error = struct(status=i, line=c.c_int64, element=c.c_int64, text=c.c_char * 256)
ShapeDef = struct(size=size, mesh=p, dilation=d, offset=d)
Side = struct(shape=p, instance=p, pose_and_velocity=d * 13, end_pose=p, key=u64)
Pair = struct(size=size, a=Side, b=Side, dt=d, memory=p)
Array = struct(items=p, capacity=i, count=i, required=i)
Result = struct(size=size, contacts=Array, others=Array * 7, stats=c.c_int64 * 10, error=Error)
anchor = [("vertices", "4i4"), ("weights", "4f8")]
contact = np.dtype([("position_a", "3f8"), ("position_b", "3f8"), ("position", "3f8"), ("normal", "3f8"), ("gap", "f8"),
                    ("normal_speed", "f8"), ("time", "f8"), ("feature_a", "5i4"), ("feature_b", "5i4"),
                    ("normal_feature", "5i4"), ("normal_side", "i4"), ("anchor_a", anchor), ("anchor_b", anchor),
                    ("rule", "i4"), ("region", "i4"), ("flags", "u4"), ("id", "u8")], align=True)

for name, kind in dict(shape_def=ShapeDef, pair=Pair, result=Result).items():
    getattr(abut, f"abut_{name}_default").restype = kind
abut.abut_method_find.restype = p
method, workspace, error, result = p(abut.abut_method_find(b"regions")), p(), Error(), abut.abut_result_default()

def check(status, error=error):
    if status:
        sys.exit("contacts.py: " + error.text.decode())

def shape(path):
    definition, out = abut.abut_shape_def_default(), p()
    check(abut.abut_mesh_read(None, path.encode(), 0, c.byref(out), c.byref(error)))
    definition.mesh, out = out, p()
    check(abut.abut_shape_create(None, c.byref(definition), c.byref(out), c.byref(error)))
    check(abut.abut_shape_prepare(out, method, None, c.byref(error)))
    return out

paths = sys.argv[2:] or [os.path.join(os.path.dirname(__file__), name) for name in ("block.obj", "spike.obj")]
pair = abut.abut_pair_default(*map(shape, paths))
check(abut.abut_workspace_create(None, c.byref(workspace)))
query = c.byref(pair), method, None, workspace, c.byref(result)
if abut.abut_find_contacts(*query) == 1:  # ABUT_TRUNCATED: make room for all, then ask again
    abut.abut_result_reserve(None, c.byref(result))
    abut.abut_find_contacts(*query)
check(result.error.status, result.error)
items = (c.c_char * (result.contacts.count * contact.itemsize)).from_address(result.contacts.items or 0)
for one in np.frombuffer(items, contact):
    print("at", *one["position"], "normal", *one["normal"], "gap", one["gap"])
