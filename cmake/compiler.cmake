# How everything of ours is compiled. Never -ffast-math: it makes isfinite(NAN) true, and the
# validation of private data would vanish.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

add_library(hrr_compiler INTERFACE)
target_compile_definitions(hrr_compiler INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64)
target_compile_options(hrr_compiler INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
  -Wwrite-strings -Wvla -Wformat=2 -Wimplicit-fallthrough -fno-math-errno
  -fno-trapping-math)
if(HRR_WERROR)
  target_compile_options(hrr_compiler INTERFACE -Werror)
endif()
if(HRR_SANITIZE)
  target_compile_options(hrr_compiler INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(hrr_compiler INTERFACE -fsanitize=address,undefined)
endif()
if(HRR_FUZZ)
  # Without OpenMP nobody reads the number of threads.
  target_compile_options(hrr_compiler INTERFACE -fsanitize=fuzzer-no-link -Wno-unused-parameter)
endif()
