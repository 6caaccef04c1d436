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
Pair = struct(size=size, a=p, b=p, pose_a=d * 7, pose_b=d * 7, method=p, params=p)
View = struct(items=p, count=i)
Result = struct(size=size, contacts=View)  # and more, which is not needed here
anchor = [("vertices", "4i4"), ("weights", "4f8")]
contact = np.dtype([("position_a", "3f8"), ("position_b", "3f8"), ("position", "3f8"), ("normal", "3f8"), ("gap", "f8"),
                    ("normal_speed", "f8"), ("time", "f8"), ("feature_a", "5i4"), ("feature_b", "5i4"),
                    ("normal_feature", "5i4"), ("normal_side", "i4"), ("anchor_a", anchor), ("anchor_b", anchor),
                    ("rule", "i4"), ("region", "i4"), ("flags", "u4"), ("id", "u8")], align=True)

abut.abut_mesh_pair_default.restype = Pair
abut.abut_answer_result.restype = c.POINTER(Result)
error = Error()

def check(status):
    if status:
        sys.exit("contacts.py: " + error.text.decode())

def read(path):
    mesh = p()
    check(abut.abut_mesh_read(None, path.encode(), 0, c.byref(mesh), c.byref(error)))
    return mesh

paths = sys.argv[2:] or [os.path.join(os.path.dirname(__file__), name) for name in ("block.obj", "spike.obj")]
pair, answer = abut.abut_mesh_pair_default(*map(read, paths)), p()
check(abut.abut_find_mesh_contacts(None, c.byref(pair), c.byref(answer), c.byref(error)))
contacts = abut.abut_answer_result(answer).contents.contacts
items = (c.c_char * (contacts.count * contact.itemsize)).from_address(contacts.items or 0)
for one in np.frombuffer(items, contact):
    print("at", *one["position"], "normal", *one["normal"], "gap", one["gap"])
