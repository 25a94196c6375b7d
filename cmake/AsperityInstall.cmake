# `cmake --install build --prefix P`, then find_package(asperity) and link asperity::asperity.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY ASPERITY_LIBRARIES)
install(TARGETS ${libraries} asperity_asperity asperity_flags EXPORT asperityTargets)
if(TARGET asperity_cli)
  install(TARGETS asperity_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/asperity DESTINATION include FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE)
install(EXPORT asperityTargets NAMESPACE asperity:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/asperityConfig.cmake.in ${PROJECT_BINARY_DIR}/asperityConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/asperityConfig.cmake ${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
