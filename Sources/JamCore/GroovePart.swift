/// A part of a groove that the room makes. Each part is a block on a lane of its player.
public enum GroovePart: String, CaseIterable, Sendable {
  case drums, bass, chords

  public var word: String { rawValue }

  /// The name of the part's block.
  public var blockName: String { "groove \(rawValue)" }

  /// The part that a block is; nil for every other block. Blocks that players save have an owner.
  public init?(of block: Block) {
    guard block.owner == nil,
      let part = GroovePart.allCases.first(where: { $0.blockName == block.name })
    else { return nil }
    self = part
  }
}
