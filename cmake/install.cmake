# make install: libraries, headers, the command with its man page, documents, find_package(abut) and pkg-config files.
include(CMakePackageConfigHelpers)

set(abut_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
set(abut_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
get_target_property(abut_type abut TYPE)
set(abut_is_static OFF)
set(abut_has_lab OFF)
if(TARGET abut-lab)
  set(abut_has_lab ON)
endif()
if(abut_type STREQUAL "STATIC_LIBRARY")
  set(abut_is_static ON)
endif()

# The command and the libraries find each other by relative paths, so the installed tree can be moved.
file(RELATIVE_PATH abut_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})

install(TARGETS abut EXPORT abut-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(FILES ${PROJECT_BINARY_DIR}/include/abut/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abut)
if(TARGET abut-lab)
  set_target_properties(abut-lab PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS abut-lab EXPORT abut-targets)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/abut-lab DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
if(TARGET abut-cli)
  set_target_properties(abut-cli PROPERTIES INSTALL_RPATH "$ORIGIN/${abut_bin_to_lib}")
  install(TARGETS abut-cli)
endif()
if(TARGET abut_manual_pages)
  install(FILES ${PROJECT_BINARY_DIR}/cli/manual/abut.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/cli/manual/abut.bash RENAME abut
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions)
endif()

# Documents, in the folders of the source, so that links between them work. Inside another project, the folder of
# documents belongs to that project.
if(PROJECT_IS_TOP_LEVEL)
  install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
    FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN *.png PATTERN *.json)
endif()

install(EXPORT abut-targets NAMESPACE abut:: DESTINATION ${abut_package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/abut-config.cmake.in
  ${PROJECT_BINARY_DIR}/abut-config.cmake INSTALL_DESTINATION ${abut_package_dir} NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/abut-config.cmake ${PROJECT_BINARY_DIR}/abut-config-version.cmake
  DESTINATION ${abut_package_dir})

# pkg-config files: the prefix follows from their own place. A static library lists the libraries that it needs; a shared
# library brings them itself and lists none.
file(RELATIVE_PATH abut_pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH abut_pc_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH abut_pc_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
string(REGEX REPLACE "/$" "" abut_pc_to_prefix "${abut_pc_to_prefix}")
set(abut_pc_requires "")
set(abut_pc_libs "")
set(abut_lab_pc_requires "")
set(abut_lab_pc_libs "")
if(abut_is_static)
  set(abut_pc_requires "qhull_r")
  set(abut_pc_libs "${OpenMP_C_FLAGS}")
  set(abut_lab_pc_requires ", jansson, hdf5 >= 1.10.2")
  if(CMAKE_DL_LIBS)
    set(abut_lab_pc_libs "-l${CMAKE_DL_LIBS}")
  endif()
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/abut.pc.in ${PROJECT_BINARY_DIR}/abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${abut_pkgconfig_dir})
if(TARGET abut-lab)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/abut-lab.pc.in ${PROJECT_BINARY_DIR}/abut-lab.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/abut-lab.pc DESTINATION ${abut_pkgconfig_dir})
endif()
