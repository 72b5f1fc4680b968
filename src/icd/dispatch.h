#pragma once

namespace quern::icd {

/// Makes the table that the loader calls through known to the runtime. Must run before the first
/// object is made; harmless when repeated.
void installDispatchTable();

/// The function of an extension by name, or null.
void* extensionFunction(const char* name);

/// The function of the core or of an extension by name, or null.
void* anyFunction(const char* name);

} // namespace quern::icd
