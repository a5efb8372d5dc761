/// The destination of events for the operator of the server.
///
/// Thread: any, except threads that render. `write` returns at once: it never waits for a disk, a
/// pipe or a terminal.
public protocol ServerLog: Sendable {
  func write(_ event: LogEvent)
  /// Whether events of this kind are kept. A caller may save the work of making those that are not.
  func takes(_ kind: LogKind) -> Bool
}

extension ServerLog {
  public func takes(_ kind: LogKind) -> Bool { true }

  public func write(_ kind: LogKind, _ fields: KeyValuePairs<String, LogValue> = [:]) {
    write(LogEvent(kind, fields))
  }
}

/// Discards all events: for tests, and for parts that run without a server.
public struct NoLog: ServerLog {
  public init() {}
  public func write(_ event: LogEvent) {}
  public func takes(_ kind: LogKind) -> Bool { false }
}
