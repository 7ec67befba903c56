# make install PREFIX=...: the command, headers, both libraries, pkg-config and CMake packages, documents and examples.
include(CMakePackageConfigHelpers)

install(TARGETS heterorr_shared EXPORT heterorr_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS heterorr_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS heterorr_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/heterorr DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT heterorr_targets NAMESPACE heterorr:: FILE heterorr-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heterorr)

configure_package_config_file(cmake/heterorr-config.cmake.in
  ${PROJECT_BINARY_DIR}/heterorr-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heterorr)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heterorr-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heterorr-config.cmake
              ${PROJECT_BINARY_DIR}/heterorr-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heterorr)

# Relative to the file itself, so that it is right wherever --prefix puts it.
file(RELATIVE_PATH HRR_PREFIX_FROM_PKGCONFIG /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/heterorr.pc.in ${PROJECT_BINARY_DIR}/heterorr.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heterorr.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES README.md CHANGELOG.md SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs PATTERN api EXCLUDE)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
