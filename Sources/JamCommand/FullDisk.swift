internal import Glibc

/// A limit on file sizes ends a process by a signal. Without the signal, writing fails as on a full
/// disk, and drafts are removed.
package enum FullDisk {
  package static func isAnError() { signal(SIGXFSZ, SIG_IGN) }
}
