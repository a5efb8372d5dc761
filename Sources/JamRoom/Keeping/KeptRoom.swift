public import JamCore
internal import JamKit

/// A room as it was kept, and the sounds that it needs to be that again.
///
/// Thread: one at a time, any that may wait; then the room's.
public struct KeptRoom: Sendable {
  private let items: [String: [KeptValue]]
  private let kits: [String: PlayableKit]
  private let ownSounds: [OwnSound]
  private let pads: [VoicedSound: PlayablePad]
  /// What could not be read, or had; for the log.
  public let problems: [String]

  /// Reads the kits and sounds in.
  /// - Parameter items: by their names.
  public init(_ items: [String: [KeptValue]], from kitStore: KitStore) {
    self.init(items) { (id: String) throws(KitError) in
      try kitStore.load(id)
    } ownSound: { (hash: String) throws(KitError) in
      try kitStore.own(hash)
    } stretched: {
      kitStore.stretched($0, by: $1, $2)
    }
  }

  /// - Parameter stretched: nil where there is no memory for it.
  init(
    _ items: [String: [KeptValue]], kit load: (String) throws(KitError) -> PlayableKit,
    ownSound: (String) throws(KitError) -> OwnSound,
    stretched: (PlayablePad, Float, StretchQuality) -> PlayablePad?
  ) {
    self.items = items
    var (kits, owns, pads, problems) = ([String: PlayableKit](), [OwnSound](), [VoicedSound: PlayablePad](), [String]())
    var failed: Set<String> = []
    func kit(_ id: String) -> PlayableKit? {
      if let kit = kits[id] { return kit }
      guard !failed.contains(id) else { return nil }
      do throws(KitError) {
        kits[id] = try load(id)
      } catch {
        failed.insert(id)
        problems.append("\(error)")
      }
      return kits[id]
    }
    func own(_ sample: SampleID) -> OwnSound? {
      guard case .own(let hash) = sample, !failed.contains(hash) else { return nil }
      if let own = owns.first(where: { $0.id == sample }) { return own }
      do throws(KitError) {
        let own = try ownSound(hash)
        owns.append(own)
        return own
      } catch {
        failed.insert(hash)
        problems.append("\(error)")
        return nil
      }
    }
    let reading = KeptReading(items, KeptSounds())
    for sample in reading.samples {
      if case .pad(_, let id) = sample { _ = kit(id) } else { _ = own(sample) }
    }
    for id in reading.kits { _ = kit(id) }
    for wanted in reading.wantedSounds {
      let plain: PlayablePad? =
        switch wanted.sample {
        case .pad(let pad, let id): kit(id)?.plain(pad)
        case .own: own(wanted.sample).map { PlayablePad($0.sound) }
        }
      guard let plain else { continue }
      pads[wanted] = wanted.stretch == 1 ? plain : stretched(plain, wanted.stretch, wanted.quality) ?? plain
    }
    problems += reading.problems
    (self.kits, ownSounds, self.pads, self.problems) = (kits, owns, pads, problems)
  }

  /// What the room's clock begins with; nil where none was kept.
  public var tempo: Tempo? { KeptReading(items, KeptSounds()).clock?.tempo }

  /// Nobody was in it, and so it was closed: it is opened again when somebody comes.
  public static func isClosed(_ items: [String: [KeptValue]]) -> Bool { items["closed"] == [.flag(true)] }

  /// Who had a place in it.
  public var playerNames: [String] { reading.people.map(\.name.text) }
  /// Of all loops.
  public var layerCount: Int { reading.people.reduce(0) { $0 + $1.loop.layerCount } }
  /// That can be taken back.
  public var editCount: Int { reading.people.reduce(0) { $0 + $1.done.count } }

  /// Puts the kits and sounds where the room finds them.
  func bring(to library: inout Library) {
    for (id, kit) in kits where library.loaded[id] == nil { library.loaded[id] = kit }
    for own in ownSounds where !library.ownSounds.contains(where: { $0.id == own.id }) { library.ownSounds.append(own) }
  }

  /// All that was kept, with its sounds.
  var reading: KeptReading { KeptReading(items, KeptSounds(pads)) }
}
