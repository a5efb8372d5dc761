import Glibc
import JamCore
import JamRoom
import JamStore

extension Catalogue.Take {
  /// A take whose row in the catalogue was lost, made from its score. The take is over. Its length
  /// has to be read from the score later.
  init(lost id: String, _ score: ScoreFile, now: Int64) {
    self.init(
      id: id, room: score.room.text, recording: id, began: Catalogue.Take.began(id) ?? now,
      first: score.firstBar.count, length: nil, tempo: score.tempo.beatsPerMinute)
  }

  /// A take's id is the moment it began, in the server's time zone: `2026-11-23-213000`. Where two
  /// takes began in the same second, the second id ends in a number.
  private static func began(_ id: String) -> Int64? {
    let parts = id.split(separator: "-").prefix(4)
    let numbers = parts.compactMap { Int32($0) }
    guard numbers.count == 4, parts[3].count == 6, (1970...9999).contains(numbers[0]) else { return nil }
    var date = tm()
    date.tm_year = numbers[0] - 1900
    date.tm_mon = numbers[1] - 1
    date.tm_mday = numbers[2]
    date.tm_hour = numbers[3] / 10_000
    date.tm_min = numbers[3] / 100 % 100
    date.tm_sec = numbers[3] % 100
    date.tm_isdst = -1
    return Int64(mktime(&date))
  }
}

extension ScoreFile {
  /// Where bar 1 begins. A score that begins in the middle of a session stops the transport first
  /// and starts it again at bar 1.
  fileprivate var firstBar: Frames {
    let isStopped = steps.contains { $0.frame == .zero && $0.action == .command(.stop) }
    guard isStopped else { return .zero }
    return steps.first { $0.action == .command(.play) }?.frame ?? .zero
  }
}
