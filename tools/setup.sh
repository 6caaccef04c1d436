#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh: installs what is missing from Debian's packages
#
# usage: tools/setup.sh [--list|--verbose] assess|bench|docs|package|test|viewer
#
# --list only prints the packages. If all are installed the script ends at once; with --verbose it says so. What only
# `abut view` and some tests need is also taken from elsewhere (a node of one's own), and a failure to install it is not
# an error: the build leaves the viewer out, and those tests say so and are skipped.
# docs/dependencies.md tells why each package is needed.
set -eu

usage() {
    echo "usage: tools/setup.sh [--list|--verbose] assess|bench|docs|package|test|viewer" >&2
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
extras="libmicrohttpd-dev"
case $1 in
assess) ;;
bench) packages="$packages g++ libassimp-dev libccd-dev libbullet-dev libfcl-dev libode-dev libmujoco-dev" extras= ;;
docs) packages="doxygen" extras= ;;
package) packages="$packages debhelper dpkg-dev lintian" extras= ;;
test)
    packages="$packages g++ libcmocka-dev libgmp-dev libopenmpi-dev openmpi-bin tetgen mandoc python3 python3-numpy"
    extras="nodejs npm libmicrohttpd-dev chromium python3-vtk9"
    ;;
viewer) extras="nodejs npm libmicrohttpd-dev" ;;
*) usage ;;
esac

if [ $list_only -eq 1 ]; then
    printf '%s\n' $packages $extras
    exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    # The configure step that follows will name what it does not find.
    echo "abut: this is not a Debian system; install these packages, given by their Debian names: $packages $extras" >&2
    exit 0
fi

installed=$(dpkg-query --show --showformat='${db:Status-Abbrev}${Package}\n' $packages $extras 2>/dev/null || true)
# is_installed PACKAGE
is_installed() {
    case "
$installed
" in
    *"
ii $1
"*) return 0 ;;
    esac
    return 1
}
missing=
for package in $packages; do
    is_installed "$package" || missing="$missing $package"
done
extra=
for package in $extras; do
    is_installed "$package" || command -v "${package%js}" >/dev/null || extra="$extra $package"
done
if [ -z "$missing$extra" ]; then
    [ $verbose -eq 0 ] || echo "abut: nothing to install, all packages are installed"
    exit 0
fi

root=
if [ "$(id -u)" -ne 0 ]; then
    root=sudo
    # Without a terminal nobody can type a password, so sudo must work without one.
    if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
        echo "abut: please install as root: apt-get install --no-install-recommends$missing$extra" >&2
        [ -z "$missing" ] && exit 0
        exit 2
    fi
fi

apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
# install PACKAGE...
install() {
    echo "abut: installing from Debian's packages: $*"
    # A new system has no package lists; old lists may name files that the mirror no longer has.
    if ! apt-cache show "$@" >/dev/null 2>&1; then
        apt update
    fi
    apt install --yes --no-install-recommends "$@" || { apt update && apt install --yes --no-install-recommends "$@"; }
}
[ -z "$missing" ] || install $missing
[ -z "$extra" ] || install $extra || echo "abut: these could not be installed, so abut view or some tests are left out:$extra" >&2
