internal import JamCore
internal import JamEngine

/// The whole room's sound, apart from its players.
struct Mix: Equatable, Sendable {
  /// In dB.
  var masterGain: Float = 0
  /// Whether the room is kept at −14 LUFS, however many play.
  var isLevelled = true
  /// In semitones.
  var pitch: Float = 0
  /// 0 open … 1 closed.
  var modulation: Float = 0
  var effects = RoomEffectSettings()
  var holds = Holds()
  /// Whether the server's own loudspeakers carry the click.
  var speakersClick = false
  /// The key to play in: sounds do not change with it by themselves.
  var key = MusicalKey()
}

extension Mix {
  static let rows: [Row<Mix>] =
    [
      Row(
        .masterGain, .float(\.masterGain), engine: { mix, _ in .master(gain: Decibels.gain(mix.masterGain)) },
        kept: .ownRow),
      Row(
        .leveller, .bool(\.isLevelled), right: .host(.levelRoom), engine: { mix, _ in .leveller(mix.isLevelled) },
        kept: .ownRow),
      Row(
        .pitch, .float(\.pitch), engine: { mix, _ in .pitch(ratio: Decibels.ratio(semitones: mix.pitch)) },
        replans: [.tuning, .hold(.pitch)], kept: .ownRow),
      Row(
        .modulation, .float(\.modulation), engine: { mix, _ in .modulation(mix.modulation) },
        replans: [.hold(.modulation)], kept: .ownRow),
    ] + effectRows + [
      Row(.metronomeSpeakers, .bool(\.speakersClick), right: .speakers, log: .click, kept: .ownRow)
    ] + keyRows + [
      Row(.scaleNotes) { .text($0.key.names.joined(separator: " ")) }
    ] + holdRows

  static let effectRows = RoomEffectSetting.allCases.map { what -> Row<Mix> in
    let control = PlayedControl(of: .roomEffect(what))
    // A macro springs back by itself.
    return Row<Mix>(
      .roomEffect(what), .effect(what), log: .changed,
      engine: { mix, _ in .roomEffect(what, mix.effects.number(what)) },
      replans: control.map { [.hold($0)] } ?? [],
      kept: what.isMacro ? .project : [.ownRow, .project])
  }

  /// No part of the music: who holds what, and whether it stays.
  private static let holdRows: [Row<Mix>] =
    [Row(.pinned, .bool(\.holds.isPinned), right: .host(.pinControls), log: .none, kept: .journal)]
    + PlayedControl.allCases.map { control -> Row<Mix> in
      Row(.holder(control)) { .text($0.holds.player(of: control)?.text ?? "") }
    }

  /// The controls of the whole mix that people play with: its effects, pitch and filter.
  static let playedRows = rows.filter { row in
    switch row.facts.setting {
    case .pitch, .modulation, .roomEffect: true
    default: false
    }
  }

  static let keyRows: [Row<Mix>] = [
    Row(
      .keyRoot, .word(\.key.root, .keyRoot, parse: KeyRoot.init(written:)), right: .unlocked(.key),
      replans: [.key], follows: [.kits], kept: [.ownRow, .project]),
    Row(
      .scale, .word(\.key.scale, .scale, parse: Scale.init(written:)), right: .unlocked(.key),
      replans: [.key], kept: [.ownRow, .project]),
  ]
}

extension RowPlace where Owner == Mix {
  fileprivate static func effect(_ what: RoomEffectSetting) -> RowPlace {
    RowPlace(
      read: { $0.effects[what] },
      check: { value throws(Refusal) in
        if what.row.kind.nearest(value) == nil { throw .notSettable }
      },
      write: { mix, value, kind in
        guard kind.nearest(value) != nil else { return false }
        mix.effects[what] = value
        return true
      })
  }
}

extension Mix {
  /// A setting that was kept by its name; one that there is no more stays as it is.
  mutating func bring(_ kept: KeptSetting) {
    guard case .mix(let row)? = RoomRow.of(kept.setting) else { return }
    _ = row.write?(&self, kept.value)
  }
}
