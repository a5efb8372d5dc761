/// An event for the operator of the server.
///
/// Never put a secret into an event: no password, host word, token or cookie, and no query string,
/// because a query string may hold one. Text from people is stored unchanged; the sink escapes it.
public struct LogEvent: Sendable {
  public struct Field: Hashable, Sendable {
    public var key: String
    public var value: LogValue
  }

  public var kind: LogKind
  public var fields: [Field]

  /// - Parameter fields: the usual keys are `room`, `player`, `address`, `reason`, `count`.
  public init(_ kind: LogKind, _ fields: KeyValuePairs<String, LogValue> = [:]) {
    self.kind = kind
    self.fields = fields.map { Field(key: $0.key, value: $0.value) }
  }
}
