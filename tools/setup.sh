#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh: installs what is missing from Debian's packages
#
# usage: tools/setup.sh [--list|--verbose] assess|bench|docs|package|test
#
# --list only prints the packages. If all are installed the script ends at once; with --verbose it says so.
# docs/dependencies.md tells why each package is needed.
set -eu

usage() {
    echo "usage: tools/setup.sh [--list|--verbose] assess|bench|docs|package|test" >&2
    exit 2
}

list_only=0
verbose=0
case ${1-} in
--list) list_only=1 && shift ;;
--verbose) verbose=1 && shift ;;
esac
[ $# -eq 1 ] || usage

packages="gcc libc6-dev cmake pkg-config libqhull-dev libjansson-dev libhdf5-dev"
case $1 in
assess) ;;
bench) packages="$packages g++ libassimp-dev libccd-dev libbullet-dev libfcl-dev libode-dev libmujoco-dev" ;;
docs) packages="doxygen" ;;
package) packages="$packages debhelper dpkg-dev lintian" ;;
test) packages="$packages g++ libcmocka-dev libgmp-dev libopenmpi-dev openmpi-bin tetgen mandoc python3 python3-numpy" ;;
*) usage ;;
esac

if [ $list_only -eq 1 ]; then
    printf '%s\n' $packages
    exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # Not Debian: the configure step that follows says what it does not find.
    echo "abut: this is not a Debian system; needed are, by their Debian names: $packages" >&2
    exit 0
fi

installed=$(dpkg-query --show --showformat='${db:Status-Abbrev}${Package}\n' $packages 2>/dev/null || true)
missing=
for package in $packages; do
    case "
$installed
" in
    *"
ii $package
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
if [ -z "$missing" ]; then
    [ $verbose -eq 0 ] || echo "abut: nothing to install, all packages are there"
    exit 0
fi

root=
if [ "$(id -u)" -ne 0 ]; then
    root=sudo
    # Where nobody can type a password, sudo must work without one.
    if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
        echo "abut: please install as root: apt-get install --no-install-recommends$missing" >&2
        exit 2
    fi
fi

echo "abut: installing from Debian's packages:$missing"
apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
# A new system has no package lists; old lists may name files that the mirror no longer has.
if ! apt-cache show $missing >/dev/null 2>&1; then
    apt update
fi
if ! apt install --yes --no-install-recommends $missing; then
    apt update
    apt install --yes --no-install-recommends $missing
fi
