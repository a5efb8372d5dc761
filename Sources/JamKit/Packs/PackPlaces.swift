import Glibc

/// Where the sounds of packages lie.
///
/// Thread: any; looks at folders, not real-time safe.
public struct PackPlaces: Hashable, Sendable {
  /// Each may hold a folder called as a package; they are looked into before the package's own place.
  let folders: [String]
  /// Whether the packages that the system installed count.
  let includesSystem: Bool

  /// The folders that `BANDSHELL_PACKS` names (separated by colons), then the system's. For systems that have no such package.
  public static let standard = PackPlaces(
    folders: (getenv("BANDSHELL_PACKS").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init))

  init(folders: [String], includesSystem: Bool = true) {
    self.folders = folders
    self.includesSystem = includesSystem
  }

  /// Those of `folders` that are not there.
  public var problems: [KitError] {
    folders.filter { !Files.isFolder($0) }.map { KitError($0, .noPackFolder) }
  }

  /// The folder of a package's sounds; nil where it is not installed.
  public func folder(of pack: KitPack) -> String? {
    let places = folders.map { Files.joined($0, pack.package) } + (includesSystem ? [pack.home] : [])
    return places.first(where: Files.isFolder)
  }
}
