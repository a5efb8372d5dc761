/// The kind of a source of sounds.
public enum ImportKind: Hashable, Sendable {
  case folder
  /// A Hydrogen drum kit, as an archive or unpacked.
  case hydrogen
  case sfz
  /// An `.sf2` or `.sf3`.
  case soundFont
  /// One sound file, cut at its onsets.
  case recording

  /// The error text for a source that holds nothing to import.
  var lookedFor: String {
    switch self {
    case .folder:
      """
      holds no sound file that can be read, so nothing was imported; \
      name a folder of WAV, AIFF, FLAC, OGG or MP3 files
      """
    case .hydrogen:
      """
      holds no instrument with a sound that can be read, so nothing was imported; \
      name a Hydrogen kit with drumkit.xml and its sounds
      """
    case .sfz:
      "holds no region with a sound that can be read, so nothing was imported; name an SFZ file beside its samples"
    case .soundFont:
      "holds no preset with a sound that can be read, so nothing was imported; name a SoundFont with samples in it"
    case .recording:
      "holds nothing above silence, so nothing was imported; name a recording with hits in it"
    }
  }
}
