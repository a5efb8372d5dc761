/// Writes metrics as text.
///
/// - Source: Prometheus exposition format 0.0.4.
enum MetricsText {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// One `# HELP` line, one `# TYPE` line and one line for each reading. A metric without readings
  /// is left out.
  static func text(_ metrics: [Metric]) -> String {
    var text = ""
    text.reserveCapacity(8_192)
    for metric in metrics where !metric.readings.isEmpty {
      text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
      text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
      for reading in metric.readings {
        text += metric.name
        write(reading.labels, into: &text)
        text += " \(number(reading.value))\n"
      }
    }
    return text
  }

  private static func write(_ labels: [Metric.Label], into text: inout String) {
    guard !labels.isEmpty else { return }
    var separator = "{"
    for label in labels {
      text += "\(separator)\(label.name)=\"\(escaped(label.value, quotes: true))\""
      separator = ","
    }
    text += "}"
  }

  /// Escapes backslashes and line feeds everywhere, and quotes only in label values.
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
