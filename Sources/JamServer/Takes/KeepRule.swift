import ArgumentParser

/// How long the server keeps takes that nobody has starred: `30d`, `10GiB`, both (`30d,10GiB`), or
/// `all`.
package struct KeepRule: Hashable, Sendable, ExpressibleByArgument {
  /// The age in days after which a take is deleted; nil keeps takes for ever.
  var days: Int?
  /// The most bytes that all files of takes may have together; nil sets no limit.
  var bytes: Int64?

  package static let standard = KeepRule(days: 30, bytes: 10 << 30)
  package static let all = KeepRule(days: nil, bytes: nil)

  init(days: Int?, bytes: Int64?) {
    self.days = days
    self.bytes = bytes
  }

  init?(argument: String) {
    guard argument != "all" else {
      self = .all
      return
    }
    self.init(days: nil, bytes: nil)
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if let number = KeepRule.number(part, before: ["d", "day", "days"]), days == nil, number <= 36_500 {
        days = number
      } else if let number = KeepRule.number(part, before: ["GiB", "G", "GB"]), bytes == nil, number <= 1 << 20 {
        bytes = Int64(number) << 30
      } else {
        return nil
      }
    }
  }

  private static func number(_ text: Substring, before units: [String]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard units.contains(String(text.dropFirst(digits.count).drop { $0 == " " })), let number = Int(digits), number > 0
    else { return nil }
    return number
  }

  var defaultValueDescription: String { text }

  var text: String {
    let parts = [days.map { "\($0)d" }, bytes.map { "\($0 >> 30)GiB" }].compactMap { $0 }
    return parts.isEmpty ? "all" : parts.joined(separator: ",")
  }

  /// When a take that ended at `end` is deleted. Both are seconds since 1970; 0 means never.
  func end(of end: Int64) -> Int64 { days.map { end + Int64($0) * 86_400 } ?? 0 }
}
