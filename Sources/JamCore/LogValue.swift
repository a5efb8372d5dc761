/// A field of a log line. Text may come from any person; the sink quotes it.
public enum LogValue: Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case number(Double)
  case flag(Bool)

  public init(_ text: some StringProtocol) { self = .text(String(text)) }
  public init(_ integer: some BinaryInteger) { self = .integer(Int64(clamping: integer)) }
  public init(_ name: PlayerName) { self = .text(name.text) }
}

extension LogValue: ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .text(value) }
}

extension LogValue: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
