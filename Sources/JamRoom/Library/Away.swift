internal import JamCore
internal import JamEngine
internal import JamKit

// What was named and is not here: a kit whose folder is away, an instrument, a sound that somebody brought along.
// It stands in its place, silent and under its own name, so that what is kept says what was kept before.

extension PlayableKit {
  /// Stands for a kit or an instrument that is not here: its pads are silent, and no key of it plays.
  static func away(_ id: String) -> PlayableKit {
    PlayableKit(kit: Kit(id: id, name: id), pads: [PlayablePad?](repeating: .away, count: Pad.count))
  }

  var isAway: Bool { self[Pad.all[0]]?.isAway == true }
}

extension PlayablePad {
  /// Stands for the sounds of a pad that is not here.
  static var away: PlayablePad { PlayablePad(PlayableSound(awayWith: 0)) }

  var isAway: Bool { layers[0].sounds[0].isAway }
}

extension OwnSound {
  /// Stands for a sound that is not here; nil where `sample` is of no sound that somebody brought along.
  static func away(_ sample: SampleID) -> OwnSound? {
    guard case .own(let text) = sample, let hash = ContentHash(text) else { return nil }
    return OwnSound(PlayableSound(awayWith: 0), hash: hash, name: "own \(text.prefix(8))", category: .other)
  }
}

extension PlayerKeys {
  /// Where what they play is not here.
  fileprivate var awayInstrument: String? { samples?.isAway == true ? samples?.kit.id : nil }
}

extension RoomState {
  /// A kit as an edit, a room or a project names it. One that is not here is taken all the same.
  mutating func kitToRestore(_ id: String, from current: String) -> Kit {
    if !library.isUnknown(id), let kit = try? library.kit(.id(id), from: current) { return kit }
    if library.loaded[id] == nil { library.loaded[id] = .away(id) }
    return Kit(id: id, name: id)
  }

  /// Whether no instrument of that name is here, or its sounds cannot be read.
  func isAway(instrument: String) -> Bool {
    library.loaded[instrument]?.isAway ?? ((try? setup.instruments.named(instrument)) == nil)
  }

  /// The instrument under the name by which it was asked for: it is not here.
  mutating func restoreAway(_ instrument: String, of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    use(Patch(id: instrument, settings: .ofSamples, isSampled: true), .away(instrument), by: id, at: frame, &effects)
  }

  /// What the player has on its pads and under its keys, in its loop and its lanes, and is not here: what was asked for, and why it is silent.
  func away(of id: PlayerID) -> [(Command, Refusal)] {
    let player = roster[id]
    var samples: [SampleID] = player.pads.filter { $0.plainSound?.isAway == true }.map(\.sample)
    for layer in player.loop.layers {
      for hit in layer?.tracks.flatMap(\.hits) ?? [] where hit.sound.isAway { samples.append(hit.voicing.sample) }
    }
    for hit in player.lanes.flatMap(\.slots).flatMap({ $0?.hits ?? [] }) where hit.sound.isAway {
      samples.append(hit.voicing.sample)
    }
    var kits = player.kit.isAway ? [player.kitID] : []
    var sounds = 0
    let instrument = player.keys.awayInstrument
    for sample in Set(samples) {
      switch sample {
      case .pad(_, let kit): if !kits.contains(kit), kit != instrument { kits.append(kit) }
      case .own: sounds += 1
      case .patch: break
      }
    }
    var told: [(Command, Refusal)] = kits.sorted().map { (.chooseKit(.id($0)), .kitAway($0)) }
    if let instrument { told.append((.set(.instrument, .text(instrument)), .instrumentAway(instrument))) }
    if sounds > 0 { told.append((.listSamples(Library.ownCategory), .soundsAway(sounds))) }
    return told
  }
}
