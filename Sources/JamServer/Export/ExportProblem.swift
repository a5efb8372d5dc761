import Glibc
import JamCore
import JamExport
import JamWire

/// Why something that was played was not written.
package enum ExportProblem: Error, Hashable {
  /// Nobody waits for it any more.
  case cancelled
  /// The journal lies on the same disk.
  case noRoom
  /// Of a project that has nothing that could be written.
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
