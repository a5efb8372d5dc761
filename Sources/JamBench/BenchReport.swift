internal import Glibc
internal import JamCore

/// The measurement of one `bandshell bench`, for people (`table`) and for programs (`json`).
struct BenchReport {
  /// The bench's word on the command line: `voices`, `osc` …
  var name: String
  /// The machine that the bench ran on.
  var machine = Machine.description
  var rows: [BenchRow] = []
  /// Sentences that a reader of the figures needs.
  var notes: [String] = []

  /// Whether every row with a target reaches it.
  var meetsTargets: Bool { rows.allSatisfy { $0.isMet != false } }
}

/// One measured quantity: the median of several repetitions, and their spread.
struct BenchRow {
  var name: String
  /// The row's name in `BenchReport.keys`, where `name` contains a figure of the run itself; nil
  /// uses `name`.
  var key: String?
  var unit: String
  var median: Double
  var minimum: Double
  var maximum: Double
  var target: BenchTarget?

  /// - Parameter values: one value per repetition, at least one.
  init(_ name: String, key: String? = nil, unit: String, values: [Double], target: BenchTarget? = nil) {
    precondition(!values.isEmpty, "a row needs a measurement")
    let sorted = values.sorted()
    self.name = name
    self.key = key
    self.unit = unit
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    minimum = sorted[0]
    maximum = sorted[sorted.count - 1]
    self.target = target
  }

  /// Whether the target is reached; nil where there is none.
  var isMet: Bool? {
    switch target {
    case .atLeast(let bound): median >= bound
    case .atMost(let bound): median <= bound
    case .allAtLeast(let bound): minimum >= bound
    case .allAtMost(let bound): maximum <= bound
    case .allWithin(let bounds): minimum >= bounds.lowerBound && maximum <= bounds.upperBound
    case nil: nil
    }
  }
}

/// The bound that the median has to keep, or that every value has to keep.
enum BenchTarget {
  case atLeast(Double)
  case atMost(Double)
  case allAtLeast(Double)
  case allAtMost(Double)
  case allWithin(ClosedRange<Double>)
}

extension BenchReport {
  /// Aligned columns, with one row on each line.
  var table: String {
    let header = ["", "median", "min", "max", "unit", "target", ""]
    let body = rows.map { row in
      [
        row.name, Self.number(row.median), Self.number(row.minimum), Self.number(row.maximum), row.unit,
        Self.words(row.target), row.isMet.map { $0 ? "ok" : "MISSED" } ?? "",
      ]
    }
    let widths = header.indices.map { column in ([header] + body).map { $0[column].count }.max() ?? 0 }
    let lines = ([header] + body).map { cells in
      let line = cells.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - cells[column].count)
        return (1...3).contains(column) ? padding + cells[column] : cells[column] + padding
      }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    return (["\(name) on \(machine)"] + lines + notes).joined(separator: "\n")
  }

  /// One JSON object (RFC 8259). Numbers that are not finite become null.
  var json: String {
    let notes = notes.map(\.quotedJSON).joined(separator: ",")
    return "{\"bench\":\(name.quotedJSON),\"machine\":\(machine.quotedJSON),"
      + "\"rows\":[\(rowsAsJSON.joined(separator: ","))],\"notes\":[\(notes)]}"
  }

  /// One JSON object for each row.
  var rowsAsJSON: [String] {
    zip(keys, rows).map { key, row in
      var members = [
        "\"key\":\(key.quotedJSON)", "\"name\":\(row.name.quotedJSON)",
        "\"unit\":\(row.unit.quotedJSON)", "\"median\":\(Self.exact(row.median))",
        "\"min\":\(Self.exact(row.minimum))", "\"max\":\(Self.exact(row.maximum))",
      ]
      switch row.target {
      case .atLeast(let bound): members.append("\"target\":{\"atLeast\":\(Self.exact(bound))}")
      case .atMost(let bound): members.append("\"target\":{\"atMost\":\(Self.exact(bound))}")
      case .allAtLeast(let bound): members.append("\"target\":{\"allAtLeast\":\(Self.exact(bound))}")
      case .allAtMost(let bound): members.append("\"target\":{\"allAtMost\":\(Self.exact(bound))}")
      case .allWithin(let bounds):
        members.append(
          "\"target\":{\"allWithin\":[\(Self.exact(bounds.lowerBound)),\(Self.exact(bounds.upperBound))]}")
      case nil: break
      }
      if let isMet = row.isMet { members.append("\"met\":\(isMet)") }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private static func words(_ target: BenchTarget?) -> String {
    switch target {
    case .atLeast(let bound): "≥ \(number(bound))"
    case .atMost(let bound): "≤ \(number(bound))"
    case .allAtLeast(let bound): "all ≥ \(number(bound))"
    case .allAtMost(let bound): "all ≤ \(number(bound))"
    case .allWithin(let bounds): "all \(number(bounds.lowerBound))…\(number(bounds.upperBound))"
    case nil: ""
    }
  }

  /// The number with three significant digits, and without decimals from 100 on.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let magnitude = abs(value)
    let scale: Double = magnitude >= 100 ? 1 : magnitude >= 10 ? 10 : magnitude >= 1 ? 100 : 1000
    let rounded = (value * scale).rounded() / scale
    return scale == 1 ? String(Int64(rounded)) : String(rounded)
  }

  static func exact(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }
}

/// The machine, in words that help a reader of the figures.
enum Machine {
  static var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// The average number of threads that wanted to run in the last minute; nil where the system does
  /// not tell it.
  static var load: Double? {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : nil
  }

  static var description: String {
    var system = utsname()
    uname(&system)
    let kernel = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let architecture = withUnsafeBytes(of: system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return "\(processor ?? architecture), \(cores) cores, Linux \(kernel)"
  }

  /// The model name in /proc/cpuinfo; nil where the kernel tells none, as on many Arm boards.
  private static var processor: String? {
    guard let file = fopen("/proc/cpuinfo", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let parts = text.split(separator: ":", maxSplits: 1)
      if parts.count == 2, text.hasPrefix("model name") {
        return String(parts[1].drop { $0 == " " }.prefix { $0 != "\n" })
      }
    }
    return nil
  }
}
