/// The identity of a sound: a pad of a kit, such as `starter/3`; an own sound, as `own/` and the
/// hash of its content; or a key's sound, as `patch/` and the patch's text.
///
/// Thread: any.
public enum SampleID: Hashable, Sendable, CustomStringConvertible {
  case pad(Pad, of: String)
  /// 64 hexadecimal digits in lower case.
  case own(String)
  /// A synthesiser's patch. Indirect, because otherwise every hit would be as large as a patch.
  indirect case patch(Patch)
  /// No sound: the pad is empty, whatever its kit has there.
  case nothing

  /// - Returns: nil unless `text` is a kit's id, a slash and a pad's number; or `own/` and a hash;
  ///   or `patch/` and a patch; or empty.
  public init?(_ text: String) {
    guard !text.isEmpty else {
      self = .nothing
      return
    }
    if text.hasPrefix(SampleID.patchPrefix) {
      // A sampled instrument's sounds are zones, not patches.
      guard let patch = Patch(String(text.dropFirst(SampleID.patchPrefix.count))), !patch.isSampled else { return nil }
      self = .patch(patch)
      return
    }
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
    case .patch(let patch): "\(SampleID.patchPrefix)\(patch)"
    case .nothing: ""
    }
  }

  public var isPatch: Bool { if case .patch = self { true } else { false } }

  private static let patchPrefix = "patch/"

  private static let hashDigits = 64

  private static func isDigit(_ character: UInt8) -> Bool {
    (48...57).contains(character) || (97...102).contains(character)
  }
}
