import Glibc

/// The places of packages' sounds.
///
/// Thread: any; looks at folders, not real-time safe.
public struct PackPlaces: Hashable, Sendable {
  /// Each may hold a folder with the name of a package. They are searched before the package's own
  /// place.
  let folders: [String]
  /// Whether packages that the system installed count.
  let includesSystem: Bool

  /// The folders that `BANDSHELL_PACKS` names (separated by colons), then the system's. The
  /// variable is for systems that do not have these packages.
  public static let standard = PackPlaces(
    folders: (getenv("BANDSHELL_PACKS").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init))

  init(folders: [String], includesSystem: Bool = true) {
    self.folders = folders
    self.includesSystem = includesSystem
  }

  /// The problem of each of `folders` that does not exist.
  public var problems: [KitError] {
    folders.filter { !Files.isFolder($0) }.map { KitError($0, .noPackFolder) }
  }

  /// The folder of a package's sounds; nil where it is not installed.
  public func folder(of pack: KitPack) -> String? {
    let places = folders.map { Files.joined($0, pack.package) } + (includesSystem ? [pack.home] : [])
    return places.first(where: Files.isFolder)
  }
}
