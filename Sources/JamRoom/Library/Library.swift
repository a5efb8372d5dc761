internal import JamCore

/// What there is to play in a room: kits, and the sounds that people brought along.
struct Library: Equatable, Sendable {
  /// In the order in which they are listed.
  var kits: [Kit]
  /// Kits that a host has deleted; their places stay.
  var goneKits: Set<String> = []
  /// Kits in memory that a player uses, or that newcomers get.
  var loaded: [String: PlayableKit]
  let firstKit: PlayableKit
  /// Sounds that people brought along and that are in memory, the latest last.
  var ownSounds: [OwnSound] = []
  /// What is named on pads, and was not to be had as they were restored. It takes nobody's place.
  var awaySounds: Set<SampleID> = []
  /// What they brought along and is kept in a folder, the latest last; nil where nothing is.
  var keptSounds: [ListedSound]?
  /// Chords that people gave a name to.
  var progressions = ProgressionBook()
  /// What plays together, for everybody to launch.
  var scenes = SceneBook()
  /// Blocks that people saved.
  var blocks: BlockLibrary

  init(kits: [Kit], firstKit: PlayableKit, blocks: BlockLibrary) {
    self.blocks = blocks
    self.kits = kits
    self.firstKit = firstKit
    loaded = [firstKit.kit.id: firstKit]
  }
}
