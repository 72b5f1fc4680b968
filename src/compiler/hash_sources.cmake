# Writes a header with one hash over the contents of SOURCES.
set(hashes "")
foreach(source ${SOURCES})
  file(SHA256 ${source} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(WRITE ${OUTPUT} "#define QUERN_SOURCES_HASH \"${hash}\"\n")
