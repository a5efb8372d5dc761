/// A path, split into a folder and a name.
package struct FilePlace {
  package let folder: String
  package let name: String

  package var path: String { folder == "." ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)" }

  /// The text behind the name's last dot; nil where there is none.
  package var ending: String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    return ending.isEmpty ? nil : String(ending)
  }

  package init(_ path: String) {
    var path = Substring(path)
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard let slash = path.lastIndex(of: "/") else {
      (folder, name) = (".", String(path))
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.index(after: slash)...])
  }
}
