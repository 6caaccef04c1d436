# Writes OUTPUT with VERSION and a hash of the libraries' sources in SOURCE, COMPILER and FLAGS. The file is written only
# if it changes.
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/include/*.h ${SOURCE}/include/*.h.in ${SOURCE}/src/*.[ch] ${SOURCE}/lab/*.[ch])
list(SORT files)
set(text "${COMPILER}\n${FLAGS}\n")
foreach(name ${files})
  file(SHA256 ${SOURCE}/${name} hash)
  string(APPEND text "${name} ${hash}\n")
endforeach()
string(SHA256 hash "${text}")
string(SUBSTRING ${hash} 0 12 hash)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#define ABUT_LAB_BUILD "@VERSION@+@hash@"
]])
