internal import Glibc
internal import JamCore

/// The measurement of one bench, with the circumstances that a reader of the figures needs: a file
/// of `docs/bench/records`.
///
/// `scripts/figures` makes the tables of the documents from these files.
struct BenchRecord {
  var report: BenchReport
  /// The options of the program that decide which rows there are.
  var options: [String] = []
  /// The moment when the bench began.
  var secondsSince1970: Int
  var source: BenchSource
  /// The load average of the minute before the bench began; nil where the system does not tell it.
  var load: Double?
  var cores: Int

  /// A name that no other run has. So no run replaces another one, the history stays, and branches
  /// that both contain records merge without a conflict.
  var fileName: String {
    let time = time.split(separator: ":").joined()
    return "\(date)-\(time)-\(source.commit ?? "unknown")-\(report.name).json"
  }

  /// The UTC day: `2026-11-28`.
  var date: String { parts("%Y-%m-%d") }

  /// The UTC time of day: `04:12:33`.
  var time: String { parts("%H:%M:%S") }

  private func parts(_ format: String) -> String {
    var (seconds, fields) = (time_t(secondsSince1970), tm())
    gmtime_r(&seconds, &fields)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, format, &fields)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// One JSON object (RFC 8259). Each member and each row has a line of its own, so that a diff of
  /// two records is readable.
  var json: String {
    var members = [
      "\"bench\": \(report.name.quotedJSON)", "\"options\": [\(Self.list(options))]",
      "\"date\": \"\(date)\"", "\"time\": \"\(time)\"", "\"commit\": \(Self.text(source.commit))",
    ]
    switch source {
    case .commit(_, let isDirty): members.append("\"dirty\": \(isDirty)")
    case .unknown(let reason): members.append("\"unknown\": \(reason.quotedJSON)")
    }
    members += [
      "\"machine\": \(report.machine.quotedJSON)", "\"cores\": \(cores)",
      "\"load\": \(load.map(BenchReport.exact) ?? "null")", "\"swift\": \(Self.text(BenchSource.swift))",
      "\"rows\": [\n    \(report.rowsAsJSON.joined(separator: ",\n    "))\n  ]",
      "\"notes\": [\(Self.list(report.notes))]",
    ]
    return "{\n  \(members.joined(separator: ",\n  "))\n}\n"
  }

  private static func text(_ text: String?) -> String { text.map(\.quotedJSON) ?? "null" }

  private static func list(_ texts: [String]) -> String { texts.map(\.quotedJSON).joined(separator: ", ") }
}
