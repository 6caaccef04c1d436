#!/bin/sh
# SPDX-License-Identifier: MIT
# test_setup.sh: tests tools/setup.sh on a mock system whose commands log how they were called
set -eu
setup=$(cd "$(dirname "$0")/../.." && pwd)/tools/setup.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log

# command_is NAME LINE...: makes a command of the mock system
command_is() {
    name=$1
    shift
    {
        echo '#!/bin/sh'
        printf '%s\n' "$@"
    } >"$scratch/bin/$name"
    chmod +x "$scratch/bin/$name"
}

# system INSTALLED...: mocks a Debian system with these packages, as root
system() {
    rm -rf "$scratch/bin"
    mkdir "$scratch/bin"
    : >"$log"
    for tool in sh env grep; do
        ln -s "$(command -v $tool)" "$scratch/bin/$tool"
    done
    command_is id 'echo 0'
    command_is dpkg-query "printf 'ii %s\n' $*" 'exit 1'
    command_is apt-get "echo apt-get \"\$@\" >>$log"
    command_is apt-cache "exit 0"
}

# expect CODE TEXT: runs the set-up for `test`; its messages must contain TEXT
expect() {
    code=0
    output=$(PATH=$scratch/bin "$scratch/bin/sh" "$setup" test 2>&1) || code=$?
    case $output in
    *"$2"*) ;;
    *) code="$code, without '$2'" ;;
    esac
    if [ "$code" != "$1" ]; then
        echo "expected exit $1 with '$2', got exit $code: $output"
        exit 1
    fi
}

expect_log() {
    if ! grep -q -e "$1" "$log"; then
        echo "expected a call with '$1', got:"
        cat "$log"
        exit 1
    fi
}

# must CONDITION...: fails unless [ CONDITION... ]
must() {
    if ! [ "$@" ]; then
        echo "does not hold: $*"
        cat "$log"
        exit 1
    fi
}

all=$("$setup" --list test)
most=$(echo "$all" | grep -v -e '^cmake$' -e '^tetgen$')

# All packages are installed: no message, no call.
system $all
expect 0 ""
must -z "$output"
must ! -s "$log"
must "$(PATH=$scratch/bin "$scratch/bin/sh" "$setup" --verbose test)" = "abut: nothing to install, all packages are installed"

# Two are missing: they are named and installed, and the package lists are not updated.
system $most
expect 0 "installing from Debian's packages: cmake tetgen"
expect_log "install .* cmake tetgen"
must "$(grep -c update "$log")" -eq 0

# There are no package lists: they are fetched first.
system $most
command_is apt-cache 'exit 100'
expect 0 "cmake tetgen"
expect_log "update"

# The package lists are old: the first try fails, then an update and a second try follow.
system $most
command_is apt-get "echo apt-get \"\$@\" >>$log" "case \"\$*\" in *install*) grep -q update $log ;; esac"
expect 0 "cmake tetgen"
must "$(grep -c install "$log")" -eq 2

# Neither root nor sudo: one line names the packages.
system $most
command_is id 'echo 1000'
expect 2 "apt-get install --no-install-recommends cmake tetgen"
must "$(echo "$output" | wc -l)" -eq 1
must ! -s "$log"

# sudo without a password
system $most
command_is id 'echo 1000'
command_is sudo '[ "$1" = -n ] && shift' 'exec "$@"'
command_is true 'exit 0'
expect 0 "cmake tetgen"
expect_log "install .* cmake tetgen"

# Only the viewer's packages are missing, and cannot be installed: the build goes on.
least=$(echo "$all" | grep -v -e '^nodejs$' -e '^npm$' -e '^chromium$' -e '^python3-vtk9$')
system $least
command_is apt-get 'exit 100'
expect 0 "abut view or some tests are left out: nodejs npm chromium python3-vtk9"
# A node from elsewhere will do.
system $least
for tool in node npm chromium python3-vtk9; do
    command_is $tool 'exit 0'
done
expect 0 ""
must -z "$output"

# The report needs neither Node.js nor a browser; the viewer needs Node.js.
must -z "$("$setup" --list assess | grep -e node -e npm -e chromium)"
must "$("$setup" --list viewer | grep -c -e '^nodejs$' -e '^npm$')" -eq 2

# Not Debian: it names the packages and lets the build go on.
system $most
rm "$scratch/bin/apt-get"
expect 0 "not a Debian system"

echo "all as expected"
