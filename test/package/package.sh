#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh: installs abut and uses it as a user does, one way per call
#
# usage: package.sh WAY; the environment names SOURCE, BINARY (build tree), SCRATCH, CMAKE, CC, CXX, LAUNCHER.
#
# install              installs the build to SCRATCH/shared; its libraries export what the headers declare, and nothing else
# find-package         builds and runs the consumers against it with CMake
# pkg-config           the same with the compiler alone
# plugin               builds the example of a plug-in as docs/adding-a-method.md says, and uses it
# fetch-content        builds abut as a part of the consumer, without options, and installs that to SCRATCH/static
# static-find-package  as find-package, against the static library; also from a project that knows no C
# static-pkg-config    as pkg-config, against the static library
# headers              every public header alone, and all of them in newer C and C++
set -eu
consumer=$SOURCE/test/package/consumer

# run DIR PROGRAM...: all must be there and return 0
run() {
    directory=$1
    shift
    for program in "$@"; do
        "$directory/$program"
    done
}

# cmake_build NAME ARGUMENT...: configures and builds the consumer in SCRATCH/NAME, from nothing
cmake_build() {
    directory=$SCRATCH/$1
    shift
    rm -rf "$directory"
    "$CMAKE" -S "$consumer" -B "$directory" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
        -DCMAKE_C_COMPILER_LAUNCHER="$LAUNCHER" "$@"
    "$CMAKE" --build "$directory" --parallel 2
}

# pkg_config_build NAME PREFIX
pkg_config_build() {
    directory=$SCRATCH/$1
    rm -rf "$directory"
    mkdir -p "$directory"
    PKG_CONFIG_PATH=$(dirname "$(find "$2" -name abut.pc)")
    export PKG_CONFIG_PATH
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir abut) # as the README says for a prefix of one's own
    export LD_LIBRARY_PATH
    # The flags are words to be split.
    "$CC" "$consumer/consumer.c" -o "$directory/consumer_c" $(pkg-config --cflags --libs abut)
    "$CXX" "$consumer/consumer.cpp" -std=c++11 -o "$directory/consumer_cpp" $(pkg-config --cflags --libs abut)
    run "$directory" consumer_c consumer_cpp
    if pkg-config --exists abut-lab; then
        "$CC" "$consumer/consumer_lab.c" -o "$directory/consumer_lab" $(pkg-config --cflags --libs abut-lab)
        run "$directory" consumer_lab
    fi
}

# headers_of DIR: names as in an #include
headers_of() {
    (cd "$1" && find . -name '*.h' | sed 's|^\./||' | sort)
}

case $1 in
install)
    rm -rf "$SCRATCH/shared"
    "$CMAKE" --install "$BINARY" --prefix "$SCRATCH/shared"
    "$SCRATCH/shared/bin/abut" --version
    [ -s "$SCRATCH/shared/share/man/man1/abut.1" ]
    [ -s "$SCRATCH/shared/share/bash-completion/completions/abut" ]
    grep -rhoE 'abut_[a-z0-9_]+' "$SCRATCH/shared/include" | sort -u >"$SCRATCH/declared"
    for library in $(find "$SCRATCH/shared" -name 'libabut*.so'); do
        nm -D --defined-only "$library" | awk '{print $3}' | sort >"$SCRATCH/exported"
        [ -s "$SCRATCH/exported" ]
        if comm -13 "$SCRATCH/declared" "$SCRATCH/exported" | grep .; then
            echo "package.sh: $library exports what no header declares" >&2
            exit 1
        fi
    done
    ;;
find-package)
    # Who links the shared library needs none of the packages it was built with.
    cmake_build find-package -DCMAKE_PREFIX_PATH="$SCRATCH/shared" -DCMAKE_DISABLE_FIND_PACKAGE_Qhull=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
    run "$SCRATCH/find-package" consumer_c consumer_cpp consumer_lab
    ;;
pkg-config)
    pkg_config_build pkg-config "$SCRATCH/shared"
    ;;
plugin)
    # What docs/adding-a-method.md says, line by line, in a copy of the example and with the installed library and command.
    directory=$SCRATCH/plugin
    rm -rf "$directory"
    mkdir -p "$directory"
    cp "$SOURCE"/examples/plugin/* "$SOURCE"/examples/*.obj "$directory"
    PKG_CONFIG_PATH=$(dirname "$(find "$SCRATCH/shared" -name abut.pc)")
    CMAKE_PREFIX_PATH=$SCRATCH/shared
    PATH=$SCRATCH/shared/bin:$(dirname "$CMAKE"):$PATH
    export PKG_CONFIG_PATH CMAKE_PREFIX_PATH PATH CC
    sed -n '/^## As a plug-in/,$p' "$SOURCE/docs/adding-a-method.md" | sed -n '/^```sh$/,/^```$/p' | grep -v '^```' >"$directory/page.sh"
    grep -q 'cc -shared' "$directory/page.sh"
    (cd "$directory" && sh -eux page.sh) >"$directory/output"
    # three times in rows: methods and two assessments; and the spike's one contact with the block
    grep '^vertex-proximity ' "$directory/output"
    [ "$(grep -c '^vertex-proximity, touching: ' "$directory/output")" -eq 2 ]
    grep '1 contact$' "$directory/output"
    ;;
fetch-content)
    cmake_build fetch-content -DFETCH=ON -DFETCHCONTENT_SOURCE_DIR_ABUT="$SOURCE" -DABUT_INSTALL=ON
    run "$SCRATCH/fetch-content" consumer_c consumer_cpp
    rm -rf "$SCRATCH/static"
    "$CMAKE" --install "$SCRATCH/fetch-content" --prefix "$SCRATCH/static"
    ;;
static-find-package)
    cmake_build static-find-package -DCMAKE_PREFIX_PATH="$SCRATCH/static"
    run "$SCRATCH/static-find-package" consumer_c consumer_cpp
    cmake_build static-find-package-cxx -DCMAKE_PREFIX_PATH="$SCRATCH/static" -DLANGUAGES=CXX
    run "$SCRATCH/static-find-package-cxx" consumer_cpp
    ;;
static-pkg-config)
    pkg_config_build static-pkg-config "$SCRATCH/static"
    ;;
headers)
    strict="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I$SOURCE/include -I$BINARY/include"
    headers="$(headers_of "$SOURCE/include") abut/version.h"
    for header in $headers; do
        printf '#include <%s>\ntypedef int not_empty;\n' "$header" | "$CC" -std=c11 $strict -xc -
        printf '#include <%s>\ntypedef int not_empty;\n' "$header" | "$CXX" -std=c++11 $strict -xc++ -
    done
    printf '#include <%s>\n' $headers | "$CC" -std=c17 $strict -xc -
    printf '#include <%s>\n' $headers | "$CXX" -std=c++20 $strict -xc++ -
    ;;
*)
    echo "package.sh: unknown way '$1'" >&2
    exit 2
    ;;
esac
