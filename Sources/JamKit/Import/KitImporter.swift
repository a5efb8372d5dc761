public import JamCore

/// Turns other people's sounds into kits.
public enum KitImporter {
  /// What was made, and what was not.
  public struct Report: Sendable {
    /// Pads in order: where each came from, and what it became.
    public let pads: [(pad: Pad, source: String, description: PadDescription)]
    /// Files beyond the sixteenth.
    public let leftOut: [String]
    /// One for each file that could not be read.
    public let problems: [KitError]
  }

  /// Makes a kit at `target` from the sound files in the folder `source`.
  ///
  /// Files go in the order of their names to pads 1–16; names and categories are taken from them. Sounds are stored as FLAC,
  /// with 24 bits where the source has more than 16.
  /// - Thread: any; decodes and encodes, not real-time safe.
  /// - Throws: `KitError` where nothing can be read, or the kit cannot be written; `target` is then as it was.
  public static func importFolder(
    _ source: String, to target: String, limits: Limits = .standard
  ) throws(KitError) -> Report {
    try KitWriter.check(KitFolder(target))
    let kit = try FolderImport(path: source, limits: limits).read()
    try KitWriter.write(kit, to: target)
    return Report(
      pads: zip(Pad.all, kit.pads).map { (pad: $0, source: $1.source, description: $1.description) },
      leftOut: kit.leftOut, problems: kit.problems)
  }
}
