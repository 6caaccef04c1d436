#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh: builds the Debian packages from a copy of the tree, checks them, and compiles the example against them
#
# usage: tools/package.sh DIR
#
# DIR gets the packages. Nothing is installed: they are unpacked below DIR for the example.
set -eu
if [ $# -ne 1 ]; then
    echo "usage: tools/package.sh DIR" >&2
    exit 2
fi
cd "$(dirname "$0")/.."
rm -rf "$1"
mkdir -p "$1/source" "$1/root"
directory=$(cd "$1" && pwd)
tar --create --exclude=./.git --exclude='./build*' . | tar --extract --directory "$directory/source"

(cd "$directory/source" && dpkg-buildpackage --unsigned-source --unsigned-changes --build=binary --jobs-try=auto) \
    >"$directory/log" 2>&1 || {
    tail -n 40 "$directory/log"
    echo "package.sh: the build failed, see $directory/log" >&2
    exit 1
}
lintian --allow-root --fail-on error,warning "$directory"/*.changes

root=$directory/root
for package in "$directory"/*.deb; do
    dpkg-deb --extract "$package" "$root"
done
libraries=$(dirname "$(find "$root" -name 'libabut.so')")
example=$directory/contacts
# The flags are words to be split.
cc examples/contacts.c -o "$example" $(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config --cflags --libs abut)
LD_LIBRARY_PATH=$libraries
export LD_LIBRARY_PATH
"$root/usr/bin/abut" --version
# The spike stands on the point (0.5, 1.5, 1) of the block.
"$example" examples/block.obj examples/spike.obj | grep "^at 0.5 1.5 1, normal "
ls "$directory"/*.deb
