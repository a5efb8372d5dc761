internal import JamCore

/// The kits of a room, the sounds that people brought along, and the music that they saved.
struct Library: Equatable, Sendable {
  /// In the order in which they are listed.
  var kits: [Kit]
  /// Notes on kits that were saved. Unlisted kits keep their places.
  var kitMarks = KitMarks()
  /// Kits in memory that a player uses, or that newcomers get.
  var loaded: [String: PlayableKit]
  let firstKit: PlayableKit
  /// Sounds that people brought along and that are in memory, the latest last.
  var ownSounds: [OwnSound] = []
  /// Sounds of pads that could not be had when the pads were restored. They take nobody's place.
  var awaySounds: Set<SampleID> = []
  /// Sounds brought along and kept in a folder, the latest last; nil where nothing is kept.
  var keptSounds: [ListedSound]?
  /// Chords that people gave a name to.
  var progressions = ProgressionBook()
  /// Scenes for everybody to launch.
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
