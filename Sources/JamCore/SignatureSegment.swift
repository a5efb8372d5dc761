/// Where a signature begins to hold; always a bar line.
@frozen
public struct SignatureSegment: Hashable, BitwiseCopyable, Sendable {
  public var startBeat: Beats
  /// The bar that begins here, from 1.
  public var startBar: Int
  public var signature: TimeSignature

  @inlinable public init(startBeat: Beats, startBar: Int, signature: TimeSignature) {
    self.startBeat = startBeat
    self.startBar = startBar
    self.signature = signature
  }
}
