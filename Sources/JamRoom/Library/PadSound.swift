internal import JamCore

/// A pad's sound: its id, its memory, and its description.
struct PadSound: Sendable {
  var id: SampleID
  /// Nil is an empty pad.
  var playable: PlayablePad?
  var description: KitPad?

  /// Its length in beats; 0 where nothing says so.
  var beats: Float { description?.settings.beats ?? 0 }

  /// The sound as the kit has it, not stretched.
  init(_ pad: Pad, of kit: PlayableKit) {
    id = .pad(pad, of: kit.kit.id)
    playable = kit.plain(pad)
    description = kit.kit[pad]
  }

  /// The pad becomes empty.
  static let nothing = PadSound(id: .nothing)

  private init(id: SampleID) { self.id = id }

  init(_ own: OwnSound) {
    id = own.id
    playable = PlayablePad(own.sound)
    description = own.description
  }
}
