#!/bin/sh
# SPDX-License-Identifier: MIT
# sysroot.sh: unpacks the libraries that abut and its tests need, for another architecture, from Debian's packages
#
# usage: tools/sysroot.sh ARCHITECTURE DIR
#
# The packages come from where this system has its own from. They are unpacked and not installed, so the system's own
# packages and architectures stay as they are. Used by cmake/arm64.cmake.
set -eu
if [ $# -ne 2 ]; then
    echo "usage: tools/sysroot.sh ARCHITECTURE DIR" >&2
    exit 2
fi
packages="libc6-dev libgcc-12-dev libgomp1 libqhull-dev libjansson-dev libhdf5-dev libcmocka-dev libgmp-dev"

mkdir -p "$2"
root=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# apt with lists and archives of its own, and no package installed
mkdir -p "$scratch/lists/partial" "$scratch/archives/partial"
: >"$scratch/status"
cat >"$scratch/apt.conf" <<END
APT::Architecture "$1";
APT::Architectures { "$1"; };
APT::Sandbox::User "root";
Dir::State::lists "$scratch/lists";
Dir::State::status "$scratch/status";
Dir::Cache "$scratch";
END
APT_CONFIG=$scratch/apt.conf
export APT_CONFIG
apt-get -q update
apt-get -q --yes --no-install-recommends --download-only install $packages

# /lib is a link to /usr/lib, as on an installed system
mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/usr/sbin"
for name in lib bin sbin; do
    ln -sfn usr/$name "$root/$name"
done
for package in "$scratch"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar --extract --directory "$root" --keep-directory-symlink
done
# The package of HDF5 makes this link when it is installed.
for file in "$root"/usr/lib/*/pkgconfig/hdf5-serial.pc; do
    ln -sfn hdf5-serial.pc "$(dirname "$file")/hdf5.pc"
done
