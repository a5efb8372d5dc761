/// A named moment of the session.
public struct ExportMarker: Hashable, Sendable {
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// Somebody marked a take.
    case take
    /// A bar line worth a name.
    case bar
    /// A build-up begins.
    case buildUp
    /// A chord begins.
    case chord
  }

  /// 0…the session's length.
  public var frame: Int
  public var text: String
  public var kind: Kind

  public init(frame: Int, text: String, kind: Kind = .take) {
    self.frame = frame
    self.text = text
    self.kind = kind
  }

  /// The colour of a marker of this kind, for programs that colour markers.
  var colour: ExportColour {
    switch kind {
    case .take: ExportColour(red: 0xe0, green: 0x40, blue: 0x40)
    case .bar: ExportColour(red: 0x80, green: 0x80, blue: 0x80)
    case .buildUp: ExportColour(red: 0xe0, green: 0xa0, blue: 0x20)
    case .chord: ExportColour(red: 0x40, green: 0x80, blue: 0xe0)
    }
  }
}
