import Glibc
import JamCore
import JamExport
import JamWire

/// The reason why a file of music was not written.
package enum ExportProblem: Error, Hashable {
  /// Somebody cancelled the export, or the server ends.
  case cancelled
  /// The disk has too little room. Exports leave some of it free, because the journal is on the
  /// same disk.
  case noRoom
  /// The project has no loop or lane that could be written.
  case nothingGoesRound
  case unreadable(String)
  case unwritable(String)

  init(_ error: ExportError) {
    switch error {
    case .cancelled: self = .cancelled
    case .file(_, _, ENOSPC): self = .noRoom
    default: self = .unwritable("\(error)")
    }
  }

  package var text: String {
    switch self {
    case .cancelled: "nobody waits for it any more"
    case .noRoom: "the disk has too little room for it: 256 MiB are left for the server"
    case .nothingGoesRound: Refusal.nothingGoesRound.words
    case .unreadable(let text), .unwritable(let text): text
    }
  }
}
