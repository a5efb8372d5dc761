/// The start of a time signature in a tempo map; always a bar line.
@frozen
public struct SignatureSegment: Hashable, BitwiseCopyable, Sendable {
  public var startBeat: Beats
  /// The bar that begins here, counted from 1.
  public var startBar: Int
  public var signature: TimeSignature

  @inlinable public init(startBeat: Beats, startBar: Int, signature: TimeSignature) {
    self.startBeat = startBeat
    self.startBar = startBar
    self.signature = signature
  }
}
