# `cmake --install build --prefix P`, then find_package(asperity) and link asperity::asperity; or
# find_package(asperity COMPONENTS engine), which needs TBB and fmt alone, and asperity::engine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(asperity_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/asperity)
get_property(libraries GLOBAL PROPERTY ASPERITY_LIBRARIES)
get_property(engine_libraries GLOBAL PROPERTY ASPERITY_ENGINE_LIBRARIES)
list(REMOVE_ITEM libraries ${engine_libraries})
install(TARGETS ${engine_libraries} EXPORT asperityEngineTargets)
install(TARGETS ${libraries} asperity_asperity EXPORT asperityTargets)
if(TARGET asperity_cli)
  install(TARGETS asperity_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# Headers: the two faces and what they include, found when installing.
install(CODE "
  include(\"${CMAKE_CURRENT_LIST_DIR}/ReachableHeaders.cmake\")
  asperity_reachable_headers(\"${PROJECT_SOURCE_DIR}/src\" headers asperity/asperity.h asperity/scene.h)
  foreach(header IN LISTS headers)
    get_filename_component(folder \${header} DIRECTORY)
    file(INSTALL \"${PROJECT_SOURCE_DIR}/src/\${header}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/include/\${folder}\")
  endforeach()")
install(EXPORT asperityEngineTargets NAMESPACE asperity:: DESTINATION ${asperity_cmake_dir})
install(EXPORT asperityTargets NAMESPACE asperity:: DESTINATION ${asperity_cmake_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/asperityConfig.cmake.in ${PROJECT_BINARY_DIR}/asperityConfig.cmake
                              INSTALL_DESTINATION ${asperity_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/asperityConfig.cmake ${PROJECT_BINARY_DIR}/asperityConfigVersion.cmake
        DESTINATION ${asperity_cmake_dir})
