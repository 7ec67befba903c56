# cmake -D HEADERS=DIR -D OUTPUT=FILE -P symbols.cmake: the symbols that the shared library exports, as a linker's
# version script, from the declarations of the public headers: HRR_API in one node, HRR_EXPERIMENTAL in another. What
# no header declares is local.
file(GLOB headers ${HEADERS}/*.h)
list(SORT headers)
foreach(tier HRR_API HRR_EXPERIMENTAL)
  set(${tier} "")
endforeach()
foreach(header ${headers})
  file(READ ${header} text)
  foreach(tier HRR_API HRR_EXPERIMENTAL)
    string(REGEX MATCHALL "\n${tier}[ \n][^;(]*\\(" declarations "${text}")
    foreach(declaration ${declarations})
      string(REGEX MATCH "(hrr_[a-z0-9_]+)\\($" name "${declaration}")
      if(NOT name)
        message(FATAL_ERROR "${header}: no function is declared by${declaration}")
      endif()
      string(APPEND ${tier} "    ${CMAKE_MATCH_1};\n")
    endforeach()
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "HETERORR_0 {\n  global:\n${HRR_API}  local:\n    *;\n};\n"
     "HETERORR_EXPERIMENTAL {\n  global:\n${HRR_EXPERIMENTAL}};\n")
