# SPDX-License-Identifier: MIT
# page.cmake: sets ABUT_VIEWER_SOURCE, the C file that contains the page of abut view
#
# With Node.js and npm the build makes it from viewer/, else it is empty, and abut view tells how to get it.
set(viewer ${PROJECT_SOURCE_DIR}/viewer)
set(viewer_build ${PROJECT_BINARY_DIR}/viewer)
find_program(ABUT_NODE NAMES node nodejs)
find_program(ABUT_NPM NAMES npm)
mark_as_advanced(ABUT_NODE ABUT_NPM)
if(ABUT_VIEWER STREQUAL "ON" AND NOT (ABUT_NODE AND ABUT_NPM))
  message(FATAL_ERROR "ABUT_VIEWER=ON needs Node.js 18 or newer and npm (Debian: nodejs, npm)")
endif()

if(NOT ABUT_VIEWER STREQUAL "OFF" AND ABUT_NODE AND ABUT_NPM)
  set(mode ${ABUT_VIEWER})
  file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS ${viewer}/src/*)
  list(APPEND viewer_files ${viewer}/package.json ${viewer}/package-lock.json ${viewer}/.npmrc ${viewer}/tsconfig.json
    ${viewer}/vite.config.ts ${viewer}/embed.mjs)
else()
  set(mode OFF)
  set(viewer_files)
endif()
# The tests need the packages of the tests too.
# A file for each mode: if Node.js is installed later, the next build makes the page.
set(ABUT_VIEWER_SOURCE ${viewer_build}/page_${mode}.c)
add_custom_command(OUTPUT ${ABUT_VIEWER_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DMODE=${mode} -DFROM=${viewer} -DTO=${viewer_build} -DOUT=${ABUT_VIEWER_SOURCE}
    -DNODE=${ABUT_NODE} -DNPM=${ABUT_NPM} -DALL=${ABUT_TESTS} -P ${viewer}/make_page.cmake
  DEPENDS ${viewer_files} ${viewer}/make_page.cmake
  COMMENT "Building the viewer" VERBATIM)
