/// A kit on its way in: what an importer made of its source, before anything is written.
struct ImportedKit: Sendable {
  struct ImportedPad: Sendable {
    /// `file` is the name that it will have in the kit's folder.
    var description: PadDescription
    var sound: Sound
    /// The file that it came from.
    var source: String
  }

  var name: String
  var credits = ""
  /// On pads 1, 2, …; sixteen at most.
  var pads: [ImportedPad] = []
  /// Files that found no pad.
  var leftOut: [String] = []
  /// What could not be read, or not be carried over.
  var problems: [KitError] = []
}
