# cmake -D INPUT=page.html -D OUTPUT=page.c -D NAME=hrr_page -P embed.cmake: a file as a text of the
# library, so that it is written as what it is and the library needs no file at run time.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
string(REGEX REPLACE "(.........................................................................),'" "\\1,\n'" bytes "${bytes}")
file(WRITE ${OUTPUT}.new "#include \"serve/pages.h\"\n\nconst char ${NAME}[] = {${bytes}'\\0'};\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
