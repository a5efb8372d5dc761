/// Which sound: a kit's pad, as `starter/3`.
///
/// Thread: any.
public struct SampleID: Hashable, Sendable, CustomStringConvertible {
  public var kit: String
  public var pad: Pad

  public init(kit: String, pad: Pad) {
    self.kit = kit
    self.pad = pad
  }

  /// - Returns: nil unless `text` is a kit's id, a slash and a pad's number.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let number = Int(parts[1]), let pad = Pad(number) else { return nil }
    self.init(kit: String(parts[0]), pad: pad)
  }

  public var description: String { "\(kit)/\(pad.number)" }
}
