/// A path as a folder and a name in it.
struct FilePlace {
  let folder: String
  let name: String

  var path: String { folder == "." ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)" }

  init(_ path: String) {
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
