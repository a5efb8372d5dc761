public import JamCore

/// The sounds of a player's pads and keys as they are now, for a page that sounds that player's
/// hits itself.
public struct PlayerSounds: Equatable, Sendable {
  /// One of the layers by velocity.
  public struct Layer: Equatable, Sendable {
    /// The hardest hit that it is for, 0…1.
    public var upTo: Float
    /// Linear.
    public var gain: Float
    /// Places in `sounds`; several take turns.
    public var sounds: [Int]

    public init(upTo: Float, gain: Float, sounds: [Int]) {
      self.upTo = upTo
      self.gain = gain
      self.sounds = sounds
    }
  }

  /// A pad that sounds.
  public struct Place: Equatable, Sendable {
    /// 1…16.
    public var pad: Int
    /// The sound's id.
    public var sample: String
    /// How many times as long the sound was made. It may lag behind the pad's setting.
    public var stretch: Float
    public var layers: [Layer]

    public init(pad: Int, sample: String, stretch: Float, layers: [Layer]) {
      self.pad = pad
      self.sample = sample
      self.stretch = stretch
      self.layers = layers
    }
  }

  /// A zone of a sampled instrument.
  public struct Zone: Equatable, Sendable {
    public var zone: InstrumentZone
    public var layers: [Layer]

    public init(zone: InstrumentZone, layers: [Layer]) {
      self.zone = zone
      self.layers = layers
    }
  }

  /// A sound that a page can fetch (`PageSounds.file`).
  public struct Part: Equatable, Sendable {
    /// 64 hexadecimal digits, which name its values.
    public var name: String
    /// At 48 kHz.
    public var frames: Int
    /// 1 or 2.
    public var channels: Int
    /// The frames that repeat while a hit is held.
    public var loop: Range<Int>?
    /// Whether its end would click, and is faded.
    public var endsLoud: Bool

    public init(name: String, frames: Int, channels: Int, loop: Range<Int>?, endsLoud: Bool) {
      self.name = name
      self.frames = frames
      self.channels = channels
      self.loop = loop
      self.endsLoud = endsLoud
    }
  }

  /// The kit's id.
  public var kit: String
  public var pads: [Place] = []
  /// The id of the keys' instrument.
  public var instrument: String
  /// None of a synthesiser.
  public var zones: [Zone] = []
  public var sounds: [Part] = []

  public init(
    kit: String, pads: [Place] = [], instrument: String, zones: [Zone] = [], sounds: [Part] = []
  ) {
    self.kit = kit
    self.pads = pads
    self.instrument = instrument
    self.zones = zones
    self.sounds = sounds
  }
}
