/// Which sound: a kit's pad, as `starter/3`, or one that somebody brought along, as `own/` and its content's hash.
///
/// Thread: any.
public enum SampleID: Hashable, Sendable, CustomStringConvertible {
  case pad(Pad, of: String)
  /// 64 hexadecimal digits in lower case.
  case own(String)

  /// - Returns: nil unless `text` is a kit's id, a slash and a pad's number, or `own/` and a hash.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    if let number = Int(parts[1]), let pad = Pad(number) {
      self = .pad(pad, of: String(parts[0]))
    } else if parts[0] == "own", parts[1].utf8.count == SampleID.hashDigits, parts[1].utf8.allSatisfy(SampleID.isDigit)
    {
      self = .own(String(parts[1]))
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .pad(let pad, let kit): "\(kit)/\(pad.number)"
    case .own(let hash): "own/\(hash)"
    }
  }

  private static let hashDigits = 64

  private static func isDigit(_ character: UInt8) -> Bool {
    (48...57).contains(character) || (97...102).contains(character)
  }
}
