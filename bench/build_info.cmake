# Writes OUTPUT with the commit of SOURCE, COMPILER and FLAGS.
set(commit unknown)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --match=NoTag WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
  if(result EQUAL 0)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#define BENCH_COMMIT "@commit@"
#define BENCH_COMPILER "@COMPILER@"
#define BENCH_FLAGS "@FLAGS@"
]])
