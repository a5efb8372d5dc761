/// The sounds of a pad for one range of velocities, in memory.
public struct SoundLayer: Sendable {
  /// The highest velocity of the layer, 0…1. The layer begins above the one before.
  public var upTo: Float
  /// dB, on top of the pad's, within `LayerDescription.gains`.
  public var gain: Float
  /// At least one; several take turns.
  public var sounds: [SampleMemory]

  public init(upTo: Float, gain: Float, sounds: [SampleMemory]) {
    self.upTo = upTo
    self.gain = gain
    self.sounds = sounds
  }
}
