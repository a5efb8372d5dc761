/// The SoundFonts that packages have installed. Each holds many presets, which are imported one by
/// one. No kit names a SoundFont.
///
/// Thread: any; looks at folders, not real-time safe.
public enum SoundFonts {
  /// Their paths, in order, where Debian's packages put them.
  public static var installed: [String] { installed(in: ["/usr/share/sounds/sf2", "/usr/share/sounds/sf3"]) }

  /// Whether the name is that of a SoundFont: an `.sf2`, or an `.sf3` with Ogg Vorbis in it.
  package static func isSoundFont(_ path: String) -> Bool {
    [".sf2", ".sf3"].contains { path.lowercased().hasSuffix($0) }
  }

  /// A SoundFont with several names, as by the link `default-GM.sf2`, is listed once, by its real
  /// name.
  static func installed(in folders: [String]) -> [String] {
    let paths = folders.flatMap { folder in
      (Files.names(in: folder) ?? []).filter(isSoundFont).sorted().map { Files.joined(folder, $0) }
    }
    return paths.filter { path in
      guard let real = Files.realPath(path) else { return false }
      return real == path || !paths.contains { $0 != path && Files.realPath($0) == real }
    }
  }
}
