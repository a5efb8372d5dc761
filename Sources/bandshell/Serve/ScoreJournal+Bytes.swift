import Glibc
import JamCore
import JamRoom
import JamWire

/// How log entries stand in a score.
extension ScoreJournal {
  /// A score's first bundle: which room it is, and the tempo that it begins with.
  static func begin(_ room: PlayerName, _ tempo: Tempo) -> [UInt8] {
    let message = OSCMessage("/room/\(room.text)/tempo", .float(Float(tempo.beatsPerMinute)))
    return ScoreWriter.encode(ScoreBundle(frame: .zero, messages: [message]))
  }

  static func bytes(_ entry: LogEntry) -> [UInt8] {
    let message: OSCMessage? =
      switch entry.action {
      case .join: OSCMessage("/hello", .string(entry.player.text))
      case .rename(let name): OSCMessage("/player/\(entry.player.text)/hello", .string(name.text))
      case .leave: OSCMessage("/player/\(entry.player.text)/bye")
      case .command(let command): AddressTable.standard.message(for: command, by: entry.player)
      }
    guard let message else { return [] }
    // The number that randomness hangs on.
    let number = OSCMessage("/seq", .int32(Int32(truncatingIfNeeded: entry.sequence)))
    return ScoreWriter.encode(ScoreBundle(frame: entry.frame, messages: [number, message]))
  }

  func append(_ bytes: [UInt8], to file: Int32) {
    let whole = lseek(file, 0, SEEK_CUR)
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { write(file, $0.baseAddress! + done, bytes.count - done) }
      guard written > 0 else {
        // A full disk loses the rest of the score, not the jam.
        if errno == EINTR { continue }
        let cause = String(cString: strerror(errno))
        // What was begun goes again: a score that ends in the midst of a bundle is none.
        if ftruncate(file, whole) == 0 { lseek(file, whole, SEEK_SET) }
        log.write(
          .journalFailed,
          [
            "room": LogValue(room),
            "reason": "the score cannot be written: \(cause); what is played now is missing in it",
          ])
        return
      }
      done += written
    }
  }
}
