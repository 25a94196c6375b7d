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
  # Scenes name their assets by paths such as ../assets/cup.obj, so the two folders stay side by side.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes ${PROJECT_SOURCE_DIR}/assets DESTINATION ${CMAKE_INSTALL_DATADIR}/asperity
          PATTERN source EXCLUDE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  # The program describes itself: the manual page and the completions are what the installed program prints.
  set(prefix "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}")
  foreach(text "man|${CMAKE_INSTALL_MANDIR}/man1/asperity.1" "completion bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions/asperity"
               "completion zsh|${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_asperity")
    string(REPLACE "|" ";" text "${text}")
    list(GET text 0 command)
    list(GET text 1 file)
    string(REPLACE " " ";" command "${command}")
    install(CODE "
      execute_process(COMMAND \"${prefix}/${CMAKE_INSTALL_BINDIR}/asperity\" ${command} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE \"${prefix}/${file}\" \"\${text}\")
      message(STATUS \"Installing: ${prefix}/${file}\")")
  endforeach()
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
