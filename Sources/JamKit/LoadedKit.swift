public import JamCore

/// A kit whose sounds are in memory.
///
/// Keep it for as long as an engine may read its samples: views own nothing. Sounds that layers, pads and kits share exist once.
/// Thread: any, but the last reference must not be dropped on an audio thread.
public final class LoadedKit: Sendable {
  /// With each pad's duration filled in: that of `sample`.
  public let kit: Kit
  /// Bytes of sound, each counted once.
  public let byteCount: Int

  /// Of all sounds together, each counted once.
  public let duration: Frames

  /// Of a sampled instrument: zone i is pad i. Empty of a kit.
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

  /// From the softest to the loudest, `upTo` rising to 1; empty where the pad is.
  public func layers(_ pad: Pad) -> [SoundLayer] { layers[pad.index] }

  /// The first sound of the pad's loudest layer; nil where the pad is empty.
  public func sample(_ pad: Pad) -> SampleView? { memory(pad)?.view }

  /// What keeps that sound alive, and its name by content.
  public func memory(_ pad: Pad) -> SampleMemory? { layers[pad.index].last?.sounds.first }
}
