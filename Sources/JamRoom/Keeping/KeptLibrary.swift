internal import JamCore
internal import JamKit

/// The kits and sounds that something kept needs, read in. Silent stand-ins replace missing ones.
///
/// Thread: one at a time, any that may wait; a plain value from then on.
struct KeptLibrary: Sendable {
  private var kits: [String: PlayableKit] = [:]
  private var ownSounds: [OwnSound] = []
  private var awaySounds: Set<SampleID> = []
  /// The sounds of kept hits.
  private(set) var pads: [VoicedSound: PlayablePad] = [:]
  /// Kits and sounds that could not be had; for the log.
  private(set) var problems: [String] = []

  /// The source of kits and sounds.
  struct Source {
    var kit: (String) throws(KitError) -> PlayableKit
    var ownSound: (String) throws(KitError) -> OwnSound
    /// Nil where there is no memory for it.
    var stretched: (PlayablePad, Float, StretchQuality) -> PlayablePad?
    /// Whether the instrument of that id has sounds, which are read as a kit's are.
    var isSampled: (String) -> Bool = { _ in false }
    /// Those of many kits that can be had, read side by side.
    var readKits: (Set<String>) -> [String: PlayableKit] = { _ in [:] }
  }

  /// Nothing is needed.
  init() {}

  init(
    kits wantedKits: Set<String>, instruments: Set<String> = [], samples: Set<SampleID>, hits: Set<VoicedSound>,
    from source: Source
  ) {
    func kit(_ id: String, _ library: inout KeptLibrary) -> PlayableKit {
      if let kit = library.kits[id] { return kit }
      let kit: PlayableKit
      do throws(KitError) {
        kit = try source.kit(id)
      } catch {
        kit = .away(id)
        library.problems.append("\(error)")
      }
      library.kits[id] = kit
      return kit
    }
    func own(_ sample: SampleID, _ library: inout KeptLibrary) -> OwnSound? {
      guard case .own(let hash) = sample else { return nil }
      if library.awaySounds.contains(sample) { return .away(sample) }
      if let own = library.ownSounds.first(where: { $0.id == sample }) { return own }
      do throws(KitError) {
        let own = try source.ownSound(hash)
        library.ownSounds.append(own)
        return own
      } catch {
        library.awaySounds.insert(sample)
        library.problems.append("\(error)")
        return .away(sample)
      }
    }
    let named = (Array(samples) + hits.map(\.sample)).compactMap { if case .pad(_, let id) = $0 { id } else { nil } }
    kits = source.readKits(wantedKits.union(named).union(instruments.filter(source.isSampled)))
    for sample in samples {
      if case .pad(_, let id) = sample { _ = kit(id, &self) } else { _ = own(sample, &self) }
    }
    for id in wantedKits { _ = kit(id, &self) }
    for id in instruments where source.isSampled(id) { _ = kit(id, &self) }
    for wanted in hits {
      let plain: PlayablePad? =
        switch wanted.sample {
        case .pad(let pad, let id): kit(id, &self).plain(pad) ?? .away
        case .own: own(wanted.sample, &self).map { PlayablePad($0.sound) }
        case .patch(let patch): PlayablePad(patch)
        case .nothing: .away
        }
      guard let plain else { continue }
      pads[wanted] =
        wanted.stretch == 1 || plain.isAway ? plain : source.stretched(plain, wanted.stretch, wanted.quality) ?? plain
    }
  }

  /// Puts the kits and sounds where the room finds them.
  func bring(to library: inout Library) {
    for (id, kit) in kits where library.loaded[id] == nil { library.loaded[id] = kit }
    for own in ownSounds where !library.ownSounds.contains(where: { $0.id == own.id }) { library.ownSounds.append(own) }
    library.awaySounds.formUnion(awaySounds)
  }
}

extension KeptLibrary.Source {
  init(_ kitStore: KitStore) {
    kit = { id throws(KitError) in try kitStore.load(id) }
    ownSound = { hash throws(KitError) in try kitStore.own(hash) }
    stretched = { kitStore.stretched($0, by: $1, $2) }
    readKits = { kitStore.loadSideBySide($0) }
    let instruments = kitStore.instruments
    isSampled = { instruments.isSampled($0) }
  }
}
