/// The line of text in which `bandshell make` reports a problem to the server that started it.
extension ExportProblem {
  package var line: String {
    switch self {
    case .cancelled: "cancelled"
    case .noRoom: "no-room"
    case .nothingGoesRound: "nothing-goes-round"
    case .unreadable(let text): "unreadable \(text.replacing("\n", with: " "))"
    case .unwritable(let text): "unwritable \(text.replacing("\n", with: " "))"
    }
  }

  init?(line: String) {
    let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
    switch parts.first {
    case "cancelled": self = .cancelled
    case "no-room": self = .noRoom
    case "nothing-goes-round": self = .nothingGoesRound
    case "unreadable": self = .unreadable(parts.last ?? "")
    case "unwritable": self = .unwritable(parts.last ?? "")
    default: return nil
    }
  }
}
