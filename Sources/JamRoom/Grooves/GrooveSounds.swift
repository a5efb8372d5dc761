internal import JamCore
internal import JamKit

/// The sounds of a groove's line in a player's hands: pads for drums, the kit's own bass or an
/// instrument for the bass, an instrument for chords.
struct GrooveSounds {
  private let part: GroovePart
  private let pads: [PadState]
  /// A kit with drums, for drums that the player's kit does not have.
  private let drumKit: Kit?
  /// The kit's bass; nil where an instrument plays the bass.
  private let bass: GrooveBass?
  private let patch: Patch

  /// - Parameters:
  ///   - pads: the player's, in their order.
  ///   - kits: those that can be chosen.
  init(of line: Groove.Line, pads: [PadState], kits: [Kit], _ instruments: Instruments) {
    part = line.part
    self.pads = pads
    drumKit = kits.first { kit in
      ["kick", "snare", "hat"].allSatisfy { category in
        kit.pads.contains { $0?.category == category }
      }
    }
    bass = line.part == .bass ? GrooveBass(among: pads) : nil
    let known = line.instruments.lazy.compactMap { id in
      instruments.all.first { $0.id == id && !$0.isSampled }
    }
    patch = Patch(known.first ?? instruments.first)
  }

  /// - Returns: nil where nothing has the sound.
  func voicing(of sound: Groove.Sound) -> Voicing? {
    switch sound {
    case .drum(let category, let number): drum(category, number)
    case .note(let note): bass.map { bassNote(note, on: $0) } ?? key(note)
    }
  }

  // MARK: Drums

  /// Sounds that may stand in for a drum, the nearest first.
  private static func standIns(for category: String) -> [String] {
    switch category {
    case "kick": ["tom"]
    case "snare": ["clap", "percussion"]
    case "clap": ["snare", "percussion"]
    case "hat": ["cymbal", "percussion"]
    case "cymbal": ["hat", "percussion"]
    case "tom": ["percussion"]
    case "percussion": ["tom", "clap", "hat"]
    default: []
    }
  }

  private func drum(_ category: String, _ number: Int) -> Voicing? {
    let own = pads.map { $0.sound == nil ? nil : $0.description?.category }
    for category in [category] + GrooveSounds.standIns(for: category) {
      let places = own.indices.filter { own[$0] == category && pads[$0].settings.mode == .oneShot }
      if let place = GrooveSounds.place(number, of: places), let pad = Pad(place + 1) {
        return voicing(of: pad)
      }
    }
    guard let drumKit else { return nil }
    for category in [category] + GrooveSounds.standIns(for: category) {
      let places = drumKit.pads.indices.filter { drumKit.pads[$0]?.category == category }
      if let place = GrooveSounds.place(number, of: places), let pad = Pad(place + 1),
        let entry = drumKit[pad]
      {
        return Voicing(pad: pad, sample: .pad(pad, of: drumKit.id), settings: entry.settings)
      }
    }
    return nil
  }

  private static func place(_ number: Int, of places: [Int]) -> Int? {
    places.isEmpty ? nil : places[max(0, min(number, places.count) - 1)]
  }

  private func voicing(of pad: Pad) -> Voicing {
    let state = pads[pad.index]
    var settings = state.soundedSettings
    settings.mute = false
    settings.solo = false
    return Voicing(pad: pad, sample: state.sample, settings: settings)
  }

  // MARK: Notes

  private func bassNote(_ note: Int, on bass: GrooveBass) -> Voicing {
    var voicing = voicing(of: bass.pad)
    voicing.settings.transpose = PadSetting.transpose.row.kind.bounded(Float(note - bass.note))
    voicing.settings.transposeRandom = 0
    voicing.settings.mode = .gate
    voicing.settings.voices = 1
    voicing.settings.release = max(voicing.settings.release, 30)
    return voicing
  }

  /// A key of an instrument.
  private func key(_ note: Int) -> Voicing? {
    guard let key = Pad(key: note) else { return nil }
    var settings = PadSettings()
    settings.mode = .gate
    settings.voices = 1
    // Chords stay behind what people play over them.
    if part == .chords { settings.gain = -3 }
    return Voicing(pad: key, sample: .patch(patch), settings: settings)
  }
}
