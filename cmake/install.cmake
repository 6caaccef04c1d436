# make install: libraries, headers, the command, find_package(abut) and pkg-config files.
