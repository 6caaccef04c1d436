#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh: installs abut and uses it as its users do, in one way per call
#
# usage: package.sh WAY; the environment names SOURCE, BINARY (build tree), SCRATCH, CMAKE, CC, CXX, LAUNCHER.
#
# install              installs the build to SCRATCH/shared; libraries must export only what the headers declare
# find-package         builds and runs the consumers against it with CMake
# pkg-config           builds and runs them with the compiler alone
# plugin               builds the example of a plug-in as docs/adding-a-method.md says, and uses it
# fetch-content        builds abut as part of the consumer, without options, and installs that to SCRATCH/static
# static-find-package  as find-package, against the static library; also from a project without C
# static-pkg-config    as pkg-config, against the static library
# headers              compiles every public header alone, and all together as newer C and C++
set -eu
consumer=$SOURCE/test/package/consumer

# run DIR PROGRAM...: runs each program; all must return 0
run() {
    directory=$1
    shift
    for program in "$@"; do
        "$directory/$program"
    done
}

# cmake_build NAME ARGUMENT...: configures and builds the consumer in an empty SCRATCH/NAME
cmake_build() {
    directory=$SCRATCH/$1
    shift
    rm -rf "$directory"
    "$CMAKE" -S "$consumer" -B "$directory" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
        -DCMAKE_C_COMPILER_LAUNCHER="$LAUNCHER" "$@"
    "$CMAKE" --build "$directory" --parallel 2
}

# page_block KIND PATTERN: prints the block of docs/embedding.md that is marked KIND and contains PATTERN
page_block() {
    awk -v kind="$1" -v pattern="$2" '
        /^```/ { if (is_in && block ~ pattern) printf "%s", block; is_in = !is_in && $0 == "```" kind; block = ""; next }
        is_in { block = block $0 "\n" }' "$SOURCE/docs/embedding.md"
}

# pkg_config_build NAME PREFIX
pkg_config_build() {
    directory=$SCRATCH/$1
    rm -rf "$directory"
    mkdir -p "$directory"
    PKG_CONFIG_PATH=$(dirname "$(find "$2" -name abut.pc)")
    export PKG_CONFIG_PATH
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir abut) # as docs/embedding.md says for other prefixes
    export LD_LIBRARY_PATH
    # The flags are not quoted: the shell must split them.
    "$CC" "$consumer/consumer.c" -o "$directory/consumer_c" $(pkg-config --cflags --libs abut)
    "$CXX" "$consumer/consumer.cpp" -std=c++11 -o "$directory/consumer_cpp" $(pkg-config --cflags --libs abut)
    run "$directory" consumer_c consumer_cpp
    if pkg-config --exists abut-lab; then
        "$CC" "$consumer/consumer_lab.c" -o "$directory/consumer_lab" $(pkg-config --cflags --libs abut-lab)
        run "$directory" consumer_lab
    fi
}

# headers_of DIR: prints the headers as #include names them
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
    documents=$SCRATCH/shared/share/doc/abut
    [ -s "$documents/README.md" ] && [ -s "$documents/docs/command.md" ] && [ -s "$documents/docs/methods/regions.md" ]
    # The links of the README to documents work there, too.
    for page in $(grep -oE 'docs/[A-Za-z0-9/._-]+' "$documents/README.md" | sort -u); do
        [ -e "$documents/$page" ] || { echo "package.sh: $page is not installed" >&2 && exit 1; }
    done
    grep -rhoE 'abut_[a-z0-9_]+' "$SCRATCH/shared/include" | sort -u >"$SCRATCH/declared"
    for library in $(find "$SCRATCH/shared" -name 'libabut*.so'); do
        nm -D --defined-only "$library" | awk '{print $3}' | sort >"$SCRATCH/exported"
        [ -s "$SCRATCH/exported" ]
        if comm -13 "$SCRATCH/declared" "$SCRATCH/exported" | grep .; then
            echo "package.sh: $library exports names that no header declares" >&2
            exit 1
        fi
    done
    ;;
find-package)
    # A program that links the shared library needs none of the packages that abut was built with.
    cmake_build find-package -DCMAKE_PREFIX_PATH="$SCRATCH/shared" -DCMAKE_DISABLE_FIND_PACKAGE_Qhull=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
    run "$SCRATCH/find-package" consumer_c consumer_cpp consumer_lab
    ;;
pkg-config)
    pkg_config_build pkg-config "$SCRATCH/shared"
    # The lines of docs/embedding.md, in a copy of the examples.
    directory=$SCRATCH/embedding
    rm -rf "$directory"
    cp -R "$SOURCE/examples" "$directory"
    page_block sh pkg-config >"$directory/page.sh"
    [ "$(grep -c '^cc ' "$directory/page.sh")" -eq 2 ]
    (cd "$directory" && sh -eux page.sh && ./contacts block.obj spike.obj && ./score | grep "^sliding-spike: quality 100,")
    ;;
plugin)
    # Runs the commands of docs/adding-a-method.md in a copy of the example, with the installed library and command.
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
    # The method is in the list of methods and in two assessments, and the spike has one contact with the block.
    grep '^vertex-proximity ' "$directory/output"
    [ "$(grep -c '^vertex-proximity, touching: ' "$directory/output")" -eq 2 ]
    grep '1 contact$' "$directory/output"
    ;;
fetch-content)
    cmake_build fetch-content -DFETCH=ON -DFETCHCONTENT_SOURCE_DIR_ABUT="$SOURCE" -DABUT_INSTALL=ON
    run "$SCRATCH/fetch-content" consumer_c consumer_cpp
    rm -rf "$SCRATCH/static"
    "$CMAKE" --install "$SCRATCH/fetch-content" --prefix "$SCRATCH/static"
    # The project of docs/embedding.md. Generating it finds wrong options and targets; its build would be the same again.
    directory=$SCRATCH/embedding-fetch
    rm -rf "$directory"
    cp -R "$SOURCE/examples" "$directory"
    page_block cmake FetchContent_Declare >"$directory/CMakeLists.txt"
    "$CMAKE" -S "$directory" -B "$directory/build" -G "Unix Makefiles" -DCMAKE_C_COMPILER="$CC" \
        -DFETCHCONTENT_SOURCE_DIR_ABUT="$SOURCE"
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
