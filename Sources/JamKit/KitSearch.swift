import Glibc

/// The places where kits are searched when the user names none.
public enum KitSearch {
  /// The folders named in `BANDSHELL_KITS` (separated by colons), then the first `Kits` that is
  /// found, with the `Packs` beside it. `Kits` is searched in the working directory, beside the
  /// executable, and in the folders above the executable, because a build puts the executable below
  /// the clone.
  ///
  /// Only folders that exist. Thread: any; call once, at start.
  public static func defaultFolders() -> [String] {
    folders(
      environment: getenv("BANDSHELL_KITS").map { String(cString: $0) } ?? "",
      workingFolder: Files.realPath(".") ?? ".", executable: Files.realPath("/proc/self/exe") ?? "")
  }

  static func folders(environment: String, workingFolder: String, executable: String) -> [String] {
    var found = environment.split(separator: ":").map(String.init).filter(Files.isFolder)
    var places = [workingFolder]
    var above = executable[...]
    // .build/<triple>/release/bandshell lies four folders below the clone's.
    for _ in 0..<4 {
      guard let slash = above.lastIndex(of: "/") else { break }
      above = above[..<slash]
      places.append(String(above))
    }
    if let place = places.first(where: { Files.isFolder(Files.joined($0, "Kits")) }) {
      found.append(Files.joined(place, "Kits"))
      // Kits whose sounds come from packages.
      let packs = Files.joined(place, "Packs")
      if Files.isFolder(packs) { found.append(packs) }
    }
    return distinct(found)
  }

  /// `paths` without those that lead to the same folder as an earlier one.
  public static func distinct(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert(Files.realPath($0) ?? $0).inserted }
  }
}
