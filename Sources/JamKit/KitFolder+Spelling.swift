extension KitFolder {
  /// The folder's own spelling of `file`; `file` itself where the folder has no such name.
  ///
  /// A Mac writes `é` in two parts, a Windows program writes `\` for `/`, and people mix capitals.
  /// Only the name that the folder has can be opened. An equal name by bytes comes first, then by
  /// letters, then by letters without regard to capitals.
  package func spelled(_ file: String) -> String {
    guard !Files.exists(Files.joined(path, file)) else { return file }
    var found: [String] = []
    for part in Self.parts(of: file) {
      let names = Files.names(in: ([path] + found).joined(separator: "/")) ?? []
      guard let name = Self.spelling(of: part, among: names) else { return file }
      found.append(name)
    }
    return found.isEmpty ? file : found.joined(separator: "/")
  }

  /// The name among `names` that `name` means. If several match, the choice is always the same.
  package static func spelling(of name: String, among names: some Sequence<String>) -> String? {
    // Swift compares strings regardless of how accents are encoded; the bytes may differ.
    var (same, folded): (String?, String?)
    let wanted = name.lowercased()
    for other in names {
      if other.utf8.elementsEqual(name.utf8) { return other }
      if other == name { same = min(same ?? other, other) }
      if other.lowercased() == wanted { folded = min(folded ?? other, other) }
    }
    return same ?? folded
  }

  /// The folders and the file that a path names, with either slash, without `.`.
  package static func parts(of path: String) -> [String] {
    path.split { $0 == "/" || $0 == "\\" }.map { String($0) }.filter { $0 != "." }
  }

  /// Whether there is such a file, by the folder's own spelling.
  func holds(_ file: String) -> Bool { Files.exists(Files.joined(path, spelled(file))) }
}
