# The libraries heterorr stands on; ARCHITECTURE.md gives the reason for each.
find_package(PkgConfig REQUIRED)
if(NOT HRR_FUZZ) # the fuzz targets are single-threaded: one input, one thread, one verdict
  find_package(OpenMP REQUIRED COMPONENTS C)
endif()
pkg_check_modules(crypto REQUIRED IMPORTED_TARGET libcrypto>=3.0)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson>=2.11)
pkg_check_modules(expat REQUIRED IMPORTED_TARGET expat>=2.4)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3>=3.37)
pkg_check_modules(microhttpd REQUIRED IMPORTED_TARGET libmicrohttpd>=0.9.72)
pkg_check_modules(curl REQUIRED IMPORTED_TARGET libcurl>=7.66)
find_package(Threads REQUIRED)

add_library(hrr_dependencies INTERFACE)
target_link_libraries(hrr_dependencies INTERFACE
  PkgConfig::crypto PkgConfig::openblas PkgConfig::jansson PkgConfig::zlib PkgConfig::zstd
  PkgConfig::libzip PkgConfig::expat PkgConfig::sqlite3 PkgConfig::microhttpd PkgConfig::curl Threads::Threads
  $<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_C> m)
