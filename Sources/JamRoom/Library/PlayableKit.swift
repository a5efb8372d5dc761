public import JamCore
internal import Synchronization

/// A kit in memory, or a sampled instrument, each zone of which is a pad.
///
/// Thread: any; immutable. It may go at any time: what sounds of it is kept by `SoundKeeper`.
public final class PlayableKit: Equatable, Sendable {
  public let kit: Kit
  private let pads: [PlayablePad?]
  private let plainPads: [PlayablePad?]
  /// Of a sampled instrument: zone i is pad i. Empty of a kit.
  let zones: [InstrumentZone]
  /// As they were drawn first.
  private let drawn = Mutex<[Waveform?]?>(nil)

  /// - Parameters:
  ///   - pads: sixteen, as the kit's settings have them stretched; nil is an empty one.
  ///   - plainPads: the same before they were stretched; nil where no pad is.
  ///   - zones: which keys play which of the pads.
  public init(
    kit: Kit, pads: [PlayablePad?], plainPads: [PlayablePad?]? = nil, zones: [InstrumentZone] = []
  ) {
    precondition(pads.count == Pad.count && (plainPads ?? pads).count == Pad.count)
    self.kit = kit
    self.pads = pads
    self.plainPads = plainPads ?? pads
    self.zones = zones
  }

  /// No pad of it sounds.
  public static let silent = PlayableKit(
    kit: Kit(id: "silent", name: "Silent"), pads: [PlayablePad?](repeating: nil, count: Pad.count))

  /// Whether they are the same one in memory.
  public static func == (a: PlayableKit, b: PlayableKit) -> Bool { a === b }

  public subscript(pad: Pad) -> PlayablePad? { pads[pad.index] }

  /// The pad's sounds before they were stretched.
  func plain(_ pad: Pad) -> PlayablePad? { plainPads[pad.index] }

  /// Loudness along each pad's sound, before it was stretched; nil until `draw` has looked at all.
  var waveforms: [Waveform?]? { drawn.withLock { $0 } }

  /// Looks at every sound once, which takes some milliseconds. Thread: any that may wait.
  func draw() -> [Waveform?] {
    if let waveforms { return waveforms }
    let waveforms = plainPads.map { pad in
      pad?.layers.last?.sounds.first.map { Waveform(of: $0.view, count: Waveform.partsOfPad) }
    }
    drawn.withLock { $0 = waveforms }
    return waveforms
  }
}

/// The sounds of one pad: by how hard it is hit, and in turn.
public struct PlayablePad: Equatable, Sendable {
  public struct Layer: Equatable, Sendable {
    /// The hardest hit that it is for.
    public var upTo: Float
    public let decibels: Float
    /// The same, linear.
    let gain: Float
    /// One at least; several take turns.
    public var sounds: [PlayableSound]

    public init(upTo: Float = 1, decibels: Float = 0, sounds: [PlayableSound]) {
      self.upTo = upTo
      self.decibels = decibels
      gain = Decibels.gain(decibels)
      self.sounds = sounds
    }
  }

  /// From the softest to the hardest; one at least.
  public let layers: [Layer]
  /// It is a kick, which ducks the channels that are ducked by kicks.
  public let isKick: Bool

  public init?(layers: [Layer], isKick: Bool = false) {
    guard !layers.isEmpty, layers.allSatisfy({ !$0.sounds.isEmpty }) else { return nil }
    self.layers = layers
    self.isKick = isKick
  }

  public init(_ sound: PlayableSound) {
    layers = [Layer(sounds: [sound])]
    isKick = false
  }

  /// A synthesiser's sound of it.
  public init(_ patch: Patch) { self.init(PatchSounds.sound(of: patch)) }

  /// The sound of a hit.
  struct Choice {
    var sound: PlayableSound
    var gain: Float
    var isKick: Bool
  }

  /// - Parameter turn: counts the pad's hits.
  func choose(_ velocity: Velocity, turn: Int) -> Choice {
    let layer = layers.first { velocity.value <= $0.upTo } ?? layers[layers.count - 1]
    return Choice(sound: layer.sounds[turn % layer.sounds.count], gain: layer.gain, isKick: isKick)
  }
}
