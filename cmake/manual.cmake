# Manual pages and shell completion: the command prints both from its own tables, so neither can say
# what the command does not do. Pages need scdoc; without it everything else is built all the same.
function(hrr_printed file destination words filter) # what `heterorr WORDS | FILTER` prints
  add_custom_command(OUTPUT ${file} DEPENDS heterorr_command VERBATIM
    COMMAND sh -c "text=$(\"$0\" $1) && printf '%s\\n' \"$text\" | $2 > \"$3\""
            $<TARGET_FILE:heterorr_command> ${words} ${filter} ${file})
  install(FILES ${file} DESTINATION ${destination})
endfunction()

set(printed ${PROJECT_BINARY_DIR}/printed)
file(MAKE_DIRECTORY ${printed}/man ${printed}/completion)

hrr_printed(${printed}/completion/heterorr ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
            "completion bash" cat)
hrr_printed(${printed}/completion/_heterorr ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
            "completion zsh" cat)
hrr_printed(${printed}/completion/heterorr.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
            "completion fish" cat)
set(pages ${printed}/completion/heterorr ${printed}/completion/_heterorr
          ${printed}/completion/heterorr.fish)

find_program(SCDOC scdoc)
if(SCDOC)
  # The verbs are those that have a file; cmd_attack_chain.c is that of `attack chain`.
  file(GLOB verbs RELATIVE ${PROJECT_SOURCE_DIR}/src/cli ${PROJECT_SOURCE_DIR}/src/cli/cmd_*.c)
  list(TRANSFORM verbs REPLACE "^cmd_(.*)\\.c$" "\\1")
  foreach(verb "" ${verbs})
    string(REGEX REPLACE "-$" "" page "heterorr-${verb}")
    string(REPLACE "_" "-" page ${page})
    string(REPLACE "_" " " words "${verb}")
    hrr_printed(${printed}/man/${page}.1 ${CMAKE_INSTALL_MANDIR}/man1
                "help --manual ${words}" ${SCDOC})
    list(APPEND pages ${printed}/man/${page}.1)
  endforeach()
else()
  message(STATUS "scdoc is missing: no manual pages (apt-get install scdoc)")
endif()
add_custom_target(heterorr_pages ALL DEPENDS ${pages})
