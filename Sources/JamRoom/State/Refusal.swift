/// Why a command was not carried out: what was wrong, and what would be right. The state is as it was.
public struct Refusal: Error, Hashable, Sendable {
  public let reason: String
  public init(_ reason: String) { self.reason = reason }
}
