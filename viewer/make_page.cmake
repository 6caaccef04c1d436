# SPDX-License-Identifier: MIT
# make_page.cmake: builds the viewer in a copy of viewer/, and writes it as a C file
#
# The packages are those of package-lock.json, installed without running their scripts. MODE is that of ABUT_VIEWER: OFF
# writes a file without a page, and so does AUTO if the build fails; ON needs the page.
file(MAKE_DIRECTORY ${TO})

function(write_empty reason)
  if(reason AND MODE STREQUAL "ON")
    message(FATAL_ERROR "the viewer could not be built: ${reason}")
  elseif(reason)
    message(WARNING "abut view is left out, the rest is complete; \"make viewer\" tries again. "
      "The viewer could not be built: ${reason}")
  endif()
  file(WRITE ${OUT} "#include \"verb/viewer_page.h\"\n\
const unsigned char abut_viewer_script[] = {0}, abut_viewer_style[] = {0};\n\
const size_t abut_viewer_script_size = 0, abut_viewer_style_size = 0;\n\
const char abut_viewer_script_hash[] = \"\", abut_viewer_style_hash[] = \"\";\n")
endfunction()

# run(RESULT COMMAND ...): sets RESULT to what the command printed if it failed, else to "".
function(run result)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${TO} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(code EQUAL 0)
    set(${result} "" PARENT_SCOPE)
  else()
    set(${result} "${ARGN} (${code})\n${text}" PARENT_SCOPE)
  endif()
endfunction()

if(MODE STREQUAL "OFF")
  write_empty("")
  return()
endif()

# Only what the build needs: no file of an earlier version stays.
file(REMOVE_RECURSE ${TO}/src)
file(COPY ${FROM}/src ${FROM}/package.json ${FROM}/package-lock.json ${FROM}/.npmrc ${FROM}/tsconfig.json
  ${FROM}/vite.config.ts ${FROM}/embed.mjs DESTINATION ${TO})
file(SHA256 ${TO}/package-lock.json lock)
set(lock "${lock} ${ALL}")
set(installed "")
if(EXISTS ${TO}/installed.txt)
  file(READ ${TO}/installed.txt installed)
endif()
set(failure "")
if(NOT installed STREQUAL lock)
  set(omit --omit=dev)
  if(ALL)
    set(omit)
  endif()
  run(failure ${NPM} ci --ignore-scripts --no-audit --no-fund ${omit})
  if(NOT failure)
    file(WRITE ${TO}/installed.txt "${lock}")
  endif()
endif()
if(NOT failure)
  run(failure ${NPM} run --silent build)
endif()
if(NOT failure)
  run(failure ${NODE} embed.mjs dist ${OUT})
endif()
if(failure)
  write_empty("${failure}")
endif()
