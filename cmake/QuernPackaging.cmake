# What an installation has beside programs and libraries. The packages hold what an installation has (package/make_packages.py).

find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(manual ${CMAKE_BINARY_DIR}/man)
add_custom_command(
  OUTPUT ${manual}/quern.1
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/quern/make_man_pages.py
          --tool $<TARGET_FILE:quern-tool> --version ${PROJECT_VERSION} --output ${manual}
  DEPENDS quern-tool ${PROJECT_SOURCE_DIR}/tools/quern/make_man_pages.py
  COMMENT "Writing the manual pages"
  VERBATIM)
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")

# The parts of others that are linked into ours, by the packages that they come from: their notices go where they go.
file(READ ${PROJECT_SOURCE_DIR}/package/copyright notices)
foreach(part llvm-22-dev libclc-22 zlib1g-dev libzstd-dev libxxhash-dev libcli11-dev opencl-c-headers)
  set(notice /usr/share/doc/${part}/copyright)
  if(EXISTS ${notice})
    file(READ ${notice} text)
    string(APPEND notices "\n\n== ${part} ==\n\n${text}")
  endif()
endforeach()
file(WRITE ${CMAKE_BINARY_DIR}/copyright "${notices}")
install(FILES ${CMAKE_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/quern)

# All that `cmake --install` installs.
add_custom_target(distribution ALL DEPENDS ${manual}/quern.1 quern quern-compiler-process quern-node quern-tool)
