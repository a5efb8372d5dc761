public import JamKit

/// A preset that a SoundFont offers.
public struct SoundFontPreset: Hashable, Sendable {
  public let bank: Int
  public let program: Int
  public let name: String

  /// All presets of a SoundFont, by bank and number. Thread: any; reads a file.
  public static func all(of path: String) throws(KitError) -> [SoundFontPreset] {
    let presets = try SoundFontImport.bank(path).presets
    return presets.map { SoundFontPreset(bank: $0.bank, program: $0.program, name: $0.name) }
      .sorted { ($0.bank, $0.program) < ($1.bank, $1.program) }
  }
}
