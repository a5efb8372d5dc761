internal import Glibc
internal import JamCore
internal import JamRealtime

/// The line on standard error that shows the progress of listening, where standard error is a
/// terminal.
package struct ListenMeter {
  private let isShown = isatty(STDERR_FILENO) != 0
  private var next = HostTime.now

  package init() {}

  private static let intervalMilliseconds = 250.0

  package mutating func show(_ session: ListenSession) {
    let now = HostTime.now
    guard isShown, now >= next else { return }
    next = now.advanced(byMilliseconds: ListenMeter.intervalMilliseconds)
    write("\r\(ListenMeter.line(session.takeProgress()))\u{1b}[K")
  }

  /// Ends the line, so that it stays visible.
  package func end() { if isShown { write("\n") } }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }

  static func line(_ progress: ListenProgress) -> String {
    let level = progress.peak > 0 ? max(-60, 20 * log10(progress.peak)) : -60
    let bar = Int((level + 60) / 3)
    var line = clock(progress.seconds)
    line += "  \(String(repeating: "#", count: bar))\(String(repeating: "-", count: max(0, 20 - bar)))"
    line += "  \(tenths(Double(level))) dBFS"
    if progress.bufferMilliseconds > 0 { line += "  buffer \(tenths(progress.bufferMilliseconds)) ms" }
    if let latency = progress.latencyMilliseconds { line += "  behind the mix \(tenths(latency)) ms" }
    line += "  lost \(tenths(progress.lossFraction * 100)) %"
    if progress.latePackets > 0 { line += "  late \(progress.latePackets)" }
    return line
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds)
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
