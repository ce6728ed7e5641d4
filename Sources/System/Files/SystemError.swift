import Glibc

/// The system's message for an error number, by default that of the last system call.
package func systemErrorText(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }
