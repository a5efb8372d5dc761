import Synchronization

/// The web server's own counts, for `/metrics`. Thread: any.
final class WebCounters: Sendable {
  let connections = Atomic<Int>(0)
  let refusedConnections = Atomic<Int>(0)
  /// Connections that ended because the peer was too slow.
  let timeouts = Atomic<Int>(0)
  private let fine = Atomic<Int>(0)
  private let redirected = Atomic<Int>(0)
  private let refused = Atomic<Int>(0)
  private let failed = Atomic<Int>(0)

  func count(status: Int) {
    switch status {
    case ..<300: fine.wrappingAdd(1, ordering: .relaxed)
    case ..<400: redirected.wrappingAdd(1, ordering: .relaxed)
    case ..<500: refused.wrappingAdd(1, ordering: .relaxed)
    default: failed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  var metrics: [Metric] {
    var answers = Metric(.counter, "http_responses_total", help: "HTTP answers by class of status.")
    answers.add(Double(fine.load(ordering: .relaxed)), .init("status", "2xx"))
    answers.add(Double(redirected.load(ordering: .relaxed)), .init("status", "3xx"))
    answers.add(Double(refused.load(ordering: .relaxed)), .init("status", "4xx"))
    answers.add(Double(failed.load(ordering: .relaxed)), .init("status", "5xx"))
    return [
      answers,
      Metric(
        .gauge, "http_connections", help: "Open HTTP connections, but for those that became listeners.",
        value: Double(connections.load(ordering: .relaxed))),
      Metric(
        .counter, "http_connections_refused_total", help: "Connections beyond a limit.",
        value: Double(refusedConnections.load(ordering: .relaxed))),
      Metric(
        .counter, "http_timeouts_total", help: "Connections that ended because the peer was too slow.",
        value: Double(timeouts.load(ordering: .relaxed))),
    ]
  }
}
