# How every target of the project is compiled: abut_compile(<target>).
#
# -ffp-contract=off: a*b+c is rounded twice on every machine, so results do not depend on the compiler.
# UNITY_BUILD OFF: several files have static functions of the same name; a project that includes this one may turn it on.

function(abut_compile target)
  set_target_properties(${target} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla
      -Wmissing-prototypes -Wstrict-prototypes)
  endif()
  if(ABUT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ABUT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ABUT_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${ABUT_SANITIZE})
  endif()
endfunction()

# The compile flags of a target as text, without warning options, which do not change the code.
function(abut_build_flags target out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  get_property(compile_options TARGET ${target} PROPERTY COMPILE_OPTIONS)
  list(FILTER compile_options EXCLUDE REGEX "^-W")
  string(REPLACE ";" " " compile_options "${compile_options}")
  string(STRIP "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}} ${compile_options}" flags)
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()
