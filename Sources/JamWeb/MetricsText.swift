import NIOCore

/// Writes metrics as text.
///
/// - Source: Prometheus exposition format 0.0.4.
enum MetricsText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// One `# HELP`, one `# TYPE` and one line per reading; a metric without readings says nothing.
  static func write(_ metrics: [Metric], into buffer: inout ByteBuffer) {
    for metric in metrics where !metric.readings.isEmpty {
      buffer.writeString("# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n")
      buffer.writeString("# TYPE \(metric.name) \(metric.kind.rawValue)\n")
      for reading in metric.readings {
        buffer.writeString(metric.name)
        write(reading.labels, into: &buffer)
        buffer.writeString(" \(number(reading.value))\n")
      }
    }
  }

  private static func write(_ labels: [Metric.Label], into buffer: inout ByteBuffer) {
    guard !labels.isEmpty else { return }
    var separator = "{"
    for label in labels {
      buffer.writeString("\(separator)\(label.name)=\"\(escaped(label.value, quotes: true))\"")
      separator = ","
    }
    buffer.writeString("}")
  }

  /// Backslashes and line feeds everywhere, quotes in label values only.
  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    return Int(exactly: value).map(String.init) ?? value.description
  }
}
