#!/bin/sh
# SPDX-License-Identifier: MIT
# format.sh: formats all C files in place; with --check it only names those that are not formatted
#
# Versions of clang-format disagree with each other, so only that of Debian 12 is used. If it is missing, --check ends
# with 77, which ctest counts as skipped.
set -eu
cd "$(dirname "$0")/.."
version=14

find_tool() {
    for name in clang-format-$version clang-format; do
        if command -v $name >/dev/null && $name --version | grep -q "version $version\."; then
            echo $name
            return
        fi
    done
}

tool=$(find_tool)
check=0
if [ "${1-}" = --check ]; then
    check=1
fi
if [ -z "$tool" ]; then
    echo "abut: clang-format $version is missing (Debian 12: apt-get install clang-format)" >&2
    [ $check -eq 1 ] && exit 77
    exit 2
fi
files=$(find bench cli examples include lab peers src test -name "*.[ch]" -o -name "*.cpp")
if [ $check -eq 1 ]; then
    $tool --dry-run -Werror $files
else
    $tool -i $files
fi
