# Installation and the .deb package: the driver, the compiler library, the tool and the ICD file.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME quern)
set(CPACK_PACKAGE_CONTACT "The Quern project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL implementation for CPUs")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PROVIDES "opencl-icd")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
