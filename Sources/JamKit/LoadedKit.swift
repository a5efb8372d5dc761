public import JamCore

/// A kit whose sounds are in memory.
///
/// Keep this object for as long as an engine may read its samples: views own no memory. Sounds that
/// layers, pads and kits share exist once.
/// Thread: any, but the last reference must not be dropped on an audio thread.
public final class LoadedKit: Sendable {
  /// With each pad's duration filled in: the duration of `sample`.
  public let kit: Kit
  /// Bytes of sound, each counted once.
  public let byteCount: Int

  /// The length of all sounds together, each counted once.
  public let duration: Frames

  /// The zones of a sampled instrument: zone i is pad i. Empty for a kit.
  public let zones: [InstrumentZone]

  private let layers: [[SoundLayer]]

  init(kit: Kit, layers: [[SoundLayer]], zones: [InstrumentZone] = []) {
    precondition(layers.count == Pad.count && zones.count <= Pad.count)
    self.kit = kit
    self.zones = zones
    self.layers = layers
    var seen: Set<ContentHash> = []
    let sounds = layers.joined().flatMap(\.sounds).filter { seen.insert($0.hash).inserted }
    byteCount = sounds.reduce(0) { $0 + $1.byteCount }
    duration = sounds.reduce(.zero) { $0 + $1.view.duration }
  }

  /// The pad's layers from the softest to the loudest, `upTo` rising to 1; empty where the pad is
  /// empty.
  public func layers(_ pad: Pad) -> [SoundLayer] { layers[pad.index] }

  /// The first sound of the pad's loudest layer; nil where the pad is empty.
  public func sample(_ pad: Pad) -> SampleView? { memory(pad)?.view }

  /// The memory of that sound: it keeps the samples alive, and holds the hash of the content.
  public func memory(_ pad: Pad) -> SampleMemory? { layers[pad.index].last?.sounds.first }
}
