internal import JamCore
internal import JamEngine
internal import JamKit

// Stand-ins for kits, instruments and sounds that are not here. They are silent and keep their
// names, so that keeping a room again loses nothing.

extension PlayableKit {
  /// Stands for a kit or an instrument that is not here: its pads are silent, and no key of it
  /// plays.
  static func away(_ id: String) -> PlayableKit {
    PlayableKit(kit: Kit(id: id, name: id), pads: [PlayablePad?](repeating: .away, count: Pad.count))
  }

  var isAway: Bool { self[Pad.all[0]]?.isAway == true }
}

extension PlayablePad {
  /// Stands for the sounds of a pad that is not here.
  static var away: PlayablePad { PlayablePad(PlayableSound(awayWith: 0)) }

  /// - Parameter turn: from 0: the sound of the pad that the hit plays once they are here. Their
  ///   marks are not known before, so the mark is below zero and holds the turn.
  static func away(turn: Int) -> PlayablePad { PlayablePad(PlayableSound(awayWith: ~Int64(turn))) }

  var isAway: Bool { layers[0].sounds[0].isAway }
}

extension OwnSound {
  /// Stands for a sound that is not here; nil where `sample` is of no sound that somebody brought
  /// along.
  static func away(_ sample: SampleID) -> OwnSound? {
    guard case .own(let text) = sample, let hash = ContentHash(text) else { return nil }
    return OwnSound(PlayableSound(awayWith: 0), hash: hash, name: "own \(text.prefix(8))", category: .other)
  }
}

extension PlayerKeys {
  /// The id of an instrument that is not here.
  fileprivate var awayInstrument: String? { samples?.isAway == true ? samples?.kit.id : nil }
}

extension RoomState {
  /// Hits of the player's loop and lanes whose sounds are not here.
  func awayHits(of id: PlayerID) -> [LoopHit] { hits(of: id).filter(\.sound.isAway) }

  /// All hits of the player's loop and lanes.
  func hits(of id: PlayerID) -> [LoopHit] {
    let layers = loopers[id].loop.layers.flatMap { $0?.tracks.flatMap(\.hits) ?? [] }
    let slots = loopers[id].lanes.flatMap(\.slots).flatMap { $0?.hits ?? [] }
    return layers + slots
  }

  /// Each missing sound on the player's pads and keys, in its loop and lanes: the command that
  /// asked for it, and why it is silent.
  func away(of id: PlayerID) -> [(Command, Refusal)] {
    // It may have left while the state is told to it.
    guard roster.isHere(id) else { return [] }
    let samples =
      hands[id].pads.filter { $0.plainSound?.isAway == true }.map(\.sample) + awayHits(of: id).map(\.voicing.sample)
    var kits = hands[id].kit.isAway ? [hands[id].kitID] : []
    var sounds = 0
    let instrument = hands[id].keys.awayInstrument
    for sample in Set(samples) {
      switch sample {
      case .pad(_, let kit): if !kits.contains(kit), kit != instrument { kits.append(kit) }
      case .own: sounds += 1
      case .patch, .nothing: break
      }
    }
    var told: [(Command, Refusal)] = kits.sorted().map { (.chooseKit(.id($0)), .kitAway($0)) }
    if let instrument { told.append((.set(.instrument, .text(instrument)), .instrumentAway(instrument))) }
    if sounds > 0 { told.append((.listSamples(Library.ownCategory), .soundsAway(sounds))) }
    return told
  }
}
