/// Several problems, reported at once.
public struct KitProblems: Error, Hashable, Sendable, CustomStringConvertible {
  /// At least one.
  public let problems: [KitError]

  public init(_ problems: [KitError]) { self.problems = problems }

  /// One line each.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
